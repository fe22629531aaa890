#!/usr/bin/env python3
"""Uploads the same files with several clients to a service that fails now and then, and counts what is true.

    cargo build --release && python3 benches/league.py [--files 500] [--faults 0.05] [--seed 1] [--large 20000] [CLIENT ...]

Clients: curl, python (slack_sdk), node (@slack/web-api), action (a checkout of slackapi/slack-github-action after `npm ci`,
which `SLACK_ACTION` names; one process a file, as jobs run it; it needs Node 24, which `NODE` names), external,
files.upload, and the last two with `+journal`. A client is left out if it is not installed; `PYTHONPATH` and `NODE_PATH`
say where an SDK is. The service is this script: it knows
which files it has posted. One request in twenty is at fault: refused before it is run, or run without an answer, each
in several ways. A file counts as

- twice: posted more than once
- wrong: called failed although it was posted, or delivered although it was not
- unsure: left for a person to look up. *Silent* are those of which the service took the whole request that posts, by
  files.upload, and gave no verdict: reset it, answered 5xx, or `internal_error`, of which Slack says that part of the
  operation may have succeeded. No client can know more, since that method has nothing to ask

With `--large`, credlint alone sends so many files, is killed every 20 seconds (SIGKILL), and resumes its journal until
a run ends by itself.

Measured on two shared cores, 500 files, seed 1 (slack_sdk and @slack/web-api of that month, curl 7.88, action 4.0.0):

    client                twice  said failed, posted  unsure (posted)  failed
    curl                      7                    3                0      10
    python                    0                   11                0      49
    node                      0                   12                0      22
    action                    0                   15                0      19
    external                  0                    0                0       1
    files.upload              0                    0           19 (9)       3
    external+journal          0                    0                0       3
    files.upload+journal      0                    0           19 (9)       3

The order in which files meet faults differs from run to run: of five runs of external, one left a file to a person, which
was not posted.

20,000 files: external+journal 0, 0, 0 and 9, with 3,296 faults and 54 kills; files.upload+journal 0, 0, 709 (285) and 7,
with 989 faults and 6 kills: 703 of the 709 are silent, and the others were in flight at a kill. Seven of these ten
faults say nothing of a request that was taken whole, which is 3.5 % of the files, whatever the client.
"""

import argparse
import collections
import concurrent.futures
import importlib.util
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from measure import PROGRAM

TOKEN = "xoxb-0000000000-0000000000-abcdefghijkl"
CHANNEL = "C0123456789"
# What happens to a request, and whether it is run before.
FAULTS = [("reset", False), ("reset", True), ("500", False), ("500", True), ("503", False), ("504", True), ("429", False),
          ("truncated", True), ("internal_error", False), ("html", False)]


class Service(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, rate, seed):
        super().__init__(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self.server_port}"
        self.rate, self.random, self.lock = rate, random.Random(seed), threading.Lock()
        self.files, self.posted, self.faults = {}, collections.Counter(), 0
        # The files whose posting request was received completely, and left without a verdict.
        self.silent = set()

    def fault(self):
        with self.lock:
            if self.random.random() >= self.rate:
                return None
            self.faults += 1
            return self.random.choice(FAULTS)

    def post(self, name):
        with self.lock:
            self.posted[name] += 1


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 65536
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def handle_one_request(self):
        try:
            super().handle_one_request()
        except OSError:
            self.close_connection = True

    def do_GET(self):
        self.do_POST()

    def body(self):
        if "content-length" in self.headers:
            length = int(self.headers["content-length"])
            body = self.rfile.read(length)
            # The client was killed: an incomplete request is not run.
            if len(body) < length:
                raise ConnectionError
            return body
        parts = []
        while size := int(self.rfile.readline() or b"0", 16):
            parts.append(self.rfile.read(size))
            if not self.rfile.readline():
                raise ConnectionError
        self.rfile.readline()
        return b"".join(parts)

    def do_POST(self):
        body = self.body()
        url = urllib.parse.urlsplit(self.path)
        fault, run = self.server.fault() or (None, True)
        answer = self.run(url, body) if run else None
        if url.path.endswith("/files.upload") and fault in ("reset", "500", "503", "504", "internal_error"):
            self.server.silent.add(filename(body))
        if fault == "reset":
            self.close_connection = True
        elif fault == "html":
            self.send(403, "<html>blocked</html>", "text/html")
        elif fault == "429":
            self.send(429, '{"ok":false,"error":"ratelimited"}', more=("Retry-After", "1"))
        elif fault == "internal_error":
            self.send(200, '{"ok":false,"error":"internal_error"}')
        elif fault == "truncated":
            text = answer if isinstance(answer, str) else json.dumps(answer)
            self.send(200, text, cut=True)
        elif fault:
            self.send(int(fault), "<html>gateway</html>", "text/html")
        elif isinstance(answer, str):
            self.send(200, answer, "text/plain")
        else:
            self.send(200, json.dumps(answer))

    def send(self, status, text, kind="application/json", more=None, cut=False):
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data) + 40 * cut))
        if more:
            self.send_header(*more)
        self.end_headers()
        self.wfile.write(data)
        self.wfile.flush()
        self.close_connection = self.close_connection or cut

    def run(self, url, body):
        """Runs a request, and returns its answer."""
        server = self.server
        if url.path.startswith("/upload/"):
            server.files[url.path.rsplit("/", 1)[1]]["bytes"] = len(body)
            return f"OK - {len(body)}"
        words = urllib.parse.parse_qs(url.query)
        if b"form-data" not in body[:400]:
            words.update(urllib.parse.parse_qs(body.decode("utf-8", "replace")))
        operation = url.path.rsplit("/", 1)[1]
        if operation == "files.upload":
            name = filename(body)
            server.post(name)
            return {"ok": True, "file": {"id": f"F{server.random.getrandbits(40):010X}", "name": name}}
        if operation == "files.getUploadURLExternal":
            with server.lock:
                id = f"F{server.random.getrandbits(40):010X}"
            server.files[id] = {"id": id, "name": words["filename"][0], "shares": {}, "bytes": None}
            return {"ok": True, "file_id": id, "upload_url": f"{server.base}/upload/{id}"}
        if operation == "files.completeUploadExternal":
            wanted = [server.files.get(file["id"]) for file in json.loads(words["files"][0])]
            with server.lock:
                once = all(file and file["bytes"] is not None and not file["shares"] for file in wanted)
                for file in wanted if once else []:
                    file["shares"] = {"public": {CHANNEL: [{"ts": "1700000000.000100"}]}}
            if not once:
                return {"ok": False, "error": "file_not_found"}
            for file in wanted:
                server.post(file["name"])
            return {"ok": True, "files": [{"id": file["id"], "title": file["name"]} for file in wanted]}
        if operation == "files.info":
            file = server.files.get(words["file"][0])
            if not file:
                return {"ok": False, "error": "file_not_found"}
            return {"ok": True, "file": {"id": file["id"], "name": file["name"], "shares": file["shares"]}}
        return {"ok": True}


def filename(body):
    return re.search(rb'filename="([^"]+)"', body)[1].decode()


def curl(base, directory, names):
    """`--retry`, and `--fail` for statuses, as scripts have it; `ok` is read."""
    said = {}
    for name in names:
        run = subprocess.run(
            ["curl", "-s", "--fail", "--retry", "4", "--retry-delay", "1", "-H", f"Authorization: Bearer {TOKEN}", "-F",
             f"channels={CHANNEL}", "-F", f"file=@{name}", f"{base}/api/files.upload"],
            cwd=directory, capture_output=True, text=True)
        said[name] = "delivered" if run.returncode == 0 and '"ok": true' in run.stdout else "failed"
    return said


def action(base, directory, names):
    node, main = os.environ.get("NODE", "node"), os.path.join(os.environ["SLACK_ACTION"], "src", "index.js")

    def one(name):
        payload = json.dumps({"channel_id": CHANNEL, "file": name, "filename": name})
        inputs = {"errors": "true", "method": "files.uploadV2", "token": TOKEN, "api": f"{base}/api/", "retries": "5",
                  "payload": payload, "payload-delimiter": "", "payload-templated": "false"}
        env = {"PATH": os.environ["PATH"], **{f"INPUT_{name.upper()}": value for name, value in inputs.items()}}
        run = subprocess.run([node, main], cwd=directory, env=env, capture_output=True)
        return "delivered" if run.returncode == 0 else "failed"

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        return dict(zip(names, pool.map(one, names)))


PYTHON = """
import sys, time
from slack_sdk import WebClient
from slack_sdk.http_retry.builtin_handlers import RateLimitErrorRetryHandler, ServerErrorRetryHandler
client = WebClient(token=sys.argv[2], base_url=sys.argv[1] + "/api/")
client.retry_handlers += [RateLimitErrorRetryHandler(max_retry_count=4), ServerErrorRetryHandler(max_retry_count=4)]
for name in sys.argv[3:]:
    try:
        client.files_upload_v2(file=name, filename=name, channel="%s")
        print(name, "delivered")
    except Exception:
        print(name, "failed")
""" % CHANNEL

NODE = """
const { WebClient } = require("@slack/web-api");
const [base, token, ...names] = process.argv.slice(2);
const client = new WebClient(token, { slackApiUrl: base + "/api/", logLevel: "error",
  retryConfig: { retries: 4, minTimeout: 1000 } });
(async () => {
  for (const name of names) {
    try {
      await client.filesUploadV2({ file: name, filename: name, channel_id: "%s" });
      console.log(name, "delivered");
    } catch (error) {
      console.log(name, "failed");
    }
  }
})();
""" % CHANNEL


def sdk(command, suffix, text):
    def run(base, directory, names):
        script = os.path.join(directory, "client" + suffix)
        with open(script, "w") as file:
            file.write(text)
        ended = subprocess.run([*command, script, base, TOKEN, *names], cwd=directory, capture_output=True, text=True)
        said = dict(line.rsplit(" ", 1) for line in ended.stdout.splitlines() if " " in line)
        return said or sys.exit(ended.stderr[-500:])

    return run


def credlint(method, journal=False):
    def run(base, directory, names, kill_after=None):
        with open(os.path.join(directory, "credlint.toml"), "w") as file:
            file.write(f'[messaging.r]\nbase_url = "{base}"\ntoken = {{ env = "T" }}\nchannels = ["{CHANNEL}"]\n'
                       f'upload_method = "{method}"\n')
        with open(os.path.join(directory, "list"), "w") as file:
            file.write("\n".join(names))
        command = [PROGRAM, "upload", "-p", "r", "--format", "jsonl", "--files-from", "list"]
        command += ["--journal", "journal"] if journal else []
        env, kills = {**os.environ, "T": TOKEN}, 0
        while True:
            child = subprocess.Popen(command, cwd=directory, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                     text=True)
            timer = threading.Timer(kill_after, child.kill) if kill_after else None
            if timer:
                timer.start()
            lines = child.stdout.read().splitlines()
            code = child.wait()
            if timer:
                timer.cancel()
            if code != -signal.SIGKILL:
                break
            kills += 1
        said = {}
        for line in lines:
            for upload in json.loads(line)["uploads"]:
                done = upload["status"] == "skipped" and upload["reason"] == "journal"
                said[upload["file"]] = "delivered" if done else upload["status"]
        return said if kill_after is None else (said, kills)

    return run


CLIENTS = {
    "curl": curl,
    "python": sdk([sys.executable], ".py", PYTHON),
    "node": sdk(["node"], ".js", NODE),
    "action": action,
    "external": credlint("external"),
    "files.upload": credlint("files.upload"),
    "external+journal": credlint("external", True),
    "files.upload+journal": credlint("files.upload", True),
}


def installed(name):
    if name == "action":
        return "SLACK_ACTION" in os.environ
    if name == "python":
        return importlib.util.find_spec("slack_sdk") is not None
    if name == "node":
        return bool(shutil.which("node")) and subprocess.run(
            ["node", "-e", 'require("@slack/web-api")'], stderr=subprocess.DEVNULL).returncode == 0
    return name != "curl" or bool(shutil.which("curl"))


def files(directory, number):
    names = [f"f{index:05}.csv" for index in range(number)]
    for name in names:
        with open(os.path.join(directory, name), "w") as file:
            file.write(f"name\n{name}\n" * 20)
    return names


def row(name, names, said, service, seconds, more=""):
    posted = service.posted
    count = lambda test: sum(test(posted[file], said.get(file)) for file in names)
    unsure = [file for file in names if said.get(file) == "uncertain"]
    print(f"| {name} | {count(lambda n, _: n > 1)} | {count(lambda n, s: n > 0 and s == 'failed')} |"
          f" {count(lambda n, s: n == 0 and s == 'delivered')} |"
          f" {len(unsure)} ({sum(posted[file] > 0 for file in unsure)}, {sum(file in service.silent for file in unsure)}) |"
          f" {count(lambda n, s: s == 'failed')} | {service.faults} | {seconds:.0f} s{more} |", flush=True)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--files", type=int, default=500)
    options.add_argument("--faults", type=float, default=0.05)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--large", type=int, metavar="FILES")
    options.add_argument("clients", nargs="*", metavar="CLIENT")
    args = options.parse_args()
    print("| client | twice | posted, said failed | not posted, said delivered | unsure (posted, silent) | failed | faults | time |")
    print("|---|---|---|---|---|---|---|---|")
    large = args.large is not None
    default = ["external+journal", "files.upload+journal"] if large else list(CLIENTS)
    for name in args.clients or default:
        if not installed(name):
            print(f"{name} is left out: it is not installed", file=sys.stderr)
            continue
        service = Service(args.faults, args.seed)
        threading.Thread(target=service.serve_forever, daemon=True).start()
        with tempfile.TemporaryDirectory() as directory:
            names = files(directory, args.large or args.files)
            begin, more = time.monotonic(), ""
            if large:
                said, kills = CLIENTS[name](service.base, directory, names, kill_after=20)
                more = f", {kills} kills"
            else:
                said = CLIENTS[name](service.base, directory, names)
            row(name, names, said, service, time.monotonic() - begin, more)
        service.shutdown()


if __name__ == "__main__":
    main()
