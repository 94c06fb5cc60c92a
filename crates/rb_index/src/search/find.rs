//! From a question to files and symbols, best first, each with the reasons for its place.
//!
//! All files are scored roughly; the best of them are looked at closely, and what is known of each is weighed.

use super::answer::Answer;
use super::embed::Embedder;
use super::features::{self, Best, Features, Signs, Topics};
use super::number;
use super::question::{self, Filter, Question};
use super::searcher::{Scored, Scores, Searcher};
use super::share::Share;
use super::{show, terms, weights};
use crate::store::StoreError;
use crate::update::IndexError;
use crate::walk::WalkError;

/// Where vectors come from.
#[derive(Clone, Copy)]
pub enum Meaning<'a> {
    /// Words alone count.
    None,
    Stored(&'a dyn Embedder),
    Shared(&'a Share<'a>),
}

/// The most files that are read closely.
const CANDIDATES: usize = 150;
/// A name that is asked for alone is what is meant; in a sentence it is a strong hint, the stronger the rarer.
const NAME_ALONE: f32 = 100.0;
const NAME_AMONG_WORDS: f32 = 2.0;
/// Less is what any two texts have in common.
const LEAST_COSINE: f32 = 0.2;

/// The files that are looked at closely, and how many there are in all.
struct Candidates {
    files: Vec<(u32, Features)>,
    searched: usize,
}

impl Searcher<'_> {
    pub fn ask(&self, question: &Question, meaning: Meaning<'_>) -> Result<Answer, IndexError> {
        let filter = Filter::of(question).map_err(WalkError::from)?;
        let scores = self.scores(question, meaning)?;
        let Candidates { files, searched } = self.candidates(question, &filter, &scores)?;
        let mut files: Vec<Scored> = files
            .into_iter()
            .filter(|(doc, features)| says_anything(*doc, features, &scores))
            .map(|(doc, features)| {
                let mut parts = weights::parts(&features, question.signals);
                parts.exact = exact(&scores, doc);
                Scored { doc, parts }
            })
            .collect();
        files.sort_by(|a, b| {
            let path = |file: &Scored| &self.corpus.docs[file.doc as usize].path;
            b.score().total_cmp(&a.score()).then_with(|| path(a).cmp(path(b)))
        });
        files.truncate(question.limit);
        let hits = files.iter().map(|file| show::hit(self, file, &scores, &filter));
        Ok(Answer { hits: hits.collect::<Result<_, StoreError>>()?, searched })
    }

    /// What the ranking weighs, of each file that it looks at closely: to see why, and to choose the weights.
    pub fn features(
        &self,
        question: &Question,
        meaning: Meaning<'_>,
    ) -> Result<Vec<(&str, Features)>, IndexError> {
        let filter = Filter::of(question).map_err(WalkError::from)?;
        let scores = self.scores(question, meaning)?;
        let files = self.candidates(question, &filter, &scores)?.files;
        let path = |doc: u32| &*self.corpus.docs[doc as usize].path;
        Ok(files.into_iter().map(|(doc, features)| (path(doc), features)).collect())
    }

    fn scores(&self, question: &Question, meaning: Meaning<'_>) -> Result<Scores, IndexError> {
        let asked = terms::of_question(&question.text);
        let words = self.corpus.words(if question.signals.words { &asked } else { &[] })?;
        let cosines = match meaning {
            _ if !question.signals.vectors => None,
            Meaning::None => None,
            Meaning::Stored(embedder) => {
                let vector = embedder.question(&question.text)?;
                Some(self.corpus.cosines(embedder.model(), &vector)?)
            }
            Meaning::Shared(share) => {
                let vector = share.embedder.question(&question.text)?;
                Some(self.shared_cosines(share, &vector, &words, &question.on_server())?)
            }
        };
        let other_words = match cosines {
            Some(_) => Some(self.corpus.in_other_words(&question.text)?),
            None => None,
        };
        let mut exact = Vec::new();
        for named in question::names(&question.text) {
            let postings = self.corpus.postings(terms::of_definition(named.name))?;
            let among_words = NAME_AMONG_WORDS / number(postings.len()).sqrt().max(1.0);
            let worth = if named.alone { NAME_ALONE } else { among_words };
            exact.extend(postings.iter().map(|posting| (posting.doc, posting.piece, worth)));
        }
        exact.sort_unstable_by_key(|(doc, piece, _)| (*doc, *piece));
        Ok(Scores { asked, words, other_words, cosines, exact })
    }

    fn candidates(
        &self,
        question: &Question,
        filter: &Filter<'_>,
        scores: &Scores,
    ) -> Result<Candidates, StoreError> {
        let signs = Signs {
            corpus: &self.corpus,
            words: &scores.words,
            other_words: scores.other_words.as_ref(),
            cosines: scores.cosines.as_deref(),
            filter,
        };
        let mut rough = vec![0.0; self.corpus.docs.len()];
        let mut files: Vec<(u32, f32, Best)> = Vec::new();
        let mut searched = 0;
        for (doc, at) in (0..).zip(&self.corpus.docs) {
            if !filter.passes(&at.path, &at.head) {
                continue;
            }
            // Where no word is there, and no model takes part, nothing is to be found: its pieces need no look.
            let is_silent = scores.cosines.is_none()
                && scores.words.docs[doc as usize].all <= 0.0
                && exact(scores, doc) <= 0.0;
            if is_silent && question.kinds.is_empty() {
                searched += 1;
                continue;
            }
            let best = signs.best(at);
            if !best.any {
                continue;
            }
            searched += 1;
            let score = scores.words.docs[doc as usize].all + 0.5 * best.piece + best.cosine;
            rough[doc as usize] = score;
            if score > 0.0 || exact(scores, doc) > 0.0 {
                files.push((doc, score + exact(scores, doc) - set_back(at), best));
            }
        }
        let path = |doc: u32| &self.corpus.docs[doc as usize].path;
        let best_first = |a: &(u32, f32, Best), b: &(u32, f32, Best)| {
            b.1.total_cmp(&a.1).then_with(|| path(a.0).cmp(path(b.0)))
        };
        let most = CANDIDATES.max(question.limit);
        if files.len() > most {
            files.select_nth_unstable_by(most, best_first);
            files.truncate(most);
        }
        files.sort_unstable_by(best_first);
        let asked = Topics::of(&question.text);
        let files = files.iter().map(|(doc, _, best)| (*doc, signs.features(*doc, best, &asked)));
        let mut files: Vec<(u32, Features)> = files.collect();
        if question.signals.graph {
            features::add_neighbours(self.indexed, &self.corpus, &mut files, &rough)?;
        }
        Ok(Candidates { files, searched })
    }
}

/// Has it anything to do with the question?
fn says_anything(doc: u32, features: &Features, scores: &Scores) -> bool {
    features.share > 0.0
        || features.name_used > 0.0
        || features.cosine >= LEAST_COSINE
        || features.cosine_file >= LEAST_COSINE
        || exact(scores, doc) > 0.0
}

/// What a name that the file defines is worth.
fn exact(scores: &Scores, doc: u32) -> f32 {
    let first = scores.exact.partition_point(|(of, ..)| *of < doc);
    let of_doc = scores.exact[first..].iter().take_while(|(of, ..)| *of == doc);
    of_doc.map(|(.., worth)| *worth).fold(0.0, f32::max)
}

/// What is not the product itself must answer better to be looked at closely.
fn set_back(doc: &super::corpus::DocAt) -> f32 {
    use crate::role::Role as R;
    let role = match doc.head.role {
        R::Product => 0.0,
        R::Tooling => 0.1,
        R::Docs | R::Example | R::Test | R::Vendored => 0.3,
    };
    let is_code = doc.head.language.is_some_and(rb_lang::Language::is_read);
    if is_code { role } else { role + 0.2 }
}
