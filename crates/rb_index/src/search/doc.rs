//! What is searched of one file: its terms by piece, and the passages that are embedded.

use std::hash::Hasher as _;

use rb_core::Sha256;
use rb_lang::{Language, Symbol, SymbolKind};
use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};

use super::embed::Passage;
use super::pieces::{self, Piece};
use super::terms::{self, Term};
use crate::content::Content;
use crate::role::Role;
use crate::store::FileRow;

/// Raised when pieces or terms are made in another way.
pub(crate) const VERSION: u16 = 1;

/// Data of so many bytes may well be written by hand: a configuration, a manifest.
const SMALL_DATA: u64 = 16 << 10;

/// Stands for a text at a path.
pub(crate) type DocKey = u64;

pub(crate) fn key(path: &str, hash: &Sha256) -> DocKey {
    let mut hasher = FxHasher::default();
    hasher.write(hash.as_bytes());
    hasher.write(path.as_bytes());
    hasher.write_u16(VERSION);
    hasher.finish()
}

/// What is kept of a file beside its postings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct DocHead {
    pub(crate) key: DocKey,
    /// Of the path, by which an earlier text of the same file is found.
    pub(crate) place: u32,
    pub(crate) language: Option<Language>,
    pub(crate) role: Role,
    pub(crate) lines: u32,
    /// Terms of its folders and of its name.
    pub(crate) folder_terms: u16,
    pub(crate) name_terms: u16,
    /// The first stands for the file as a whole.
    pub(crate) pieces: Vec<PieceHead>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PieceHead {
    /// Terms of its text, and of the names that it defines.
    pub(crate) text: u16,
    pub(crate) names: u16,
    /// None where it is no symbol.
    pub(crate) kind: Option<SymbolKind>,
    /// Of what is embedded.
    pub(crate) hash: u64,
}

/// How often a term is in a piece. In the piece of the file itself: in the folders and in the name of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) term: Term,
    pub(crate) piece: u16,
    pub(crate) count: Count,
}

/// In the text, and in the names that are defined there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) text: u8,
    pub(crate) names: u8,
}

impl Count {
    const TEXT: u8 = 63;
    const NAMES: u8 = 3;

    pub(crate) fn byte(self) -> u8 {
        self.text.min(Self::TEXT) | (self.names.min(Self::NAMES) << 6)
    }

    pub(crate) fn from_byte(byte: u8) -> Self {
        Count { text: byte & Self::TEXT, names: byte >> 6 }
    }
}

/// A file, ready to be put into a segment.
pub(crate) struct Doc {
    pub(crate) head: DocHead,
    /// Sorted by term, then by piece.
    pub(crate) entries: Vec<Entry>,
    /// In the order of the pieces.
    pub(crate) passages: Vec<OwnPassage>,
}

#[derive(Debug, Default)]
pub(crate) struct OwnPassage {
    names: String,
    doc: String,
    body: String,
}

impl OwnPassage {
    /// Names, comments, and the rest.
    pub(crate) fn into_parts(self) -> (String, String, String) {
        (self.names, self.doc, self.body)
    }

    pub(crate) fn of<'a>(&'a self, path: &'a str) -> Passage<'a> {
        Passage { path, names: &self.names, doc: &self.doc, body: &self.body }
    }
}

/// A file and what is known of it.
pub(crate) struct Source<'a> {
    path: &'a str,
    hash: &'a Sha256,
    language: Option<Language>,
    text: &'a str,
    pub(crate) symbols: &'a [Symbol],
}

impl<'a> Source<'a> {
    /// `None` for a file that was not read. The text is needed only of what `is_searched`.
    pub(crate) fn of(
        file: &'a FileRow,
        path: &'a str,
        content: Option<&'a Content>,
        symbols: &'a [Symbol],
    ) -> Option<Self> {
        let content = content.filter(|content| !content.minified && is_searched(file, path));
        Some(Source {
            path,
            hash: file.hash.as_ref()?,
            language: file.state.language,
            text: content.map_or("", |content| &content.text),
            symbols: if content.is_some() { symbols } else { &[] },
        })
    }

    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    /// The pieces after the first, which is the file itself.
    pub(crate) fn pieces(&self) -> Vec<Piece> {
        self.pieces_of(&self.text.lines().collect::<Vec<_>>())
    }

    fn pieces_of(&self, lines: &[&str]) -> Vec<Piece> {
        pieces::pieces(lines, self.symbols)
    }

    pub(crate) fn doc(&self) -> Doc {
        let lines: Vec<&str> = self.text.lines().collect();
        let pieces = self.pieces_of(&lines);
        let mut making = Making::default();
        making.file(self);
        let mut names_of = names_by_piece(&pieces, self.symbols);
        for (piece, names) in pieces.iter().zip(&mut names_of) {
            let kind = piece.symbol.map(|symbol| self.symbols[symbol as usize].kind);
            making.piece(self, piece, kind, names, &lines);
        }
        let Making { heads, mut entries, passages, .. } = making;
        entries.sort_unstable_by_key(|entry| (entry.term, entry.piece));
        merge_counts(&mut entries);
        let head = DocHead {
            key: key(self.path, self.hash),
            place: place(self.path),
            language: self.language,
            role: Role::of(self.path),
            lines: u32::try_from(lines.len()).unwrap_or(u32::MAX),
            folder_terms: heads[0].text,
            name_terms: heads[0].names,
            pieces: heads,
        };
        Doc { head, entries, passages }
    }
}

/// Stands for a path.
pub(crate) fn place(path: &str) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(path.as_bytes());
    #[expect(clippy::cast_possible_truncation, reason = "a part of the hash is enough")]
    {
        (hasher.finish() >> 16) as u32
    }
}

/// Extensions of what people write for people.
const PROSE: &[&str] = &[
    "adoc",
    "cfg",
    "conf",
    "gradle",
    "ini",
    "md",
    "mdx",
    "properties",
    "rst",
    "tf",
    "toml",
    "txt",
    "yaml",
    "yml",
];

/// Code, and text that people write. Much data is found by its path alone.
pub(crate) fn is_searched(file: &FileRow, path: &str) -> bool {
    let language = file.state.language;
    if language.is_some_and(|language| matches!(language, Language::Json | Language::Xml)) {
        return file.state.size <= SMALL_DATA;
    }
    let name = path.rsplit('/').next().unwrap_or_default();
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    language.is_some() || extension.is_none_or(|extension| PROSE.contains(&&*extension))
}

/// The symbols whose names each piece tells: those that begin in it.
fn names_by_piece<'a>(pieces: &[Piece], symbols: &'a [Symbol]) -> Vec<Vec<&'a str>> {
    let lines = pieces.iter().flat_map(|piece| &piece.lines).map(|range| range.end).max();
    let mut piece_of: Vec<u32> = vec![u32::MAX; lines.unwrap_or(0) as usize + 1];
    for (at, piece) in (0..).zip(pieces) {
        for range in &piece.lines {
            piece_of[range.start as usize..range.end as usize].fill(at);
        }
    }
    let mut names = vec![Vec::new(); pieces.len()];
    for symbol in symbols {
        let line = symbol.span.first_line.saturating_sub(1) as usize;
        if let Some(names) = piece_of.get(line).and_then(|&at| names.get_mut(at as usize)) {
            names.push(&*symbol.name);
        }
    }
    names
}

#[derive(Default)]
struct Making {
    heads: Vec<PieceHead>,
    entries: Vec<Entry>,
    passages: Vec<OwnPassage>,
    reader: terms::Reader,
}

impl Making {
    /// The file as a whole: its path, and what it defines at the top.
    fn file(&mut self, source: &Source<'_>) {
        let (folders, name) = source.path.rsplit_once('/').unwrap_or(("", source.path));
        let name = name.rsplit_once('.').map_or(name, |(name, _)| name);
        let counts = (self.text(0, folders), self.names(0, name));
        let tops = source.symbols.iter().filter(|symbol| symbol.parent.is_none());
        let names: Vec<&str> = tops.map(|symbol| &*symbol.name).collect();
        let passage = OwnPassage { names: names.join(" "), ..OwnPassage::default() };
        self.finish(source.path, counts, None, passage);
    }

    fn piece(
        &mut self,
        source: &Source<'_>,
        piece: &Piece,
        kind: Option<SymbolKind>,
        names: &[&str],
        lines: &[&str],
    ) {
        let at = u16::try_from(self.heads.len()).expect("pieces are bounded");
        let mut passage = OwnPassage { names: names.join(" "), ..OwnPassage::default() };
        for range in &piece.lines {
            for line in &lines[range.start as usize..range.end as usize] {
                let is_comment = pieces::is_comment(line, source.language);
                let into = if is_comment { &mut passage.doc } else { &mut passage.body };
                into.push_str(line);
                into.push('\n');
            }
        }
        let text = self.text(at, &passage.doc) + self.text(at, &passage.body);
        let counts = (text, self.names(at, &passage.names));
        for name in names {
            let count = Count { text: 0, names: 1 };
            self.entries.push(Entry { term: terms::of_definition(name), piece: at, count });
        }
        self.finish(source.path, counts, kind, passage);
    }

    fn text(&mut self, piece: u16, text: &str) -> usize {
        self.add(piece, text, Count { text: 1, names: 0 })
    }

    fn names(&mut self, piece: u16, text: &str) -> usize {
        self.add(piece, text, Count { text: 0, names: 1 })
    }

    fn add(&mut self, piece: u16, text: &str, count: Count) -> usize {
        let before = self.entries.len();
        self.reader.read(text, |term| self.entries.push(Entry { term, piece, count }));
        self.entries.len() - before
    }

    fn finish(
        &mut self,
        path: &str,
        (text, names): (usize, usize),
        kind: Option<SymbolKind>,
        passage: OwnPassage,
    ) {
        let mut hasher = FxHasher::default();
        let of = passage.of(path);
        for part in [of.path, of.names, of.doc, of.body] {
            hasher.write(part.as_bytes());
            hasher.write_u8(0xff);
        }
        let count = |terms: usize| u16::try_from(terms).unwrap_or(u16::MAX);
        let (text, names) = (count(text), count(names));
        self.heads.push(PieceHead { text, names, kind, hash: hasher.finish() });
        self.passages.push(passage);
    }
}

fn merge_counts(entries: &mut Vec<Entry>) {
    entries.dedup_by(|next, kept| {
        let same = (next.term, next.piece) == (kept.term, kept.piece);
        if same {
            kept.count.text = kept.count.text.saturating_add(next.count.text);
            kept.count.names = kept.count.names.saturating_add(next.count.names);
        }
        same
    });
}
