"""Reads the cases and makes their values."""

import base64
import os
import random
import re
import uuid

CLASSES = {
    "9": "123456789",
    "d": "0123456789",
    "h": "0123456789abcdef",
    "H": "0123456789ABCDEF",
    "l": "abcdefghijklmnopqrstuvwxyz",
    "C": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "X": "ABCDEFGHJKLMNPQRSTUVWXYZ23456789",
    "w": "abcdefghijkmnopqrstuvwxyz23456789",
    "x": "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789",
}
CLASSES["u"] = CLASSES["x"] + "-_"
CLASSES["b"] = CLASSES["x"] + "+/"
MARKS = {"␠": " ", "␉": "\t", "␍": "\r", "␊": "\n"}
VALUE = re.compile(r"\{(?:([A-Z]):)?(?:([9dhHlCXwxub])\*(\d+)|(guid)|(pem1?)(?: ([A-Z ]+))?)\}")


class Values:
    """Makes the values of one case."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.named = {}

    def pem(self, kind):
        """DER that begins as such a key does, in lines of 64."""
        size = {"CERTIFICATE": 900, "PUBLIC KEY": 294, "OPENSSH PRIVATE KEY": 400}.get(kind, 1190)
        body = bytes([0x30, 0x82, *(size - 4).to_bytes(2, "big")]) + self.random.randbytes(size - 4)
        if kind == "OPENSSH PRIVATE KEY":
            body = b"openssh-key-v1\0" + body
        text = base64.b64encode(body).decode()
        lines = [text[at : at + 64] for at in range(0, len(text), 64)]
        return [f"-----BEGIN {kind}-----", *lines, f"-----END {kind}-----"]

    def one(self, found):
        name, letter, count, guid, pem, kind = found.groups()
        if letter:
            value = "".join(self.random.choice(CLASSES[letter]) for _ in range(int(count)))
        elif guid:
            value = str(uuid.UUID(int=self.random.getrandbits(128), version=4))
        else:
            value = ("\\n" if pem == "pem1" else "\n").join(self.pem(kind or "PRIVATE KEY"))
        if name:
            self.named[name] = value
        return value

    def fill(self, text):
        text = VALUE.sub(self.one, text)
        text = re.sub(r"\{([A-Z])\}", lambda found: self.named.get(found[1], found[0]), text)
        for mark, plain in MARKS.items():
            text = text.replace(mark, plain)
        inner = re.compile("⟦([^⟦⟧⟪⟫]*)⟧|⟪([^⟦⟧⟪⟫]*)⟫")
        while found := inner.search(text):
            if found[1] is not None:
                coded = base64.b64encode(found[1].encode()).decode()
            else:
                coded = base64.urlsafe_b64encode(found[2].encode()).decode().rstrip("=")
            text = text[: found.start()] + coded + text[found.end() :]
        return text


class SetUp:
    """Files, or the variables of a process."""

    def __init__(self, parts, values):
        self.files, self.variables = {}, {}
        for path, lines in parts:
            if path == "environment":
                for line in lines:
                    name, _, value = line.partition("=")
                    if name.strip() and not line.startswith("//"):
                        self.variables[values.fill(name)] = values.fill(value)
            else:
                self.files[path] = values.fill("\n".join(lines)) + "\n"


class Case:
    def __init__(self, name, file, lines, seed):
        self.name, self.area = name, os.path.basename(file)[:-4]
        self.says = {}
        values = Values(f"{seed}/{name}")
        halves = [[]]
        for line in lines:
            if line == "+++":
                halves.append([])
            elif line.startswith("=== "):
                halves[-1].append((line[4:], []))
            elif halves[-1]:
                halves[-1][-1][1].append(line)
            elif found := re.match(r"([a-z]+): (.*)", line):
                self.says[found[1]] = found[2]
        strip = lambda half: [(path, lines[: max([i + 1 for i, line in enumerate(lines) if line.strip()], default=0)]) for path, lines in half]
        self.set_up = SetUp(strip(halves[0]), values)
        self.repair = SetUp(strip(halves[1]), values) if len(halves) > 1 else None

    def wrong(self):
        return [name.strip() for name in self.says["wrong"].split("|")]

    def words(self):
        return [word.strip().lower() for word in self.says["says"].split("|")]


def read(folder, seed):
    """The cases of a folder, in the order of the files."""
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), folder)
    found = []
    for file in sorted(os.listdir(root)):
        with open(os.path.join(root, file), encoding="utf-8") as text:
            blocks = re.split(r"(?m)^### ", text.read())[1:]
        for block in blocks:
            name, *lines = block.split("\n")
            found.append(Case(name.strip(), file, lines, seed))
    names = [case.name for case in found]
    twice = {name for name in names if names.count(name) > 1}
    assert not twice, f"{folder}: {sorted(twice)}"
    return found
