//! What a server wants to have edited, read into edits of the project's files and held to be a rename and nothing else.
//!
//! Every edit lies in a file of the project, none overlaps another, and the text of each file stays the same but for the two names.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use rb_core::{Edit, edit};
use serde_json::Value;

use crate::position::{Encoding, Lines};
use crate::uri;

/// More than any name is used.
const MOST: usize = 200_000;

/// The texts of the project; none for what is no part of it.
pub(crate) type Texts<'t> = dyn Fn(&str) -> Option<Arc<str>> + Sync + 't;

/// Edits by the path of the file as it is now, and files that get another path.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(crate) edits: BTreeMap<String, Vec<Edit>>,
    pub(crate) moved: BTreeMap<String, String>,
}

pub(crate) struct Reader<'r> {
    pub(crate) root: &'r Path,
    pub(crate) texts: &'r Texts<'r>,
    pub(crate) encoding: Encoding,
    /// The version that a file was shown with; none for one that was not.
    pub(crate) version: &'r dyn Fn(&str) -> Option<i64>,
}

/// What a server lists, before any text is looked at.
#[derive(Default)]
struct Listed<'e> {
    edits: BTreeMap<String, Vec<&'e Value>>,
    moved: BTreeMap<String, String>,
    count: usize,
}

impl Reader<'_> {
    pub(crate) fn read(&self, edit: &Value) -> Result<Wanted, String> {
        let mut listed = Listed::default();
        let annotations = edit["changeAnnotations"].as_object();
        let needs = |it: &Value| it["needsConfirmation"] == true;
        if annotations.is_some_and(|all| all.values().any(needs)) {
            return Err("it is not sure of some of them".to_owned());
        }
        if let Some(changes) = edit["documentChanges"].as_array() {
            for change in changes {
                self.change(change, &mut listed)?;
            }
        } else if let Some(changes) = edit["changes"].as_object() {
            for (address, edits) in changes {
                self.list(address, edits, &mut listed)?;
            }
        }
        let mut wanted = Wanted { moved: listed.moved, ..Wanted::default() };
        for (path, list) in listed.edits {
            let edits = self.edits(&path, &list)?;
            if !edits.is_empty() {
                wanted.edits.insert(path, edits);
            }
        }
        Ok(wanted)
    }

    fn change<'e>(&self, change: &'e Value, listed: &mut Listed<'e>) -> Result<(), String> {
        match change["kind"].as_str() {
            None => {
                let document = &change["textDocument"];
                let address = document["uri"].as_str().unwrap_or_default();
                let version = (self.version)(&self.path(address)?);
                // Some say 0 of a file that they were not shown.
                if document["version"].as_i64().is_some_and(|it| it != version.unwrap_or(0)) {
                    return Err("it edits another version of a file".to_owned());
                }
                self.list(address, &change["edits"], listed)
            }
            Some("rename") => {
                let old = self.path(change["oldUri"].as_str().unwrap_or_default())?;
                let new = self.path(change["newUri"].as_str().unwrap_or_default())?;
                if (self.texts)(&old).is_none() {
                    return Err(format!("it moves {old}, which is not a text file of the project"));
                }
                if (self.texts)(&new).is_some() {
                    return Err(format!("it moves {old} to {new}, which exists"));
                }
                if !listed.moved.is_empty() {
                    return Err("it moves more than one file".to_owned());
                }
                listed.moved.insert(old, new);
                Ok(())
            }
            Some(other) => {
                Err(format!("it wants to {other} a file", other = crate::error::quoted(other)))
            }
        }
    }

    fn path(&self, address: &str) -> Result<String, String> {
        uri::within(self.root, address)
            .ok_or_else(|| format!("`{}` is outside of the project", crate::error::quoted(address)))
    }

    fn list<'e>(
        &self,
        address: &str,
        edits: &'e Value,
        listed: &mut Listed<'e>,
    ) -> Result<(), String> {
        let path = self.path(address)?;
        // After a move, edits name the file by its new path.
        let before = listed.moved.iter().find(|(_, new)| **new == path).map(|(old, _)| old.clone());
        let edits = edits.as_array().map(Vec::as_slice).unwrap_or_default();
        listed.count += edits.len();
        if listed.count > MOST {
            return Err(format!("it edits more than {MOST} places"));
        }
        listed.edits.entry(before.unwrap_or(path)).or_default().extend(edits);
        Ok(())
    }

    /// The edits of one file, sorted.
    fn edits(&self, path: &str, list: &[&Value]) -> Result<Vec<Edit>, String> {
        let text = (self.texts)(path)
            .ok_or_else(|| format!("{path} is not a text file of the project"))?;
        let lines = Lines::new(&text)
            .ok_or_else(|| format!("{path} has a carriage return that ends no line"))?;
        let mut edits = Vec::with_capacity(list.len());
        for edit in list {
            let range = lines.range(&edit["range"], self.encoding);
            let outside = || format!("an edit lies outside of the text of {path}");
            let (start, end) = range.ok_or_else(outside)?;
            let offset = |at: usize| u32::try_from(at).map_err(|_| outside());
            let new = edit["newText"].as_str().ok_or("an edit has no text")?;
            edits.extend(narrow(
                &text[start..end],
                &Edit::replace(offset(start)?, offset(end)?, new),
            ));
        }
        edits.sort();
        // The same package may be loaded twice, with and without its tests.
        edits.dedup();
        edit::apply(&text, &edits).map_err(|error| format!("{path}: {error}"))?;
        Ok(edits)
    }
}

/// The words that differ, of an edit that spans whole lines to change some of their words: the rest is not edited.
fn narrow(before: &str, edit: &Edit) -> Vec<Edit> {
    let (old, new) = (pieces(before), pieces(&edit.text));
    if old.len() != new.len() {
        return vec![edit.clone()];
    }
    let mut start = edit.start;
    let mut edits = Vec::new();
    for (old, new) in old.into_iter().zip(new) {
        let end = start + u32::try_from(old.len()).unwrap_or(u32::MAX);
        if old != new {
            edits.push(Edit::replace(start, end, new));
        }
        start = end;
    }
    edits
}

/// A text cut into words and single other characters.
fn pieces(text: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if is_part(first) {
            rest.find(|c: char| !is_part(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (piece, after) = rest.split_at(length);
        all.push(piece);
        rest = after;
    }
    all
}

/// Whether nothing but the names differs, line by line. `Cart { total }` may become `Cart { total: sum }`, an import may get a name,
/// and `r#` may come or go.
pub(crate) fn is_rename(before: &str, after: &str, old: &str, new: &str) -> bool {
    let lines = |text: &str| text.split('\n').count();
    let mut pairs = before.split('\n').zip(after.split('\n'));
    lines(before) == lines(after)
        && pairs.all(|(before, after)| {
            before == after || tokens(before, old, new) == tokens(after, old, new)
        })
}

/// Stands for both names.
const NAME: &str = "\0";

/// Words and signs of a line, with one spelling for what a rename may spell in two ways.
fn tokens<'l>(line: &'l str, old: &str, new: &str) -> Vec<&'l str> {
    let mut all: Vec<&str> = Vec::new();
    for piece in pieces(line).into_iter().filter(|piece| !piece.trim().is_empty()) {
        push(&mut all, if piece == old || piece == new { NAME } else { piece });
    }
    all
}

fn push<'l>(all: &mut Vec<&'l str>, token: &'l str) {
    match (&all[..], token) {
        ([.., "r", "#"], NAME) => all.truncate(all.len() - 2),
        ([NAME] | ["import", NAME], "\"") => drop(all.pop()),
        _ => {}
    }
    all.push(token);
    let modifiers = all[..all.len() - 1].iter().rev().take_while(|it| ["ref", "mut"].contains(it));
    let colon = (all.len() - 1).checked_sub(modifiers.count() + 1);
    if let Some(colon) = colon.filter(|_| token == NAME)
        && colon > 0
        && all[colon - 1..=colon] == [NAME, ":"]
    {
        all.drain(colon - 1..=colon);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn texts(path: &str) -> Option<Arc<str>> {
        match path {
            "a.go" => Some("func old() {}\r\nold()".into()),
            "b.go" => Some("😀 old".into()),
            "c.go" => Some("a\rb".into()),
            _ => None,
        }
    }

    #[track_caller]
    fn check(edit: &Value, expected: &str) {
        let version = |path: &str| (path == "b.go").then_some(1);
        let (root, encoding) = (Path::new("/p"), Encoding::Utf16);
        let reader = Reader { root, texts: &texts, encoding, version: &version };
        let shown = match reader.read(edit) {
            Err(why) => why,
            Ok(wanted) => {
                let mut shown: Vec<String> = Vec::new();
                for (path, edits) in &wanted.edits {
                    shown.push(edit::apply(&texts(path).unwrap(), edits).unwrap());
                }
                shown.extend(wanted.moved.iter().map(|(old, new)| format!("{old} -> {new}")));
                shown.join(" | ")
            }
        };
        assert_eq!(shown, expected, "{edit}");
    }

    fn at(line: u64, start: u64, end: u64, text: &str) -> Value {
        let place = |character: u64| json!({ "line": line, "character": character });
        json!({ "range": { "start": place(start), "end": place(end) }, "newText": text })
    }

    fn changes(path: &str, edits: &[Value]) -> Value {
        json!({ "changes": { format!("file:///p/{path}"): edits } })
    }

    #[test]
    fn st5_edits_are_read_in_all_their_forms() {
        check(
            &changes("a.go", &[at(1, 0, 3, "new"), at(0, 5, 8, "new")]),
            "func new() {}\r\nnew()",
        );
        check(&changes("b.go", &[at(0, 3, 6, "new"), at(0, 3, 6, "new")]), "😀 new");
        let document = |version: Value, path: &str| {
            let document = json!({ "uri": format!("file:///p/{path}"), "version": version });
            json!({ "textDocument": document, "edits": [at(0, 3, 6, "new")] })
        };
        let moved =
            json!({ "kind": "rename", "oldUri": "file:///p/b.go", "newUri": "file:///p/n.go" });
        check(
            &json!({ "documentChanges": [moved, document(json!(null), "n.go")] }),
            "😀 new | b.go -> n.go",
        );
        check(&json!({ "documentChanges": [document(json!(1), "b.go")] }), "😀 new");
        let whole =
            json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 1, "character": 3 } });
        let whole = json!({ "range": whole, "newText": "func new() {}\r\nold" });
        check(&changes("a.go", &[whole]), "func new() {}\r\nold()");
        let edits = narrow("func old() {}\r\nold", &Edit::replace(0, 18, "func new() {}\r\nold"));
        assert_eq!(edits, [Edit::replace(5, 8, "new")], "the second one is not edited");
        check(&json!({}), "");
        check(&json!(null), "");
    }

    #[test]
    fn st5_edits_of_a_hostile_server_are_refused() {
        let outside = "an edit lies outside of the text of a.go";
        check(&changes("a.go", &[at(9, 0, 1, "x")]), outside);
        check(&changes("a.go", &[at(0, 14, 15, "x")]), outside);
        check(&changes("a.go", &[at(0, 5, 4, "x")]), outside);
        check(&changes("b.go", &[at(0, 1, 2, "x")]), "an edit lies outside of the text of b.go");
        check(
            &changes("a.go", &[at(0, 0, 4, "x"), at(0, 3, 6, "y")]),
            "a.go: the edits at bytes 4 and 3 overlap",
        );
        check(&changes("../a.go", &[]), "`file:///p/../a.go` is outside of the project");
        check(&changes("vendor/x.go", &[]), "vendor/x.go is not a text file of the project");
        check(&changes("c.go", &[]), "c.go has a carriage return that ends no line");
        check(
            &changes("a.go", &[json!({ "range": at(0, 0, 1, "")["range"] })]),
            "an edit has no text",
        );
        let deleted = json!({ "kind": "delete", "uri": "file:///p/a.go" });
        check(&json!({ "documentChanges": [deleted] }), "it wants to delete a file");
        let moved =
            json!({ "kind": "rename", "oldUri": "file:///p/b.go", "newUri": "file:///p/a.go" });
        check(&json!({ "documentChanges": [moved] }), "it moves b.go to a.go, which exists");
        let two = ["m.go", "n.go"].map(|new| {
            json!({ "kind": "rename", "oldUri": "file:///p/b.go", "newUri": format!("file:///p/{new}") })
        });
        check(&json!({ "documentChanges": two }), "it moves more than one file");
        let many = vec![Value::Null; MOST / 2 + 1];
        let file = json!({ "textDocument": { "uri": "file:///p/b.go" }, "edits": many });
        check(&json!({ "documentChanges": [file, file] }), "it edits more than 200000 places");
        let away = json!({ "kind": "rename", "oldUri": "file:///p/b.go", "newUri": "file:///q" });
        check(&json!({ "documentChanges": [away] }), "`file:///q` is outside of the project");
        let stale =
            json!({ "textDocument": { "uri": "file:///p/a.go", "version": 7 }, "edits": [] });
        check(&json!({ "documentChanges": [stale] }), "it edits another version of a file");
        let unsure = json!({ "changeAnnotations": { "a": { "needsConfirmation": true } } });
        check(&unsure, "it is not sure of some of them");
    }

    #[test]
    fn st5_only_the_names_may_be_exchanged() {
        for (before, after) in [
            ("old(a)", "new(a)"),
            ("Cart { old }", "Cart { new: old }"),
            ("import \"x/old\"", "import new \"x/old\""),
            ("a.old = b // old", "a.new = b // new"),
            ("old\r\n", "new\r\n"),
            ("x.old", "x.r#new"),
            ("Cart { ref mut old }", "Cart { new: ref mut old }"),
            ("Cart { new: old }", "Cart { new }"),
            ("\t\"x/old\"", "\tnew \"x/old\""),
        ] {
            assert!(is_rename(before, after, "old", "new"), "{before}");
        }
        for (before, after) in [
            ("old(a)", "new(b)"),
            ("old(a)", "new()"),
            ("old", "new; run()"),
            ("old\n", "new"),
            ("older", "newer"),
            ("a", "a new\n"),
            ("if old {}", "if !old {}"),
            ("x := old", "x = new"),
            ("f(old)", "f(new, old)"),
            ("f(old \"x\")", "f(\"x\")"),
            ("#old", "new"),
        ] {
            assert!(!is_rename(before, after, "old", "new"), "{before}");
        }
    }
}
