//! A server that is a script: it does what the test says, and nothing that it does may harm.

use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, Instant};

use expect_test::{Expect, expect};
use rb_core::process::Env;
use rb_language_servers::{Limits, ServerError};

use crate::support::Project;

const FILES: &str = "\
//- a.go
package a

func old() {}
//- b.go
package a

func b() { old() }
";

/// A server in Python that renames `old`; `{extra}` is put where a test wants something else.
const SERVER: &str = r#"#!/usr/bin/env python3
import json, os, sys, time

def send(message):
    body = json.dumps(message).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    sys.stdout.buffer.flush()

def receive():
    length = 0
    while True:
        line = sys.stdin.buffer.readline()
        if not line:
            sys.exit()
        if line == b"\r\n":
            return json.loads(sys.stdin.buffer.read(length))
        name, value = line.split(b":")
        if name == b"Content-Length":
            length = int(value)

def at(line, start, end):
    return {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}

def edit(line, start, end, text="new"):
    return {"range": at(line, start, end), "newText": text}

root = None
capabilities = {"renameProvider": {"prepareProvider": True}, "documentSymbolProvider": True}
symbols = [{"name": "old", "kind": 12, "range": at(2, 0, 13), "selectionRange": at(2, 5, 8)}]

def uri(path):
    return root + "/" + path

def changes():
    return {"changes": {uri("a.go"): [edit(2, 5, 8)], uri("b.go"): [edit(2, 11, 14)]}}

def answer(method, params):
    global root
    if method == "initialize":
        root = params["rootUri"]
        return {"capabilities": capabilities}
    return {
        "textDocument/documentSymbol": symbols,
        "textDocument/prepareRename": at(2, 5, 8),
        "textDocument/rename": changes() if method == "textDocument/rename" else None,
        "textDocument/definition": [],
        "shutdown": None,
    }.get(method)

def before(method, params):
    pass

class Refused(Exception):
    pass

{extra}

while True:
    message = receive()
    method, params = message.get("method"), message.get("params")
    if method == "exit":
        sys.exit()
    if method is None:
        continue
    try:
        before(method, params)
        if "id" in message:
            send({"jsonrpc": "2.0", "id": message["id"], "result": answer(method, params)})
    except Refused as error:
        send({"jsonrpc": "2.0", "id": message["id"], "error": {"code": 1, "message": str(error)}})
"#;

/// Renames `old` to `new` with the script as `gopls`.
fn project(extra: &str) -> Project {
    let mut project = Project::new(FILES);
    let programs = project.path().join("programs");
    std::fs::create_dir_all(&programs).unwrap();
    for (name, text) in [("gopls", SERVER.replace("{extra}", extra)), ("go", String::new())] {
        let program = programs.join(name);
        std::fs::write(&program, text).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = format!("{}:/usr/local/bin:/usr/bin:/bin", programs.display());
    project.servers.env = Env::default().with("PATH", path);
    project.servers.limits = Limits {
        load: Duration::from_secs(5),
        call: Duration::from_secs(3),
        total: Duration::from_secs(20),
        memory: 512 << 20,
    };
    project
}

#[track_caller]
fn check(extra: &str, expected: &Expect) {
    let started = Instant::now();
    let project = project(extra);
    expected.assert_eq(&project.shown("a.go#old", "new"));
    assert!(started.elapsed() < Duration::from_secs(15), "{:?}", started.elapsed());
    let left: Vec<_> = std::fs::read_dir(&project.servers.scratch).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
    for (path, text) in
        [("a.go", "package a\n\nfunc old() {}\n"), ("b.go", "package a\n\nfunc b() { old() }\n")]
    {
        let file = project.servers.root.join(path);
        assert_eq!(std::fs::read_to_string(file).unwrap(), text, "the project is as it was");
    }
}

#[test]
fn st5_a_server_is_asked_and_its_edits_are_taken() {
    check(
        "",
        &expect![[r#"
        a.go:3 func new() {}
        b.go:3 func b() { new() }
    "#]],
    );
}

#[test]
fn st5_what_a_server_asks_is_answered() {
    let extra = r#"
def ask(number, method, params):
    send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
    reply = receive()
    while reply.get("id") != number:
        reply = receive()
    return reply.get("result", reply.get("error", {}).get("code"))

def before(method, params):
    if method == "textDocument/documentSymbol":
        said = [
            ask("a", "workspace/configuration", {"items": [{"section": "gopls"}, {"section": "x"}]}),
            ask("b", "client/registerCapability", {}),
            ask("c", "workspace/applyEdit", {}),
            ask("d", "workspace/workspaceFolders", {})[0]["uri"] == root,
            ask("e", "window/other", {}),
        ]
        raise Refused(json.dumps(said))
"#;
    check(
        extra,
        &expect![[r#"
            gopls refuses: [[{}, null], null, {"applied": false}, true, -32601]
        "#]],
    );
}

#[test]
fn st5_the_project_is_waited_for() {
    let extra = r#"
loaded = []
def before(method, params):
    if method == "initialized":
        send({"jsonrpc": "2.0", "method": "$/progress", "params": {"token": 1, "value": {"kind": "begin"}}})
    if method == "textDocument/didOpen":
        time.sleep(2)
        send({"jsonrpc": "2.0", "method": "$/progress", "params": {"token": 1, "value": {"kind": "end"}}})
        loaded.append(1)
    if method == "textDocument/documentSymbol":
        raise Refused("asked after loading: %s" % bool(loaded))
"#;
    check(
        extra,
        &expect![[r#"
            gopls refuses: asked after loading: True
        "#]],
    );
    let endless = r#"
def before(method, params):
    if method == "initialized":
        send({"jsonrpc": "2.0", "method": "$/progress", "params": {"token": 1, "value": {"kind": "begin"}}})
"#;
    check(
        endless,
        &expect![[r#"
        gopls did not load the project within 5 s
    "#]],
    );
}

#[test]
fn st5_a_server_that_fails_is_said_to() {
    let at_rename = |what: &str| {
        format!(
            "def before(method, params):\n    if method == \"textDocument/rename\":\n        {what}\n"
        )
    };
    check(
        &at_rename("sys.exit(3)"),
        &expect![[r#"
        gopls ended: exit code 3
    "#]],
    );
    check(
        &at_rename("raise RuntimeError('out of luck')"),
        &expect![[r#"
        gopls ended: exit code 1. Its output: raise RuntimeError('out of luck')
    "#]],
    );
    check(
        &at_rename("time.sleep(60)"),
        &expect![[r#"
        gopls did not answer `textDocument/rename` within 3 s
    "#]],
    );
    check(
        &at_rename("x = bytearray(2 << 30); time.sleep(60)"),
        &expect![[r#"
        gopls ended: more than 512 MiB of memory
    "#]],
    );
    check(
        &at_rename("os.write(1, b'Content-Length: 3\\r\\n\\r\\n{}}')"),
        &expect![[r#"
        gopls sent what the protocol does not allow: a message that is not JSON (trailing characters at line 1 column 3)
    "#]],
    );
    check(
        &at_rename(
            "[os.write(1, b'Content-Length: 2\\r\\n\\r\\n{}' * 1000) for _ in iter(int, 1)]",
        ),
        &expect![[r#"
            gopls did not answer `textDocument/rename` within 3 s
        "#]],
    );
    check(
        &at_rename("os.write(1, b'gopls 1.0\\r\\n\\r\\n')"),
        &expect![[r#"
        gopls sent what the protocol does not allow: a header without a length
    "#]],
    );
    check(
        &at_rename("send({'jsonrpc': '2.0', 'id': 999, 'result': {}}); time.sleep(60)"),
        &expect![[r#"
        gopls did not answer `textDocument/rename` within 3 s
    "#]],
    );
    check(
        &at_rename("os.close(1); time.sleep(60)"),
        &expect![[r#"
        gopls did not answer `textDocument/rename` within 3 s
    "#]],
    );
    check(
        "capabilities['positionEncoding'] = 'utf-32'",
        &expect![[r#"
        gopls sent what the protocol does not allow: it counts in utf-32, which was not offered
    "#]],
    );
    check(
        "capabilities['renameProvider'] = False",
        &expect![[r#"
        gopls refuses: it does not rename
    "#]],
    );
}

#[test]
fn st5_edits_that_are_no_rename_are_refused() {
    let changes = |body: &str| format!("def changes():\n    return {body}\n");
    for (extra, expected) in [
        (
            "{'changes': {'file:///etc/passwd': [edit(0, 0, 4)]}}",
            expect![[r#"
            gopls offered edits that are no rename: `file:///etc/passwd` is outside of the project
        "#]],
        ),
        (
            "{'changes': {uri('a.go'): [edit(2, 5, 8), edit(2, 6, 9)]}}",
            expect![[r#"
            gopls offered edits that are no rename: a.go: the edits at bytes 19 and 17 overlap
        "#]],
        ),
        (
            "{'changes': {uri('a.go'): [edit(2, 5, 8, 'new() {}\\nfunc evil')]}}",
            expect![[r#"
            gopls offered edits that are no rename: it changes more of a.go than the name
        "#]],
        ),
        (
            "{'changes': {uri('b.go'): [edit(2, 11, 14)]}}",
            expect![[r#"
            gopls offered edits that are no rename: it leaves the declaration as it is
        "#]],
        ),
        (
            "{'documentChanges': [{'kind': 'delete', 'uri': uri('a.go')}]}",
            expect![[r#"
            gopls offered edits that are no rename: it wants to delete a file
        "#]],
        ),
        (
            "None",
            expect![[r#"
            gopls offered edits that are no rename: it leaves the declaration as it is
        "#]],
        ),
        (
            "{'documentChanges': [{'kind': 'rename', 'oldUri': uri('a.go'), 'newUri': uri('new.go')}]}",
            expect![[r#"
            gopls moves a.go to new.go with it; refactor-bot renames files with their symbol in Java only
        "#]],
        ),
        (
            "{'documentChanges': 7, 'changes': [1, 'x']}",
            expect![[r#"
            gopls offered edits that are no rename: it leaves the declaration as it is
        "#]],
        ),
        (
            "{'documentChanges': [{'textDocument': {'uri': uri('a.go'), 'version': 2}, 'edits': [edit(2, 5, 8)]}]}",
            expect![[r#"
            gopls offered edits that are no rename: it edits another version of a file
        "#]],
        ),
        (
            "{'changes': {uri('x%d.go' % i): [edit(2, 5, 8)] for i in range(1000)}}",
            expect![[r#"
            gopls offered edits that are no rename: x0.go is not a text file of the project
        "#]],
        ),
        (
            "{'changes': {uri('a.go'): [edit(2, 5, 8)], uri('b.go'): [edit(2, 0, 16, 'func b() { old()')]}}",
            expect![[r#"
            gopls cannot tell what `old` means in 1 place: code for another system or behind a build tag
              b.go:3
        "#]],
        ),
        (
            "{'changes': {uri('a.go'): [edit(2, 5, 8)]}}",
            expect![[r#"
            gopls cannot tell what `old` means in 1 place: code for another system or behind a build tag
              b.go:3
        "#]],
        ),
    ] {
        check(&changes(extra), &expected);
    }
}

#[test]
fn st5_a_server_that_does_not_read_is_not_waited_for() {
    let mut project = project(
        "def before(method, params):\n    if method == \"initialized\":\n        time.sleep(60)\n",
    );
    project.set("a.go", &format!("package a\n\nfunc old() {{}}\n// {}\n", "x".repeat(1 << 20)));
    expect![[r#"
        gopls did not read what it is asked within 3 s
    "#]]
    .assert_eq(&project.shown("a.go#old", "new"));
}

#[test]
fn st5_a_name_that_is_taken_is_found_by_a_second_look() {
    let extra = r#"
capabilities["referencesProvider"] = True
looks = []
standard = answer
def answer(method, params):
    if method == "textDocument/references":
        looks.append(1)
        found = [{"uri": uri("a.go"), "range": at(2, 5, 8)}, {"uri": uri("b.go"), "range": at(2, 11, 14)}]
        return found if len(looks) == 1 else found + [{"uri": uri("b.go"), "range": at(0, 0, 3)}]
    return standard(method, params)
"#;
    check(
        extra,
        &expect![[r#"
        `new` is already taken where it would be used
          b.go:1
    "#]],
    );
}

#[test]
fn st5_a_server_reads_the_project_and_nothing_else() {
    let extra = r#"
def tried(what):
    try:
        what()
        return "yes"
    except Exception as error:
        return type(error).__name__

def before(method, params):
    if method == "textDocument/documentSymbol":
        import socket
        project = root[len("file://"):]
        raise Refused(" ".join([
            "read:" + tried(lambda: open(project + "/a.go").read()),
            "write:" + tried(lambda: open(project + "/evil.go", "w")),
            "network:" + tried(lambda: socket.create_connection(("192.0.2.1", 80), 1)),
        ]))
"#;
    let project = project(extra);
    if !project.is_confined() {
        eprintln!("skipped: no sandbox works here");
        return;
    }
    expect![[r#"
        gopls refuses: read:yes write:OSError network:OSError
    "#]]
    .assert_eq(&project.shown("a.go#old", "new"));
}

#[test]
fn st5_a_missing_server_is_named_with_how_to_get_it() {
    let mut project = project("");
    project.servers.env = Env::default().with("PATH", "/nowhere");
    let mut shown: Vec<String> = Vec::new();
    for symbol in ["a.go#old", "a.rs#old", "A.java#old", "A.cs#old", "a.cpp#old", "a.txt#old"] {
        shown.push(project.shown(symbol, "new"));
    }
    expect![[r#"
        renaming in Go needs a language server, and `gopls` was not found. Install it with `go install golang.org/x/tools/gopls@latest`; `refactor-bot doctor` lists the servers found
        renaming in Rust needs a language server, and `rust-analyzer` was not found. Install it with `rustup component add rust-analyzer rust-src`; `refactor-bot doctor` lists the servers found
        renaming in Java needs a language server, and `jdtls` was not found. Install the Eclipse JDT language server; `refactor-bot doctor` lists the servers found
        renaming in C# needs a language server, and `csharp-ls` was not found. Install it with `dotnet tool install --global csharp-ls`; `refactor-bot doctor` lists the servers found
        renaming in C and C++ needs a language server, and `clangd` was not found. Install the package `clangd`; `refactor-bot doctor` lists the servers found
        no server is known for a.txt
    "#]].assert_eq(&shown.concat());
}

#[test]
fn st5_a_run_that_is_interrupted_ends_the_server() {
    let project = project("def before(method, params):\n    time.sleep(60)\n");
    let cancel = project.servers.cancel.clone();
    let started = Instant::now();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(500));
        cancel.cancel();
    });
    let error = project.rename("a.go#old", "new").unwrap_err();
    assert!(matches!(error, ServerError::Cancelled(_)), "{error}");
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
}
