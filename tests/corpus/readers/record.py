#!/usr/bin/env python3
"""Records how programs on this machine read the lines of `lines.json` into `recorded.json`.

Needs bash, Node with `npm install dotenv` in the working directory, Java, npm, docker's command line (no daemon), systemd's
generator of environment.d, and python-dotenv and botocore for Python. What can't be run here stands in `read.json`, from the
program's source. `§` stands for a credential in all of them."""
import configparser, http.server, importlib.metadata, json, netrc, os, shutil, socketserver, subprocess, sys, tempfile, threading
HERE = os.path.dirname(os.path.abspath(__file__))
T = "TTTTTTTTTTTT"
LINES = json.load(open(f"{HERE}/lines.json"))


def out(words, **more):
    return subprocess.run(words, capture_output=True, text=True, timeout=60, **more).stdout


def env_of(text):
    return dict(part.split("=", 1) for part in text.split("\0") if "=" in part)


def bash(path):
    script = f'set -a; . "{path}" >/dev/null 2>&1; env -0'
    return env_of(out(["bash", "--noprofile", "--norc", "-c", script], env={"PATH": os.environ["PATH"]}))


def python_dotenv(path):
    import dotenv, logging
    logging.disable()
    return {name: value for name, value in dotenv.dotenv_values(path, interpolate=False).items() if value is not None}


def node_dotenv(path):
    code = 'console.log(JSON.stringify(require("dotenv").parse(require("fs").readFileSync(process.argv[1]))))'
    return json.loads(out(["node", "-e", code, path]))


class Daemon(http.server.BaseHTTPRequestHandler):
    """Answers as a daemon of docker as far as creating a container."""
    def log_message(self, *_): pass
    def reply(self, code, body):
        body = json.dumps(body).encode()
        self.send_response(code); self.send_header("Api-Version", "1.41"); self.send_header("Content-Length", str(len(body)))
        self.end_headers(); self.wfile.write(body)
    do_HEAD = do_GET = lambda self: self.reply(200, {})
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        self.server.env = body.get("Env") or []; self.reply(500, {"message": "enough"})


def docker(path):
    class Server(socketserver.UnixStreamServer):
        def get_request(self):
            request, _ = super().get_request(); return request, ("", 0)
    at = tempfile.mktemp(); server = Server(at, Daemon); server.env = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    out(["docker", "-H", f"unix://{at}", "create", "--env-file", path, "x"]); server.shutdown()
    return dict(part.split("=", 1) for part in server.env if "=" in part)


def systemd(path):
    home = tempfile.mkdtemp(); os.makedirs(f"{home}/environment.d")
    shutil.copy(path, f"{home}/environment.d/a.conf")
    text = out(["/usr/lib/systemd/user-environment-generators/30-systemd-environment-d-generator"],
               env={"XDG_CONFIG_HOME": home, "HOME": home, "PATH": os.environ["PATH"]})
    # It prints the words as a shell reads them.
    with tempfile.NamedTemporaryFile("w", suffix=".sh") as file:
        file.write(text); file.flush(); return bash(file.name)


def java(path):
    code = 'import java.util.*;import java.nio.file.*;public class R{public static void main(String[] a)throws Exception{' \
        'var p=new Properties();p.load(Files.newBufferedReader(Path.of(a[0])));p.forEach((k,v)->System.out.print(k+"="+v+"\\0"));}}'
    directory = tempfile.mkdtemp(); open(f"{directory}/R.java", "w").write(code)
    return env_of(out(["java", f"{directory}/R.java", path]))


def sections(parser, path):
    parser.read(path)
    return {name: value for section in parser.sections() for name, value in parser.items(section) if value is not None}


def botocore(path):
    import botocore.configloader
    found = botocore.configloader.raw_config_parse(path, parse_subsections=True)
    return {name: value for section in found.values() for name, value in section.items() if isinstance(value, str)}


def npm(path):
    text = out(["npm", "config", "get", "k"], env={**os.environ, "npm_config_userconfig": path}, cwd=tempfile.mkdtemp())
    return {} if text.strip() == "undefined" else {"k": text[:-1]}


def of_netrc(path):
    return {"k": login[2] for login in netrc.netrc(path).hosts.values()}


def version(words): return out(words).split("\n")[0].strip()


PROGRAMS = {
    "dotenv": {"bash": (bash, version(["bash", "-c", "echo $BASH_VERSION"])),
               "python-dotenv": (python_dotenv, importlib.metadata.version("python-dotenv")),
               "dotenv of Node": (node_dotenv, version(["node", "-p", 'require("dotenv/package.json").version'])),
               "docker --env-file": (docker, version(["docker", "version", "-f", "{{.Client.Version}}"])),
               "systemd EnvironmentFile": (systemd, version(["systemctl", "--version"]))},
    "shell": {"bash": (bash, version(["bash", "-c", "echo $BASH_VERSION"]))},
    "aws": {"botocore": (botocore, importlib.metadata.version("botocore"))},
    "ini": {"configparser": (lambda path: sections(configparser.RawConfigParser(), path), sys.version.split()[0])},
    "properties": {"java.util.Properties": (java, version(["java", "--version"]))},
    "npmrc": {"npm": (npm, version(["npm", "--version"]))},
    "netrc": {"netrc of Python": (of_netrc, sys.version.split()[0])},
}

recorded = []
for dialect, programs in PROGRAMS.items():
    for name, (read, of) in programs.items():
        answers = []
        for line in LINES[dialect]:
            with tempfile.NamedTemporaryFile("w", newline="", delete=False) as file:
                file.write(line.replace("§", T))
            try:
                found = {key.lower(): value for key, value in read(file.name).items()}.get("k")
            except Exception as error:
                found, _ = None, print(name, repr(line), type(error).__name__, file=sys.stderr)
            os.remove(file.name)
            answers.append([line, found if found is None else found.replace(T, "§")])
        recorded.append({"dialect": dialect, "program": name, "version": of, "answers": answers})
with open(f"{HERE}/recorded.json", "w") as file:
    rows = ",\n".join('{"dialect": %s, "program": %s, "version": %s, "answers": [\n%s]}' % (
        *(json.dumps(row[key]) for key in ("dialect", "program", "version")),
        ",\n".join(" " + json.dumps(answer, ensure_ascii=False) for answer in row["answers"])) for row in recorded)
    file.write(f"[\n{rows}\n]\n")
