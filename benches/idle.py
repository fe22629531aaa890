#!/usr/bin/env python3
"""Uploads many small files to a service that closes kept connections, and counts what is left for a person.

    cargo build --release && python3 benches/idle.py [--rounds 5] [--only NAME] [--credlint PATH]...

idle    3,000 files, 64 at a time; a connection is closed once nothing has come over it for 10 ms
now     400 files, 4 at a time; one answer in twenty is followed by a close within 3 ms
keeps   3,000 files, 64 at a time, to a service that closes nothing: what it costs
few     the same, 4 at a time

The service is this script, in a process of its own. Several programs take turns in each round, for a comparison.

Measured on two shared cores, 20 rounds each, in turn: a small request in one write, and its last bytes 0.2 ms later.

                      uncertain, of        files a second
    idle-files.upload      90 -> 0, 60,000    10,643 -> 10,248
    idle-external           0 -> 0, 60,000     5,018 ->  3,056
    now-files.upload       10 -> 0,  8,000     5,815 ->  4,658
    now-external            0 -> 0,  8,000     1,927 ->  1,689
    keeps-files.upload                         9,020 ->  9,176
    keeps-external                             5,737 ->  5,636
    few-files.upload                           8,449 ->  5,450
    few-external                               3,742 ->  3,110

After 0.1 ms, 6 of 38,000 (now-files.upload) were uncertain, after 0.15 ms none of 20,000. On a machine with nothing else to do,
the first figure is 0 to 3, and the speeds are up to twice as high; those of idle-external vary most. `external` looks a file up
instead, which takes a second.
"""

import argparse
import asyncio
import collections
import json
import multiprocessing
import os
import random
import re
import statistics
import subprocess
import tempfile
import time
import urllib.parse

from measure import PROGRAM

TOKEN = "xoxb-0000000000-0000000000-abcdefghijkl"
CHANNEL = "C0123456789"
# Files, at a time, close after so much silence, share of the answers that a close follows.
KINDS = {"idle": (3000, 64, 0.010, 0), "now": (400, 4, None, 0.05), "keeps": (3000, 64, None, 0), "few": (3000, 4, None, 0)}


class Peer(asyncio.Protocol):
    """A connection."""

    def __init__(self, service):
        self.service, self.buffer, self.timer = service, b"", None

    def connection_made(self, transport):
        self.transport = transport
        self.service.connections += 1

    def connection_lost(self, _):
        if self.timer:
            self.timer.cancel()

    def data_received(self, data):
        if self.timer:
            self.timer.cancel()
            self.timer = None
        self.buffer += data
        while True:
            head, found, rest = self.buffer.partition(b"\r\n\r\n")
            length = re.search(rb"content-length: (\d+)", head, re.I)
            length = int(length[1]) if length else 0
            if not found or len(rest) < length:
                return
            self.buffer = rest[length:]
            self.answer(head.split(b" ", 2)[1].decode(), rest[:length])

    def answer(self, path, body):
        text = self.service.answer(path, body)
        self.transport.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                             % (len(text), text))
        _, _, idle, chance = self.service.kind
        if chance and random.random() < chance:
            idle = random.random() * 0.003
        if idle is not None:
            self.timer = asyncio.get_running_loop().call_later(idle, self.close)

    def close(self):
        self.service.closed += 1
        self.transport.close()


class Service:
    def __init__(self, kind):
        self.kind, self.connections, self.closed, self.tickets = kind, 0, 0, 0
        self.posted, self.names = collections.Counter(), {}

    def answer(self, path, body):
        fields = urllib.parse.parse_qs(body.decode("latin-1")) if not path.endswith("files.upload") else {}
        if path == "/stats":
            return json.dumps([self.connections - 1, self.closed, self.posted]).encode()
        if path.endswith("files.upload"):
            self.tickets += 1
            name = re.search(rb'filename="([^"]+)"', body)[1].decode()
            self.posted[name] += 1
            file = {"id": f"F{self.tickets:09}", "name": name, "channels": [CHANNEL]}
            return json.dumps({"ok": True, "file": file}).encode()
        if path.endswith("getUploadURLExternal"):
            self.tickets += 1
            id = f"F{self.tickets:09}"
            self.names[id] = fields["filename"][0]
            return json.dumps({"ok": True, "file_id": id, "upload_url": f"{self.base}/upload/{id}"}).encode()
        if path.startswith("/upload/"):
            return b"OK - %d" % len(body)
        if path.endswith("completeUploadExternal"):
            ids = [file["id"] for file in json.loads(fields["files"][0])]
            if any(self.posted[self.names[id]] for id in ids):
                return b'{"ok":false,"error":"file_not_found"}'
            self.posted.update(self.names[id] for id in ids)
            return json.dumps({"ok": True, "files": [{"id": id, "channels": [CHANNEL]} for id in ids]}).encode()
        id = fields["file"][0]
        shared = [CHANNEL] if self.posted[self.names[id]] else []
        return json.dumps({"ok": True, "file": {"id": id, "channels": shared}}).encode()

    async def serve(self, port):
        server = await asyncio.get_running_loop().create_server(lambda: Peer(self), "127.0.0.1", 0, backlog=1000)
        number = server.sockets[0].getsockname()[1]
        self.base = f"http://127.0.0.1:{number}"
        port.send(number)
        await server.serve_forever()


def run(program, method, kind, directory):
    files, together, *_ = kind
    ours, theirs = multiprocessing.Pipe()
    service = multiprocessing.Process(target=lambda: asyncio.run(Service(kind).serve(theirs)))
    service.start()
    try:
        base = f"http://127.0.0.1:{ours.recv()}"
        with open(os.path.join(directory, "credlint.toml"), "w") as file:
            file.write(f'[messaging.r]\nbase_url = "{base}"\ntoken = {{ env = "T" }}\nchannels = ["{CHANNEL}"]\n'
                       f'upload_method = "{method}"\n')
        names = [f"f{index:05}.csv" for index in range(files)]
        command = [program, "upload", "-p", "r", "--format", "jsonl", "--concurrency", str(together), *names]
        begin = time.perf_counter()
        done = subprocess.run(command, cwd=directory, env={**os.environ, "T": TOKEN}, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True)
        seconds = time.perf_counter() - begin
        stats = subprocess.run(["curl", "-s", base + "/stats"], stdout=subprocess.PIPE, check=True)
        connections, closed, posted = json.loads(stats.stdout)
    finally:
        service.terminate()
        service.join()
    said = [upload for line in done.stdout.splitlines() for upload in json.loads(line)["uploads"]]
    count = collections.Counter(upload["status"] for upload in said)
    wrong = sum(number > 1 for number in posted.values())
    wrong += sum((posted.get(upload["file"], 0) > 0) != (upload["status"] == "delivered")
                 for upload in said if upload["status"] != "uncertain")
    assert len(said) == files, done.stdout[:500]
    return {"uncertain": count["uncertain"], "failed": count["failed"], "wrong": wrong, "seconds": seconds,
            "connections": connections, "closed": closed}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--only", default="", metavar="NAME", help="part of a name, such as idle-files.upload")
    options.add_argument("--credlint", action="append", metavar="PATH", help="a program to measure; again for another")
    options = options.parse_args()
    programs = options.credlint or [PROGRAM]
    multiprocessing.set_start_method("fork")
    with tempfile.TemporaryDirectory() as directory:
        for index in range(max(kind[0] for kind in KINDS.values())):
            with open(os.path.join(directory, f"f{index:05}.csv"), "w") as file:
                file.write("a,b\r\n1,2\r\n" * 20)
        for name, kind in KINDS.items():
            for method in ("files.upload", "external"):
                if options.only not in f"{name}-{method}":
                    continue
                runs = {program: [] for program in programs}
                for _ in range(options.rounds):
                    for program in programs:
                        runs[program].append(run(os.path.abspath(program), method, kind, directory))
                print(f"{name}-{method}: {kind[0]:,} files, {kind[1]} at a time", flush=True)
                for program, results in runs.items():
                    line = "  ".join(f"{key} {' '.join(str(result[key]) for result in results)}"
                                     for key in ("uncertain", "failed", "wrong", "connections", "closed"))
                    seconds = statistics.median(result["seconds"] for result in results)
                    print(f"  {program}: {line}  median {seconds:.2f} s, {kind[0] / seconds:.0f} files/s", flush=True)


if __name__ == "__main__":
    main()
