//! What a model that has no tools wants to see: a line of plain words, turned into a call.

use serde_json::{Value, json};

/// Phrases and the tools that answer them.
const PHRASES: [(&str, &str); 9] = [
    ("callers of ", "callers"),
    ("callees of ", "callees"),
    ("tests of ", "tests_of"),
    ("references to ", "references"),
    ("importers of ", "importers"),
    ("imports of ", "imports"),
    ("outline of ", "outline"),
    ("history of ", "file_history"),
    ("files in ", "list_files"),
];

/// The argument that each of these tools takes.
fn argument(tool: &str) -> &'static str {
    match tool {
        "callers" | "callees" | "tests_of" => "symbol",
        "references" => "name",
        "list_files" => "folder",
        _ => "path",
    }
}

/// The tool and the input that answer a need.
pub(crate) fn call_of(need: &str) -> Option<(&'static str, Value)> {
    let need = need.trim().trim_matches('`').trim();
    if need.is_empty() {
        return None;
    }
    // Of the same length, so that what follows a phrase is found in the need as it was written.
    let lower = need.to_ascii_lowercase();
    let after = |phrase: &str| {
        let rest = lower.strip_prefix(phrase)?;
        Some(need[need.len() - rest.len()..].trim().trim_matches('`'))
    };
    if let Some(words) = after("search:").or_else(|| after("search for ")) {
        return Some(("search", json!({ "query": words })));
    }
    for (phrase, tool) in PHRASES {
        if let Some(what) = after(phrase) {
            let key = argument(tool);
            return Some((tool, json!({ key: what })));
        }
    }
    if lower == "overview" {
        return Some(("overview", json!({})));
    }
    Some(place(need).unwrap_or_else(|| ("search", json!({ "query": need }))))
}

/// `src/a.ts` or `src/a.ts:10-80`.
fn place(need: &str) -> Option<(&'static str, Value)> {
    let is_path = |text: &str| {
        !text.contains(char::is_whitespace) && (text.contains('/') || text.contains('.'))
    };
    let Some((path, lines)) = need.rsplit_once(':') else {
        return is_path(need).then(|| ("read_file", json!({ "path": need })));
    };
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    let (first, last) = (first.trim().parse::<u32>().ok()?, last.trim().parse::<u32>().ok()?);
    let input = json!({ "path": path, "first_line": first, "last_line": last });
    is_path(path).then_some(("read_file", input))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as2_a_need_in_words_becomes_a_call() {
        let check = |need: &str, tool: &str, input: Value| {
            let (called, with) = call_of(need).unwrap();
            assert_eq!((called, with), (tool, input), "{need}");
        };
        check("src/a.ts", "read_file", json!({"path": "src/a.ts"}));
        check("`a.ts`", "read_file", json!({"path": "a.ts"}));
        check(
            "src/a.ts:10-80",
            "read_file",
            json!({"path": "src/a.ts", "first_line": 10, "last_line": 80}),
        );
        check("a.ts:7", "read_file", json!({"path": "a.ts", "first_line": 7, "last_line": 7}));
        check("parseHeader", "search", json!({"query": "parseHeader"}));
        check("callers of parseHeader", "callers", json!({"symbol": "parseHeader"}));
        check("Tests of `Queue`", "tests_of", json!({"symbol": "Queue"}));
        check("search: Session timeout", "search", json!({"query": "Session timeout"}));
        check("Importers of src/A.ts", "importers", json!({"path": "src/A.ts"}));
        check("files in src", "list_files", json!({"folder": "src"}));
        check("overview", "overview", json!({}));
        check("how is it 1.0?", "search", json!({"query": "how is it 1.0?"}));
        check("std::fs", "search", json!({"query": "std::fs"}));
        assert_eq!(call_of(" `` "), None);
    }
}
