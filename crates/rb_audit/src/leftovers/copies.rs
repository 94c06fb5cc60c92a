//! Code that was moved, and still stands where it came from: a new definition, and one that was there before with the same
//! tokens. Names may differ in a copy of the same name; otherwise nothing may.

use std::collections::{BTreeMap, BTreeSet};

use rb_index::FileId;
use rb_lang::{Language, Symbol, SymbolKind, parse};

use super::leftover;
use super::removed::{has, is_product, owner};
use super::sightings::{Context, Sightings};
use crate::comparison::{Comparison, is_ecma};
use crate::{Finding, FindingKind};

/// Less is alike by chance.
const LEAST_LINES: u32 = 4;
const LEAST_TOKENS: usize = 30;

pub(crate) struct Added {
    file: FileId,
    owner: Option<Box<str>>,
    pub(crate) symbol: Symbol,
}

/// The definitions that the change brought, large enough to tell.
pub(crate) fn candidates(comparison: &Comparison<'_>) -> Vec<Added> {
    let mut added = Vec::new();
    for (changed, file) in comparison.touched() {
        if !is_product(&changed.path) || !comparison.after.is_whole(file) {
            continue;
        }
        let Some(facts) = comparison.after.facts(file) else { continue };
        let before = comparison.origin(file).and_then(|origin| comparison.before.facts(origin));
        for symbol in &facts.symbols {
            let is_new = before.as_ref().is_none_or(|before| !has(before, &facts, symbol));
            if is_new && is_definition(symbol) && !is_usual(&symbol.name) {
                let owner = owner(&facts, symbol).map(Into::into);
                added.push(Added { file, owner, symbol: symbol.clone() });
            }
        }
    }
    added
}

fn is_definition(symbol: &Symbol) -> bool {
    let is_kind = matches!(
        symbol.kind,
        SymbolKind::Function
            | SymbolKind::Method
            | SymbolKind::Class
            | SymbolKind::Component
            | SymbolKind::Struct
            | SymbolKind::Enum
    );
    is_kind && symbol.span.last_line.saturating_sub(symbol.span.first_line) + 1 >= LEAST_LINES
}

/// Every program has one.
fn is_usual(name: &str) -> bool {
    matches!(
        name,
        "main"
            | "new"
            | "default"
            | "setup"
            | "init"
            | "run"
            | "constructor"
            | "fmt"
            | "from"
            | "String"
            | "Error"
    ) || name.starts_with("__")
}

pub(crate) fn find(
    comparison: &Comparison<'_>,
    added: &[Added],
    sightings: &Sightings,
) -> Vec<Finding> {
    let touched: BTreeSet<FileId> = comparison.touched().map(|(_, id)| id).collect();
    let mut cache = Tokens::default();
    let mut findings = Vec::new();
    for new in added {
        let code =
            sightings.of_word(&new.symbol.name).iter().filter(|it| it.context == Context::Code);
        let files: BTreeSet<FileId> =
            code.map(|it| it.file).chain(touched.iter().copied()).collect();
        let found = files.into_iter().find_map(|file| copy_in(comparison, &mut cache, new, file));
        if let Some((file, line)) = found {
            let (path, here) = (comparison.after.path(file), comparison.after.path(new.file));
            let message =
                format!("`{}` was added to {here}, and a copy still stands here", new.symbol.name);
            let cause = comparison.cause(here, new.symbol.span.first_line, None);
            findings.push(leftover(FindingKind::RemainingCopy, (path, line), message, cause));
        }
    }
    findings
}

/// The line of a definition in a file that was there before the change and is the same.
fn copy_in(
    comparison: &Comparison<'_>,
    cache: &mut Tokens,
    new: &Added,
    file: FileId,
) -> Option<(FileId, u32)> {
    let side = &comparison.after;
    let (language, path) = (side.language(file), side.path(file));
    let is_same_language = language == side.language(new.file)
        || is_ecma(language) && is_ecma(side.language(new.file));
    if !is_same_language || !side.is_own(file) || !is_product(path) {
        return None;
    }
    let facts = side.facts(file)?;
    let before = comparison.before.facts(comparison.origin(file)?)?;
    let alike = facts.symbols.iter().find(|it| {
        let is_same_name = it.name == new.symbol.name;
        // Beside each other, functions that hand on are alike.
        let is_other = file != new.file || is_same_name && it.span != new.symbol.span;
        it.kind == new.symbol.kind
            && is_other
            && owner(&facts, it) == new.owner.as_deref()
            && is_definition(it)
            && has(&before, &facts, it)
            && is_same_size(it, &new.symbol)
            && cache.are_alike(comparison, (file, it), (new.file, &new.symbol), is_same_name)
    })?;
    Some((file, alike.span.first_line))
}

/// Quick, before anything is parsed.
fn is_same_size(one: &Symbol, other: &Symbol) -> bool {
    let size = |it: &Symbol| it.span.end - it.span.start;
    one.complexity == other.complexity
        && size(one).abs_diff(size(other)) * 2 <= size(one).max(size(other))
}

/// The tokens of files, comments left out, each with its place.
#[derive(Default)]
struct Tokens(BTreeMap<FileId, Vec<(usize, Token)>>);

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Token {
    Name(String),
    Other(String),
}

impl Tokens {
    fn are_alike(
        &mut self,
        comparison: &Comparison<'_>,
        one: (FileId, &Symbol),
        other: (FileId, &Symbol),
        may_rename: bool,
    ) -> bool {
        let (a, b) = (self.of(comparison, one), self.of(comparison, other));
        if a.len() != b.len() || a.len() < LEAST_TOKENS {
            return false;
        }
        let (mut there, mut back) = (BTreeMap::new(), BTreeMap::new());
        a.iter().zip(&b).all(|(a, b)| match (a, b) {
            (Token::Name(a), Token::Name(b)) => {
                let is_own = **a == *one.1.name && **b == *other.1.name;
                let is_paired =
                    *there.entry(a).or_insert(b) == b && *back.entry(b).or_insert(a) == a;
                a == b || is_own || may_rename && is_paired
            }
            _ => a == b,
        })
    }

    fn of(&mut self, comparison: &Comparison<'_>, (file, symbol): (FileId, &Symbol)) -> Vec<Token> {
        let all = self.0.entry(file).or_insert_with(|| {
            let (text, language) = (comparison.after.text(file), comparison.after.language(file));
            text.zip(language).map(|(text, language)| tokens(language, &text)).unwrap_or_default()
        });
        let own = symbol.span.start as usize..symbol.span.end as usize;
        let tokens = all.iter().filter(|(at, _)| own.contains(at)).map(|(_, token)| token.clone());
        // Modifiers such as `pub` and `export` stand before the name, and a move changes them.
        let name = Token::Name(symbol.name.to_string());
        tokens.skip_while(|token| *token != name).collect()
    }
}

fn tokens(language: Language, text: &str) -> Vec<(usize, Token)> {
    let Some(tree) = parse(language, text) else { return Vec::new() };
    let mut tokens = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let is_comment = node.kind().contains("comment");
        if !is_comment && cursor.goto_first_child() {
            continue;
        }
        if !is_comment && !node.byte_range().is_empty() {
            let written = text.get(node.byte_range()).unwrap_or_default().to_owned();
            let is_name = node.kind().contains("identifier");
            let token = if is_name { Token::Name(written) } else { Token::Other(written) };
            tokens.push((node.start_byte(), token));
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return tokens;
            }
        }
    }
}
