# A stand-in for `codex` that behaves as the real program was seen to. FAKE_CODEX_MODE says what goes wrong.
import json
import os
import sys
import time

MODE, _, DETAIL = os.environ.get("FAKE_CODEX_MODE", "ok").partition(":")
FAILURES = {
    "401": "unexpected status 401 Unauthorized: Missing bearer or basic authentication in header",
    "404": "unexpected status 404 Not Found: The model `none` does not exist",
    "429": "exceeded retry limit, last status: 429 Too Many Requests",
    "quota": "unexpected status 429 Too Many Requests: You exceeded your current quota",
    "500": "unexpected status 500 Internal Server Error: oh",
    "limit": "You've hit your usage limit. Try again at 3:00 PM.",
    "long": "Codex ran out of room in the model's context window.",
    "lost": "stream disconnected before completion: error sending request",
    "odd": "Something that nobody has seen before",
}


def event(**fields):
    print(json.dumps(fields), flush=True)


def exec_():
    args = sys.argv[2:]
    at = args.index("--output-schema") + 1 if "--output-schema" in args else None
    seen = {
        "argv": sys.argv[1:], "cwd": os.getcwd(), "stdin": sys.stdin.read(), "env": sorted(set(os.environ) - {"LC_CTYPE"}),
        "schema": json.load(open(args[at])) if at else None,
    }
    with open(os.environ["FAKE_CLAUDE_LOG"], "w") as log:
        json.dump(seen, log)
    if MODE == "usage":
        print("error: unexpected argument '--ephemeral' found", file=sys.stderr)
        sys.exit(2)
    if MODE == "empty":
        sys.exit(0)
    if MODE == "garbage":
        print("Welcome!")
        sys.exit(0)
    event(type="thread.started", thread_id="thread-1")
    event(type="item.completed", item={"id": "item_0", "type": "error", "message": "Model metadata not found."})
    event(type="turn.started")
    if MODE == "fail":
        event(type="error", message=FAILURES[DETAIL])
        event(type="turn.failed", error={"message": FAILURES[DETAIL]})
        sys.exit(1)
    while MODE == "offline":
        event(type="error", message="Reconnecting... waiting for network (Connection failed: error sending request)")
        time.sleep(0.05)
    if MODE == "reconnects":
        event(type="error", message="Reconnecting... 1/5")
    text = {"prose": "I would rather talk."}.get(MODE, '{"ok":true}')
    if MODE != "silent":
        event(type="item.completed", item={"id": "item_1", "type": "agent_message", "text": "I look first."})
        event(type="item.completed", item={"id": "item_2", "type": "agent_message", "text": text})
    if MODE == "half":
        sys.exit(0)
    usage = {
        "input_tokens": 10, "cached_input_tokens": 4, "cache_write_input_tokens": 0, "output_tokens": 5,
        "reasoning_output_tokens": 1,
    }
    event(type="turn.completed", **({} if MODE == "no_usage" else {"usage": usage}))


def main():
    if sys.argv[1:] == ["--version"]:
        print("codex-cli 0.166.0")
    elif sys.argv[1:] == ["login", "status"]:
        print("Not logged in" if MODE == "logged_out" else "Logged in using ChatGPT", file=sys.stderr)
        sys.exit(1 if MODE == "logged_out" else 0)
    elif sys.argv[1] == "exec":
        exec_()


main()
