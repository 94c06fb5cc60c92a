//! Lines that show what the index found out without keeping the line: a dependency, a description, a file that is there.

use rb_index::FileId;
use rb_index::architecture::{Clue, ClueKind};

use crate::citation::Citation;
use crate::extract::sources::{Sources, has_word};
use crate::extract::symbols::in_code;
use crate::extract::words::is_quotable;

/// Longer lines are not quoted in a sentence.
const LONGEST: usize = 90;
/// Words of clues that every file may have.
const COMMON: &[&str] = &[
    "and", "are", "can", "depends", "for", "from", "gives", "has", "holds", "installs", "its",
    "others", "own", "started", "that", "the", "with",
];

/// What a clue says, to be read after a colon, with the line that shows it.
pub(crate) fn clue_line(sources: &mut Sources<'_, '_>, clue: &Clue) -> Option<(String, Citation)> {
    match clue.kind {
        ClueKind::Manifest | ClueKind::Dependency | ClueKind::Import => said_by_file(sources, clue),
        ClueKind::File => {
            let file = sources.find(&clue.path)?;
            let (line, citation) = cite_file(sources, file)?;
            Some((format!("`{}` has `{line}`", clue.path), citation))
        }
        ClueKind::Folders => {
            let file = most_important_in(sources, &clue.path)?;
            let (line, citation) = cite_file(sources, file)?;
            let (folder, path) = (clue.path.trim_end_matches('/'), sources.path(file));
            Some((format!("in the folder `{folder}/`, `{path}` has `{line}`"), citation))
        }
    }
}

/// "`package.json` has `"express": "^5.0.0"`", with the line that has the last word of the clue that any line has.
fn said_by_file(sources: &mut Sources<'_, '_>, clue: &Clue) -> Option<(String, Citation)> {
    let file = sources.find(&clue.path)?;
    let what = clue.text.strip_prefix(&*clue.path)?.trim();
    let text = sources.text(file)?;
    let says = |word: &&str| word.len() > 2 && !word.contains('`') && !COMMON.contains(word);
    for word in what.split([' ', ',']).rev().filter(says) {
        let lines = || (1..).zip(&text.lines);
        if let Some((line, _)) = lines().find(|(_, line)| has_word(line, word)) {
            let citation = sources.cite(file, line, line)?;
            let code = in_code(&citation.quote).unwrap_or_else(|| format!("`{word}`"));
            return Some((format!("`{}` has {code}", clue.path), citation));
        }
    }
    None
}

/// The most important file below a folder that somebody here wrote.
fn most_important_in(sources: &Sources<'_, '_>, folder: &str) -> Option<FileId> {
    let folder = folder.trim_end_matches('/');
    let order = sources.view.by_importance().iter().copied();
    order.filter(|file| !sources.is_trivial(*file)).find(|file| {
        sources.path(*file).strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
    })
}

/// A line of code that tells something: short enough to be shown, neither a comment nor a lone bracket.
pub(crate) fn cite_file(sources: &mut Sources<'_, '_>, file: FileId) -> Option<(String, Citation)> {
    const PASSED_OVER: &[&str] =
        &["//", "/*", "*", "#", "\"\"\"", "'''", "<!--", "--", "'use ", "\"use ", "<?"];
    let text = sources.text(file)?;
    let is_telling = |line: &str| {
        line.len() > 7
            && line.len() <= LONGEST
            && !line.contains('`')
            && line.contains(char::is_alphabetic)
            && !line.chars().any(char::is_control)
            && !PASSED_OVER.iter().any(|begin| line.starts_with(begin))
    };
    let found = (1..).zip(&text.lines).find(|(_, line)| is_telling(line.trim()));
    let (number, line) = found?;
    let citation = sources.cite(file, number, number)?;
    Some((line.trim().to_owned(), citation))
}

/// "`package.json` describes it as: …", in the words of the manifest at the root.
pub(crate) fn description_line(sources: &mut Sources<'_, '_>) -> Option<(String, Vec<Citation>)> {
    const MANIFESTS: &[&str] =
        &["package.json", "Cargo.toml", "pyproject.toml", "composer.json", "setup.cfg", "setup.py"];
    for path in MANIFESTS {
        let Some(file) = sources.find(path) else { continue };
        let Some(text) = sources.text(file) else { continue };
        let found = (1..).zip(&text.lines).find_map(|(number, line)| {
            Some((number, described(line).filter(|words| is_quotable(words))?))
        });
        let Some((number, words)) = found else { continue };
        let citation = sources.cite(file, number, number)?;
        return Some((format!("`{path}` describes it as: \"{words}\""), vec![citation]));
    }
    None
}

/// `a b` of `"description": "a b",` and of `description = "a b"`.
fn described(line: &str) -> Option<String> {
    let line = line.trim().trim_start_matches('"');
    let rest = line.strip_prefix("description")?.trim_start_matches('"').trim_start();
    let value = rest.strip_prefix([':', '='])?.trim().trim_end_matches(',');
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
    let words = match quote {
        Some(quote) => value.strip_prefix(quote)?.strip_suffix(quote)?,
        None => value,
    };
    // What goes on in the next line, or is written with escapes, is not quoted.
    let is_plain = !words.is_empty() && !words.contains(['\\', '"']);
    is_plain.then(|| words.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_read_from_its_line() {
        let check = |line: &str, expected: Option<&str>| {
            assert_eq!(described(line).as_deref(), expected, "{line}");
        };
        check("  \"description\": \"Small web shop\",", Some("Small web shop"));
        check("description = \"Small web shop\"", Some("Small web shop"));
        check("    description='Small web shop',", Some("Small web shop"));
        check("description = Small web shop", Some("Small web shop"));
        check("description = \"\"\"", None);
        check("  \"description\": \"a \\\"b\\\" c\",", None);
        check("description-file = README.md", None);
        check("  \"descriptions\": []", None);
    }
}
