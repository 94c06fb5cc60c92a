//! From a tree-sitter tree to facts: the walk that every language shares.
//!
//! A language says which kinds of node it cares about (`Grammar::new`) and what each means (`visit`); `Reader` collects.
//! The walk goes through the tree once, without recursion, so that no nesting can exhaust the stack. Parsing is
//! bounded by counted work, never by time: the same text is cut off at the same place on every machine.

use std::cell::RefCell;
use std::ops::ControlFlow;

use rb_core::Sha256;
use rustc_hash::FxHashMap;
use tree_sitter::{Node, ParseOptions, Parser};
use tree_sitter_language::LanguageFn;

use crate::facts::{
    Cut, Facts, Import, Reference, ReferenceKind, Span, Symbol, SymbolKind,
};

/// A tree-sitter grammar with the kinds of node that a language looks at, as its own small enum.
///
/// `K::default()` stands for every other kind; `visit` is not called for it and the walk goes on below it.
pub(crate) struct Grammar<K> {
    language: tree_sitter::Language,
    /// By the grammar's id of the kind.
    kinds: Box<[K]>,
}

/// Does the walk go on below a node?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Below {
    Walk,
    Skip,
}

impl<K: Copy + Default + PartialEq> Grammar<K> {
    /// `kinds` names nodes as the grammar does. A name that the grammar does not know is a mistake in this program.
    pub(crate) fn new(language: LanguageFn, kinds: &[(&str, K)]) -> Self {
        let language = tree_sitter::Language::new(language);
        let mut by_id = vec![K::default(); language.node_kind_count()].into_boxed_slice();
        for &(name, kind) in kinds {
            let mut known = false;
            // Several ids may share one name; all of them mean the same to us.
            for (id, slot) in by_id.iter_mut().enumerate() {
                let id = u16::try_from(id).expect("a grammar has fewer than 65536 kinds");
                if language.node_kind_for_id(id) == Some(name) {
                    *slot = kind;
                    known = true;
                }
            }
            assert!(known, "the grammar has no node `{name}`");
        }
        Grammar { language, kinds: by_id }
    }

    /// Parses the text and walks the tree once, top down; `visit` is called for each node of a named kind.
    pub(crate) fn read<'t>(
        &self,
        text: &'t str,
        visit: impl Fn(K, Node<'_>, &mut Reader<'t>) -> Below,
    ) -> Facts {
        let mut reader = Reader::new(text);
        let Some(tree) = parse(&self.language, text) else {
            reader.facts.cut = Some(Cut::Effort);
            return reader.finish();
        };
        let broken = tree.root_node().has_error();
        let mut cursor = tree.walk();
        loop {
            let node = cursor.node();
            if broken && (node.is_error() || node.is_missing()) {
                reader.facts.syntax_errors += 1;
            }
            let kind = self.kinds.get(usize::from(node.kind_id())).copied().unwrap_or_default();
            let below = if kind == K::default() { Below::Walk } else { visit(kind, node, &mut reader) };
            if below == Below::Walk && cursor.goto_first_child() {
                reader.depth += 1;
                continue;
            }
            loop {
                reader.leave();
                if cursor.goto_next_sibling() {
                    break;
                }
                if !cursor.goto_parent() {
                    return reader.finish();
                }
                reader.depth -= 1;
            }
        }
    }
}

thread_local! {
    static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
}

/// `None` when the parser was stopped because the text cost far more work than its size explains.
pub(crate) fn parse(language: &tree_sitter::Language, text: &str) -> Option<tree_sitter::Tree> {
    // The parser reports back after every hundred steps. Plain code takes about one step per byte.
    let mut reports_left = 20_000 + text.len() / 5;
    PARSER.with_borrow_mut(|parser| {
        parser.set_language(language).expect("grammar and runtime are built together");
        let mut stop_when_spent = |_: &tree_sitter::ParseState| {
            reports_left = reports_left.saturating_sub(1);
            if reports_left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let bytes = text.as_bytes();
        let tree = parser.parse_with_options(
            &mut |at, _| bytes.get(at..).unwrap_or_default(),
            None,
            Some(ParseOptions::new().progress_callback(&mut stop_when_spent)),
        );
        parser.reset();
        tree
    })
}

/// Collects the facts of one file during the walk.
pub(crate) struct Reader<'t> {
    pub(crate) text: &'t str,
    pub(crate) facts: Facts,
    depth: u32,
    /// The symbols around the current node, innermost last, each with the depth of its node.
    scopes: Vec<(u32, u32)>,
    /// The comments just passed, for the declaration that follows them.
    comment: Option<Comment>,
    references: FxHashMap<(Option<u32>, ReferenceKind, &'t str, &'t str), u32>,
    /// How often each name stands in the text, declarations and import lists not counted.
    names: FxHashMap<&'t str, u32>,
}

struct Comment {
    start: usize,
    end: usize,
    /// The line that the next comment or declaration must start on, counted from 0.
    next_row: usize,
    doc: bool,
}

/// A symbol as a language sees it.
pub(crate) struct Declaration<'a, 'n> {
    pub(crate) name: &'a str,
    pub(crate) kind: SymbolKind,
    /// All of it.
    pub(crate) node: Node<'n>,
    /// Where the signature ends; none where the whole declaration is its signature.
    pub(crate) body: Option<Node<'n>>,
    pub(crate) exported: bool,
}

/// Longer names are data, not names.
const MAX_NAME: usize = 200;
const MAX_SIGNATURE: usize = 240;
const MAX_DOC: usize = 2000;
/// Longer paths before a name tell nobody anything.
const MAX_QUALIFIER: usize = 80;

impl<'t> Reader<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Reader {
            text,
            facts: Facts::default(),
            depth: 0,
            scopes: Vec::new(),
            comment: None,
            references: FxHashMap::default(),
            names: FxHashMap::default(),
        }
    }

    pub(crate) fn text(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// The text of the child in this field; empty where there is none.
    pub(crate) fn field(&self, node: Node<'_>, field: &str) -> &'t str {
        node.child_by_field_name(field).map_or("", |child| self.text(child))
    }

    /// Adds a symbol. It is the parent of what is declared below its node.
    pub(crate) fn declare(&mut self, declaration: &Declaration<'_, '_>) -> u32 {
        let Declaration { name, kind, node, body, exported } = *declaration;
        let doc = self.doc_before(node);
        let signature_end = body.map_or(node.end_byte(), |body| body.start_byte()).max(node.start_byte());
        let signature = self.text.get(node.start_byte()..signature_end).unwrap_or_default();
        let index = u32::try_from(self.facts.symbols.len()).expect("fewer symbols than bytes");
        self.facts.symbols.push(Symbol {
            name: clip(name, MAX_NAME).into(),
            kind,
            parent: self.scope(),
            span: span_of(node),
            signature: one_line(signature).into(),
            doc: doc.into(),
            exported,
            hash: Sha256::of(self.text.get(node.byte_range()).unwrap_or_default().as_bytes()),
            complexity: u32::from(body.is_some() && matches!(kind, SymbolKind::Function | SymbolKind::Method)),
            hooks: Vec::new(),
            suspense: false,
        });
        self.scopes.push((self.depth, index));
        index
    }

    /// The innermost symbol around the current node.
    pub(crate) fn scope(&self) -> Option<u32> {
        self.scopes.last().map(|&(_, symbol)| symbol)
    }

    pub(crate) fn scope_kind(&self) -> Option<SymbolKind> {
        self.scope().map(|symbol| self.facts.symbols[symbol as usize].kind)
    }

    /// Is the current node in the body of a function, at any depth?
    pub(crate) fn in_function(&self) -> bool {
        self.scopes.iter().any(|&(_, symbol)| {
            matches!(
                self.facts.symbols[symbol as usize].kind,
                SymbolKind::Function | SymbolKind::Method | SymbolKind::Component
            )
        })
    }

    /// One more way through the function around the current node.
    pub(crate) fn decision(&mut self) {
        if let Some(&(_, symbol)) = self
            .scopes
            .iter()
            .rev()
            .find(|&&(_, symbol)| self.facts.symbols[symbol as usize].complexity > 0)
        {
            self.facts.symbols[symbol as usize].complexity += 1;
        }
    }

    /// A name that stands in the code, so that the uses of imports can be counted.
    pub(crate) fn name(&mut self, node: Node<'_>) {
        let name = self.text(node);
        *self.names.entry(name).or_default() += 1;
    }

    /// A use of `name`, with what stands before it.
    pub(crate) fn reference(&mut self, kind: ReferenceKind, qualifier: &'t str, name: &'t str, node: Node<'_>) {
        if name.is_empty() || name.len() > MAX_NAME {
            return;
        }
        let from = self.scope();
        let qualifier = path_of_names(qualifier);
        let next = u32::try_from(self.facts.references.len()).expect("fewer references than bytes");
        let index = *self.references.entry((from, kind, qualifier, name)).or_insert(next);
        if index == next {
            self.facts.references.push(Reference {
                name: name.into(),
                qualifier: qualifier.into(),
                kind,
                from,
                line: line_of(node),
                count: 0,
            });
        }
        self.facts.references[index as usize].count += 1;
    }

    pub(crate) fn import(&mut self, import: Import) {
        self.facts.imports.push(import);
    }

    /// A comment node. `doc` says that the language's own mark makes it documentation (`///`, `/**`); other comments
    /// just before a declaration are taken too, but not joined with those.
    pub(crate) fn comment(&mut self, node: Node<'_>, doc: bool) {
        let row = node.start_position().row;
        // A grammar may count the line end as part of the comment.
        let end = self.text.get(node.byte_range()).unwrap_or_default().trim_end().len() + node.start_byte();
        let end_row = row + self.text.get(node.start_byte()..end).unwrap_or_default().matches('\n').count();
        match &mut self.comment {
            Some(comment) if comment.next_row == row && comment.doc == doc => {
                comment.end = end;
                comment.next_row = end_row + 1;
            }
            _ => {
                let starts_line = self.text[..node.start_byte()]
                    .rsplit('\n')
                    .next()
                    .is_some_and(|before| before.trim().is_empty());
                self.comment = starts_line
                    .then_some(Comment { start: node.start_byte(), end, next_row: end_row + 1, doc });
            }
        }
    }

    /// Something that may stand between a comment and its declaration: an attribute, a decorator.
    pub(crate) fn attribute(&mut self, node: Node<'_>) {
        if let Some(comment) = &mut self.comment
            && comment.next_row == node.start_position().row
        {
            comment.next_row = node.end_position().row + 1;
        }
    }

    /// The comment that ends on the line before `node`, without its marks.
    fn doc_before(&mut self, node: Node<'_>) -> String {
        let row = node.start_position().row;
        match self.comment.take() {
            Some(comment) if comment.next_row == row => {
                clean_comment(&self.text[comment.start..comment.end])
            }
            // `export` or a modifier on a line of its own stands between: the comment belongs to the outer node.
            Some(comment) if comment.next_row + 1 >= row && comment.doc => {
                clean_comment(&self.text[comment.start..comment.end])
            }
            _ => String::new(),
        }
    }

    /// For languages that document inside the body.
    pub(crate) fn set_doc(&mut self, symbol: u32, doc: &str) {
        self.facts.symbols[symbol as usize].doc = clip(doc.trim(), MAX_DOC).into();
    }

    fn leave(&mut self) {
        while self.scopes.last().is_some_and(|&(depth, _)| depth == self.depth) {
            self.scopes.pop();
        }
    }

    pub(crate) fn finish(mut self) -> Facts {
        self.facts.lines = line_count(self.text);
        for import in &mut self.facts.imports {
            import.uses = import
                .names
                .iter()
                .filter(|name| !name.local.is_empty())
                .filter_map(|name| self.names.get(&*name.local))
                .sum();
        }
        self.facts
    }
}

/// Lines as an editor counts them: a line end at the end of the file starts no new one.
pub(crate) fn line_count(text: &str) -> u32 {
    let ends = text.bytes().filter(|&byte| byte == b'\n').count();
    let open = usize::from(!text.is_empty() && !text.ends_with('\n'));
    u32::try_from(ends + open).unwrap_or(u32::MAX)
}

pub(crate) fn line_of(node: Node<'_>) -> u32 {
    u32::try_from(node.start_position().row).unwrap_or(u32::MAX).saturating_add(1)
}

pub(crate) fn span_of(node: Node<'_>) -> Span {
    let end = node.end_position();
    // A node that ends at the start of a line ends on the line before it.
    let last_row = if end.column == 0 && end.row > node.start_position().row { end.row - 1 } else { end.row };
    Span {
        start: u32::try_from(node.start_byte()).unwrap_or(u32::MAX),
        end: u32::try_from(node.end_byte()).unwrap_or(u32::MAX),
        first_line: line_of(node),
        last_line: u32::try_from(last_row).unwrap_or(u32::MAX).saturating_add(1),
    }
}

/// At most `limit` bytes, cut between characters.
pub(crate) fn clip(text: &str, limit: usize) -> &str {
    &text[..text.floor_char_boundary(limit)]
}

/// A declaration's head on one line, without what opens its body.
pub(crate) fn one_line(text: &str) -> String {
    // Twice the limit leaves room for the spaces that go.
    let mut line = String::new();
    for word in clip(text, 4 * MAX_SIGNATURE).split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    let line = line.trim_end_matches(['{', ':', '=', ' ', ';']);
    if line.len() <= MAX_SIGNATURE {
        return line.to_owned();
    }
    format!("{}…", clip(line, MAX_SIGNATURE).trim_end())
}

/// The text of a comment, without `//`, `/*`, `*`, `#` and their like.
pub(crate) fn clean_comment(text: &str) -> String {
    let mut doc = String::new();
    for line in clip(text, 2 * MAX_DOC).lines() {
        let line = line.trim();
        let line = line
            .trim_start_matches("/**")
            .trim_start_matches("/*")
            .trim_end_matches("*/")
            .trim_start_matches(['/', '#', '*', '!', ';'])
            .trim();
        let line = line.strip_prefix("--").unwrap_or(line).trim();
        if !(line.is_empty() && doc.is_empty()) {
            doc.push_str(line);
            doc.push('\n');
        }
    }
    clip(doc.trim_end(), MAX_DOC).to_owned()
}

/// `a.b`, `a::b`, `a->b`, `$a` as they are; `?` for anything that is more than a path of names.
fn path_of_names(qualifier: &str) -> &str {
    let plain = qualifier.len() <= MAX_QUALIFIER
        && qualifier.bytes().all(|byte| {
            byte.is_ascii_alphanumeric()
                || matches!(byte, b'_' | b'.' | b':' | b'$' | b'\\' | b'@' | b'-' | b'>' | b'?' | b'!')
                || byte >= 0x80
        });
    if plain { qualifier } else { "?" }
}
