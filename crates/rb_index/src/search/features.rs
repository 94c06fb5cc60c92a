//! What is known of a file for a question, as numbers that the ranking weighs.

use rb_lang::Language;
use rustc_hash::{FxHashMap, FxHashSet};

use super::corpus::{Corpus, DocAt};
use super::doc::PieceHead;
use super::near::InOtherWords;
use super::number;
use super::question::Filter;
use super::terms;
use super::words::Words;
use crate::role::Role;
use crate::store::{StoreError, rows};
use crate::update::Indexed;

/// All that the signals say, of each file and each piece.
pub(crate) struct Signs<'a> {
    pub(crate) corpus: &'a Corpus<'a>,
    pub(crate) words: &'a Words,
    pub(crate) other_words: Option<&'a InOtherWords>,
    /// None where no model takes part.
    pub(crate) cosines: Option<&'a [f32]>,
    pub(crate) filter: &'a Filter<'a>,
}

/// What a feature is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Group {
    Words,
    Meaning,
    Graph,
    File,
}

macro_rules! features {
    (@ words $name:ident) => { Group::Words };
    (@ meaning $name:ident) => { Group::Meaning };
    (@ graph $name:ident) => { Group::Graph };
    (@ file $name:ident) => { Group::File };
    ($($group:ident { $($(#[doc = $doc:literal])* $name:ident,)* })*) => {
        /// One number for each.
        #[derive(Debug, Clone, Copy, Default, PartialEq)]
        pub struct Features { $($($(#[doc = $doc])* pub $name: f32,)*)* }

        impl Features {
            pub const NAMES: &[&str] = &[$($(stringify!($name),)*)*];
            pub(crate) const GROUPS: &[Group] = &[$($(features!(@ $group $name),)*)*];

            pub fn values(&self) -> Vec<f32> {
                vec![$($(self.$name,)*)*]
            }
        }
    };
}

features! {
    words {
        /// BM25 over the whole file, its path and names counting more.
        all,
        folder,
        file_name,
        names,
        text,
        /// The share of the question that is in the file, in its path and names, in one stretch or the path.
        share,
        share_named,
        share_stretch,
        /// BM25 over the best piece.
        piece,
        /// How well the name of a symbol answers.
        symbol,
        name_defined,
        name_used,
        pair_defined,
        pair_used,
        file_named,
        /// The share of the file's name, and of its folder's, that is asked for.
        file_asked,
        folder_asked,
        /// The share of what stands before a colon, as in `parser: accept commas`, that is in the name and in the folders.
        scope_file,
        scope_folder,
    }
    meaning {
        /// The cosine of the best piece, and of the file's path and names.
        cosine,
        cosine_file,
        /// How much of the question is there in other words: anywhere, and in names or the path.
        other_words,
        other_names,
    }
    graph {
        /// The best score among files that it uses, that use it, that test it, and in its folder.
        uses,
        used_by,
        tested_by,
        beside,
    }
    file {
        /// What it is, whatever is asked.
        lines,
        symbols,
        depth,
        index_file,
        declarations,
        tooling,
        docs,
        example,
        test,
        vendored,
        no_code,
    }
}

/// The best of the pieces of a file.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Best {
    pub(crate) piece: f32,
    symbol: f32,
    pub(crate) cosine: f32,
    /// Any piece may answer at all.
    pub(crate) any: bool,
}

/// Small pieces that follow each other are one stretch, until it has so many terms.
const STRETCH: u32 = 150;

impl Signs<'_> {
    pub(crate) fn best(&self, doc: &DocAt) -> Best {
        let mut best = Best::default();
        for (place, head) in doc.head.pieces.iter().enumerate() {
            if !self.filter.passes_piece(head) {
                continue;
            }
            best.any = true;
            let at = doc.first_piece as usize + place;
            let piece = &self.words.pieces[at];
            best.piece = best.piece.max(piece.all);
            best.symbol = best.symbol.max(symbol(piece.named, piece.named_terms, head));
            // The first stands for the file as a whole.
            if let (1.., Some(cosines)) = (place, self.cosines) {
                best.cosine = best.cosine.max(cosines[at]);
            }
        }
        best
    }

    /// The largest share of the question that is in one stretch of the file, or in its path.
    fn share_of_best_stretch(&self, doc: u32) -> f32 {
        let at = &self.corpus.docs[doc as usize];
        let in_path = self.words.docs[doc as usize].in_path;
        let mut best = self.words.share(in_path);
        let (mut matched, mut terms) = (in_path, 0);
        for (place, head) in at.head.pieces.iter().enumerate().skip(1) {
            if self.filter.passes_piece(head) {
                matched |= self.words.pieces[at.first_piece as usize + place].matched;
                terms += u32::from(head.text).max(1);
            }
            if terms >= STRETCH || place + 1 == at.head.pieces.len() {
                best = best.max(self.words.share(matched));
                (matched, terms) = (in_path, 0);
            }
        }
        best
    }

    /// What is known without the graph.
    pub(crate) fn features(&self, doc: u32, best: &Best, asked: &Topics) -> Features {
        let at = &self.corpus.docs[doc as usize];
        let words = &self.words.docs[doc as usize];
        let other = |scores: fn(&InOtherWords) -> &Vec<f32>| {
            self.other_words.map_or(0.0, |other| scores(other)[doc as usize])
        };
        let (folders, name) = at.path.rsplit_once('/').unwrap_or(("", &at.path));
        let stem = name.split('.').next().unwrap_or(name);
        let folder = folders.rsplit('/').next().unwrap_or_default();
        let is = |yes: bool| f32::from(u8::from(yes));
        let role = |role: Role| is(at.head.role == role && !asked.wants.contains(&role));
        let symbols = at.head.pieces.iter().filter(|piece| piece.kind.is_some());
        let is_code = at.head.language.is_some_and(Language::is_read);
        // A text for people is documentation wherever it lies.
        let kind = if is_prose(at.head.language) { Role::Docs } else { at.head.role };
        Features {
            all: words.all,
            folder: words.folder,
            file_name: words.file_name,
            names: words.names,
            text: words.text,
            share: words.share,
            share_named: words.share_named,
            share_stretch: self.share_of_best_stretch(doc),
            piece: best.piece,
            symbol: best.symbol,
            name_defined: words.name_defined,
            name_used: words.name_used,
            pair_defined: words.pair_defined,
            pair_used: words.pair_used,
            file_named: words.file_named,
            file_asked: asked_share(stem, &asked.all),
            folder_asked: asked_share(folder, &asked.all),
            scope_file: asked.scope_in(stem),
            scope_folder: asked.scope_in(folders),
            cosine: best.cosine,
            cosine_file: self.cosines.map_or(0.0, |all| all[at.first_piece as usize]),
            other_words: other(|other| &other.anywhere),
            other_names: other(|other| &other.named),
            lines: number(at.head.lines as usize).ln_1p(),
            symbols: number(symbols.count()).ln_1p(),
            depth: number(at.path.matches('/').count()),
            index_file: is(INDEX_FILES.contains(&stem)),
            declarations: is(name.ends_with(".d.ts")),
            tooling: role(Role::Tooling),
            docs: role(Role::Docs),
            example: role(Role::Example),
            test: role(Role::Test),
            vendored: role(Role::Vendored),
            no_code: is(!is_code && !asked.wants.contains(&kind)),
            ..Features::default()
        }
    }
}

/// What a question speaks of.
pub(crate) struct Topics {
    all: FxHashSet<terms::Term>,
    /// What stands before a colon near the beginning.
    scope: FxHashSet<terms::Term>,
    /// It asks for files that otherwise come last.
    wants: Vec<Role>,
}

/// Words that ask for tests, documentation or examples, where they begin a question or something of them is asked for.
const WANTED: &[(Role, &[&str])] = &[
    (Role::Test, &["test", "tests", "spec", "specs", "fixture", "fixtures"]),
    (Role::Docs, &["docs", "documentation", "readme", "guide"]),
    (Role::Example, &["example", "examples", "sample", "samples", "demo"]),
];
const OF_THEM: &[&str] = &["for", "of", "that", "which", "about", "covering"];

/// A scope is short.
const LONGEST_SCOPE: usize = 40;

impl Topics {
    pub(crate) fn of(question: &str) -> Self {
        let parts = |text: &str| {
            let mut parts = FxHashSet::default();
            terms::each_part(text, |term| {
                parts.insert(term);
            });
            parts
        };
        let scope = question.split_once(':').map_or("", |(scope, _)| scope);
        let scope = if scope.len() <= LONGEST_SCOPE { scope } else { "" };
        Topics { all: parts(question), scope: parts(scope), wants: wants(question) }
    }

    /// The share of the scope that a name has.
    fn scope_in(&self, name: &str) -> f32 {
        if self.scope.is_empty() {
            return 0.0;
        }
        let mut there = FxHashSet::default();
        terms::each_part(name, |term| {
            if self.scope.contains(&term) {
                there.insert(term);
            }
        });
        number(there.len()) / number(self.scope.len())
    }
}

fn is_prose(language: Option<Language>) -> bool {
    use Language as L;
    language.is_some_and(|language| matches!(language, L::Markdown | L::ReStructuredText | L::Text))
}

fn wants(question: &str) -> Vec<Role> {
    let words = question.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    let of_them = |at: usize| words.get(at + 1).is_some_and(|next| OF_THEM.contains(&&**next));
    let asks = |names: &[&str]| {
        let mut places = words.iter().enumerate().filter(|(_, word)| names.contains(&&***word));
        places.any(|(at, _)| at == 0 || of_them(at))
    };
    WANTED.iter().filter(|(_, names)| asks(names)).map(|(role, _)| *role).collect()
}

/// Names that say where a file stands, not what it is about.
const INDEX_FILES: &[&str] = &[
    "index",
    "mod",
    "lib",
    "main",
    "init",
    "__init__",
    "types",
    "utils",
    "util",
    "helpers",
    "common",
    "constants",
    "errors",
    "error",
];

/// How much of the question the names of a piece say, and how little else.
fn symbol(named: f32, terms: f32, head: &PieceHead) -> f32 {
    if terms > 0.0 { named * terms / f32::from(head.names).max(terms) } else { 0.0 }
}

/// The share of a name's words that are in the question.
fn asked_share(name: &str, asked: &FxHashSet<terms::Term>) -> f32 {
    let mut words = Vec::new();
    terms::each_part(name, |term| words.push(term));
    if words.is_empty() {
        return 0.0;
    }
    let there = words.iter().filter(|term| asked.contains(term)).count();
    number(there) / number(words.len())
}

/// Adds what the neighbours of the candidates say: `scores` are those of all files.
pub(crate) fn add_neighbours(
    indexed: &Indexed,
    corpus: &Corpus<'_>,
    candidates: &mut [(u32, Features)],
    scores: &[f32],
) -> Result<(), StoreError> {
    let mut by_path: FxHashMap<&[u8], u32> = FxHashMap::default();
    for (doc, _) in candidates.iter() {
        by_path.insert(corpus.docs[*doc as usize].path.as_bytes(), *doc);
    }
    let edges = indexed
        .store
        .with(|connection| rows::load_edges(connection, indexed.tree, by_path.keys().copied()))?;
    let doc_of: FxHashMap<i64, u32> = edges
        .iter()
        .filter_map(|(path, id, _)| Some((*id, *by_path.get(path.as_slice())?)))
        .collect();
    let place: FxHashMap<u32, usize> =
        candidates.iter().enumerate().map(|(at, (doc, _))| (*doc, at)).collect();
    for (_, from, to) in &edges {
        let Some(&from) = doc_of.get(from) else { continue };
        for to in to.iter().filter_map(|to| doc_of.get(to)) {
            let is_test = corpus.docs[from as usize].head.role == Role::Test;
            let score = scores[from as usize];
            let target = &mut candidates[place[to]].1;
            if is_test {
                target.tested_by = target.tested_by.max(score);
            } else {
                target.used_by = target.used_by.max(score);
            }
            let source = &mut candidates[place[&from]].1;
            source.uses = source.uses.max(scores[*to as usize]);
        }
    }
    // The best of a folder, and the second best for the best itself.
    let mut folders = vec![[(u32::MAX, 0.0_f32); 2]; corpus.folders];
    for (doc, at) in (0..).zip(&corpus.docs) {
        let [best, second] = &mut folders[at.folder as usize];
        let score = scores[doc as usize];
        if score > best.1 {
            *second = *best;
            *best = (doc, score);
        } else if score > second.1 {
            *second = (doc, score);
        }
    }
    for (doc, features) in candidates {
        let [best, second] = folders[corpus.docs[*doc as usize].folder as usize];
        features.beside = if best.0 == *doc { second.1 } else { best.1 };
    }
    Ok(())
}
