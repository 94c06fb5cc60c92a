#!/usr/bin/env python3
"""The page of `serve`: first paint of a large map, a fast journal on an open page, and the memory of the server.

    bench/web.py --binary refactor-bot [--files 5000] [--tasks 600] [--followers 64] [--minutes 1] [--reconnects 2000] [--times 5]

Chromium is real and is driven over a pipe. The repositories are those of growth.py. Everything is below a scratch folder and is deleted at
the end. No network but the loopback.

Measured: the first paint of the map and of the other pages of the code, with a warm index; the first paint of a run with many tasks and of
its review; the journal of that run, written anew piece by piece while a page follows it: how long the page was frozen at most, and whether
every event came; the memory of the server at the start, after the pages, and after an hour of following. The hour is compressed: 64 followers
look at the journal as often in a minute as one of them in an hour, and many connect again.
A value that is above its goal is marked.
"""

import argparse
import contextlib
import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import growth

# Lines that are written at once, and how often: slower than this, a fast run is not.
PIECE, EVERY_S = 100, 0.1
LOOKS_PER_S = 4
RUN_ID = re.compile(r"\b\d{8}T\d{6}Z(?:-\d+)?\b")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", type=Path, default=growth.TARGET / "release" / "refactor-bot")
    options.add_argument("--chromium", default="chromium")
    options.add_argument("--files", type=int, default=5000)
    options.add_argument("--tasks", type=int, default=600)
    options.add_argument("--followers", type=int, default=64)
    options.add_argument("--minutes", type=float, default=1)
    options.add_argument("--reconnects", type=int, default=2000)
    options.add_argument("--times", type=int, default=5)
    options.add_argument("--scratch", type=Path, help="a folder with room; the system's own for temporary files if not given")
    options = options.parse_args()
    options.binary = options.binary.resolve()
    with tempfile.TemporaryDirectory(prefix="web-", dir=options.scratch) as scratch, contextlib.ExitStack() as stack:
        Bench(Path(scratch), options, stack).run()


def value(what, number, goal=None):
    mark = "" if goal is None or number <= goal else f"   ABOVE {goal}"
    print(f"  {what:62} {number:10.3f}{mark}", flush=True)


# --- Chromium ---------------------------------------------------------------------------------------------------------


class Chromium:
    """One page, driven by the DevTools protocol: messages in JSON, each ended by a zero byte."""

    def __init__(self, program, profile):
        here, there = os.pipe(), os.pipe()
        # The browser reads from 3 and writes to 4: none of ours may lie there.
        reads, writes = os.dup(here[0]), os.dup(there[1])
        while reads < 5:
            reads = os.dup(reads)
        while writes < 5:
            writes = os.dup(writes)

        def place():
            os.dup2(reads, 3)
            os.dup2(writes, 4)

        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe", f"--user-data-dir={profile}"]
        self.child = subprocess.Popen([program, *flags], preexec_fn=place, pass_fds=(3, 4), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.out, self.into = os.fdopen(here[1], "wb", 0), os.fdopen(there[0], "rb", 0)
        for number in (here[0], there[1]):
            os.close(number)
        self.left, self.number, self.session, self.events, self.errors = b"", 0, None, [], []
        tab = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=tab, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def close(self):
        self.child.kill()
        self.child.wait()

    def message(self):
        while b"\0" not in self.left:
            more = os.read(self.into.fileno(), 1 << 20)
            if not more:
                raise RuntimeError("Chromium has ended")
            self.left += more
        text, self.left = self.left.split(b"\0", 1)
        message = json.loads(text)
        if "method" in message:
            self.events.append(message["method"])
            if message["method"] in ("Runtime.exceptionThrown", "Log.entryAdded"):
                self.errors.append(json.dumps(message["params"])[:400])
        return message

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        self.out.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def evaluate(self, code):
        answer = self.call("Runtime.evaluate", expression=code, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:400])
        return answer["result"].get("value")

    def open(self, url):
        self.events.clear()
        self.call("Page.navigate", url=url)
        while "Page.loadEventFired" not in self.events:
            self.message()

    def first_paint(self, url):
        """Seconds from the start of the navigation, with all that the server does for it."""
        self.open(url)
        paint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
        until = time.monotonic() + 30
        while time.monotonic() < until:
            found = self.evaluate(paint)
            if found is not None:
                return found / 1000
        raise RuntimeError(f"{url} was never painted")


# --- The server -------------------------------------------------------------------------------------------------------


class Server:
    def __init__(self, binary, repo, home):
        command = [binary, "serve", repo, "--listen", "127.0.0.1", "--port", "0", "--home", home]
        self.child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.start = self.child.stdout.readline().strip()
        self.host = self.start.removeprefix("http://").split("/")[0]
        answer = self.ask(f"/?{self.start.split('?')[1]}", {})
        self.cookie = {"Cookie": answer.getheader("Set-Cookie").split(";")[0]}

    def close(self):
        self.child.kill()
        self.child.wait()

    def url(self, path):
        return f"http://{self.host}{path}"

    def ask(self, path, headers):
        connection = http.client.HTTPConnection(self.host, timeout=60)
        connection.request("GET", path, headers=headers)
        return connection.getresponse()

    def follow(self, run, seconds):
        """Follows a run as a page does. Returns after the first message at the earliest."""
        answer = self.ask(f"/runs/{run}/events", self.cookie)
        if answer.status != 200:
            raise RuntimeError(f"the events of {run}: {answer.status}")
        answer.readline()
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            time.sleep(min(left, 1))
        answer.close()

    def memory(self):
        with open(f"/proc/{self.child.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:")) / 1024

    def cpu(self):
        with open(f"/proc/{self.child.pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# --- The measurement --------------------------------------------------------------------------------------------------

# Counts what comes, and how long nothing else could be done.
WATCH = """
window.seen = new Set(); window.worst = 0;
new MutationObserver((changes) => {
  for (const { addedNodes } of changes) for (const node of addedNodes) if (node.dataset?.seq) window.seen.add(Number(node.dataset.seq));
}).observe(document.getElementById('run-log'), { childList: true });
for (const line of document.querySelectorAll('#run-log [data-seq]')) window.seen.add(Number(line.dataset.seq));
let last = performance.now();
const tick = () => { const now = performance.now(); window.worst = Math.max(window.worst, now - last); last = now; setTimeout(tick, 5); };
tick();
"""


class Bench:
    def __init__(self, scratch, options, stack):
        self.scratch, self.options, self.stack = scratch, options, stack
        self.home = scratch / "home"

    def run(self):
        repo, small = self.repository("repo", self.options.files), self.repository("small", self.options.tasks)
        run = self.many_tasks(*small)
        server = Server(self.options.binary, repo[0], self.home)
        self.stack.callback(server.close)
        chromium = Chromium(self.options.chromium, self.scratch / "profile")
        self.stack.callback(chromium.close)
        started = server.memory()
        chromium.open(server.start)
        print(f"\n{self.options.files} files, first paint with a warm index, s", flush=True)
        self.paints(server, chromium, ["/map", "/map/graph", "/map/layers", f"/code/{repo[1][0].path}", "/search?q=order"], 1.0)
        print(f"\n{self.options.tasks} tasks, first paint, s", flush=True)
        self.paints(server, chromium, [f"/runs/{run}", f"/runs/{run}/review", "/runs"])
        shown = server.memory()
        self.stream(server, chromium, run)
        self.memory(server, run, started, shown)
        print(f"  errors of the pages: {chromium.errors or 'none'}")

    def repository(self, name, files):
        root = self.scratch / name
        root.mkdir()
        sources = growth.make_repository(root, files, 1)
        self.command("index", root, "--quiet")
        return root, sources

    def command(self, *words):
        ran = subprocess.run([self.options.binary, *words, "--home", self.home], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if ran.returncode:
            raise RuntimeError(f"{words[0]} ended with {ran.returncode}: {ran.stderr[-2000:]}")
        return ran.stdout + ran.stderr

    def many_tasks(self, root, sources):
        """A run that waits, with one change in every file."""
        words = []
        for number, source in enumerate(sources):
            first = (root / source.path).read_text().split("\n")[0]
            comment = "#" if source.language == "python" else "//"
            patch = self.scratch / f"{number}.patch"
            patch.write_text(f"--- a/{source.path}\n+++ b/{source.path}\n@@ -1,1 +1,2 @@\n+{comment} Number {number}.\n {first}\n")
            words += ["--patch", patch]
        began = time.monotonic()
        run = RUN_ID.search(self.command("run", root, "--no-verify", *words))[0]
        print(f"a run with {len(sources)} tasks: {time.monotonic() - began:.0f} s", flush=True)
        return run

    def paints(self, server, chromium, paths, goal=None):
        for path in paths:
            chromium.first_paint(server.url(path))
            before = server.cpu()
            seconds = min(chromium.first_paint(server.url(path)) for _ in range(self.options.times))
            cpu = (server.cpu() - before) / self.options.times
            value(RUN_ID.sub("RUN", path), seconds, goal if path == "/map" else None)
            value("  processor s of the server for each", cpu)

    def stream(self, server, chromium, run):
        """The journal of the run under another name, while a page has it open."""
        name = "20200101T000000Z"
        source, folder = self.home / "runs" / run, self.home / "runs" / name
        lines = (source / "journal.jsonl").read_text().replace(run, name).splitlines(keepends=True)
        folder.mkdir()
        journal = folder / "journal.jsonl"
        journal.write_text("".join(lines[:5]))
        chromium.open(server.url(f"/runs/{name}"))
        chromium.evaluate(WATCH)
        before, began = server.cpu(), time.monotonic()
        with open(journal, "a") as file:
            for at in range(5, len(lines), PIECE):
                file.writelines(lines[at : at + PIECE])
                file.flush()
                time.sleep(max(0, began + (at // PIECE + 1) * EVERY_S - time.monotonic()))
        written = time.monotonic() - began
        count, until = 0, time.monotonic() + 60
        while count < len(lines) and time.monotonic() < until:
            count = chromium.evaluate("window.seen.size")
            time.sleep(0.1)
        print(f"\n{len(lines)} events written in {written:.1f} s, followed by a page", flush=True)
        value("events that did not come", len(lines) - count, 0)
        value("until the last was there, s after it was written", time.monotonic() - began - written)
        value("the page was frozen for at most, s", chromium.evaluate("window.worst") / 1000, 0.5)
        value("processor s of the server", server.cpu() - before)
        value("lines of the log that the page keeps", chromium.evaluate("document.querySelectorAll('#run-log li').length"))

    def memory(self, server, run, started, shown):
        options = self.options
        seconds = 60 * options.minutes
        followers = [threading.Thread(target=server.follow, args=(run, seconds)) for _ in range(options.followers)]
        before = server.cpu()
        for follower in followers:
            follower.start()
        time.sleep(seconds / 2)
        during = server.memory()
        for follower in followers:
            follower.join()
        looks = int(options.followers * seconds * LOOKS_PER_S)
        cpu = server.cpu() - before
        for _ in range(options.reconnects):
            server.follow(run, 0)
        time.sleep(2)
        after = server.memory()
        print(f"\nMemory of the server, MB; {looks} looks at a journal (an hour of one page has {3600 * LOOKS_PER_S}) in {seconds:.0f} s", flush=True)
        value("at the start", started)
        value("after the pages", shown)
        value(f"while {options.followers} follow", during)
        value(f"after them and {options.reconnects} that connected anew", after)
        value("after / after the pages", after / shown, 2.0)
        value("processor ms for a look", 1000 * cpu / looks)


if __name__ == "__main__":
    sys.exit(main())
