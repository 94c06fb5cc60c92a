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

impl Reader<'_> {
    pub(crate) fn read(&self, edit: &Value) -> Result<Wanted, String> {
        let mut wanted = Wanted::default();
        let annotations = edit["changeAnnotations"].as_object();
        let needs = |it: &Value| it["needsConfirmation"] == true;
        if annotations.is_some_and(|all| all.values().any(needs)) {
            return Err("it is not sure of some of them".to_owned());
        }
        if let Some(changes) = edit["documentChanges"].as_array() {
            for change in changes {
                self.change(change, &mut wanted)?;
            }
        } else if let Some(changes) = edit["changes"].as_object() {
            for (address, edits) in changes {
                self.edits(address, edits, &mut wanted)?;
            }
        }
        self.check(&mut wanted)?;
        Ok(wanted)
    }

    fn change(&self, change: &Value, wanted: &mut Wanted) -> Result<(), String> {
        match change["kind"].as_str() {
            None => {
                let document = &change["textDocument"];
                let address = document["uri"].as_str().unwrap_or_default();
                let version = (self.version)(&self.path(address)?);
                // Some say 0 of a file that they were not shown.
                if document["version"].as_i64().is_some_and(|it| it != version.unwrap_or(0)) {
                    return Err("it edits another version of a file".to_owned());
                }
                self.edits(address, &change["edits"], wanted)
            }
            Some("rename") => {
                let old = self.path(change["oldUri"].as_str().unwrap_or_default())?;
                let new = self.path(change["newUri"].as_str().unwrap_or_default())?;
                if (self.texts)(&old).is_none() {
                    return Err(format!("it moves {old}, which is not a text file of the project"));
                }
                if (self.texts)(&new).is_some() || wanted.moved.values().any(|it| *it == new) {
                    return Err(format!("it moves {old} to {new}, which exists"));
                }
                wanted.moved.insert(old, new);
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

    fn edits(&self, address: &str, edits: &Value, wanted: &mut Wanted) -> Result<(), String> {
        let path = self.path(address)?;
        // After a move, edits name the file by its new path.
        let before = wanted.moved.iter().find(|(_, new)| **new == path).map(|(old, _)| old.clone());
        let path = before.unwrap_or(path);
        let text = (self.texts)(&path)
            .ok_or_else(|| format!("{path} is not a text file of the project"))?;
        let lines = Lines::new(&text)
            .ok_or_else(|| format!("{path} has a carriage return that ends no line"))?;
        let list = edits.as_array().map(Vec::as_slice).unwrap_or_default();
        if list.len() > MOST {
            return Err(format!("it edits {path} in {} places", list.len()));
        }
        let all = wanted.edits.entry(path.clone()).or_default();
        for edit in list {
            let range = lines.range(&edit["range"], self.encoding);
            let outside = || format!("an edit lies outside of the text of {path}");
            let (start, end) = range.ok_or_else(outside)?;
            let offset = |at: usize| u32::try_from(at).map_err(|_| outside());
            let new = edit["newText"].as_str().ok_or("an edit has no text")?;
            let edit = Edit::replace(offset(start)?, offset(end)?, new);
            // The same package may be loaded twice, with and without its tests.
            if !all.contains(&edit) {
                all.push(edit);
            }
        }
        Ok(())
    }

    fn check(&self, wanted: &mut Wanted) -> Result<(), String> {
        wanted.edits.retain(|_, edits| !edits.is_empty());
        for (path, edits) in &mut wanted.edits {
            edits.sort();
            let text = (self.texts)(path).unwrap_or_default();
            edit::apply(&text, edits).map_err(|error| format!("{path}: {error}"))?;
        }
        Ok(())
    }
}

/// Whether nothing but the names differs: line by line the same words and signs, the names and what goes with them left out.
/// `Cart { total }` may become `Cart { total: sum }`, and an import may get a name.
pub(crate) fn is_rename(before: &str, after: &str, old: &str, new: &str) -> bool {
    let lines = |text: &str| text.split('\n').count();
    let mut pairs = before.split('\n').zip(after.split('\n'));
    lines(before) == lines(after)
        && pairs.all(|(before, after)| residue(before, old, new) == residue(after, old, new))
}

fn residue<'l>(line: &'l str, old: &str, new: &str) -> Vec<&'l str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = Vec::new();
    for piece in line.split_inclusive(|c: char| !is_part(c)) {
        let word = piece.trim_end_matches(|c: char| !is_part(c));
        // `r#type` is the name `type` where that is a word of the language.
        rest.extend(Some(word).filter(|it| !["", old, new, "r"].contains(it)));
        let sign = piece[word.len()..].trim();
        rest.extend(Some(sign).filter(|it| !["", ":", "#"].contains(it)));
    }
    rest
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
        ] {
            assert!(!is_rename(before, after, "old", "new"), "{before}");
        }
    }
}
