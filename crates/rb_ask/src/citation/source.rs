//! A cited file as it is now, and which of its lines were shown.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use rb_core::{RepoPath, Sha256};
use rb_index::Texts;
use rb_index::content::decode;
use rb_lang::Language;
use rb_tools::Evidence;

use super::CitationFault;
use super::quote::Run;

/// A file that was read and has not changed since.
pub(crate) struct ReadFile {
    pub(super) hash: Sha256,
    line_count: u32,
    /// By number: what was shown of each line and is in the file, and every blank line, as nothing in it could be shown.
    shown: BTreeMap<u32, String>,
    text: String,
    language: Option<Language>,
    /// Read from the text when a name is first looked up in them.
    declarations: OnceCell<Vec<Declaration>>,
}

struct Declaration {
    lines: (u32, u32),
    /// The declaration up to its parameters or its value, and the name.
    text: String,
}

/// Why nothing of a file can be cited.
#[derive(Clone, Copy)]
pub(super) struct Unread {
    pub(super) fault: CitationFault,
    /// Of the file when it was read.
    pub(super) hash: Option<Sha256>,
}

impl ReadFile {
    pub(super) fn open(path: &str, evidence: &Evidence, texts: &dyn Texts) -> Result<Self, Unread> {
        let unread = |fault, hash| Unread { fault, hash };
        let known = RepoPath::new(path).ok().and_then(|_| texts.text(path));
        let bytes = known.ok_or(unread(CitationFault::NoSuchFile, None))?;
        let read = evidence.file(path).filter(|read| !read.lines.is_empty());
        let read = read.ok_or(unread(CitationFault::FileNotRead, None))?;
        // The index hashes the bytes as they are on the disk, too.
        if Sha256::of(&bytes) != read.hash {
            return Err(unread(CitationFault::FileChanged, Some(read.hash)));
        }
        let text = decode(bytes).map(|(text, _)| text).unwrap_or_default();
        let shown = (1..).zip(text.lines()).filter_map(|(number, line)| {
            let is_blank = line.trim().is_empty();
            let seen = if is_blank { "" } else { seen(line, read.lines.get(&number)?)? };
            Some((number, seen.to_owned()))
        });
        Ok(ReadFile {
            hash: read.hash,
            line_count: u32::try_from(text.lines().count()).unwrap_or(u32::MAX),
            shown: shown.collect(),
            language: Language::of(path.as_bytes(), &text),
            declarations: OnceCell::new(),
            text,
        })
    }

    pub(super) fn has_lines(&self, first: u32, last: u32) -> bool {
        1 <= first && first <= last && last <= self.line_count
    }

    pub(super) fn was_shown(&self, first: u32, last: u32) -> bool {
        (first..=last).all(|number| self.shown.contains_key(&number))
    }

    pub(super) fn run(&self, first: u32, last: u32) -> Run {
        Run::new(self.shown.range(first..=last).map(|(&number, line)| (number, line.as_str())))
    }

    /// Everything that was shown. A quote cannot span what was not.
    pub(super) fn runs(&self) -> Vec<Run> {
        let lines: Vec<(u32, &str)> =
            self.shown.iter().map(|(&number, line)| (number, line.as_str())).collect();
        lines
            .chunk_by(|before, after| before.0 + 1 == after.0)
            .map(|lines| Run::new(lines.iter().copied()))
            .collect()
    }

    /// What was shown of these lines and of `margin` lines before and after them.
    pub(crate) fn around(
        &self,
        (first, last): (u32, u32),
        margin: u32,
    ) -> impl Iterator<Item = &str> {
        let lines = first.saturating_sub(margin)..=last.saturating_add(margin);
        self.shown.range(lines).map(|(_, line)| line.as_str())
    }

    /// The beginnings and names of the declarations that these lines are in, whether they were shown or not.
    pub(crate) fn enclosing(&self, (first, last): (u32, u32)) -> String {
        let declarations = self.declarations.get_or_init(|| self.declarations());
        let encloses = |lines: (u32, u32)| lines.0 <= first && last <= lines.1;
        let enclosing = declarations.iter().filter(|declaration| encloses(declaration.lines));
        enclosing.map(|declaration| declaration.text.as_str()).collect::<Vec<_>>().join("\n")
    }

    fn declarations(&self) -> Vec<Declaration> {
        let facts = self.language.and_then(|language| rb_lang::extract(language, &self.text));
        let symbols = facts.map_or_else(Vec::new, |facts| facts.symbols);
        let declaration = |symbol: &rb_lang::Symbol| {
            let beginning = symbol.signature.split(['(', '=', '{']).next().unwrap_or_default();
            Declaration {
                lines: (symbol.span.first_line, symbol.span.last_line),
                text: format!("{beginning} {}", symbol.name),
            }
        };
        symbols.iter().map(declaration).collect()
    }
}

/// What was shown of a line, if it is of this line: all of it, or its beginning where the tool cut a long one.
fn seen<'l>(line: &'l str, shown: &str) -> Option<&'l str> {
    if line == shown {
        return Some(line);
    }
    let begin = shown.trim_end_matches('…');
    (!begin.is_empty() && line.starts_with(begin)).then(|| &line[..begin.len()])
}
