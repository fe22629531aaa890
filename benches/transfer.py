#!/usr/bin/env python3
"""Times uploads compared with others, as whole processes, in turn and in one run: over plain http and TLS, by both methods.

    cargo build --release && python3 benches/transfer.py [--quick] [--rounds NUMBER] [--no-sdk] [--only NAME]... [--credlint PATH]

large   1 GiB, against curl, the official SDKs for Python and Node, and a splice loop, which copies nothing: the limit.
small   2,000 files of 4 KiB in one run, against `curl --parallel-max 32` and the SDK for Python.
delay   the same to a service that takes 20 ms for each answer.

NAME is a part of a heading: large, small-https, delay-http-external. All talk to the same service, transfer.c, which
throws away what it is sent: over plain http in the kernel, and a large body over TLS without decrypting it, so that it
is not what is measured. After each run it is asked whether it got everything.

Machines are noisy, and some programs have a fast and a slow mode that a round falls into by chance: so there are two figures,
the median of the ratios, taken round by round, and the fastest run of the one by the fastest of the other. Memory is the peak of the resident set. Where
an SDK can't be installed (it is fetched from its registry into a temporary directory), a line says so, and it is left out.
Needs Linux, a C compiler, curl and openssl; for TLS the headers of OpenSSL; 2 GiB for temporary files.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

from measure import PROGRAM, ROOT

TOKEN = "xoxb-0000000000-0000000000-abcdefghijkl"
CHANNEL = "C0123456789"
LARGE, SMALL, FILES = 1 << 30, 4096, 2000
# An SDK in a loop waits for three answers in turn for each file, so this number of files is enough to extrapolate.
SLOW = 100
PACKAGES = {"python": "slack_sdk==3.47.0", "node": "@slack/web-api@8.2.0"}

PYTHON = """
import sys
from slack_sdk import WebClient
base, token, channel, method, *files = sys.argv[1:]
client = WebClient(token=token, base_url=base + "/api/")
for file in files:
    if method == "v1":
        client.api_call("files.upload", files={"file": file}, data={"channels": channel, "initial_comment": "hi"})
    else:
        client.files_upload_v2(channel=channel, file=file, initial_comment="hi")
"""

NODE = """
const { WebClient } = require("@slack/web-api");
const [base, token, channel, file] = process.argv.slice(2);
const client = new WebClient(token, { slackApiUrl: base + "/api/" });
client.filesUploadV2({ channel_id: channel, file, filename: "1g.bin", initial_comment: "hi" })
  .catch((error) => { console.error(error); process.exit(1); });
"""


class Peer:
    """A command, the part of the files that it sends, and in how many of the rounds it takes part."""

    def __init__(self, name, command, aim=None, part=1, rounds=None, fastest=None):
        self.name, self.command, self.aim, self.part, self.rounds = name, command, aim, part, rounds
        self.fastest = fastest
        self.runs = []


class Service:
    def __init__(self, bench, tls, delay=0):
        bench.services += 1
        port = bench.path(f"port-{bench.services}")
        words = [bench.helper, "serve", port, str(delay)] + ([bench.certificate, bench.key] if tls else [])
        self.process = subprocess.Popen(words)
        while not (os.path.exists(port) and open(port).read().endswith("\n")):
            time.sleep(0.01)
        self.port = open(port).read().strip()
        self.base = f"http{'s' if tls else ''}://127.0.0.1:{self.port}"
        self.context = bench.context if tls else None

    def stats(self):
        """What arrived since this was last asked."""
        with urllib.request.urlopen(f"{self.base}/stats", context=self.context) as answer:
            return json.load(answer)

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Bench:
    def __init__(self, arguments, folder):
        self.folder, self.quick, self.program = folder, arguments.quick, os.path.abspath(arguments.credlint)
        self.only, self.rounds = arguments.only or [""], arguments.rounds
        self.helper, self.tls, self.missed, self.services = self.path("transfer"), True, [], 0
        build = ["cc", "-O2", "-pthread", "-o", self.helper, os.path.join(ROOT, "benches", "transfer.c")]
        if subprocess.run([*build, "-lssl", "-lcrypto"], stderr=subprocess.DEVNULL).returncode != 0:
            print("no headers of OpenSSL: TLS is left out")
            self.tls = False
            subprocess.run([*build, "-DNO_TLS"], check=True)
        self.env = {"HOME": folder, "T": TOKEN, "PATH": os.environ["PATH"]}
        if self.tls:
            self.make_certificate()
        self.make_files()
        wanted = [name for name in PACKAGES if name != "node" or self.wants("large")] if not arguments.no_sdk else []
        self.sdks = {name: path for name in wanted if (path := self.install(name))}

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)

    def make_certificate(self):
        import ssl

        self.certificate, self.key = self.path("certificate.pem"), self.path("key.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-addext", "basicConstraints=CA:FALSE",
             "-keyout", self.key, "-out", self.certificate], check=True, stderr=subprocess.DEVNULL)
        self.context = ssl.create_default_context(cafile=self.certificate)
        # For credlint and Python, and for Node.
        self.env |= {"SSL_CERT_FILE": self.certificate, "NODE_EXTRA_CA_CERTS": self.certificate}

    def make_files(self):
        self.large, self.files = self.path("1g.bin"), []
        if self.wants("large"):
            with open(self.large, "wb") as file:
                for _ in range(LARGE >> 20):
                    file.write(os.urandom(1 << 20))
        os.mkdir(self.path("small"))
        for number in range(FILES):
            self.files.append(self.path("small", f"{number:04}.bin"))
            with open(self.files[-1], "wb") as file:
                file.write(os.urandom(SMALL))

    def install(self, name):
        """The interpreter that can load an SDK."""
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
        if name == "python":
            command = self.path("venv", "bin", "python")
            steps = [[sys.executable, "-m", "venv", self.path("venv")],
                     [self.path("venv", "bin", "pip"), "install", "--quiet", "--disable-pip-version-check", PACKAGES[name]]]
        else:
            command = shutil.which("node")
            os.mkdir(self.path("node"))
            self.write("node/package.json", '{"private": true}')
            self.write("node/upload.js", NODE)
            steps = [["npm", "--prefix", self.path("node"), "install", "--no-audit", "--no-fund", PACKAGES[name]]]
        for step in steps:
            try:
                problem = subprocess.run(step, **quiet, timeout=300)
                problem = problem.stderr.strip() or "it fails" if problem.returncode else None
            except (OSError, subprocess.TimeoutExpired) as error:
                problem = str(error)
            if problem:
                print(f"{PACKAGES[name]} is left out: {problem.splitlines()[-1]}")
                return None
        self.write("upload.py", PYTHON)
        return command

    @staticmethod
    def names(kind):
        return [f"{kind}-{scheme}-{method}" for scheme in ("http", "https") for method in ("files.upload", "external")]

    def wanted(self, name):
        return any(only in name for only in self.only) and (self.tls or "https" not in name)

    def wants(self, kind):
        return any(self.wanted(name) for name in self.names(kind))

    # The programs to compare.

    def ours(self, service, method, *words):
        config = self.write(
            f"{service.port}-{method}.toml",
            f'[messaging.reports]\nbase_url = "{service.base}"\ntoken = {{ env = "T" }}\nchannels = ["{CHANNEL}"]\n'
            f'initial_comment = "hi"\nupload_method = "{method}"\n')
        return [self.program, "upload", "--config", config, "--profile", "reports", *words]

    def curl_config(self, name, transfers):
        """A configuration for curl: what to send where."""
        common = f'output = "{os.devnull}"\n' + (f'cacert = "{self.certificate}"\n' if self.tls else "")
        return self.write(name, "next\n".join(f"{transfer}{common}" for transfer in transfers))

    def curl_steps(self, service, method, files, size):
        """The requests of a method, as lists that don't wait for each other; the addresses of the tickets are known."""
        base, api = service.base, f'header = "Authorization: Bearer {TOKEN}"\n'
        if method == "files.upload":
            return [[f'url = "{base}/api/files.upload"\n{api}form = "channels={CHANNEL}"\nform = "initial_comment=hi"\n'
                     f'form = "file=@{file}"\n' for file in files]]
        return [
            [f'url = "{base}/api/files.getUploadURLExternal"\n{api}data = "filename={os.path.basename(file)}&length={size}"\n'
             for file in files],
            [f'url = "{base}/upload/F00000001"\nrequest = "POST"\nupload-file = "{file}"\n'
             'header = "Content-Type: application/octet-stream"\n' for file in files],
            [f'url = "{base}/api/files.completeUploadExternal"\n{api}data = "channels={CHANNEL}&initial_comment=hi"\n'
             f'data-urlencode = "files=[{{\\"id\\":\\"F00000001\\",\\"title\\":\\"{os.path.basename(file)}\\"}}]"\n'
             for file in files],
        ]

    def python(self, service, method, files):
        return [self.sdks["python"], self.path("upload.py"), service.base, TOKEN, CHANNEL, method, *files]

    def large_peers(self, service, method, tls):
        steps = self.curl_steps(service, method, [self.large], LARGE)
        config = self.curl_config(f"large-{service.port}-{method}", [transfer for step in steps for transfer in step])
        yield Peer("curl", ["curl", "-s", "-S", "-f", "-K", config], 0.7 if tls else 0.9, fastest=1)
        if not tls:
            path = "/api/files.upload" if method == "files.upload" else "/upload/F00000001"
            yield Peer("splice loop", [self.helper, "splice", service.port, path, self.large], 1.4)
        if "python" in self.sdks:
            version = "v1" if method == "files.upload" else "v2"
            yield Peer(f"slack_sdk {version}", self.python(service, version, [self.large]), rounds=3)
        if "node" in self.sdks and method == "external":
            command = [self.sdks["node"], self.path("node", "upload.js"), service.base, TOKEN, CHANNEL, self.large]
            yield Peer("@slack/web-api v2", command, rounds=3)

    def small_peers(self, service, method, delay):
        configs = [self.curl_config(f"small-{service.port}-{method}-{number}", transfers)
                   for number, transfers in enumerate(self.curl_steps(service, method, self.files, SMALL))]
        # One step after the other, like a script.
        script = " && ".join(f"curl -s -S -f --parallel --parallel-max 32 -K {config}" for config in configs)
        # If both wait for the service, with the same number of parallel requests, neither can be much faster.
        yield Peer("curl --parallel-max 32", ["sh", "-c", script], None if delay else 0.4)
        yield Peer("credlint, as it comes", self.ours(service, method, self.path("small")), rounds=3 if delay else None)
        if method == "external":
            words = ["--concurrency", "32", "--one-message", self.path("small")]
            yield Peer("credlint --one-message", self.ours(service, method, *words))
        if "python" in self.sdks:
            files = self.files[:SLOW] if delay else self.files
            part = len(files) / FILES
            # Uploads with this SDK use v2; files.upload is what it wraps as v1.
            versions = ["v1", "v2"] if method == "files.upload" else ["v2"]
            for version in versions:
                command = self.python(service, version, files)
                yield Peer(f"slack_sdk loop, {version}", command, 0.05 if version == "v2" else None, part, 3)

    # The measurement.

    def run(self, service, peer, files, size):
        """Wall seconds, processor seconds, peak in MiB, as if it had sent all of the files."""
        service.stats()
        with tempfile.TemporaryFile() as said:
            subprocess.run([self.helper, "run", self.path("result"), *peer.command], env=self.env, cwd=self.folder,
                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said, check=True)
            wall, cpu, peak, code = map(float, open(self.path("result")).read().split())
            got = service.stats()
            arrived, files = got["posts"] + got["places"], round(files * peer.part)
            if code or arrived != files or got["bytes"] < files * size:
                said.seek(0)
                said = said.read(2000).decode()
                sys.exit(f"{peer.name}: exit {code:.0f}, {arrived} of {files} files, {got['bytes']} bytes\n{said}")
        return wall / peer.part, cpu / peer.part, peak, got["connections"] - 1

    def compare(self, name, service, ours, peers, files, size, limit, delay=0):
        method = name.split("-", 2)[2]
        # Spread out, so that a machine that is busy for a while does not affect all rounds of one program.
        rounds = self.rounds or (3 if self.quick else 5 if delay else 9)
        everybody = [ours, *peers]
        for number in range(rounds + 1):
            turn = number % len(everybody)
            for peer in everybody[turn:] + everybody[:turn]:
                # The first round is for warming up; slow programs run less often.
                many = min(peer.rounds or rounds, 1 if self.quick and peer.rounds else rounds)
                if number == 0 and peer.rounds or number > many:
                    continue
                run = self.run(service, peer, files, size)
                if number > 0:
                    peer.runs.append(run)
        what = "1 GiB" if files == 1 else f"{files:,} files of 4 KiB"
        if delay:
            requests = files * (1 if method == "files.upload" else 3)
            what += f"; at 32 at a time the service alone takes {requests * delay / 32000:.2f} s"
        print(f"\n{name}: {what}  ({rounds} rounds; median, fastest-slowest)")
        for peer in everybody:
            walls = sorted(run[0] for run in peer.runs)
            line = (f"  {peer.name:24} wall {statistics.median(walls):8.3f} s ({walls[0]:.3f}-{walls[-1]:.3f})".ljust(62)
                    + f"cpu {statistics.median(run[1] for run in peer.runs):7.3f} s  "
                    f"peak {max(run[2] for run in peer.runs):7.1f} MiB  connections {peer.runs[-1][3]:4}")
            if peer is not ours:
                pairs = list(zip(ours.runs, peer.runs))
                fastest = min(run[0] for run in ours.runs) / walls[0]
                line += f"  credlint {statistics.median(a[0] / b[0] for a, b in pairs):.3f} of it, fastest {fastest:.3f}"
                line += f", cpu {statistics.median(a[1] / b[1] for a, b in pairs):.3f}"
                if peer.aim:
                    line += self.judge(name, peer.name, statistics.median(a[0] / b[0] for a, b in pairs), peer.aim)
                if peer.fastest:
                    line += self.judge(name, f"fastest {peer.name}", fastest, peer.fastest)
            else:
                line += self.judge(name, "peak memory", max(run[2] for run in peer.runs), limit)
            if peer.part != 1:
                line += f" (from {round(FILES * peer.part)} files)"
            print(line, flush=True)

    def judge(self, name, what, value, aim):
        if value > aim:
            self.missed.append(f"{name}: {what} {value:.3f}, aim {aim}")
        return f" [at most {aim}: {'yes' if value <= aim else 'NO'}]"

    def all(self):
        for kind, delay in (("large", 0), ("small", 0), ("delay", 20)):
            for scheme in ("http", "https"):
                names = [name for name in self.names(kind) if f"-{scheme}-" in name and self.wanted(name)]
                if not names:
                    continue
                service = Service(self, scheme == "https", delay)
                try:
                    for name in names:
                        method = name.split("-", 2)[2]
                        if kind == "large":
                            ours = Peer("credlint", self.ours(service, method, self.large))
                            peers = self.large_peers(service, method, scheme == "https")
                            self.compare(name, service, ours, list(peers), 1, LARGE, 12 + 1)
                        else:
                            words = ["--concurrency", "32", self.path("small")]
                            ours = Peer("credlint --concurrency 32", self.ours(service, method, *words))
                            peers = self.small_peers(service, method, delay)
                            self.compare(name, service, ours, list(peers), FILES, SMALL, 12 + 32, delay)
                finally:
                    service.stop()
        print("\nevery aim is met" if not self.missed else "\nmissed:\n  " + "\n  ".join(self.missed))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    parser.add_argument("--rounds", type=int, metavar="NUMBER", help="so many rounds")
    parser.add_argument("--no-sdk", action="store_true", help="leave the SDKs out")
    parser.add_argument("--only", action="append", metavar="NAME", help="only what has this in its heading")
    parser.add_argument("--credlint", default=PROGRAM, metavar="PATH", help="the program to measure")
    arguments = parser.parse_args()
    if not os.path.exists(arguments.credlint):
        sys.exit("build it first: cargo build --release")
    with tempfile.TemporaryDirectory() as folder:
        Bench(arguments, folder).all()


if __name__ == "__main__":
    main()
