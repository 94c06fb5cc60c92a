//! Where the old name is only spoken of: strings, comments, documents, files in other languages. None of them is edited.

use oxc_ast::AstKind;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::Module;

use super::file::{has_word, words};
use crate::links::line_of;
use crate::plan::{Chain, Mention, one_line};
use crate::recipe::{PlanError, Planning};

/// The most that are listed.
const MOST: usize = 200;
/// A larger file is data.
const MAX_BYTES: u64 = 1 << 20;

/// The mentions, and how many there are in all.
pub(super) fn mentions(
    planning: &Planning<'_>,
    name: &str,
    chain: &Chain,
) -> Result<(Vec<Mention>, usize), PlanError> {
    let world = planning.world;
    let files = world.all_paths();
    let found = planning.over(&files, |path| {
        world.size(path).filter(|size| *size <= MAX_BYTES)?;
        let text = world.text(path)?;
        has_word(&text, name).then_some(())?;
        let edits = chain.edits.get(path).map_or(&[][..], Vec::as_slice);
        let read = match world.facts(path) {
            Some(_) => world.with_module(path, |module| spoken(module, name)),
            None => None,
        };
        let starts = read.unwrap_or_else(|| words(&text, name).collect());
        Some(lines(path, &text, &starts, edits))
    })?;
    let mut all: Vec<Mention> = found.into_iter().flat_map(|(_, it)| it).collect();
    all.sort();
    all.dedup();
    let count = all.len();
    all.truncate(MOST);
    Ok((all, count))
}

/// Where a script has the word in a string, a comment or a text between elements.
fn spoken(module: &Module<'_>, name: &str) -> Vec<usize> {
    let mut spans: Vec<Span> = module.comments().iter().map(|it| it.span).collect();
    for node in module.nodes().iter() {
        match node.kind() {
            // The path of a file is its own name.
            AstKind::StringLiteral(_)
                if matches!(
                    module.parent(node.id()),
                    AstKind::ImportDeclaration(_)
                        | AstKind::ExportFromDeclaration(_)
                        | AstKind::ExportAllDeclaration(_)
                        | AstKind::ImportExpression(_)
                ) => {}
            AstKind::StringLiteral(_) | AstKind::JSXText(_) | AstKind::TemplateElement(_) => {
                spans.push(node.kind().span());
            }
            _ => {}
        }
    }
    let is_spoken = |at: usize| {
        let at = u32::try_from(at).unwrap_or(u32::MAX);
        spans.iter().any(|span| span.start <= at && at < span.end)
    };
    words(module.text(), name).filter(|at| is_spoken(*at)).collect()
}

pub(super) fn lines(path: &str, text: &str, starts: &[usize], edits: &[Edit]) -> Vec<Mention> {
    let mut found = Vec::new();
    for &start in starts {
        let at = u32::try_from(start).unwrap_or(u32::MAX);
        if edits.iter().any(|it| it.start <= at && at < it.end) {
            continue;
        }
        let head = text[..start].rfind('\n').map_or(0, |it| it + 1);
        let line = text[head..].lines().next().unwrap_or_default();
        let line = Mention { path: path.to_owned(), line: line_of(text, at), text: one_line(line) };
        if found.last() != Some(&line) {
            found.push(line);
        }
    }
    found
}
