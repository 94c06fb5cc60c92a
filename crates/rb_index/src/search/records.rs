//! What is told of an embedded piece beside its vector: where it is, what it is, what it depends on.

use rb_lang::{Facts, Language};
use rustc_hash::FxHashSet;

use super::doc::{Doc, Source};
use super::embed::{Embedder, Passage};
use super::pieces::Piece;
use super::remote::{ReactMetadata, Record};
use super::searcher::Searcher;
use crate::project::React;
use crate::store::StoreError;
use crate::tree::FileId;
use crate::view::View;

/// Makes records; knows all files, since a record says what its file depends on.
pub(super) struct Records<'a> {
    searcher: &'a Searcher<'a>,
    view: View<'a>,
    react: React,
}

/// A record that waits for its vector.
pub(super) struct Made {
    pub(super) record: Record,
    names: String,
    doc: String,
    body: String,
}

impl Made {
    pub(super) fn passage(&self) -> Passage<'_> {
        let Made { record, names, doc, body } = self;
        Passage { path: &record.file_path, names, doc, body }
    }
}

impl Searcher<'_> {
    /// Every embedded piece with what is known of it, by path and then in the order of the text.
    pub fn records(&self, embedder: &dyn Embedder) -> Result<Vec<Record>, StoreError> {
        let records = Records::of(self)?;
        let mut docs: Vec<u32> = (0..).take(self.corpus.docs.len()).collect();
        docs.sort_by_key(|doc| &self.corpus.docs[*doc as usize].path);
        let mut all = Vec::new();
        for doc in docs {
            let made = records.of_doc(doc, |_| true)?;
            let (model, dimensions) = (embedder.model(), embedder.dimensions());
            let vectors = self.corpus.vectors_of(doc, model, dimensions)?;
            all.extend(
                made.into_iter()
                    .zip(vectors)
                    .map(|(made, embedding_vector)| Record { embedding_vector, ..made.record }),
            );
        }
        Ok(all)
    }
}

impl<'a> Records<'a> {
    pub(super) fn of(searcher: &'a Searcher<'a>) -> Result<Self, StoreError> {
        let view = searcher.indexed.view()?;
        let react = view.react();
        Ok(Records { searcher, view, react })
    }

    /// The pieces of a file whose hash is wanted. None where its text is another by now.
    pub(super) fn of_doc(
        &self,
        doc: u32,
        mut wanted: impl FnMut(u64) -> bool,
    ) -> Result<Vec<Made>, StoreError> {
        let at = &self.searcher.corpus.docs[doc as usize];
        let (Some((row, content)), Some(file)) =
            (self.searcher.text(at)?, self.view.tree.find(&at.path))
        else {
            return Ok(Vec::new());
        };
        let facts = self.view.read_facts(file)?;
        let symbols = facts.as_ref().map_or(&[][..], |facts| &facts.symbols);
        let Some(source) = Source::of(&row, &at.path, Some(&content), symbols) else {
            return Ok(Vec::new());
        };
        let pieces = source.pieces();
        let Doc { head, passages, .. } = source.doc();
        let base = self.of_file(file, &at.path, row.state.language);
        let mut made = Vec::new();
        for (place, (piece_head, passage)) in head.pieces.iter().zip(passages).enumerate() {
            if !wanted(piece_head.hash) {
                continue;
            }
            let mut record = base.clone();
            record.id = id(piece_head.hash);
            record.hash = passage_hash(&passage.of(&at.path));
            let piece = place.checked_sub(1).and_then(|place| pieces.get(place));
            self.tell(&mut record, piece, facts.as_ref(), file);
            let (names, doc, body) = passage.into_parts();
            made.push(Made { record, names, doc, body });
        }
        Ok(made)
    }

    /// What is the same for all pieces of a file.
    fn of_file(&self, file: FileId, path: &str, language: Option<Language>) -> Record {
        let (dependencies, imports) = self.view.uses(file);
        let owned = |list: Vec<&str>| list.into_iter().map(str::to_owned).collect();
        Record {
            id: String::new(),
            file_path: path.to_owned(),
            symbol: String::new(),
            kind: "file".to_owned(),
            dependencies: owned(dependencies),
            imports: owned(imports),
            hash: String::new(),
            embedding_vector: Vec::new(),
            react_metadata: None,
            language: language.map_or("", Language::id).to_owned(),
            first_line: 1,
            last_line: self.view.file(file).lines.max(1),
        }
    }

    fn tell(
        &self,
        record: &mut Record,
        piece: Option<&Piece>,
        facts: Option<&Facts>,
        file: FileId,
    ) {
        if let Some(piece) = piece {
            (record.first_line, record.last_line) = piece.span();
        }
        let symbol = piece.and_then(|piece| piece.symbol);
        let symbol = symbol.and_then(|at| facts.and_then(|facts| facts.symbols.get(at as usize)));
        if let Some(symbol) = symbol {
            record.symbol = symbol.name.to_string();
            symbol.kind.name().clone_into(&mut record.kind);
        } else if piece.is_some() {
            "text".clone_into(&mut record.kind);
        }
        if self.react.package_of(file).is_none() {
            return;
        }
        let all = facts.map_or(&[][..], |facts| &facts.symbols);
        let of: Vec<_> = symbol.map_or_else(|| all.iter().collect(), |symbol| vec![symbol]);
        let hooks: FxHashSet<&str> = of.iter().flat_map(|s| &s.hooks).map(|hook| &**hook).collect();
        let mut uses_hooks: Vec<String> = hooks.into_iter().map(str::to_owned).collect();
        uses_hooks.sort_unstable();
        let is_component = of.iter().any(|symbol| symbol.kind == rb_lang::SymbolKind::Component);
        record.react_metadata = Some(ReactMetadata {
            is_component,
            is_server_component: self.react.server_component[file.0 as usize]
                .filter(|_| is_component),
            uses_hooks,
            has_suspense_boundary: of.iter().any(|symbol| symbol.suspense),
            is_barrel_file: facts.is_some_and(|facts| facts.marks.only_reexports),
        });
    }
}

/// Names a record after what was embedded.
pub(super) fn id(hash: u64) -> String {
    format!("{hash:016x}")
}

fn passage_hash(passage: &Passage<'_>) -> String {
    rb_core::Sha256::of(passage.text().as_bytes()).to_string()
}
