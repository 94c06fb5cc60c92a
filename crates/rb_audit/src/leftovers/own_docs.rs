//! The documentation of a function that still describes a parameter that the function no longer has.

use rb_lang::Symbol;

use super::leftover;
use super::removed::owner;
use super::signatures::ChangedFunction;
use crate::comparison::Comparison;
use crate::words;
use crate::{Finding, FindingKind};

/// Lines of a comment above a declaration that are read.
const MOST_ABOVE: usize = 60;

pub(crate) fn find(comparison: &Comparison<'_>, functions: &[ChangedFunction]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for function in functions.iter().filter(|it| !it.has_rest()) {
        let (Some(facts), Some(text)) =
            (comparison.after.facts(function.file), comparison.after.text(function.file))
        else {
            continue;
        };
        let symbol = facts.symbols.iter().find(|it| {
            it.name == function.new.name && owner(&facts, it) == function.new.owner.as_deref()
        });
        let Some(symbol) = symbol else { continue };
        let is_constructor = function.called() != &*function.new.name;
        let parent = symbol.parent.filter(|_| is_constructor).map(|at| &facts.symbols[at as usize]);
        let path = comparison.after.path(function.file);
        let changed = comparison.changed(path);
        for lost in function.lost() {
            for (line, written) in docs(&text, symbol, parent) {
                let is_edited = changed.is_some_and(|changed| changed.is_edited(line));
                if describes(written, lost) && !is_edited {
                    let message = format!(
                        "`{lost}` is documented, but no longer a parameter of `{}`",
                        function.called()
                    );
                    findings.push(leftover(
                        FindingKind::StaleDocs,
                        (path, line),
                        message,
                        Some(function.cause.clone()),
                    ));
                }
            }
        }
    }
    findings
}

/// The lines of the comment above a symbol and of the docstring in it, and in its class.
fn docs<'t>(text: &'t str, symbol: &Symbol, parent: Option<&Symbol>) -> Vec<(u32, &'t str)> {
    let lines: Vec<(u32, &str)> = (1..).zip(text.lines()).collect();
    let mut docs = Vec::new();
    for symbol in [Some(symbol), parent].into_iter().flatten() {
        let first = symbol.span.first_line.saturating_sub(1) as usize;
        let above = &lines[..first.min(lines.len())];
        // Some leave a line between the comment and the declaration.
        let blank = above.last().filter(|(_, line)| line.trim().is_empty());
        let above = above.iter().rev().skip(blank.iter().count()).take(MOST_ABOVE);
        docs.extend(above.take_while(|(_, line)| {
            words::is_comment(line) || line.trim_start().starts_with(['@', '#'])
        }));
        docs.extend(docstring(&lines, symbol));
    }
    docs
}

/// A string that is the first statement. What has no quotes of that kind has none.
fn docstring<'t>(lines: &[(u32, &'t str)], symbol: &Symbol) -> Vec<(u32, &'t str)> {
    let own = lines
        .iter()
        .filter(|(line, _)| (symbol.span.first_line..=symbol.span.last_line).contains(line));
    let mut body = own.skip_while(|(_, line)| !line.trim_end().ends_with(':')).skip(1).peekable();
    let Some((_, first)) = body.peek() else { return Vec::new() };
    let start = first.trim_start().trim_start_matches(['r', 'R', 'u', 'f']);
    let Some(quotes) = ["\"\"\"", "'''"].into_iter().find(|it| start.starts_with(it)) else {
        return Vec::new();
    };
    let mut docs = Vec::new();
    for (at, line) in body.enumerate() {
        docs.push(*line);
        if line.1.matches(quotes).count() == 2 || at > 0 && line.1.contains(quotes) {
            break;
        }
    }
    docs
}

/// `:param name:`, `@param {T} name`, and a line of a list of parameters: `name: …`, `name (int): …`, `name : int`.
fn describes(line: &str, name: &str) -> bool {
    let line = line.trim_start().trim_start_matches(['/', '*', '!', '#', '-']).trim_start();
    let marked = ["@param", ":param", "\\param", ":type", ":keyword", ":kwarg", ":arg"];
    if let Some(rest) = marked.iter().find_map(|mark| line.strip_prefix(mark)) {
        let rest = rest.trim_start();
        let rest =
            rest.strip_prefix('{').and_then(|it| it.split_once('}')).map_or(rest, |(_, rest)| rest);
        let rest = rest.trim_start().trim_start_matches('[');
        let head = rest.split([':', ' ', ']', '=']);
        let is_typed =
            rest.split(':').next().is_some_and(|head| head.split_whitespace().last() == Some(name));
        return head.into_iter().next() == Some(name) || is_typed;
    }
    let bare = line.trim_start_matches(['`', '*']);
    let Some(rest) = bare.strip_prefix(name) else { return false };
    let rest = rest.trim_start_matches(['`', '*']);
    rest.starts_with(':') && !rest.starts_with("::") && rest.len() > 1
        || rest.starts_with(" : ")
        || rest.starts_with(" (") && rest.contains("):")
}
