"""Runs programs that arrive as JSON on standard input ([{path: text}]) and prints [{"code", "out", "err"}] for each.

Each runs `main.py` in a forked child, in a folder of its own, for at most five seconds.
"""

import json
import os
import runpy
import shutil
import signal
import sys
import tempfile

sys.dont_write_bytecode = True


def write(folder, files):
    for path, text in files.items():
        path = os.path.join(folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)


def child(folder, out, err):
    os.dup2(out.fileno(), 1)
    os.dup2(err.fileno(), 2)
    signal.alarm(5)
    os.chdir(folder)
    sys.path.insert(0, folder)
    code = 1
    try:
        runpy.run_path("main.py", run_name="__main__")
        code = 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def run(files):
    folder = tempfile.mkdtemp()
    try:
        write(folder, files)
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            process = os.fork()
            if process == 0:
                child(folder, out, err)
            _, status = os.waitpid(process, 0)
            texts = []
            for file in (out, err):
                file.seek(0)
                texts.append(file.read().decode("utf-8", "replace").replace(folder, ""))
            return {"code": status, "out": texts[0], "err": texts[1]}
    finally:
        shutil.rmtree(folder)


def main():
    programs = json.load(sys.stdin)
    json.dump([run(files) for files in programs], sys.stdout)


if __name__ == "__main__":
    main()
