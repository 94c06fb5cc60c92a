//! From a directive in a person's words to the recipes and rules that serve it, with the words that led to each.
//!
//! Pure: it knows no repository. Ids come first, since who spells one out means just that; then the tables of `concepts`. What is
//! ruled out leads nowhere, and what leads nowhere is kept, so that it can be said.

mod concepts;
mod places;
mod rename;
mod wanted;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use rb_rules::engine::{BUNDLES, bundle};
use rb_rules::{Category, Rule};

use self::concepts::{CONCEPTS, Concept, FILLERS, Serves};
pub(crate) use self::rename::Rename;
pub(crate) use self::wanted::Wanted;
use crate::plan::{Matched, MatchedKind};
use crate::words::{Word, fits, is_order, tokens, words};

/// All that was made of a directive.
#[derive(Debug, Clone, Default)]
pub(crate) struct Understood {
    /// Recipes first, then rules by their impact.
    pub(crate) matched: Vec<Matched>,
    /// The same in words, in the order of the tables.
    pub(crate) wanted: Vec<Wanted>,
    pub(crate) renames: Vec<Rename>,
    /// What the directive names to rule it out.
    pub(crate) forbidden: Vec<Matched>,
    /// Folders and files that what is matched is limited to, by its id; it goes everywhere where there is none.
    inside: BTreeMap<String, Vec<String>>,
    /// Those that the directive leaves out.
    pub(crate) outside: Vec<String>,
    /// It asks for all that could be better, so that what matters most comes first.
    pub(crate) is_general: bool,
    /// Paths that the directive names and that are not there, as they were written.
    pub(crate) missing: Vec<String>,
    /// Words that say something and led to nothing.
    pub(crate) unmatched: Vec<String>,
    /// Parts that ask for something that nothing here does.
    pub(crate) unserved: Vec<String>,
}

impl Understood {
    /// Where a recipe or a rule is to look; everywhere where that is empty.
    pub(crate) fn inside(&self, id: &str) -> &[String] {
        self.inside.get(id).map_or(&[], Vec::as_slice)
    }
}

/// The recipes and rules that serve a directive, each with the words that led to it. Empty where none does.
pub fn understand(directive: &str) -> Vec<Matched> {
    read(directive, &[], &|_| None).matched
}

/// As `understand`, with the rules that the project wrote itself (ids and messages), and with its folders and files:
/// `find` gives the whole path of one that is there.
pub(crate) fn read(
    directive: &str,
    own: &[(&str, &str)],
    find: &dyn Fn(&str) -> Option<String>,
) -> Understood {
    let words = words(directive);
    let mut opposite = words.clone();
    for word in &mut opposite {
        word.is_ruled_out = !word.is_ruled_out;
    }
    let mut forbidden = Reading::of(opposite);
    forbidden.all(directive, own);
    let mut reading = Reading::of(words);
    let renames = rename::renames(directive);
    reading.renames(&renames);
    let places = places::named(&mut reading, directive, find);
    reading.all(directive, own);
    let outside = places.outside();
    Understood {
        unmatched: reading.unmatched(),
        unserved: reading.unserved(directive),
        inside: places.inside(&reading),
        is_general: reading.is_general,
        wanted: reading.wanted,
        matched: sorted(reading.found),
        forbidden: sorted(forbidden.found),
        renames,
        outside,
        missing: places.missing,
    }
}

struct Reading {
    words: Vec<Word>,
    /// Led to something.
    is_used: Vec<bool>,
    /// Names a file or a folder.
    is_place: Vec<bool>,
    found: Vec<Matched>,
    /// The parts that led to each of them, by its id.
    parts: BTreeMap<String, BTreeSet<usize>>,
    wanted: Vec<Wanted>,
    is_general: bool,
}

/// Words that lead to something.
struct Hit {
    words: Vec<String>,
    part: usize,
}

impl Reading {
    fn of(words: Vec<Word>) -> Self {
        let none = vec![false; words.len()];
        Reading {
            words,
            is_used: none.clone(),
            is_place: none,
            found: Vec::new(),
            parts: BTreeMap::new(),
            wanted: Vec::new(),
            is_general: false,
        }
    }

    fn all(&mut self, directive: &str, own: &[(&str, &str)]) {
        self.own(own);
        self.ids();
        self.categories(directive);
        for concept in CONCEPTS.iter().filter(|it| !it.is_general) {
            self.concept(concept);
        }
        for concept in CONCEPTS.iter().filter(|it| it.is_general) {
            self.concept(concept);
        }
        self.put_words_in_order();
    }

    /// Names in capitals and with signs are words like others here; all of them belong to the order.
    fn renames(&mut self, renames: &[Rename]) {
        for rename in renames {
            let words = rename.words.clone();
            self.add("rename", MatchedKind::Recipe, rename_title(), &Hit { words, part: 0 });
            for at in 0..self.words.len() {
                let word = &self.words[at].text;
                let is_part = |it: &String| {
                    it.split(|c: char| !c.is_alphanumeric()).any(|it| it.to_lowercase() == *word)
                };
                self.is_used[at] |= rename.words.iter().any(is_part);
            }
        }
    }

    fn own(&mut self, own: &[(&str, &str)]) {
        for (id, message) in own {
            let phrase: Vec<&str> = id.split(|c: char| !c.is_alphanumeric()).collect();
            if let Some(range) = self.row(&phrase, |_| true) {
                let hit = self.take(range);
                self.add(id, MatchedKind::OwnRule, message, &hit);
                self.want(&format!("`{id}`"), vec![(*id).to_owned()]);
            }
        }
    }

    /// Ids of rules and recipes, with hyphens or without. The longer first: `rerender-derived-state-no-effect` holds another.
    fn ids(&mut self) {
        let rules = rb_rules::rules::ALL.iter().map(|it| (it.id, MatchedKind::Rule, it.title));
        let recipes = rb_recipes::ALL.iter().map(|it| (it.id, MatchedKind::Recipe, it.title));
        let mut ids: Vec<(&str, MatchedKind, &str)> = rules.chain(recipes).collect();
        ids.sort_by_key(|(id, ..)| (std::cmp::Reverse(id.len()), *id));
        for (id, kind, title) in ids {
            let phrase: Vec<&str> = id.split('-').collect();
            if phrase.len() < 2 {
                continue;
            }
            while let Some(range) = self.row(&phrase, |_| true) {
                let hit = self.take(range);
                self.add(id, kind, title, &hit);
                self.want(&wanted::about(id), vec![id.to_owned()]);
            }
        }
    }

    /// A category by its title, by `prefix-*`, or as "the js rules".
    fn categories(&mut self, directive: &str) {
        let lower = directive.to_lowercase();
        for category in Category::ALL {
            let prefix = category.prefix();
            let is_pattern = lower.contains(&format!("{prefix}-*"));
            let mut rows = vec![vec![prefix, "rules"], vec![prefix, "category"]];
            rows.extend(is_pattern.then(|| vec![prefix]));
            if let Some(range) = rows.iter().find_map(|row| self.row(row, |_| true)) {
                let hit = self.take(range);
                self.of_category(category, &hit);
            }
            let title = category.title().to_lowercase().replace('-', " ");
            let title: Vec<&str> = title.split(' ').collect();
            if let Some(range) = self.row(&title, |_| true) {
                let hit = self.title(range);
                self.of_category(category, &hit);
            }
        }
    }

    fn of_category(&mut self, category: Category, hit: &Hit) {
        let serves = Serves::Category(category);
        self.want(&category.title().to_lowercase(), wanted::ids(&[serves]));
        self.serve(serves, hit);
    }

    /// The words of a title. They stay free where they name a bundle, too, which goes further than its category.
    fn title(&mut self, range: Range<usize>) -> Hit {
        let part = self.words[range.start].part;
        let mut special = CONCEPTS.iter().filter(|it| !it.is_general);
        if special.any(|it| self.hits(it, part).is_some()) {
            return self.hit(range);
        }
        self.take(range)
    }

    fn concept(&mut self, concept: &Concept) {
        let parts = self.words.last().map_or(0, |it| it.part + 1);
        for part in 0..parts {
            let is_open = !concept.is_general || !(self.has_match(part) || self.has_place(part));
            let Some(places) = self.hits(concept, part).filter(|_| is_open) else { continue };
            let words = places.iter().map(|&at| self.words[at].raw.clone()).collect();
            let hit = Hit { words, part };
            for at in places {
                self.is_used[at] = true;
            }
            self.is_general |= concept.is_general;
            self.want(concept.about, wanted::ids(concept.serves));
            for serves in concept.serves {
                self.serve(*serves, &hit);
            }
        }
    }

    /// The words of a part that a concept is told by; none where it is not.
    fn hits(&self, concept: &Concept, part: usize) -> Option<Vec<usize>> {
        let find = |pattern: &str| {
            let phrase: Vec<&str> = pattern.split('+').collect();
            self.row(&phrase, |word| word.part == part)
        };
        if concept.none.split(' ').any(|it| find(it).is_some()) {
            return None;
        }
        let mut places = Vec::new();
        for any in concept.all {
            let found: Vec<_> = any.split(' ').filter_map(&find).collect();
            places.extend(found.first()?.clone());
            places.extend(found.into_iter().flatten());
        }
        places.sort_unstable();
        places.dedup();
        Some(places)
    }

    /// Words in a row that are free to lead somewhere.
    fn row(&self, phrase: &[&str], is_meant: impl Fn(&Word) -> bool) -> Option<Range<usize>> {
        let last = self.words.len().checked_sub(phrase.len())?;
        let is_free =
            |word: &Word| !word.is_ruled_out && !word.is_taken && !self.is_making(word.part);
        let fits_at = |at: usize| {
            phrase.iter().enumerate().all(|(offset, pattern)| {
                let word = &self.words[at + offset];
                fits(&word.text, pattern) && is_free(word) && is_meant(word)
            })
        };
        (0..=last).find(|&at| fits_at(at)).map(|at| at..at + phrase.len())
    }

    /// The words lead to nothing else.
    fn take(&mut self, range: Range<usize>) -> Hit {
        for at in range.clone() {
            self.is_used[at] = true;
            self.words[at].is_taken = true;
        }
        self.hit(range)
    }

    fn hit(&self, range: Range<usize>) -> Hit {
        let part = self.words[range.start].part;
        Hit { words: self.words[range].iter().map(|it| it.raw.clone()).collect(), part }
    }

    fn serve(&mut self, serves: Serves, hit: &Hit) {
        match serves {
            Serves::Recipe(id) => {
                let title = rb_recipes::recipes::find(id).map_or("", |it| it.title);
                self.add(id, MatchedKind::Recipe, title, hit);
            }
            Serves::Rule(id) => self.rules(rb_rules::engine::rule(id).into_iter(), hit),
            Serves::Bundle(name) => {
                self.rules(bundle(name).into_iter().flat_map(rb_rules::engine::Bundle::rules), hit);
            }
            Serves::Category(category) => {
                let all = rb_rules::rules::ALL.iter().copied();
                self.rules(all.filter(|it| it.category == category), hit);
            }
        }
    }

    fn rules(&mut self, rules: impl Iterator<Item = &'static Rule>, hit: &Hit) {
        for rule in rules {
            self.add(rule.id, MatchedKind::Rule, rule.title, hit);
        }
    }

    fn add(&mut self, id: &str, kind: MatchedKind, title: &str, hit: &Hit) {
        self.parts.entry(id.to_owned()).or_default().insert(hit.part);
        let known = self.found.iter_mut().find(|it| it.id == id && it.kind == kind);
        let Some(known) = known else {
            let (id, title) = (id.to_owned(), title.to_owned());
            self.found.push(Matched { id, kind, title, words: hit.words.clone() });
            return;
        };
        for word in &hit.words {
            if !known.words.contains(word) {
                known.words.push(word.clone());
            }
        }
    }

    /// As they stand in the directive.
    fn put_words_in_order(&mut self) {
        for matched in self.found.iter_mut().filter(|it| it.id != "rename") {
            matched.words.sort_by_key(|word| self.words.iter().position(|it| it.raw == *word));
        }
    }

    fn has_match(&self, part: usize) -> bool {
        self.words.iter().zip(&self.is_used).any(|(word, is_used)| word.part == part && *is_used)
    }

    fn has_place(&self, part: usize) -> bool {
        self.words.iter().zip(&self.is_place).any(|(word, is_place)| word.part == part && *is_place)
    }

    /// "Write tests for the dead code detection" asks for something new, whatever else it names.
    fn is_making(&self, part: usize) -> bool {
        const NEW: &[&str] = &["document", "translate", "generate", "upgrade", "port"];
        const MAY_BE: &[&str] = &["add", "write", "create", "implement"];
        const THINGS: &str = "test tests doc docs documentation comment comments readme log logs logging feature \
            features endpoint endpoints helper helpers page pages file files flag flags";
        let words = || self.words.iter().filter(|it| it.part == part).map(|it| it.text.as_str());
        let order = words().take(3).find(|it| is_order(it));
        order.is_some_and(|it| {
            NEW.contains(&it)
                || (MAY_BE.contains(&it)
                    && words().any(|it| THINGS.split(' ').any(|thing| thing == it)))
        })
    }

    fn unmatched(&self) -> Vec<String> {
        let mut lost: Vec<String> = Vec::new();
        for (word, is_used) in self.words.iter().zip(&self.is_used) {
            // Beside one that led somewhere it only says more about the same, and so it does beside the name of a place.
            let is_alone = !self.has_match(word.part)
                && (!self.has_place(word.part) || self.is_unserved(word.part));
            let says = is_alone
                && !is_used
                && !word.is_taken
                && !word.is_ruled_out
                && !is_filler(&word.text);
            if says && !word.is_verb && !lost.contains(&word.raw) {
                lost.push(word.raw.clone());
            }
        }
        lost
    }

    /// A part that begins with an order of which no word led anywhere.
    fn is_unserved(&self, part: usize) -> bool {
        // "Refactor src/a.ts: …" says no more than where.
        const WIDE: &[&str] = &["audit", "clean", "run", "tidy", "modernize"];
        let words = || {
            let all = self.words.iter().zip(&self.is_place);
            all.filter(|(word, _)| word.part == part && !word.is_ruled_out)
        };
        let verbs = || words().take(3).map(|(word, _)| word).filter(|it| it.is_verb);
        let is_wide = |it: &Word| is_filler(&it.text) || WIDE.contains(&it.text.as_str());
        let says = |(word, is_place): (&Word, &bool)| match is_place {
            true => !verbs().all(is_wide),
            false => !word.is_verb && !is_filler(&word.text),
        };
        // A verb that is none of ours asks for something, whatever stands behind it.
        let is_beyond = verbs().any(|it| !is_order(&it.text));
        verbs().next().is_some() && (is_beyond || words().any(says)) && !self.has_match(part)
    }

    /// The parts that nothing here does, as they were written.
    fn unserved(&self, directive: &str) -> Vec<String> {
        let tokens = tokens(directive);
        let text = |part: &[Word]| {
            let is_joint =
                |it: &&Word| matches!(it.text.as_str(), "and" | "then" | "also" | "or" | "while");
            let end = part.len() - part.iter().rev().take_while(is_joint).count();
            let range = part[0].token..=part[end.saturating_sub(1)].token;
            tokens[range].join(" ").trim_end_matches([',', ';', '.', '!', '?', ':']).to_owned()
        };
        let parts = self.words.chunk_by(|a, b| a.part == b.part);
        parts.filter(|part| self.is_unserved(part[0].part)).map(text).collect()
    }
}

/// Says nothing about what is wanted.
fn is_filler(word: &str) -> bool {
    FILLERS.split(' ').any(|it| it == word)
}

fn rename_title() -> &'static str {
    rb_recipes::recipes::find("rename").map_or("", |it| it.title)
}

/// Recipes in their order, then the project's own rules, then rules by impact and in the order of the guide.
fn sorted(mut found: Vec<Matched>) -> Vec<Matched> {
    let place = |it: &Matched| match it.kind {
        MatchedKind::Recipe => {
            (0, rb_recipes::ALL.iter().position(|recipe| recipe.id == it.id), None)
        }
        MatchedKind::OwnRule => (1, None, None),
        MatchedKind::Rule => {
            let at = rb_rules::rules::ALL.iter().position(|rule| rule.id == it.id);
            (2, at, at.map(|at| rb_rules::rules::ALL[at].category))
        }
    };
    found.sort_by_key(|it| {
        let (kind, at, category) = place(it);
        (kind, category, at)
    });
    found
}

/// Directives as a person would say them, each with the recipes and rules that it leads to.
pub(crate) fn menu() -> Vec<(&'static str, Vec<Matched>)> {
    let by_recipes = [
        "Remove unused imports",
        "Remove dead code",
        "Convert synchronous file operations to async",
        "Replace raw SQL string interpolation with parameterized queries",
        "Replace naive searches with indexed lookups",
        "Import directly instead of through barrel files",
    ];
    let by_rules = BUNDLES.iter().map(|it| it.directive);
    by_recipes.into_iter().chain(by_rules).map(|it| (it, understand(it))).collect()
}

#[cfg(test)]
mod tests;
