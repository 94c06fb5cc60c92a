//! The arguments of a call.

use std::ffi::OsString;
use std::path::Path;

use serde_json::json;

use super::{ClaudeOptions, MOST_ARGUMENT};
use crate::call::{McpServer, Request};
use crate::error::Fault;

/// The prompt is none of them: one argument may have 128 KiB, and standard input 10 MB. Options that take several values are followed by another option: they would eat what stands there.
pub(super) fn of(
    options: &ClaudeOptions,
    request: &Request,
    system: &Path,
    session: &str,
) -> Result<Vec<OsString>, Fault> {
    let mut args: Vec<OsString> = Vec::new();
    let mut say = |words: &[&str]| args.extend(words.iter().map(OsString::from));
    // The plain `json` says nothing until the end, so that a program that hangs looks like one that thinks. This says the
    // same at its end, in its last line, and signs of life before it. Into a file both are whole in every version.
    say(&["-p", "--output-format", "stream-json", "--verbose", "--include-partial-messages"]);
    if let Some(schema) = &request.schema {
        say(&["--json-schema", argument(schema.text())?]);
    }
    args.extend([OsString::from("--system-prompt-file"), system.into()]);
    let mut say = |words: &[&str]| args.extend(words.iter().map(OsString::from));
    // These are the program's own tools; those of servers are not among them.
    say(&["--tools", if request.folder.is_some() { options.tools.as_str() } else { "" }]);
    let rules = rules(options, request);
    if !rules.is_empty() {
        say(&["--allowedTools", &rules]);
    }
    // Whatever is not allowed is denied, and nobody is asked.
    say(&["--permission-mode", "dontAsk"]);
    // Together they keep hooks, servers, permissions and instructions of the folder out.
    say(&["--setting-sources", "user", "--strict-mcp-config"]);
    if let Some(server) = &request.mcp {
        say(&["--mcp-config", argument(&config(server)?)?]);
    }
    say(&["--session-id", session, "--no-session-persistence"]);
    let turns = options.max_turns.get(&request.purpose.role).unwrap_or(&request.limits.turns);
    say(&["--max-turns", &turns.to_string()]);
    if let Some(usd) = options.max_usd {
        say(&["--max-budget-usd", &usd.dollars().to_string()]);
    }
    if !request.model.is_empty() {
        say(&["--model", argument(&request.model)?]);
    }
    Ok(args)
}

fn argument(text: &str) -> Result<&str, Fault> {
    if text.len() >= MOST_ARGUMENT {
        let words = format!("an argument of {} bytes is too long for a program", text.len());
        return Err(Fault::BadRequest { words });
    }
    Ok(text)
}

/// What may be done without asking: reading inside of the folder, and whatever the request's own server offers.
fn rules(options: &ClaudeOptions, request: &Request) -> String {
    let reading = request.folder.as_ref().map(|_| allowed(&options.allowed_tools));
    let serving = request.mcp.as_ref().map(|server| format!("mcp__{}__*", server.name));
    reading.into_iter().chain(serving).collect::<Vec<_>>().join(",")
}

/// As the program reads it, as text instead of a file.
fn config(server: &McpServer) -> Result<String, Fault> {
    let McpServer { name, command, args } = server;
    let command = command.to_str().ok_or_else(|| Fault::BadRequest {
        words: format!("the path {} is not UTF-8", command.display()),
    })?;
    Ok(json!({ "mcpServers": { name: { "command": command, "args": args } } }).to_string())
}

/// A bare `Read` here widens: with it every file of the machine may be read, where without it only the folder's may. So
/// tools of files get the folder as their limit. `Grep` and `Glob` need no rule inside of it.
fn allowed(rules: &str) -> String {
    let rules = rules.split(',').map(str::trim).filter(|rule| !rule.is_empty());
    let mut narrow: Vec<String> = vec!["Read(./**)".to_owned()];
    narrow.extend(rules.filter_map(|rule| match rule {
        "Read" | "Grep" | "Glob" => None,
        "Edit" | "Write" | "NotebookEdit" => Some(format!("{rule}(./**)")),
        other => Some(other.to_owned()),
    }));
    narrow.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mo2_tools_are_allowed_inside_the_folder_alone() {
        let check = |rules: &str, wanted: &str| assert_eq!(allowed(rules), wanted, "{rules}");
        check("", "Read(./**)");
        check("Read,Grep,Glob", "Read(./**)");
        check("Read, Edit,Bash(git log:*), Bash", "Read(./**),Edit(./**),Bash(git log:*),Bash");
    }

    #[test]
    fn mo2_the_server_of_a_request_is_the_only_one_and_its_tools_are_allowed() {
        let check = |folder: Option<&str>, served: bool, wanted: &[&str]| {
            let mut request = Request::new("explorer", "system", "user");
            request.folder = folder.map(Into::into);
            request.mcp = served.then(|| McpServer {
                name: "refactor-bot".to_owned(),
                command: "/opt/refactor-bot".into(),
                args: ["mcp", "/src/shop"].map(str::to_owned).to_vec(),
            });
            let args = of(&ClaudeOptions::default(), &request, Path::new("s"), "id").unwrap();
            let args: Vec<&str> = args.iter().filter_map(|arg| arg.to_str()).collect();
            let from = args.iter().position(|&arg| arg == "--tools").unwrap();
            let to = args.iter().position(|&arg| arg == "--session-id").unwrap();
            assert_eq!(args[from..to], *wanted, "{folder:?} {served}");
        };
        let config = r#"{"mcpServers":{"refactor-bot":{"args":["mcp","/src/shop"],"command":"/opt/refactor-bot"}}}"#;
        let denied = ["--permission-mode", "dontAsk"];
        let strict = ["--setting-sources", "user", "--strict-mcp-config"];
        let reading = ["--tools", "Read,Grep,Glob", "--allowedTools"];
        let serving = ["--tools", "", "--allowedTools", "mcp__refactor-bot__*"];
        let server = ["--mcp-config", config];
        let both = ["Read(./**),mcp__refactor-bot__*"];
        check(None, false, &[&serving[..2], &denied, &strict].concat());
        check(Some("."), false, &[&reading[..], &["Read(./**)"], &denied, &strict].concat());
        check(None, true, &[&serving[..], &denied, &strict, &server].concat());
        check(Some("."), true, &[&reading[..], &both, &denied, &strict, &server].concat());
    }

    #[test]
    fn mo2_a_server_whose_path_is_no_text_is_refused() {
        use std::os::unix::ffi::OsStrExt as _;
        let mut request = Request::new("explorer", "system", "user");
        let command = Path::new(std::ffi::OsStr::from_bytes(b"/opt/\xff")).to_owned();
        request.mcp = Some(McpServer { name: "x".to_owned(), command, args: Vec::new() });
        let refused = of(&ClaudeOptions::default(), &request, Path::new("s"), "id");
        assert!(matches!(refused, Err(Fault::BadRequest { .. })));
    }
}
