//! From a directive in a person's words to the recipes and rules that serve it, with the words that led to each.
//!
//! Pure: it knows no repository. Ids come first, since who spells one out means just that; then the tables of `concepts`. What is
//! ruled out leads nowhere, and what leads nowhere is kept, so that it can be said.

mod asking;
mod concepts;
mod direction;
mod hits;
mod index;
mod lost;
mod places;
mod rename;
mod wanted;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use rb_rules::engine::{BUNDLES, bundle};
use rb_rules::{Category, Rule};

use self::concepts::{CONCEPTS, Concept, Serves};
use self::direction::Direction;
use self::hits::Hit;
use self::index::Index;
pub(crate) use self::lost::{Lost, is_filler, said};
pub(crate) use self::rename::{Rename, renames};
pub(crate) use self::wanted::WantedChange;
use crate::plan::{Matched, MatchedKind};
use crate::words::{Word, is_order, words};

/// All that was made of a directive.
#[derive(Debug, Clone, Default)]
pub(crate) struct Understood {
    /// Recipes first, then rules by their impact.
    pub(crate) matched: Vec<Matched>,
    /// The same in words, in the order of the tables.
    pub(crate) wanted: Vec<WantedChange>,
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
    pub(crate) lost: Vec<Lost>,
    /// Where all of it was asked for; everywhere where that is empty.
    pub(crate) places: Vec<String>,
    /// Paths that are yet to be made.
    pub(crate) coming: Vec<String>,
}

/// A directive is written by a person, and read by one.
pub(crate) const LONGEST: usize = 20_000;

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
    if directive.chars().count() > LONGEST {
        return Understood::default();
    }
    let mut words = words(directive);
    direction::join_states(&mut words);
    let mut opposite = words.clone();
    for word in &mut opposite {
        word.is_ruled_out = !word.is_ruled_out;
    }
    let mut forbidden = Reading::of(opposite, Sense::Forbidden);
    forbidden.all(directive, own);
    let mut reading = Reading::of(words, Sense::Asked);
    let renames = rename::renames(directive);
    reading.renames(&renames);
    let places = places::named(&mut reading, directive, find);
    reading.all(directive, own);
    reading.contradictions(CONCEPTS);
    let mut lost = reading.lost(directive);
    places.of_lost(&reading, &mut lost);
    Understood {
        unmatched: reading.unmatched(),
        inside: places.inside(&reading),
        outside: places.outside(),
        places: places.of_all(&reading),
        lost,
        is_general: reading.is_general,
        wanted: reading.wanted,
        matched: sorted(reading.found),
        forbidden: sorted(forbidden.found),
        renames,
        missing: places.missing,
        coming: places.coming,
    }
}

/// What the words of a reading stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sense {
    Asked,
    /// They say what is not to be done, whichever way it goes.
    Forbidden,
}

struct Reading {
    words: Vec<Word>,
    index: Index,
    /// By part: it asks for something new; it asks for an answer; what it says of its words.
    is_making: Vec<bool>,
    is_asking: Vec<bool>,
    directions: Vec<Direction>,
    /// By part: what it asks for the opposite of.
    against: BTreeMap<usize, &'static Concept>,
    /// By part: what it says is to stay, though another part changes it.
    contradicted: BTreeMap<usize, &'static str>,
    /// Led to something.
    is_used: Vec<bool>,
    /// Names a file or a folder.
    is_place: Vec<bool>,
    found: Vec<Matched>,
    /// The parts that led to each of them, by its id.
    parts: BTreeMap<String, BTreeSet<usize>>,
    wanted: Vec<WantedChange>,
    is_general: bool,
}

impl Reading {
    fn of(words: Vec<Word>, sense: Sense) -> Self {
        let none = vec![false; words.len()];
        let index = Index::of(&words);
        let part = |at: usize| index.parts.get(at).map_or(&[][..], |it| &words[it.clone()]);
        let parts = || (0..index.parts.len()).map(|at| (part(at), part(at + 1)));
        let (is_asking, directions) = match sense {
            Sense::Asked => (
                parts().map(|(it, next)| asking::is_asking(it, next)).collect(),
                parts().map(|(it, _)| Direction::of(it)).collect(),
            ),
            Sense::Forbidden => (
                vec![false; index.parts.len()],
                parts().map(|(it, _)| Direction::none(it.len())).collect(),
            ),
        };
        let is_making = parts().map(|(it, _)| is_making(it)).collect();
        Reading {
            words,
            index,
            is_making,
            is_asking,
            directions,
            against: BTreeMap::new(),
            contradicted: BTreeMap::new(),
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
        let mut pieces: BTreeSet<String> = BTreeSet::new();
        for rename in renames {
            let words = rename.words.clone();
            self.add("rename", MatchedKind::Recipe, rename_title(), &Hit { words, part: 0 });
            let all = rename.words.iter().flat_map(|it| it.split(|c: char| !c.is_alphanumeric()));
            pieces.extend(all.map(str::to_lowercase));
        }
        for (word, is_used) in self.words.iter().zip(&mut self.is_used) {
            *is_used |= pieces.contains(&word.text);
        }
    }

    fn own(&mut self, own: &[(&str, &str)]) {
        for (id, message) in own {
            let phrase: Vec<&str> = id.split(|c: char| !c.is_alphanumeric()).collect();
            if let Some(range) = self.rows(&phrase.join("+")).into_iter().next() {
                let hit = self.take(range);
                self.add(id, MatchedKind::OwnRule, message, &hit);
                self.want(&format!("`{id}`"), vec![(*id).to_owned()]);
            }
        }
    }

    /// Ids of rules and recipes, with hyphens or without. The longer first: `rerender-derived-state-no-effect` holds another.
    fn ids(&mut self) {
        let rules = rb_rules::rules::ALL.iter().map(|it| (it.id, MatchedKind::Rule, it.title));
        // What needs arguments is not asked for by its name alone.
        let recipes = rb_recipes::ALL.iter().filter(|it| it.needs.is_empty());
        let recipes = recipes.map(|it| (it.id, MatchedKind::Recipe, it.title));
        let mut ids: Vec<(&str, MatchedKind, &str)> = rules.chain(recipes).collect();
        ids.sort_by_key(|(id, ..)| (std::cmp::Reverse(id.len()), *id));
        for (id, kind, title) in ids.into_iter().filter(|it| it.0.contains('-')) {
            for range in self.rows(&id.replace('-', "+")) {
                // A row before it may have had its first words.
                if range.clone().all(|at| self.is_free(at)) {
                    let hit = self.take(range);
                    if self.is_taken_back(id, hit.part) {
                        continue;
                    }
                    self.add(id, kind, title, &hit);
                    self.want(&wanted::about(id), vec![id.to_owned()]);
                }
            }
        }
    }

    /// "Undo fs-async", "Restore the dead code": who spells out an id may want the opposite, too.
    fn is_taken_back(&mut self, id: &str, part: usize) -> bool {
        let serves = |it: &&Concept| wanted::ids(it.serves).iter().any(|it| it == id);
        let concept = CONCEPTS.iter().find(serves);
        let concept = concept.filter(|it| self.is_against(it, part, None));
        if let Some(concept) = concept {
            self.against.entry(part).or_insert(concept);
            for at in self.index.parts[part].clone() {
                self.is_used[at] = false;
            }
        }
        concept.is_some()
    }

    /// A category by its title, by `prefix-*`, or as "the js rules".
    fn categories(&mut self, directive: &str) {
        let lower = directive.to_lowercase();
        for category in Category::ALL {
            let prefix = category.prefix();
            let is_pattern = lower.contains(&format!("{prefix}-*"));
            let mut rows = vec![format!("{prefix}+rules"), format!("{prefix}+category")];
            rows.extend(is_pattern.then(|| prefix.to_owned()));
            if let Some(range) = rows.iter().find_map(|row| self.rows(row).into_iter().next()) {
                let hit = self.take(range);
                self.of_category(category, &hit);
            }
            let title = category.title().to_lowercase().replace(['-', ' '], "+");
            if let Some(range) = self.rows(&title).into_iter().next() {
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
        if special.any(|it| self.hits(it).contains_key(&part)) {
            return self.hit(range);
        }
        self.take(range)
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
        known.words.extend(hit.words.iter().cloned());
    }

    /// As they stand in the directive, each once.
    fn put_words_in_order(&mut self) {
        let mut first: BTreeMap<&str, usize> = BTreeMap::new();
        for (at, word) in self.words.iter().enumerate() {
            first.entry(&word.raw).or_insert(at);
        }
        for matched in &mut self.found {
            let mut seen = BTreeSet::new();
            matched.words.retain(|it| seen.insert(it.clone()));
            if matched.id != "rename" {
                matched.words.sort_by_key(|word| first.get(word.as_str()));
            }
        }
    }

    fn has_match(&self, part: usize) -> bool {
        self.index.parts.get(part).is_some_and(|it| self.is_used[it.clone()].contains(&true))
    }

    fn has_place(&self, part: usize) -> bool {
        self.index.parts.get(part).is_some_and(|it| self.is_place[it.clone()].contains(&true))
    }
}

/// "Write tests for the dead code detection" asks for something new, whatever else it names.
fn is_making(part: &[Word]) -> bool {
    const NEW: &[&str] = &["document", "translate", "generate", "upgrade", "port"];
    const MAY_BE: &[&str] = &["add", "write", "create", "implement"];
    const THINGS: &str = "test tests doc docs documentation comment comments readme log logs logging feature \
        features endpoint endpoints helper helpers page pages file files flag flags";
    let words = || part.iter().map(|it| it.text.as_str());
    let order = words().take(3).find(|it| is_order(it));
    order.is_some_and(|it| {
        NEW.contains(&it)
            || (MAY_BE.contains(&it)
                && words().any(|it| THINGS.split(' ').any(|thing| thing.trim() == it)))
    })
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
