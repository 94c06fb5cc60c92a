//! The arguments of a call.

use std::ffi::OsString;
use std::path::Path;

use super::{ClaudeOptions, MOST_ARGUMENT};
use crate::call::Request;
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
    if request.folder.is_some() {
        say(&["--tools", &options.tools]);
        say(&["--allowedTools", &allowed(&options.allowed_tools)]);
    } else {
        say(&["--tools", ""]);
    }
    // Whatever is not allowed is denied, and nobody is asked.
    say(&["--permission-mode", "dontAsk"]);
    // Together they keep hooks, servers, permissions and instructions of the folder out.
    say(&["--setting-sources", "user", "--strict-mcp-config"]);
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
}
