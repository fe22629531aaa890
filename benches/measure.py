"""Runs a program as a whole process, and measures its time and memory. Shared by the other benchmarks. Needs Linux."""

import os
import subprocess
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.path.join(ROOT, "target", "release", "credlint")


def watch(pid, peak):
    """Keeps the peak of a process's memory until it ends. The peak that wait4 returns includes this interpreter's own."""
    try:
        while True:
            with open(f"/proc/{pid}/status") as status:
                found = [line.split()[1] for line in status if line.startswith("VmHWM:")]
            if not found:
                return
            peak[0] = max(peak[0], int(found[0]) / 1024)
            time.sleep(0.002)
    except OSError:
        return


def run(command, env, cwd, memory=True):
    """Wall seconds, processor seconds, peak memory in MiB, exit code."""
    peak = [0]
    watcher = None
    begin = time.perf_counter()
    with open(os.devnull, "wb") as null:
        process = subprocess.Popen(command, env=env, cwd=cwd, stdin=null, stdout=null, stderr=null)
        if memory:
            watcher = threading.Thread(target=watch, args=(process.pid, peak), daemon=True)
            watcher.start()
        _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if watcher:
        watcher.join()
    return wall, usage.ru_utime + usage.ru_stime, peak[0], process.returncode
