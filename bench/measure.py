"""What a command costs: processor seconds, wall seconds, peak memory, bytes written."""

import os
import subprocess
import time
from dataclasses import dataclass


@dataclass
class Cost:
    cpu: float
    wall: float
    rss_mb: float
    written: int
    out: bytes


def run(command, cwd=None, env=None, quiet=True):
    """Runs a command once and measures it. A failing command is an error."""
    began = time.monotonic()
    child = subprocess.Popen(
        command,
        cwd=cwd,
        env={**os.environ, **(env or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL if quiet else None,
        stdin=subprocess.DEVNULL,
    )
    out = child.stdout.read()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    wall = time.monotonic() - began
    # The kernel still knows what it wrote.
    written = 0
    with open(f"/proc/{child.pid}/io") as counters:
        for line in counters:
            if line.startswith("wchar:"):
                written = int(line.split()[1])
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise RuntimeError(f"{command} ended with {child.returncode}")
    return Cost(
        cpu=usage.ru_utime + usage.ru_stime,
        wall=wall,
        rss_mb=usage.ru_maxrss / 1024,
        written=written - len(out),
        out=out,
    )


def best(times, work):
    """The cheapest of several runs: noise only ever adds."""
    return min((work() for _ in range(times)), key=lambda cost: cost.cpu)
