//! Collects facts while the syntax tree is walked.
//!
//! Holds what has no meaning in the language: symbols with their place, text and comments, references counted once
//! each, uses of imported names. What counts as a symbol, an import or a reference is `walk`'s to say.

use oxc_allocator::Allocator;
use oxc_ast::ast::Comment;
use oxc_span::Span as At;
use rb_core::Sha256;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::{
    Cut, Export, Facts, Import, ImportKind, ImportedName, Reference, ReferenceKind, Span, Symbol,
    SymbolKind,
};
use crate::tree::{MAX_HEAD, clean_comment, clip, line_count, one_line_without};

/// Longer names are data, not names.
const MAX_NAME: usize = 200;
/// Lines of comment that are looked at before a declaration.
const MAX_COMMENTS: usize = 100;
/// Symbols in symbols in symbols: each is hashed with all that it holds, so that depth costs time.
pub(super) const MAX_NESTING: u32 = 64;

pub(super) struct Collector<'a, 'p> {
    pub(super) text: &'a str,
    pub(super) arena: &'a Allocator,
    pub(super) facts: Facts,
    /// The innermost symbol around the current node.
    pub(super) scope: Option<u32>,
    /// How many symbols are around the current node.
    nesting: u32,
    comments: &'p [Comment],
    /// Where each line starts.
    lines: Vec<u32>,
    /// Symbols at the top of the file, which a list of exports can name.
    top: Vec<u32>,
    by_name: FxHashMap<&'a str, u32>,
    references: FxHashMap<(Option<u32>, ReferenceKind, &'a str, &'a str), u32>,
    exports: FxHashMap<&'a str, u32>,
    imported: Imported<'a>,
}

/// A symbol as the walk sees it.
#[derive(Clone, Copy)]
pub(super) struct Declaration<'a> {
    pub(super) name: &'a str,
    pub(super) kind: SymbolKind,
    /// All of it.
    pub(super) at: At,
    /// The part that is its signature.
    pub(super) head: At,
    /// The token that its comment stands before.
    pub(super) comment_before: u32,
    pub(super) exported: bool,
    pub(super) has_body: bool,
}

/// What a symbol changed, to be put back when it is left.
#[derive(Clone, Copy)]
pub(super) struct Outside {
    scope: Option<u32>,
    nesting: u32,
}

impl<'a, 'p> Collector<'a, 'p> {
    pub(super) fn new(text: &'a str, arena: &'a Allocator, comments: &'p [Comment]) -> Self {
        Collector {
            text,
            arena,
            facts: Facts::default(),
            scope: None,
            nesting: 0,
            comments,
            lines: line_starts(text),
            top: Vec::new(),
            by_name: FxHashMap::default(),
            references: FxHashMap::default(),
            exports: FxHashMap::default(),
            imported: Imported::default(),
        }
    }

    pub(super) fn slice(&self, at: At) -> &'a str {
        self.text.get(at.start as usize..at.end as usize).unwrap_or_default()
    }

    /// Adds a symbol. `None` where it lies so deep in others that it is left out.
    pub(super) fn declare(&mut self, declaration: &Declaration<'a>) -> Option<u32> {
        let &Declaration { name, kind, at, head, exported, has_body, .. } = declaration;
        if self.nesting >= MAX_NESTING {
            self.facts.cut = Some(Cut::Depth);
            return None;
        }
        let symbol = Symbol {
            name: clip(name, MAX_NAME).into(),
            kind,
            parent: self.scope,
            span: self.span(at),
            signature: self.signature(head).into(),
            doc: self.comment_before(declaration.comment_before).into(),
            exported,
            hash: Sha256::of(self.slice(at).as_bytes()),
            complexity: u32::from(has_body),
            hooks: Vec::new(),
            suspense: false,
        };
        let index = index_of(self.facts.symbols.len());
        self.facts.symbols.push(symbol);
        Some(index)
    }

    /// As `declare`, for what stands at the top of the file: an export list may name it.
    pub(super) fn declare_top(&mut self, declaration: &Declaration<'a>) -> Option<u32> {
        let index = self.declare(declaration)?;
        self.top.push(index);
        self.by_name.entry(declaration.name).or_insert(index);
        Some(index)
    }

    /// The first symbol of this name at the top of the file, so far.
    pub(super) fn top_symbol(&self, name: &str) -> Option<u32> {
        self.by_name.get(name).copied()
    }

    pub(super) fn symbol(&mut self, index: u32) -> &mut Symbol {
        &mut self.facts.symbols[index as usize]
    }

    /// What is declared from here on lies in `symbol`, until `leave`.
    pub(super) fn enter(&mut self, symbol: Option<u32>) -> Outside {
        let outside = Outside { scope: self.scope, nesting: self.nesting };
        if symbol.is_some() {
            self.scope = symbol;
            self.nesting += 1;
        }
        outside
    }

    pub(super) fn leave(&mut self, outside: Outside) {
        self.scope = outside.scope;
        self.nesting = outside.nesting;
    }

    pub(super) fn reference(
        &mut self,
        kind: ReferenceKind,
        qualifier: &'a str,
        name: &'a str,
        at: At,
    ) {
        if name.is_empty() || name.len() > MAX_NAME {
            return;
        }
        let next = index_of(self.facts.references.len());
        let index = *self.references.entry((self.scope, kind, qualifier, name)).or_insert(next);
        if index == next {
            let line = self.line(at.start);
            self.facts.references.push(Reference {
                name: name.into(),
                qualifier: qualifier.into(),
                kind,
                from: self.scope,
                line,
                count: 0,
            });
        }
        self.facts.references[index as usize].count += 1;
    }

    /// The uses of the names that it binds are counted from here on.
    pub(super) fn import(
        &mut self,
        kind: ImportKind,
        specifier: &'a str,
        names: &[(&'a str, &'a str)],
        at: At,
    ) {
        if kind != ImportKind::ReExport {
            for &(_, local) in names {
                self.imported.bind(local);
            }
        }
        let line = self.line(at.start);
        self.facts.imports.push(Import {
            specifier: specifier.into(),
            kind,
            names: names
                .iter()
                .map(|&(name, local)| ImportedName { name: name.into(), local: local.into() })
                .collect(),
            line,
            uses: 0,
        });
    }

    pub(super) fn is_imported(&self, name: &str) -> bool {
        self.imported.uses.contains_key(name)
    }

    pub(super) fn used(&mut self, name: &str) {
        self.imported.used(name);
    }

    /// A name exported twice, as by compiled code that first sets it to nothing, is listed once.
    pub(super) fn export(&mut self, name: &'a str, local: &'a str) {
        let next = index_of(self.facts.exports.len());
        let index = *self.exports.entry(name).or_insert(next);
        if index == next {
            self.facts.exports.push(Export { name: name.into(), local: local.into() });
        } else if self.facts.exports[index as usize].local.is_empty() {
            self.facts.exports[index as usize].local = local.into();
        }
    }

    pub(super) fn finish(mut self) -> Facts {
        self.facts.lines = line_count(self.text);
        // Import statements were read before all else.
        self.facts.imports.sort_by_key(|import| import.line);
        for import in &mut self.facts.imports {
            if import.kind != ImportKind::ReExport {
                let locals = import.names.iter().map(|name| &*name.local);
                import.uses = locals.filter_map(|local| self.imported.uses.get(local)).sum();
            }
        }
        let listed: FxHashSet<&str> =
            self.facts.exports.iter().map(|export| &*export.local).collect();
        for &index in &self.top {
            let symbol = &mut self.facts.symbols[index as usize];
            symbol.exported |= listed.contains(&*symbol.name);
        }
        // A parent comes before what lies in it.
        for index in 0..self.facts.symbols.len() {
            if let Some(parent) = self.facts.symbols[index].parent {
                let reachable = self.facts.symbols[parent as usize].exported;
                self.facts.symbols[index].exported &= reachable;
            }
        }
        self.facts
    }

    /// A declaration's head on one line, without comments.
    fn signature(&self, head: At) -> String {
        let start = head.start as usize;
        let end = (head.end as usize).min(start + MAX_HEAD);
        let end = self.text.floor_char_boundary(end);
        let first = self.comments.partition_point(|comment| comment.span.start < head.start);
        let comments = self.comments[first..]
            .iter()
            .map(|comment| comment.span.start as usize..(comment.span.end as usize).min(end))
            .take_while(|comment| comment.start < end);
        one_line_without(self.text, start..end, comments)
    }

    /// Counted from 1.
    fn line(&self, offset: u32) -> u32 {
        index_of(self.lines.partition_point(|&start| start <= offset))
    }

    fn span(&self, at: At) -> Span {
        Span {
            start: at.start,
            end: at.end,
            first_line: self.line(at.start),
            last_line: self.line(at.end.saturating_sub(1).max(at.start)),
        }
    }

    /// The comment that ends just before `token`, without its marks: one block, or lines that follow each other.
    fn comment_before(&self, token: u32) -> String {
        let before = self.comments.partition_point(|comment| comment.span.end <= token);
        let mut first: Option<&Comment> = None;
        let mut last = token;
        let mut end = token;
        for comment in self.comments[..before].iter().rev().take(MAX_COMMENTS) {
            let gap = self.slice(At::new(comment.span.end, end));
            let alone = self.stands_alone(comment);
            let written = self.slice(comment.span);
            let room = if first.is_none() && is_doc(written) { 2 } else { 1 };
            if gap.matches('\n').count() > room || !gap.trim().is_empty() || !alone {
                break;
            }
            if is_instruction(written) && first.is_none() {
                end = comment.span.start;
                continue;
            }
            if let Some(first) = first
                && (first.is_block() || comment.is_block())
            {
                break;
            }
            if first.is_none() {
                last = comment.span.end;
            }
            first = Some(comment);
            end = comment.span.start;
        }
        first.map_or(String::new(), |first| {
            clean_comment(self.slice(At::new(first.span.start, last)))
        })
    }

    /// A comment behind code speaks of that code, not of what follows.
    fn stands_alone(&self, comment: &Comment) -> bool {
        comment.preceded_by_newline()
            || self.text[..comment.span.start as usize]
                .bytes()
                .all(|byte| byte.is_ascii_whitespace())
    }
}

/// Names that imports bind, with how often each is used.
#[derive(Default)]
struct Imported<'a> {
    uses: FxHashMap<&'a str, u32>,
    /// One bit for each length and first byte that occurs: most names in a file are not imported.
    shapes: u64,
}

impl<'a> Imported<'a> {
    fn bind(&mut self, name: &'a str) {
        if !name.is_empty() {
            self.shapes |= shape(name);
            self.uses.entry(name).or_insert(0);
        }
    }

    fn used(&mut self, name: &str) {
        if self.shapes & shape(name) != 0
            && let Some(count) = self.uses.get_mut(name)
        {
            *count += 1;
        }
    }
}

fn shape(name: &str) -> u64 {
    let first = name.as_bytes().first().copied().unwrap_or_default();
    1 << ((usize::from(first) * 7 + name.len()) % 64)
}

/// Words to a tool, not to the reader.
fn is_instruction(comment: &str) -> bool {
    const TOOLS: &[&str] = &[
        "eslint-",
        "@ts-",
        "prettier-",
        "biome-",
        "oxlint-",
        "istanbul ",
        "c8 ",
        "v8 ",
        "tslint:",
        "#__",
        "@__",
        "#region",
        "#endregion",
        "webpack",
        "@vite-",
        "deno-",
        "$FlowFixMe",
        "@flow",
        "@jsx",
        "<reference",
    ];
    let words = comment.trim_start_matches(['/', '*', ' ', '!']);
    TOOLS.iter().any(|tool| words.starts_with(tool))
}

/// `/** … */` may stand an empty line above its declaration, unless it speaks of the whole file.
fn is_doc(comment: &str) -> bool {
    const OF_FILE: &[&str] = &["@license", "@file", "@module", "opyright"];
    comment.starts_with("/**") && !OF_FILE.iter().any(|word| clip(comment, 1000).contains(word))
}

fn line_starts(text: &str) -> Vec<u32> {
    let mut starts = Vec::with_capacity(text.len() / 24 + 1);
    starts.push(0);
    starts.extend(text.match_indices('\n').map(|(at, _)| index_of(at + 1)));
    starts
}

/// A text is shorter than 4 GB, and so is any list made from it.
fn index_of(length: usize) -> u32 {
    u32::try_from(length).expect("fewer than the bytes of a text")
}
