#!/usr/bin/env python3
"""Times credlint compared with others, as whole processes, in turn (A B A B ...), in one run.

    cargo build --release && python3 benches/compare.py [start] [upload]

start   `--version` and `check` on a project of three profiles, against /bin/true.
upload  1 GiB to a server on loopback that drains what it is sent, against `curl -F`.

Machines are noisy: look at the ratios, taken pair by pair, and at medians. Peak memory is the largest resident set
(VmHWM), read every 2 ms; that of a process of a few milliseconds is not seen. Needs Linux, and curl for `upload`.
"""

import os
import socket
import statistics
import sys
import tempfile
import threading

from measure import PROGRAM, run

TOKEN = "xoxb-0000000000-0000000000-abcdefghijkl"
ANSWER = b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\nConnection: close\r\n\r\n{"ok":true}'


def compare(title, ours, theirs, env, cwd, rounds, unit, memory=False):
    """Runs both in turn after one warm-up of each."""
    for command in (ours, theirs):
        code = run(command, env, cwd, memory)[3]
        if code != 0:
            sys.exit(f"{' '.join(command)} exits {code}")
    pairs = [(run(ours, env, cwd, memory), run(theirs, env, cwd, memory)) for _ in range(rounds)]
    scale = {"ms": 1000, "s": 1}[unit]
    print(f"\n{title}  ({rounds} pairs; median, smallest-largest)")
    for name, side in ((ours[0], 0), (theirs[0], 1)):
        walls = sorted(pair[side][0] * scale for pair in pairs)
        cpus = [pair[side][1] * scale for pair in pairs]
        peak = f"  peak {max(pair[side][2] for pair in pairs):5.1f} MiB" if memory else ""
        print(f"  {os.path.basename(name):9} wall {statistics.median(walls):7.3f} {unit} ({walls[0]:.3f}-{walls[-1]:.3f})"
              f"  cpu {statistics.median(cpus):7.3f} {unit}{peak}")
    ratio = statistics.median(a[0] / b[0] for a, b in pairs)
    more = statistics.median((a[0] - b[0]) * 1000 for a, b in pairs)
    print(f"  wall, pair by pair: {ratio:.2f} times {os.path.basename(theirs[0])}, {more:+.2f} ms")


def start():
    with tempfile.TemporaryDirectory() as project:
        with open(os.path.join(project, "credlint.toml"), "w") as file:
            file.write(
                '[messaging.reports]\nbase_url = "https://chat.example.com"\ntoken = { env = "TOKEN" }\n'
                'channels = ["C0123456789"]\n[storage.backups]\napplication_key_id = "0051a2b3c4d5e6f0000000001"\n'
                'application_key = { env = "KEY" }\n[storage.root]\naccount_id = "1a2b3c4d5e6f"\n'
                'master_application_key = { env = "MASTER" }\n'
            )
        env = {"HOME": project, "TOKEN": TOKEN, "KEY": "K005abc", "MASTER": "0050123"}
        for words in (["--version"], ["check"]):
            compare(f"credlint {' '.join(words)}", [PROGRAM, *words], ["/bin/true"], env, project, 100, "ms")


def drain(listener):
    """Reads a request and throws it away in the kernel, then says ok."""
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=drain_one, args=(connection,), daemon=True).start()


def drain_one(connection):
    with connection:
        head = b""
        while b"\r\n\r\n" not in head:
            part = connection.recv(65536)
            if not part:
                return
            head += part
        head, _, rest = head.partition(b"\r\n\r\n")
        fields = dict(line.split(b":", 1) for line in head.lower().split(b"\r\n")[1:])
        if b"100-continue" in fields.get(b"expect", b""):
            connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        left = int(fields[b"content-length"]) - len(rest)
        # Linux discards data that is read with MSG_TRUNC without copying it, so the receiver costs almost nothing.
        scrap = bytearray(1 << 20)
        while left > 0:
            got = connection.recv_into(scrap, min(left, len(scrap)), socket.MSG_TRUNC)
            if not got:
                return
            left -= got
        connection.sendall(ANSWER)


def upload():
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=drain, args=(listener,), daemon=True).start()
    base = f"http://127.0.0.1:{listener.getsockname()[1]}"
    with tempfile.TemporaryDirectory() as project:
        block = os.urandom(1 << 20)
        with open(os.path.join(project, "1g.bin"), "wb") as file:
            for _ in range(1024):
                file.write(block)
        with open(os.path.join(project, "credlint.toml"), "w") as file:
            file.write(
                f'[messaging.reports]\nbase_url = "{base}"\ntoken = {{ env = "TOKEN" }}\n'
                'channels = ["C0123456789"]\ninitial_comment = "hi"\n'
            )
        env = {"HOME": project, "TOKEN": TOKEN, "PATH": os.environ["PATH"]}
        curl = ["curl", "-s", "-o", os.devnull, "-H", f"Authorization: Bearer {TOKEN}", "-F", "channels=C0123456789",
                "-F", "initial_comment=hi", "-F", "file=@1g.bin", f"{base}/api/files.upload"]
        ours = [PROGRAM, "upload", "--profile", "reports", "1g.bin"]
        compare("upload of 1 GiB over plain http", ours, curl, env, project, 11, "s", memory=True)
    listener.close()


if __name__ == "__main__":
    if not os.path.exists(PROGRAM):
        sys.exit("build it first: cargo build --release")
    for name in sys.argv[1:] or ["start", "upload"]:
        {"start": start, "upload": upload}[name]()
