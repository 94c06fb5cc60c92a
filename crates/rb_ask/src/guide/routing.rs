//! Which call should come before which, and which chains of calls waste the model's room. Rules are data.

use std::collections::BTreeSet;

use super::call_record::CallRecord;

/// A tool, and what should have been called once before it.
pub(crate) struct Rule {
    pub(crate) tool: &'static str,
    wants: &'static [&'static str],
    pub(crate) advice: &'static str,
}

pub(crate) const RULES: [Rule; 2] = [
    Rule {
        tool: "read_file",
        wants: &["overview", "list_files", "search"],
        advice: "Search or look around before you read a file that nothing has pointed to.",
    },
    Rule {
        tool: "outline",
        wants: &["overview", "list_files", "search"],
        advice: "Look at the structure first, with `overview` or `list_files`.",
    },
];

/// What a rule says about a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Routed {
    Fine,
    /// The call is carried out, with advice for the model.
    Warn(&'static str),
    /// It was told before; the call is not carried out.
    Refuse(&'static str),
}

/// Holds a call against the rules. A known file is one that the question or an earlier result named; `warned` has the advice that the
/// model was given.
pub(crate) fn routed(
    call: &CallRecord,
    before: &[CallRecord],
    is_known: impl Fn(&str) -> bool,
    warned: &BTreeSet<&'static str>,
) -> Routed {
    let Some(rule) = RULES.iter().find(|rule| rule.tool == call.tool) else { return Routed::Fine };
    let is_led = before.iter().any(|call| !call.failed && rule.wants.contains(&call.tool.as_str()));
    if is_led || is_known(&call.subject) {
        Routed::Fine
    } else if warned.contains(rule.advice) {
        Routed::Refuse(rule.advice)
    } else {
        Routed::Warn(rule.advice)
    }
}

/// How many files are named instead of an unimportant one.
const NAMED: usize = 5;

/// Advice on reading a file that nothing pointed to and that is not important, if there are important ones that were not read. A
/// listing points to nothing. `important` are paths, the most important first.
pub(crate) fn unimportant_read(
    call: &CallRecord,
    before: &[CallRecord],
    is_pointed_to: impl Fn(&str) -> bool,
    important: &[String],
) -> Option<String> {
    let path = &call.subject;
    if call.tool != READ || important.contains(path) || is_pointed_to(path) {
        return None;
    }
    // The advice stands outside the fence: a name that could be a sentence does not get there.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-@".contains(c);
    let is_read =
        |path: &String| before.iter().any(|call| call.tool == READ && call.subject == *path);
    let unread = important.iter().filter(|path| path.chars().all(is_plain) && !is_read(path));
    let unread: Vec<&str> = unread.take(NAMED).map(String::as_str).collect();
    (!unread.is_empty()).then(|| format!("{UNIMPORTANT} {}.", unread.join(", ")))
}

pub(crate) const UNIMPORTANT: &str = "No result pointed to this file, and it is not among the most important ones. Read these first:";

/// What a project says of itself: nothing has to point to it.
const MANIFESTS: [&str; 21] = [
    "Cargo.toml",
    "CMakeLists.txt",
    "Gemfile",
    "Makefile",
    "Package.swift",
    "build.gradle",
    "build.gradle.kts",
    "build.sbt",
    "composer.json",
    "deno.json",
    "go.mod",
    "go.work",
    "mix.exs",
    "package.json",
    "pnpm-workspace.yaml",
    "pom.xml",
    "pubspec.yaml",
    "pyproject.toml",
    "requirements.txt",
    "setup.cfg",
    "setup.py",
];

/// Whether a path is that of a manifest, at the root or of a part of the repository.
pub(crate) fn is_manifest(path: &str) -> bool {
    MANIFESTS.contains(&file_name(path))
}

pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

const READ: &str = "read_file";
/// Rounds in a row that make a chain. What is asked for together was chosen together, and is none.
const CHAIN: usize = 3;
/// A read of fewer lines is a slice.
const SLICE: usize = 60;
/// Files with fewer lines in all cost little.
const LONG: usize = 300;

pub(crate) const MANY_FILES: &str = "You have read one file after the other. `search` and `outline` show which of several files \
     matters before you read it.";
pub(crate) const SLICES: &str =
    "You are reading one file in small slices. Read the lines that you need in one go.";

/// What is wasteful about the calls of the last rounds.
pub(crate) fn wasteful_chain(calls: &[CallRecord]) -> Option<&'static str> {
    let rounds: BTreeSet<u32> = calls.iter().map(|call| call.round).collect();
    let first = *rounds.iter().rev().nth(CHAIN - 1)?;
    let last: Vec<&CallRecord> = calls.iter().filter(|call| call.round >= first).collect();
    if last.iter().any(|call| call.tool != READ || call.failed) {
        return None;
    }
    let files: BTreeSet<&str> = last.iter().map(|call| call.subject.as_str()).collect();
    if files.len() >= CHAIN {
        let lines: usize = last.iter().map(|call| call.lines).sum();
        return (lines >= LONG).then_some(MANY_FILES);
    }
    let are_slices = last.iter().all(|call| call.lines < SLICE);
    (files.len() == 1 && are_slices).then_some(SLICES)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(tool: &str, path: &str, lines: usize) -> CallRecord {
        CallRecord { lines, ..CallRecord::new(1, tool, &json!({ "path": path })) }
    }

    #[test]
    fn as2_look_or_search_before_reading() {
        let is_known = |path: &str| path == "named.js";
        let warned_before: BTreeSet<&'static str> = RULES.iter().map(|rule| rule.advice).collect();
        let check = |before: &[&str], tool: &str, path: &str, is_warned: bool, expected: &str| {
            let before: Vec<CallRecord> =
                before.iter().map(|tool| call(tool, "other.js", 1)).collect();
            let warned = if is_warned { warned_before.clone() } else { BTreeSet::new() };
            let routed = match routed(&call(tool, path, 1), &before, is_known, &warned) {
                Routed::Fine => "fine",
                Routed::Warn(_) => "warn",
                Routed::Refuse(_) => "refuse",
            };
            assert_eq!(routed, expected, "{before:?} {tool} {path}");
        };
        check(&[], "read_file", "a.js", false, "warn");
        check(&[], "read_file", "a.js", true, "refuse");
        check(&[], "read_file", "named.js", true, "fine");
        check(&["search"], "read_file", "a.js", false, "fine");
        check(&["overview"], "read_file", "a.js", true, "fine");
        check(&["list_files"], "outline", "a.js", false, "fine");
        check(&["read_file"], "read_file", "a.js", false, "warn");
        check(&[], "outline", "a.js", false, "warn");
        check(&[], "search", "", true, "fine");
        check(&[], "callers", "", true, "fine");
    }

    #[test]
    fn as2_a_search_that_failed_leads_nowhere() {
        let failed = CallRecord { failed: true, ..call("search", "", 0) };
        let call = call("read_file", "a.js", 1);
        let routed = routed(&call, &[failed], |_| false, &BTreeSet::new());
        assert_eq!(routed, Routed::Warn(RULES[0].advice));
    }

    #[test]
    fn as2_wasteful_chains_are_noticed() {
        // The rounds one after the other, each with its calls.
        let check = |rounds: &[&[(&str, &str, usize)]], expected: Option<&str>| {
            let mut records = Vec::new();
            for (round, calls) in (1..).zip(rounds) {
                let made = calls.iter().map(|(tool, path, lines)| call(tool, path, *lines));
                records.extend(made.map(|call| CallRecord { round, ..call }));
            }
            assert_eq!(wasteful_chain(&records), expected, "{rounds:?}");
        };
        let read = |path: &'static str, lines: usize| ("read_file", path, lines);
        let (a, b, c) = (read("a", 200), read("b", 200), read("c", 200));
        let (search, slice) = (("search", "", 9), read("a", 20));
        check(&[], None);
        check(&[&[a], &[b]], None);
        check(&[&[a], &[b], &[c]], Some(MANY_FILES));
        check(&[&[a], &[search], &[b], &[c]], None);
        check(&[&[search], &[a], &[b], &[c]], Some(MANY_FILES));
        check(&[&[slice], &[slice], &[slice]], Some(SLICES));
        check(&[&[slice], &[a], &[slice]], None);
        check(&[&[slice], &[read("b", 20)], &[slice]], None);
        check(&[&[slice], &[read("b", 20)], &[read("c", 20)]], None);
        // Chosen together.
        check(&[&[slice, slice, slice]], None);
        check(&[&[search], &[slice, slice, slice]], None);
        check(&[&[a, b, c]], None);
    }

    #[test]
    fn as2_a_manifest_needs_nothing_that_points_to_it() {
        let check = |path: &str, expected: bool| assert_eq!(is_manifest(path), expected, "{path}");
        check("package.json", true);
        check("Cargo.toml", true);
        check("pyproject.toml", true);
        check("go.mod", true);
        check("crates/core/Cargo.toml", true);
        check("src/package.js", false);
        check("notes/package.json.md", false);
    }
}
