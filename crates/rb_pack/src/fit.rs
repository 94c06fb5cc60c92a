//! Fills a room with files: what was asked for; those in scope whole, or else their signatures and the parts that matter most; then
//! what lies around.

use std::collections::BTreeSet;
use std::rc::Rc;

use rb_index::test_links;
use rb_lang::Facts;

use crate::block::block;
use crate::budget::{Budgets, Cost, Room};
use crate::draft::Draft;
use crate::focus::{Focus, MATCHES, Matched, few_lines};
use crate::outline::{is_listed, outline};
use crate::pack::{Included, Omitted};
use crate::source::Source;
use crate::text::{inline, listed};
use crate::writer::measuring;

/// A file that could be shown.
pub(crate) struct Item<'p> {
    pub(crate) path: &'p str,
    pub(crate) reason: String,
    pub(crate) kind: Kind,
    pub(crate) may_be_changed: bool,
    pub(crate) source: Source,
    pub(crate) facts: Option<Rc<Facts>>,
    /// The symbols of its outline; `None` for all that a reader would list.
    pub(crate) symbols: Option<BTreeSet<usize>>,
    /// What matters most first.
    pub(crate) focuses: Vec<Focus>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Scoped,
    /// Asked for by name.
    Asked,
    Named,
    Test,
    Imported,
    User,
}

/// A file of so few lines is shown whole.
const TINY: u32 = 80;
/// And one that those in scope import, of so few.
const LITTLE: u32 = 30;
/// Hundredths of characters that are left when all matches are shown.
const AFTER_MATCHES: usize = 25;
/// Hundredths of characters that files in scope leave to others, as long as others could use them.
const FOR_OTHERS: usize = 5;
/// Hundredths of characters that others take at most, however much is left.
const MOST_FOR_OTHERS: usize = 20;
const OUTLINES: usize = 8;
const LEAST_OUTLINE: usize = 300;
const MOST_OUTLINE: usize = 4_000;
const OTHER_OUTLINE: usize = 1_500;
/// Around the line that matters, where there is no room for more.
const FEW_LINES: u32 = 5;

/// Characters of the list of places of one file that are not shown.
const MOST_LISTED: usize = 1_000;

/// Hundredths of the tokens that only matches, whole files in scope and what was asked for may take.
const FOR_MATCHES: usize = 45;
/// Hundredths of the tokens that files around those in scope leave alone: they are shown where those in scope need few.
const ONLY_SCOPE: usize = 65;
/// Tokens that each kind of files around those in scope may take however many these need, and each that is `near`.
const FOR_KIND: u64 = 500;
const FOR_NEAR: u64 = 1_200;

/// Hundredths of the room for the list of what is not shown, if that is more than neighbours.
const FOR_LIST: usize = 4;

/// What is left to others when something is put into the room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Kept {
    chars: usize,
    lines: usize,
    tokens: u64,
}

/// What is shown of the items, in their order, and what of them is not.
pub(crate) fn fit(
    items: &[Item<'_>],
    room: Room,
    excerpt_lines: usize,
) -> (Vec<Included>, Vec<Omitted>) {
    let mut fitter = Fitter::new(items, room, excerpt_lines);
    fitter.asked(Kept { chars: room.chars / 2, lines: excerpt_lines / 2, tokens: 0 });
    if !fitter.all_scoped_whole() {
        fitter.room = fitter.room.without(&room.share(FOR_LIST));
        let kept = room.chars * AFTER_MATCHES / 100;
        fitter.matches_of_scoped(&[Matched::Named, Matched::Mentioned], kept);
        fitter.whole_scoped();
        fitter.matches_of_scoped(&[Matched::Near], kept);
    }
    let others = items.iter().any(|item| !matches!(item.kind, Kind::Scoped | Kind::Asked));
    let for_others = room.share(if others { FOR_OTHERS } else { 0 });
    fitter.outlines_of_scoped();
    let for_matches = fitter.for_matches;
    fitter.for_matches += for_others.tokens.unwrap_or(0);
    fitter.excerpts_of_scoped(Kept { chars: for_others.chars, ..Kept::default() });
    fitter.for_matches = for_matches;
    fitter.asked(Kept::default());
    let free = fitter.room.chars.saturating_sub(room.chars * MOST_FOR_OTHERS / 100);
    let only_scope = room.share(ONLY_SCOPE).tokens.unwrap_or(0);
    let near = near(items);
    let turns = [(Kind::Named, 80), (Kind::Test, 65), (Kind::Imported, 40), (Kind::User, 0)];
    for (kind, left) in turns {
        let chars = free + fitter.room.chars.saturating_sub(free) * left / 100;
        let lines = fitter.lines * left / 100;
        let own = if near.contains(&kind) { FOR_NEAR } else { FOR_KIND };
        let beside_own = fitter.room.tokens.unwrap_or(0).saturating_sub(own);
        fitter.others(kind, Kept { chars, lines, tokens: only_scope.min(beside_own) });
    }
    fitter.excerpts_of_scoped(Kept::default());
    fitter.finish()
}

/// What is needed nearly as much as the files in scope: what the task names and the tests of these files; of tests what they import.
fn near(items: &[Item<'_>]) -> [Kind; 2] {
    let mut scoped = items.iter().filter(|item| item.kind == Kind::Scoped);
    let is_for_tests = scoped.all(|item| test_links::is_test_path(item.path));
    [Kind::Named, if is_for_tests { Kind::Imported } else { Kind::Test }]
}

/// By how many characters the budgets have to grow to show all files in scope whole, and others in their share.
pub(crate) fn lacking(items: &[Item<'_>], room: &Room, budgets: &Budgets) -> usize {
    let whole = |item: &Item<'_>| {
        let draft = Draft::new(item.path, &item.reason, item.may_be_changed, &item.source);
        cost(&draft.whole(), room)
    };
    let scoped = items.iter().filter(|item| item.kind == Kind::Scoped);
    let costs: Vec<Cost> = scoped.map(whole).collect();
    room.share(100 - FOR_OTHERS).lacking(&costs, budgets)
}

fn cost(draft: &Draft<'_>, room: &Room) -> Cost {
    let included = draft.included();
    let fence = measuring(&included);
    let text = block(&included, &fence).expect("no text holds the digest of itself");
    room.cost(&text, &fence)
}

#[derive(Clone)]
struct Fitter<'s> {
    items: &'s [Item<'s>],
    room: Room,
    lines: usize,
    drafts: Vec<Draft<'s>>,
    costs: Vec<Cost>,
    /// Tokens that others than matches leave.
    for_matches: u64,
}

impl<'s> Fitter<'s> {
    fn new(items: &'s [Item<'_>], room: Room, lines: usize) -> Fitter<'s> {
        let draft = |item: &'s Item<'_>| {
            Draft::new(item.path, &item.reason, item.may_be_changed, &item.source)
        };
        let drafts = items.iter().map(draft).collect();
        let for_matches = room.share(FOR_MATCHES).tokens.unwrap_or(0);
        let costs = vec![Cost::default(); items.len()];
        Fitter { items, room, lines, drafts, costs, for_matches }
    }

    /// Replaces the item's draft, if the new one fits and leaves `kept` for others.
    fn put(&mut self, at: usize, draft: Draft<'s>, kept: Kept) -> bool {
        let (old_cost, old_lines) = (self.costs[at], self.drafts[at].excerpt_lines());
        let (free, new_lines) = (self.lines + old_lines, draft.excerpt_lines());
        // What grows has to leave something to others; what is there may stay.
        if free < new_lines + kept.lines {
            return false;
        }
        let cost = cost(&draft, &self.room);
        let mut room = self.room;
        room.give_back(old_cost);
        let is_kept = |room: &Room| {
            room.chars >= kept.chars && room.tokens.is_none_or(|left| left >= kept.tokens)
        };
        if !room.take(cost) || !is_kept(&room) {
            return false;
        }
        (self.room, self.lines) = (room, free - new_lines);
        (self.costs[at], self.drafts[at]) = (cost, draft);
        true
    }

    fn of_kind(&self, kind: Kind) -> Vec<usize> {
        (0..self.items.len()).filter(|&at| self.items[at].kind == kind).collect()
    }

    /// All files in scope, whole; nothing where they do not fit together.
    fn all_scoped_whole(&mut self) -> bool {
        let mut all = self.clone();
        let scoped = self.of_kind(Kind::Scoped);
        let fits =
            scoped.into_iter().all(|at| all.put(at, all.drafts[at].whole(), Kept::default()));
        if fits {
            *self = all;
        }
        fits
    }

    /// What the goal refers to, in every file, before one of them is shown whole.
    fn matches_of_scoped(&mut self, matches: &[Matched], kept: usize) {
        for matched in matches {
            let is_meant = |focus: &Focus| focus.matched == *matched;
            self.by_turns(is_meant, Kept { chars: kept, ..Kept::default() });
        }
    }

    /// Files in scope, whole: the shortest first, as long as each of the others could still have as much.
    fn whole_scoped(&mut self) {
        let mut scoped = self.of_kind(Kind::Scoped);
        scoped.sort_by_cached_key(|&at| self.items[at].source.chars());
        for (nth, &at) in scoped.iter().enumerate() {
            let whole = self.drafts[at].whole();
            let share = self.room.part(scoped.len() - nth);
            let is_tiny = self.items[at].source.lines() <= TINY;
            if is_tiny || share.holds(cost(&whole, &self.room)) {
                self.put(at, whole, Kept::default());
            }
        }
    }

    /// What was asked for. Of a file that was asked for as a whole and is too long, the parts that matter most.
    fn asked(&mut self, kept: Kept) {
        for at in self.of_kind(Kind::Asked) {
            let is_tiny = self.items[at].source.lines() <= TINY;
            if is_tiny && self.put(at, self.drafts[at].whole(), kept) {
                continue;
            }
            for focus in &self.items[at].focuses {
                self.excerpt(at, focus, kept);
            }
        }
    }

    /// Signatures of those that are not shown whole.
    fn outlines_of_scoped(&mut self) {
        let scoped = self.of_kind(Kind::Scoped).into_iter();
        let scoped: Vec<usize> = scoped.filter(|&at| !self.drafts[at].is_whole()).collect();
        let share = self.room.chars * OUTLINES / 100 / scoped.len().max(1);
        for at in scoped {
            self.outline(at, share.clamp(LEAST_OUTLINE, MOST_OUTLINE), Kept::default());
        }
    }

    fn outline(&mut self, at: usize, most: usize, kept: Kept) {
        let item = &self.items[at];
        let Some(facts) = &item.facts else { return };
        let wanted = |symbol: usize| match &item.symbols {
            Some(symbols) => symbols.contains(&symbol),
            None => is_listed(facts, symbol),
        };
        let text = outline(facts, &item.source, wanted, most);
        if !text.is_empty() {
            self.put(at, self.drafts[at].with_outline(text), kept);
        }
    }

    /// Turn by turn, so that no file takes it all.
    fn excerpts_of_scoped(&mut self, kept: Kept) {
        self.by_turns(|_| true, kept);
    }

    fn by_turns(&mut self, is_meant: impl Fn(&Focus) -> bool, kept: Kept) {
        let items = self.items;
        let scoped = self.of_kind(Kind::Scoped).into_iter();
        let meant = |at: usize| items[at].focuses.iter().filter(|focus| is_meant(focus));
        let meant: Vec<(usize, Vec<&Focus>)> = scoped.map(|at| (at, meant(at).collect())).collect();
        let turns = meant.iter().map(|it| it.1.len()).max().unwrap_or(0);
        for turn in 0..turns {
            for (at, focuses) in &meant {
                if let Some(focus) = focuses.get(turn) {
                    self.excerpt(*at, focus, kept);
                }
            }
        }
    }

    fn excerpt(&mut self, at: usize, focus: &Focus, kept: Kept) {
        let is_asked = self.items[at].kind == Kind::Asked;
        let tokens = if focus.matched != Matched::Not || is_asked {
            kept.tokens
        } else {
            kept.tokens.max(self.for_matches)
        };
        let kept = Kept { tokens, ..kept };
        if self.drafts[at].shows(focus) || self.put(at, self.drafts[at].with_excerpt(focus), kept) {
            return;
        }
        let few = few_lines(&self.items[at].source, focus.anchor, FEW_LINES, focus.why.clone());
        // Every file in scope has a turn. And the last chance: nothing is kept for others any more.
        let is_first = self.items[at].kind == Kind::Scoped && self.drafts[at].excerpt_lines() == 0;
        let is_last = kept == Kept::default() && focus.may_shrink;
        if (is_first || is_last) && !self.drafts[at].shows(&few) {
            self.put(at, self.drafts[at].with_excerpt(&few), Kept { tokens: 0, ..kept });
        }
    }

    fn others(&mut self, kind: Kind, kept: Kept) {
        for at in self.of_kind(kind) {
            let item = &self.items[at];
            let tiny = match kind {
                Kind::Named | Kind::Test => TINY,
                Kind::Imported => LITTLE,
                Kind::Scoped | Kind::Asked | Kind::User => 0,
            };
            if item.source.lines() <= tiny && self.put(at, self.drafts[at].whole(), kept) {
                continue;
            }
            // The code of a test says more than the names of all.
            if kind != Kind::Test {
                self.outline(at, OTHER_OUTLINE, kept);
            }
            for focus in &self.items[at].focuses {
                if !self.drafts[at].shows(focus) {
                    self.put(at, self.drafts[at].with_excerpt(focus), kept);
                }
            }
            if self.drafts[at].is_empty() {
                self.outline(at, OTHER_OUTLINE, kept);
            }
        }
    }

    /// What is shown; and what is not, the places that the goal refers to first.
    fn finish(self) -> (Vec<Included>, Vec<Omitted>) {
        let (mut files, mut places, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for (item, draft) in self.items.iter().zip(&self.drafts) {
            let is_near = !matches!(item.kind, Kind::Scoped | Kind::Asked);
            let is_meant =
                |focus: &Focus| focus.matched != Matched::Not && !(is_near && focus.is_imports());
            let is_missing = |focus: &&Focus| is_meant(focus) && !draft.shows(focus);
            let missing: Vec<&Focus> = item.focuses.iter().filter(is_missing).collect();
            let path = item.path.to_owned();
            let is_in = !draft.is_empty();
            if is_in {
                files.push(draft.included());
            }
            if !missing.is_empty() {
                let reason = format!("no room left for lines {}", listed_lines(&missing));
                places.push(Omitted { path, reason });
            } else if !is_in {
                let nothing = item.focuses.is_empty() && item.facts.is_none();
                let why = if nothing { "nothing to show of it" } else { "no room left" };
                others.push(Omitted { path, reason: format!("{}; {why}", item.reason) });
            }
        }
        places.append(&mut others);
        (files, places)
    }
}

/// `12-40 (parse), 88-90 (use of parse)`
fn listed_lines(missing: &[&Focus]) -> String {
    let line = |focus: &&Focus| {
        let why = focus.why.strip_suffix(MATCHES).unwrap_or(&focus.why);
        format!("{}-{} ({})", focus.first, focus.last, inline(why, 60))
    };
    listed(&missing.iter().map(line).collect::<Vec<_>>(), MOST_LISTED)
}
