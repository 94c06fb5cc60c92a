//! The files that a ticket is about: those that it names, then those that its words lead to.

use std::path::Path;

use rb_core::{RepoPath, fs};
use rb_tools::{FileText, Repository, ToolError, Toolbox};
use serde::Serialize;
use serde_json::json;

use crate::ticket::{Source, Ticket};

/// A file, and why it is thought to matter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Affected {
    pub path: String,
    pub why: String,
}

/// How many files one question may bring.
const PER_QUESTION: usize = 6;
/// Characters of a question.
const LONGEST: usize = 400;

/// The best first, at most `limit`.
pub fn affected(
    on: Repository<'_>,
    ticket: &Ticket,
    limit: usize,
) -> Result<Vec<Affected>, ToolError> {
    let file = match &ticket.source {
        Source::File(path) => Some(Path::new(path)),
        Source::Stdin | Source::Github { .. } | Source::Jira { .. } => None,
    };
    let mut found = Found { list: Vec::new(), limit, ticket: file };
    let known: Vec<String> =
        on.indexed.view()?.tree.files.iter().map(|file| file.path.to_string()).collect();
    for hint in &ticket.hints.paths {
        let hint = hint.trim_start_matches("./").trim_start_matches('/');
        let is_meant = |path: &&String| {
            path.as_str() == hint
                || path.ends_with(&format!("/{hint}"))
                || hint.ends_with(&format!("/{path}"))
        };
        for path in known.iter().filter(is_meant).take(3) {
            found.add(path, "named in the ticket".to_owned());
        }
    }
    for symbol in ticket.hints.symbols.iter().take(4) {
        let declared = known.iter().filter(|path| holds(on.repo.root(), path, symbol));
        for path in declared.take(PER_QUESTION) {
            found.add(path, format!("contains `{symbol}`, which the ticket names"));
        }
    }
    let mut toolbox = Toolbox::default();
    let mut ask = |query: &str, why: &str, found: &mut Found<'_>| -> Result<(), ToolError> {
        let query: String = query.chars().take(LONGEST).collect();
        if query.trim().is_empty() {
            return Ok(());
        }
        let answer = toolbox.call(on, "search", &json!({"query": query, "limit": PER_QUESTION}))?;
        for path in answer.files {
            found.add(&path, why.to_owned());
        }
        Ok(())
    };
    let title = format!("{} {}", ticket.title, ticket.summary);
    ask(&title, "found for the title and summary", &mut found)?;
    for criterion in ticket.criteria.iter().take(4) {
        ask(&criterion.text, &format!("found for criterion {}", criterion.id), &mut found)?;
    }
    Ok(found.list)
}

/// Bytes of a file that is searched for a name.
const LARGEST: u64 = 1 << 20;

fn holds(root: &Path, path: &str, name: &str) -> bool {
    let Ok(path) = RepoPath::new(path) else { return false };
    let text = fs::read_plain(root, &path, LARGEST).ok().flatten().unwrap_or_default();
    !FileText::new(String::from_utf8_lossy(&text).into_owned(), None).lines_with(name).is_empty()
}

/// Whether a path is that of the ticket, or of another one beside it.
fn is_beside(ticket: &Path, path: &Path) -> bool {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let is_text = path.extension() == ticket.extension();
    let is_there = |folder| ticket.parent().is_some_and(|parent| parent.ends_with(folder));
    ticket.ends_with(path) || (is_text && folder.is_some_and(is_there))
}

struct Found<'t> {
    list: Vec<Affected>,
    limit: usize,
    /// The file of the ticket itself.
    ticket: Option<&'t Path>,
}

impl Found<'_> {
    fn add(&mut self, path: &str, why: String) {
        let is_ticket = self.ticket.is_some_and(|ticket| is_beside(ticket, Path::new(path)));
        let is_new = !is_ticket && self.list.iter().all(|known| known.path != path);
        let is_path = RepoPath::new(path).is_ok();
        if is_new && is_path && self.list.len() < self.limit {
            self.list.push(Affected { path: path.to_owned(), why });
        }
    }
}
