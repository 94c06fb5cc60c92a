//! Collects the facts of one file while its tree is walked.
//!
//! A language tells `Reader` what it sees, in the order of the text; `Reader` knows which symbol that stands in and which
//! comment came before it. It holds no word of any language.

use std::ops::Range;

use rb_core::Sha256;
use rustc_hash::FxHashMap;
use tree_sitter::Node;

use super::text::{
    MAX_DOC, clean_comment, clip, line_count, line_of, path_of_names, signature, span_of,
};
use crate::facts::{
    Cut, Facts, Import, ImportKind, ImportedName, Reference, ReferenceKind, Symbol, SymbolKind,
};

/// Collects the facts of one file during the walk.
pub(crate) struct Reader<'t> {
    pub(crate) text: &'t str,
    pub(crate) facts: Facts,
    /// For a language's own use: where in the text something ends that it will want to know of until then.
    pub(crate) holds_until: usize,
    language: tree_sitter::Language,
    /// The kinds of the nodes around the current one, outermost first.
    around: Vec<u16>,
    /// The symbols around the current node, innermost last, each with the depth of its node.
    scopes: Vec<(usize, u32)>,
    /// The comments just passed, for the declaration that follows them.
    comment: Option<Comment>,
    /// The attributes just passed, and comments among them, for the declaration that follows them.
    attributes: Range<usize>,
    /// Nodes that are left out of the walk, by where they start; the next one is last.
    skipped: Vec<(usize, usize)>,
    /// The types, traits and modules declared so far, by name.
    types: FxHashMap<Box<str>, u32>,
    /// What is imported by naming its whole path, by that path.
    paths: FxHashMap<Box<str>, usize>,
    references: FxHashMap<(Option<u32>, ReferenceKind, &'t str, &'t str), u32>,
    /// How often each name stands in the text, import lists not counted.
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
/// Deeper nests of symbols are not looked into: the text of each is hashed as part of all those around it.
const MAX_SCOPES: usize = 64;

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str, language: tree_sitter::Language) -> Self {
        Reader {
            text,
            facts: Facts::default(),
            holds_until: 0,
            language,
            around: Vec::new(),
            scopes: Vec::new(),
            comment: None,
            attributes: 0..0,
            skipped: Vec::new(),
            types: FxHashMap::default(),
            paths: FxHashMap::default(),
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
        self.declare_from(declaration.node.start_byte(), declaration)
    }

    /// As `declare`, with a signature that begins at `start`, past the annotations that the grammar counts as part of
    /// the declaration.
    pub(crate) fn declare_from(&mut self, start: usize, declaration: &Declaration<'_, '_>) -> u32 {
        let Declaration { name, kind, node, body, exported } = *declaration;
        let doc = self.doc_before(node);
        let signature_end = body.map_or(node.end_byte(), |body| body.start_byte());
        let signature = signature(self.text, start..signature_end, node);
        let index = u32::try_from(self.facts.symbols.len()).expect("fewer symbols than bytes");
        self.facts.symbols.push(Symbol {
            name: clip(name, MAX_NAME).into(),
            kind,
            parent: self.scope(),
            span: span_of(node),
            signature: signature.into(),
            doc: doc.into(),
            exported,
            hash: Sha256::of(self.text.get(node.byte_range()).unwrap_or_default().as_bytes()),
            complexity: u32::from(
                body.is_some() && matches!(kind, SymbolKind::Function | SymbolKind::Method),
            ),
            hooks: Vec::new(),
            suspense: false,
        });
        if is_type(kind) {
            self.types.insert(name.into(), index);
        }
        self.enter(index);
        index
    }

    /// What is declared below the current node belongs to `symbol`, as the methods of an `impl` do to their type.
    pub(crate) fn enter(&mut self, symbol: u32) {
        self.scopes.push((self.around.len(), symbol));
    }

    /// The type, trait or module of this name that the file has declared so far.
    pub(crate) fn declared_type(&self, name: &str) -> Option<u32> {
        self.types.get(name).copied()
    }

    /// The kind of node that the current one stands in; with 1, that of the node around it, and so on. Empty past the root.
    pub(crate) fn around(&self, levels: usize) -> &str {
        let id = self.around.iter().rev().nth(levels);
        id.and_then(|&id| self.language.node_kind_for_id(id)).unwrap_or_default()
    }

    /// Leaves a node below the current one out of the walk. Where several are named, the first in the text comes last.
    pub(crate) fn skip(&mut self, node: Node<'_>) {
        self.skipped.push((node.start_byte(), node.id()));
    }

    pub(super) fn is_skipped(&mut self, node: Node<'_>) -> bool {
        while let Some(&(start, id)) = self.skipped.last() {
            if start > node.start_byte() || (start == node.start_byte() && id != node.id()) {
                return false;
            }
            self.skipped.pop();
            if id == node.id() {
                return true;
            }
        }
        false
    }

    /// The symbols around the current node, outermost first.
    pub(crate) fn scopes(&self) -> impl Iterator<Item = &Symbol> {
        self.scopes.iter().map(|&(_, symbol)| &self.facts.symbols[symbol as usize])
    }

    pub(super) fn may_go_deeper(&mut self) -> bool {
        let may = self.scopes.len() < MAX_SCOPES;
        if !may {
            self.facts.cut = Some(Cut::Depth);
        }
        may
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

    /// Can what stands here be named from outside, as far as the symbols around it go?
    pub(crate) fn is_reachable(&self) -> bool {
        !self.in_function() && self.scopes().all(|scope| scope.exported)
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
    pub(crate) fn reference(
        &mut self,
        kind: ReferenceKind,
        qualifier: &'t str,
        name: &'t str,
        node: Node<'_>,
    ) {
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

    /// An import of one name of a package, or of the package as a whole (`*`).
    pub(crate) fn import_name(&mut self, specifier: &str, name: &str, local: &str, node: Node<'_>) {
        self.import(Import {
            specifier: specifier.into(),
            kind: ImportKind::Static,
            names: vec![ImportedName { name: name.into(), local: local.into() }],
            line: line_of(node),
            uses: 0,
        });
    }

    /// A type by its name, or by its path, whose first part is the name that is used.
    pub(crate) fn type_name(&mut self, kind: ReferenceKind, node: Node<'_>, is_path: bool) {
        if !is_path {
            self.name(node);
            return self.reference(kind, "", self.text(node), node);
        }
        let mut first = node;
        while let Some(inner) = first.named_child(0) {
            first = inner;
        }
        self.name(first);
        if let Some((qualifier, name)) = self.text(node).rsplit_once('.') {
            self.reference(kind, qualifier, name.trim(), node);
        }
    }

    /// An import without a statement: `name` is reached by its whole path. All uses of one path are one import.
    pub(crate) fn import_by_path(&mut self, specifier: &str, name: &str, node: Node<'_>) {
        let next = self.facts.imports.len();
        let path = format!("{specifier} {name}").into_boxed_str();
        let index = *self.paths.entry(path).or_insert(next);
        if index == next {
            self.facts.imports.push(Import {
                specifier: specifier.into(),
                kind: ImportKind::Static,
                names: vec![ImportedName { name: name.into(), local: "".into() }],
                line: line_of(node),
                uses: 0,
            });
        }
        self.facts.imports[index].uses += 1;
    }

    /// A comment node. `doc` says that the language's own mark makes it documentation (`///`, `/**`); other comments
    /// just before a declaration are taken too, but not joined with those.
    pub(crate) fn comment(&mut self, node: Node<'_>, doc: bool) {
        let row = node.start_position().row;
        // A grammar may count the line end as part of the comment.
        let end = self.text.get(node.byte_range()).unwrap_or_default().trim_end().len()
            + node.start_byte();
        let end_row =
            row + self.text.get(node.start_byte()..end).unwrap_or_default().matches('\n').count();
        if !self.attributes.is_empty() && self.is_blank(self.attributes.end..node.start_byte()) {
            self.attributes.end = end;
        }
        let start = node.start_byte();
        if let Some(comment) = &self.comment
            && comment.next_row == row
            && comment.doc == doc
            && self.is_blank(comment.end..start)
        {
            self.comment = Some(Comment { start: comment.start, end, next_row: end_row + 1, doc });
        } else {
            let starts_line = self.is_blank(start - node.start_position().column..start);
            self.comment =
                starts_line.then_some(Comment { start, end, next_row: end_row + 1, doc });
        }
    }

    fn is_blank(&self, range: Range<usize>) -> bool {
        self.text.get(range).is_some_and(|text| text.trim_start().is_empty())
    }

    /// Something that may stand between a comment and its declaration: an attribute, a decorator.
    pub(crate) fn attribute(&mut self, node: Node<'_>) {
        if self.attributes.is_empty() || !self.is_blank(self.attributes.end..node.start_byte()) {
            self.attributes.start = node.start_byte();
        }
        self.attributes.end = node.end_byte();
        if let Some(comment) = &mut self.comment
            && comment.next_row == node.start_position().row
        {
            comment.next_row = node.end_position().row + 1;
        }
    }

    /// The text of the attributes just before `node`, and of comments among them.
    pub(crate) fn attributes_before(&self, node: Node<'_>) -> &'t str {
        if !self.is_blank(self.attributes.end..node.start_byte()) {
            return "";
        }
        self.text.get(self.attributes.clone()).unwrap_or_default()
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

    pub(super) fn go_down(&mut self, kind_id: u16) {
        self.around.push(kind_id);
    }

    pub(super) fn go_up(&mut self) {
        self.around.pop();
    }

    /// The walk is done with the current node and all below it.
    pub(crate) fn leave(&mut self) {
        while self.scopes.last().is_some_and(|&(depth, _)| depth == self.around.len()) {
            self.scopes.pop();
        }
    }

    pub(super) fn finish(mut self) -> Facts {
        self.facts.lines = line_count(self.text);
        for import in &mut self.facts.imports {
            import.uses += import
                .names
                .iter()
                .filter(|name| !name.local.is_empty())
                .filter_map(|name| self.names.get(&*name.local))
                .sum::<u32>();
        }
        self.facts
    }
}

fn is_type(kind: SymbolKind) -> bool {
    match kind {
        SymbolKind::Class
        | SymbolKind::Component
        | SymbolKind::Struct
        | SymbolKind::Interface
        | SymbolKind::Trait
        | SymbolKind::Enum
        | SymbolKind::Type
        | SymbolKind::Module => true,
        SymbolKind::Function
        | SymbolKind::Method
        | SymbolKind::Constant
        | SymbolKind::Variable
        | SymbolKind::Macro => false,
    }
}
