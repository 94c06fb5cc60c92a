# A stand-in for `claude` that behaves as the real program was seen to. FAKE_CLAUDE_MODE says what goes wrong; what it was
# called with goes to FAKE_CLAUDE_LOG. It never asks a model.
import json
import os
import signal
import sys
import time
import uuid

VERSION = "2.1.325 (Claude Code)"
VALUED = {
    "--output-format", "--json-schema", "--system-prompt-file", "--permission-mode", "--setting-sources",
    "--session-id", "--max-turns", "--model", "--max-budget-usd",
}
SEVERAL = {"--tools", "--allowedTools", "--disallowedTools", "--mcp-config", "--add-dir"}
SWITCHES = {
    "-p", "--print", "--verbose", "--strict-mcp-config", "--no-session-persistence", "--include-partial-messages",
}
KEYWORDS = {
    "type", "properties", "required", "additionalProperties", "items", "enum", "const", "description", "title", "minimum",
    "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern", "$defs", "definitions", "$ref", "anyOf", "oneOf",
    "allOf", "default", "examples", "not", "if", "then", "else", "uniqueItems", "minProperties", "maxProperties",
    "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "$comment",
}
KEYWORDS.discard(os.environ.get("FAKE_CLAUDE_DISLIKES"))
MODE, _, DETAIL = os.environ.get("FAKE_CLAUDE_MODE", "ok").partition(":")
HAS_KEY = any(name in os.environ for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"))


def usage_error(line):
    print(line, file=sys.stderr)
    sys.exit(1)


def parse(argv):
    options, words, at = {}, [], 0
    while at < len(argv):
        word = argv[at]
        at += 1
        if word in SWITCHES:
            options[word] = True
        elif word in VALUED:
            options[word] = argv[at]
            at += 1
        elif word in SEVERAL:
            values = []
            while at < len(argv) and not argv[at].startswith("-"):
                values.append(argv[at])
                at += 1
            options[word] = values
        elif word.startswith("-"):
            usage_error(f"error: unknown option '{word}'")
        else:
            words.append(word)
    return options, words


def record(options, words, stdin):
    log = os.environ.get("FAKE_CLAUDE_LOG")
    if not log:
        return
    system = options.get("--system-prompt-file")
    seen = {
        "argv": sys.argv[1:],
        "cwd": os.getcwd(),
        "cwd_holds": sorted(os.listdir(".")),
        "stdin": stdin[:2000],
        "system": open(system).read() if system and os.path.exists(system) else None,
        # Python sets this one itself.
        "env": sorted(set(os.environ) - {"LC_CTYPE"}),
        "group": os.getpgid(0) == os.getpid(),
        "stdout_is_a_file": os.path.isfile("/proc/self/fd/1"),
    }
    with open(log + ".part", "w") as out:
        json.dump(seen, out)
    os.rename(log + ".part", log)


def dislikes(schema):
    if not isinstance(schema, dict):
        return None
    for key, value in schema.items():
        if key not in KEYWORDS:
            return key
        nested = value.values() if key in ("properties", "$defs", "definitions") else [value]
        for inner in nested:
            if isinstance(inner, dict) and dislikes(inner):
                return dislikes(inner)
    return None


def check(options, prompt):
    if not prompt:
        usage_error("Error: Input must be provided either through stdin or as a prompt argument when using --print")
    if len(prompt) > 10_000_000:
        usage_error("Error: piped stdin input exceeds 10MB. Pass large content as a file path in your prompt instead.")
    if options.get("--output-format") == "stream-json" and "--verbose" not in options:
        usage_error("Error: When using --print, --output-format=stream-json requires --verbose")
    try:
        uuid.UUID(options.get("--session-id", str(uuid.uuid4())))
    except ValueError:
        usage_error("Error: Invalid session ID. Must be a valid UUID.")
    system = options.get("--system-prompt-file")
    if system and not os.path.exists(system):
        usage_error(f"Error: System prompt file not found: {system}")
    if "--json-schema" not in options:
        return None
    try:
        schema = json.loads(options["--json-schema"])
    except ValueError:
        usage_error("Error: --json-schema is not valid JSON: JSON Parse error: Expected '}'")
    if not isinstance(schema, dict):
        usage_error("Error: --json-schema must be a JSON object")
    disliked = dislikes(schema)
    if disliked and MODE == "old":
        return None
    if disliked:
        usage_error(f'Error: --json-schema is not a valid JSON Schema: strict mode: unknown keyword: "{disliked}"')
    return schema


class Call:
    def __init__(self, options, schema):
        self.options, self.schema = options, schema
        self.stream = options.get("--output-format") == "stream-json"
        self.session = options.get("--session-id") or str(uuid.uuid4())

    def event(self, event):
        if self.stream:
            print(json.dumps({**event, "session_id": self.session, "uuid": str(uuid.uuid4())}), flush=True)

    def init(self):
        tools = [name for name in ",".join(self.options.get("--tools", [])).split(",") if name]
        tools += ["StructuredOutput"] if self.schema is not None else []
        self.event({"type": "system", "subtype": "init", "cwd": os.getcwd(), "tools": tools, "model": "claude-fake-1"})

    def delta(self, delta):
        event = {"type": "content_block_delta", "index": 0, "delta": delta}
        self.event({"type": "stream_event", "event": event})

    def words(self, pieces, name=None):
        block = {"type": "tool_use", "name": name, "input": {}} if name else {"type": "text", "text": ""}
        self.event({"type": "stream_event", "event": {"type": "message_start", "message": {"id": "msg_1"}}})
        self.event({"type": "stream_event", "event": {"type": "content_block_start", "index": 0, "content_block": block}})
        for piece in pieces:
            kind = {"type": "input_json_delta", "partial_json": piece} if name else {"type": "text_delta", "text": piece}
            self.delta(kind)

    def result(self, code=0, **fields):
        usage = {"input_tokens": 11, "cache_creation_input_tokens": 3, "cache_read_input_tokens": 5, "output_tokens": 7}
        usage["output_tokens_details"] = {"thinking_tokens": 2}
        whole = {
            "an_unknown_key": {"of": "another version"}, "stop_reason": "end_turn", "session_id": self.session,
            "total_cost_usd": 0.0125, "usage": usage,
            "modelUsage": {"claude-small": {"outputTokens": 1}, "claude-fake-1": {"outputTokens": 6}},
            "permission_denials": [], "is_error": False, "num_turns": 2, "subtype": "success",
            "api_error_status": None, **fields, "type": "result",
        }
        print(json.dumps({key: value for key, value in whole.items() if value != "absent"}), flush=True)
        sys.exit(code)

    def refuse(self, words, status=None, **fields):
        self.result(1, is_error=True, result=words, api_error_status=status, **fields)

    def fail(self, subtype, words, **fields):
        self.result(
            1, subtype=subtype, is_error=True, errors=[words], result="absent", api_error_status="absent", **fields)

    def succeed(self, **fields):
        if self.schema is None:
            self.words(["It is ", "done."])
            self.result(result="It is done.", **fields)
        value = {"ok": True, "note": os.environ.get("FAKE_CLAUDE_NOTE", "hi")}
        text = json.dumps(value)
        self.words([text[:5], text[5:]], "StructuredOutput")
        self.result(result=text, structured_output=value, stop_reason="tool_use", **fields)


HTTP = {
    "400": "API Error: 400 messages: bad thing",
    "credit": "Credit balance is too low",
    "long": "Prompt is too long · 300000 tokens > 200000 maximum",
    "401": "Failed to authenticate. API Error: 401 OAuth token has expired.",
    "403": "Failed to authenticate. API Error: 403 not allowed",
    "404": "There's an issue with the selected model (none). It may not exist or you may not have access to it.",
    "413": "Request too large (max 32MB). Try with a smaller file.",
    "429": "API Error: Request rejected (429) · slow down",
    "500": "API Error: 500 Internal server error. This is a server-side issue, usually temporary",
    "529": "API Error: 529 Overloaded",
}
WORDS = {
    "not_logged_in": "Not logged in · Please run /login",
    "bad_key": "Invalid API key · Fix external API key",
    "old_529": "API Error: Repeated 529 Overloaded errors. The service may be at capacity",
    "refused": "API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)",
    "old_refused": "API Error: Unable to connect to API (ConnectionRefused)",
    "dropped": "API Error: Unable to connect to API (ECONNRESET)",
    "html": "API Error: API returned an empty or malformed response (HTTP 200) — check for a proxy or gateway",
    "timeout": "Request timed out",
    "tls": "API Error: Unable to connect to API: self signed certificate in certificate chain",
    "max_tokens": "API Error: Claude's response exceeded the 64000 output token maximum.",
    "limit": "You've hit your limit · resets 3pm",
    "odd": "Something that nobody has seen before",
}


def hang(deaf):
    if deaf:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        child = os.fork()
        while child == 0:
            time.sleep(0.05)
        with open(os.environ["FAKE_CLAUDE_LOG"] + ".child", "w") as out:
            out.write(f"{child}\n")
    else:
        signal.signal(signal.SIGTERM, lambda *_: os._exit(143))
    while True:
        time.sleep(0.05)


def answer(call):
    call.init()
    if MODE == "http":
        status = {"credit": 400, "long": 400}.get(DETAIL) or int(DETAIL)
        call.refuse(HTTP[DETAIL], status, terminal_reason="api_error")
    elif MODE in WORDS:
        call.refuse(WORDS[MODE], terminal_reason="api_error")
    elif MODE == "no_own_login" and not HAS_KEY:
        call.refuse(WORDS["not_logged_in"], terminal_reason="api_error")
    elif MODE == "echo_key":
        call.refuse("API Error: bad key " + os.environ["ANTHROPIC_API_KEY"], 401)
    elif MODE == "retried":
        call.event({"type": "system", "subtype": "api_retry", "attempt": 1, "error_status": 503, "error": "unavailable"})
        call.refuse("It did not work")
    elif MODE == "refusal":
        call.refuse("API Error: Claude Code is unable to respond to this request", stop_reason="refusal")
    elif MODE == "no_structured":
        call.words(["I would ", "rather talk."])
        call.result(result="I would rather talk.")
    elif MODE == "schema_retries":
        call.fail("error_max_structured_output_retries", "Failed to provide valid structured output after 5 attempts")
    elif MODE == "max_turns":
        call.fail("error_max_turns", "Reached maximum number of turns (2)", terminal_reason="max_turns")
    elif MODE == "budget":
        call.fail("error_max_budget_usd", "Reached maximum budget ($0.01)")
    elif MODE == "interrupted":
        call.result(0, subtype="error_during_execution", is_error=True, errors=[], terminal_reason="aborted_streaming")
    elif MODE == "null_structured":
        call.result(result="", structured_output=None)
    elif MODE == "silent_success":
        call.result(result="")
    elif MODE == "bad_exit":
        call.result(1, result="fine", structured_output={"ok": True})
    elif MODE == "truncate":
        call.words(["x" * 200_000])
        sys.stdout.write('{"type":"result","is_error":false,"result":"' + "x" * 1000)
        sys.stdout.flush()
    elif MODE in ("hang", "hang_hard", "hang_in_words"):
        if MODE == "hang_in_words":
            call.words(["It is "])
        hang(MODE == "hang_hard")
    elif MODE == "flood":
        while True:
            call.words(["x" * 1_000_000])
    elif MODE == "slow":
        for piece in ("It ", "is ", "slow."):
            time.sleep(0.3)
            call.words([piece])
        call.succeed()
    elif MODE == "stderr_noise":
        print("Warning: something that does not matter", file=sys.stderr)
        call.succeed()
    elif MODE == "denials":
        denial = {"tool_name": "Read", "tool_use_id": "toolu_1", "tool_input": {"file_path": "/etc/passwd"}}
        call.succeed(permission_denials=[denial])
    else:
        call.succeed()


def main():
    if sys.argv[1:] in (["--version"], ["-v"]):
        if MODE == "half_installed":
            usage_error("Error: claude native binary not installed.")
        print({"ancient": "1.0.3 (Claude Code)"}.get(MODE, VERSION))
        sys.exit(0)
    if sys.argv[1:] == ["auth", "status"]:
        logged_in = MODE != "not_logged_in" and (MODE != "no_own_login" or HAS_KEY)
        method = "none" if not logged_in else "api_key" if HAS_KEY else "oauth_token"
        print(json.dumps({"loggedIn": logged_in, "authMethod": method, "apiProvider": "firstParty"}, indent=2))
        sys.exit(0 if logged_in else 1)
    options, words = parse(sys.argv[1:])
    stdin = sys.stdin.read()
    record(options, words, stdin)
    if MODE == "half_installed":
        usage_error("Error: claude native binary not installed.")
    if MODE == "usage":
        usage_error("error: unknown option '--include-partial-messages'")
    if MODE in ("empty", "int"):
        sys.exit(0)
    if MODE == "exit":
        sys.exit(int(DETAIL))
    if MODE == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if MODE == "garbage":
        print("<html>Please log in to the network</html>")
        sys.exit(0)
    answer(Call(options, check(options, "\n".join(words + [stdin]).strip("\n") and stdin)))


main()
