#!/usr/bin/env python3
"""Uploads files to a service that takes fewer requests than they need, and compares the time with the least possible.

    cargo build --release && python3 benches/throttle.py [--only NAME] [--credlint PATH]...

bucket      a gateway takes 5 requests a second of any kind, 5 at once (nginx: limit_req rate=5r/s burst=5 nodelay), and
            answers all others with a page and 429
strict      the same without a burst
code        the same as bucket, with the service's own answer to the others, and `Retry-After: 1`
tickets     2 tickets a second, counted by the clock, without `Retry-After`
slow        1 ticket a second, `Retry-After: 1`
posts       2 requests to files.upload a second, counted by the clock

The service is this script. *ideal* is the time in which the limit takes all requests that the files need.

Measured on two busy cores; before: without a line at the gate of a throttled step. In brackets, times the ideal.

                       ideal     one at a time       8 at a time   before, 8 at a time
    bucket              17 s       18 s (1.05)       18 s (1.04)          155 s, 1 failed
    bucket-files.upload 11 s       13 s (1.15)       12 s (1.12)           34 s
    code                17 s       21 s (1.23)       18 s (1.08)           31 s, 4 failed
    tickets             12 s       14 s (1.15)       10 s (0.87)          160 s
    slow                30 s       31 s (1.02)       31 s (1.04)           29 s
    posts               20 s       24 s (1.21)       19 s (0.95)          324 s
    strict              18 s       92 s (5.09)       31 s (1.70)          754 s, 22 failed

Below the ideal, a window ended at once. A limit without a burst takes a request only if it comes at the right moment, which no client
knows without `Retry-After`.
"""

import argparse
import json
import os
import socketserver
import subprocess
import tempfile
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler

from measure import PROGRAM

TOKEN = "xoxb-0000000000-0000000000-abcdefghijkl"
PAGE = (429, "<html>429 Too Many Requests</html>", "text/html", None)
CODE = (429, '{"ok":false,"error":"ratelimited"}', "application/json", None)
LATER = (*CODE[:3], "1")


def bucket(rate, burst, refusal):
    state = {"tokens": burst, "time": None}

    def limit(_, now):
        state["tokens"] = min(burst, state["tokens"] + (now - (state["time"] or now)) * rate)
        state["time"] = now
        if state["tokens"] < 1:
            return refusal
        state["tokens"] -= 1
        return None

    return limit


def window(operation, number, length, refusal):
    state = {"window": None, "number": 0}

    def limit(name, now):
        if name != operation:
            return None
        if int(now / length) != state["window"]:
            state.update(window=int(now / length), number=0)
        state["number"] += 1
        return refusal if state["number"] > number else None

    return limit


TICKET = "files.getUploadURLExternal"
# Method, files, limit, seconds at best.
KINDS = {
    "bucket": ("external", 30, lambda: bucket(5, 5, PAGE), (90 - 5) / 5),
    "bucket-files.upload": ("files.upload", 60, lambda: bucket(5, 5, PAGE), (60 - 5) / 5),
    "code": ("external", 30, lambda: bucket(5, 5, LATER), (90 - 5) / 5),
    "tickets": ("external", 24, lambda: window(TICKET, 2, 1, CODE), 24 / 2),
    "slow": ("external", 30, lambda: window(TICKET, 1, 1, LATER), 30),
    "posts": ("files.upload", 40, lambda: window("files.upload", 2, 1, PAGE), 40 / 2),
    "strict": ("external", 30, lambda: bucket(5, 1, PAGE), 90 / 5),
}


class Service(socketserver.ThreadingMixIn, socketserver.TCPServer):
    daemon_threads = True
    request_queue_size = 256
    allow_reuse_address = True

    def __init__(self, limit):
        super().__init__(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self.server_address[1]}"
        self.limit, self.lock = limit, threading.Lock()
        self.requests, self.tickets, self.posted = 0, 0, 0


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 65536
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        name = self.path.rsplit("/", 1)[1] if self.path.startswith("/api/") else "upload"
        with self.server.lock:
            self.server.requests += 1
            status, text, kind, later = self.server.limit(name, time.time()) or self.run(name, body)
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        if later:
            self.send_header("Retry-After", later)
        self.end_headers()
        self.wfile.write(data)
        self.wfile.flush()

    def run(self, name, body):
        server = self.server
        if name == "upload":
            return 200, f"OK - {len(body)}", "text/plain", None
        if name == TICKET:
            server.tickets += 1
            answer = {"file_id": f"F{server.tickets:09}", "upload_url": f"{server.base}/upload/F{server.tickets:09}"}
        elif name == "files.upload":
            server.posted += 1
            answer = {"file": {}}
        elif name == "files.info":
            answer = {"ok": False, "error": "file_not_found"}
        else:
            files = json.loads(urllib.parse.parse_qs(body.decode())["files"][0])
            server.posted += len(files)
            answer = {"files": files}
        return 200, json.dumps({"ok": True, **answer}), "application/json", None


def run(program, kind, *more):
    method, number, limit, _ = kind
    service = Service(limit())
    threading.Thread(target=service.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as directory:
        with open(os.path.join(directory, "credlint.toml"), "w") as file:
            file.write(f'[messaging.r]\nbase_url = "{service.base}"\ntoken = {{ env = "T" }}\nchannels = ["C0123456789"]\n'
                       f'upload_method = "{method}"\n')
        names = [f"f{index:03}.csv" for index in range(number)]
        for name in names:
            with open(os.path.join(directory, name), "w") as file:
                file.write("name,number\n" + name)
        begin = time.monotonic()
        command = [program, "upload", "-p", "r", "--format", "json", *more, *names]
        done = subprocess.run(command, cwd=directory, env={**os.environ, "T": TOKEN}, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL)
        seconds = time.monotonic() - begin
    service.shutdown()
    service.server_close()
    summary = json.loads(done.stdout)["summary"]
    assert summary["delivered"] == service.posted, summary
    return seconds, number - summary["delivered"], service.requests


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", default="", metavar="NAME")
    options.add_argument("--credlint", action="append", metavar="PATH", help="a program to measure; again for another")
    options = options.parse_args()
    print("| limit | ideal | | one at a time | 8 at a time | requests needed, 8 at a time |")
    print("|---|---|---|---|---|---|")
    for name, kind in KINDS.items():
        if options.only not in name:
            continue
        needed = kind[1] * (3 if kind[0] == "external" else 1)
        for program in options.credlint or [PROGRAM]:
            cells = []
            for more in (["--concurrency", "1"], ["--concurrency", "8"]):
                seconds, failed, requests = run(os.path.abspath(program), kind, *more)
                cells.append(f"{seconds:.0f} s ({seconds / kind[3]:.2f}), {failed} failed")
            print(f"| {name} | {kind[3]:.0f} s | {program} | {' | '.join(cells)} | {needed}, {requests} |", flush=True)


if __name__ == "__main__":
    main()
