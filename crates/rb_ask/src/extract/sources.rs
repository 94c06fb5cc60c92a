//! The files that an answer quotes: their lines, facts and citations, each file read once.
//!
//! The lines of a citation become evidence when a statement with it is made, with the hash of the file: what was only looked at
//! is not read. A file that changed since it was indexed, that is not text or that holds keys is never cited.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use rb_core::Sha256;
use rb_index::content::decode;
use rb_index::role::Role;
use rb_index::{FileId, IndexError, OnDisk, StoreError, Texts as _, View, secrets};
use rb_lang::Facts;
use rb_tools::{Repository, Shown, ToolError, Toolbox};

use crate::answer::DraftStatement;
use crate::citation::Citation;
use crate::claims;
use crate::extract::IMPORTANT;

/// The most lines of one citation. A longer declaration is cited by its beginning.
const LONGEST: u32 = 60;
/// A line with fewer characters does not tell where it stands.
const TELLING: usize = 8;
/// Longer lines are quoted by their beginning.
const LONGEST_QUOTE: usize = 200;

/// What an answer is written from.
pub(crate) struct Sources<'r, 't> {
    pub(crate) on: Repository<'r>,
    pub(crate) view: View<'r>,
    /// Which file uses which, sorted.
    pub(crate) edges: Vec<(FileId, FileId)>,
    toolbox: &'t mut Toolbox,
    texts: BTreeMap<FileId, Option<Rc<SourceText>>>,
    facts: BTreeMap<FileId, Option<Arc<Facts>>>,
    /// The rank of each file, from most important to least.
    ranks: Vec<usize>,
}

/// The lines of a file as they are now.
pub(crate) struct SourceText {
    hash: Sha256,
    /// Without line ends.
    pub(crate) lines: Vec<String>,
}

impl<'r, 't> Sources<'r, 't> {
    pub(crate) fn new(on: Repository<'r>, toolbox: &'t mut Toolbox) -> Result<Self, ToolError> {
        let view = on.indexed.view().map_err(IndexError::from)?;
        let mut ranks = vec![0; view.tree.files.len()];
        for (rank, file) in view.by_importance().iter().enumerate() {
            ranks[file.0 as usize] = rank;
        }
        let edges = view.edges();
        let (texts, facts) = (BTreeMap::new(), BTreeMap::new());
        Ok(Sources { on, view, edges, toolbox, texts, facts, ranks })
    }

    pub(crate) fn path(&self, file: FileId) -> &str {
        &self.view.tree.get(file).path
    }

    pub(crate) fn find(&self, path: &str) -> Option<FileId> {
        self.view.tree.find(path)
    }

    /// 0 for the most important file.
    pub(crate) fn rank(&self, file: FileId) -> usize {
        self.ranks[file.0 as usize]
    }

    /// Whether it is among the most important files.
    pub(crate) fn is_important(&self, file: FileId) -> bool {
        self.rank(file) < IMPORTANT
    }

    pub(crate) fn is_product(&self, file: FileId) -> bool {
        Role::of(self.path(file)) == Role::Product
    }

    pub(crate) fn is_test(&self, file: FileId) -> bool {
        Role::of(self.path(file)) == Role::Test
    }

    /// Generated, vendored, minified or boilerplate: not cited unless the question names it.
    pub(crate) fn is_trivial(&self, file: FileId) -> bool {
        self.view.file(file).trivial.is_some()
    }

    /// `None` for a file that holds no code.
    pub(crate) fn facts(&mut self, file: FileId) -> Result<Option<Arc<Facts>>, ToolError> {
        if self.on.cancel.is_cancelled() {
            return Err(ToolError::Interrupted);
        }
        if let Some(facts) = self.facts.get(&file) {
            return Ok(facts.clone());
        }
        let facts = self.view.read_facts(file).map_err(store_error)?.map(Arc::new);
        self.facts.insert(file, facts.clone());
        Ok(facts)
    }

    /// `None` for a file that is not text, or is no longer as it was indexed.
    pub(crate) fn text(&mut self, file: FileId) -> Option<Rc<SourceText>> {
        if let Some(text) = self.texts.get(&file) {
            return text.clone();
        }
        let text = self.read(file).map(Rc::new);
        self.texts.insert(file, text.clone());
        text
    }

    fn read(&self, file: FileId) -> Option<SourceText> {
        let known = self.view.file(file);
        if known.skipped.is_some() || secrets::is_secret_file(known.path, known.language) {
            return None;
        }
        let bytes = OnDisk { root: self.on.repo.root() }.text(known.path)?;
        let hash = Sha256::of(&bytes);
        if known.hash != Some(hash) {
            return None;
        }
        let (text, _) = decode(bytes).filter(|(text, _)| !secrets::holds_private_key(text))?;
        Some(SourceText { hash, lines: text.lines().map(str::to_owned).collect() })
    }

    /// Records lines of a file as shown. Fewer if the file is shorter.
    pub(crate) fn show(&mut self, file: FileId, first: u32, last: u32) {
        if let Some(shown) = self.lines(file, first, last) {
            self.toolbox.evidence.add(&shown);
        }
    }

    fn lines(&mut self, file: FileId, first: u32, last: u32) -> Option<Shown> {
        let text = self.text(file)?;
        let from = usize::try_from(first.checked_sub(1)?).ok()?;
        let to = usize::try_from(last).ok()?.min(text.lines.len());
        let lines = text.lines.get(from..to).filter(|lines| !lines.is_empty())?.to_vec();
        Some(Shown { path: self.path(file).to_owned(), hash: text.hash, first, lines })
    }

    /// Records the lines that a statement cites as shown, if the check of answers verifies it by them. Whether it does.
    pub(crate) fn show_if_verified(&mut self, statement: &DraftStatement) -> bool {
        let mut evidence = self.toolbox.evidence.clone();
        for citation in &statement.citations {
            let file = self.find(&citation.path);
            let lines =
                file.and_then(|file| self.lines(file, citation.first_line, citation.last_line));
            if let Some(shown) = lines {
                evidence.add(&shown);
            }
        }
        let texts = OnDisk { root: self.on.repo.root() };
        let is_verified = claims::is_verified(statement, &evidence, &texts);
        if is_verified {
            self.toolbox.evidence = evidence;
        }
        is_verified
    }

    /// Cites lines and quotes the first of them that tells something.
    pub(crate) fn cite(&mut self, file: FileId, first: u32, last: u32) -> Option<Citation> {
        self.cite_with(file, first, last, |_| true)
    }

    /// Cites lines and quotes the first of them that has a name. `None` if no line has it.
    pub(crate) fn cite_naming(
        &mut self,
        file: FileId,
        first: u32,
        last: u32,
        name: &str,
    ) -> Option<Citation> {
        self.cite_with(file, first, last, |line| has_word(line, name))
    }

    fn cite_with(
        &mut self,
        file: FileId,
        first: u32,
        last: u32,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Option<Citation> {
        let last = last.min(first.saturating_add(LONGEST - 1));
        let text = self.text(file)?;
        let from = usize::try_from(first.checked_sub(1)?).ok()?;
        let to = usize::try_from(last).ok()?.min(text.lines.len());
        let quote = quote(text.lines.get(from..to)?, is_wanted)?;
        let last_line = u32::try_from(to).ok()?;
        Some(Citation { path: self.path(file).to_owned(), first_line: first, last_line, quote })
    }
}

fn store_error(error: StoreError) -> ToolError {
    ToolError::Index(error.into())
}

/// The first wanted line that is long enough to tell where it stands, or the longest of them.
fn quote(lines: &[String], is_wanted: impl Fn(&str) -> bool) -> Option<String> {
    let wanted = || lines.iter().map(|line| line.trim()).filter(|line| is_wanted(line));
    let line = wanted()
        .find(|line| line.chars().count() >= TELLING)
        .or_else(|| wanted().filter(|line| !line.is_empty()).max_by_key(|line| line.len()))?;
    Some(line[..line.floor_char_boundary(LONGEST_QUOTE)].trim_end().to_owned())
}

/// Whether a line has a name, not merely as a part of another one.
pub(crate) fn has_word(line: &str, name: &str) -> bool {
    let is_whole = |at: usize| {
        !line[..at].ends_with(is_of_name) && !line[at + name.len()..].starts_with(is_of_name)
    };
    !name.is_empty() && line.match_indices(name).any(|(at, _)| is_whole(at))
}

pub(crate) fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as8_a_quote_is_a_line_that_tells_where_it_stands() {
        let check = |lines: &[&str], name: &str, expected: Option<&str>| {
            let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
            let found = quote(&lines, |line| name.is_empty() || has_word(line, name));
            assert_eq!(found.as_deref(), expected, "{lines:?} {name}");
        };
        check(&["", "  {", "  return total(cart);  "], "", Some("return total(cart);"));
        check(&["{", "a();"], "", Some("a();"));
        check(&["", " "], "", None);
        check(&["@cached", "def total(cart):"], "total", Some("def total(cart):"));
        check(&["subtotal(cart)"], "total", None);
        let long = "x".repeat(500);
        let cut = "x".repeat(LONGEST_QUOTE);
        check(&[&long], "", Some(cut.as_str()));
    }
}
