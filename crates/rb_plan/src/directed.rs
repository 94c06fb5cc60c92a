//! A plan for a directive: the recipes and rules that serve it, in three to six tasks; a model for what none of them serves.

mod rest;
pub(crate) mod structural;

use std::collections::BTreeSet;

use rb_core::{Proposer, Stage, at_most, plural};
use rb_recipes::{Arguments, Recipe};
use rb_rules::Rule;
use rb_rules::engine::OverIndex;

use self::structural::Structural;
use crate::chains::{self, RecipeFindings};
use crate::draft::{Draft, drafts, for_model, number};
use crate::edits::{self, RuleRequest};
use crate::group::{Bounds, LEAST, MOST, grouped};
use crate::here;
use crate::input::{PlanError, SHUT};
use crate::join::{Piece, joined};
use crate::make::Gathered;
use crate::plan::{Leftover, Matched, MatchedKind, Unserved};
use crate::reach::{Reach, is_in};
use crate::readable::{Sources, first_of};
use crate::repo_facts::{RepoFacts, repo_path};
use crate::smells::MOST_FILES;
use crate::understand::{LONGEST, Rename, Understood, WantedChange, read};
use crate::unit::Source;

pub(crate) fn gather(
    repo: &RepoFacts<'_>,
    world: &mut OverIndex<'_>,
    directive: &str,
) -> Result<(Gathered, Vec<&'static Rule>), PlanError> {
    if let Some(unserved) = hopeless(repo, directive) {
        return Ok((Gathered { unserved: Some(unserved), ..Gathered::default() }, Vec::new()));
    }
    match structural::read(repo, world, directive)? {
        Structural::Clear(request) => {
            let gathered = structural::gather(repo, world, directive, &request)?;
            if !gathered.drafts.is_empty() || !repo.input.has_model {
                return Ok((gathered, Vec::new()));
            }
            // No operation can do it: a model may try.
            let (mut by_model, rules) = by_recipes_and_rules(repo, world, directive)?;
            by_model.leftovers.extend(gathered.leftovers);
            by_model.untranslated = gathered.untranslated;
            Ok((by_model, rules))
        }
        Structural::InTwoLanguages(name) => Ok((structural::in_two_languages(&name), Vec::new())),
        Structural::Blocked(unclear) => {
            Ok((structural::blocked(repo, directive, &unclear)?, Vec::new()))
        }
        Structural::Nothing => by_recipes_and_rules(repo, world, directive),
        Structural::Unclear(unclear) => {
            let (mut gathered, rules) = by_recipes_and_rules(repo, world, directive)?;
            structural::explain(&mut gathered, &unclear);
            Ok((gathered, rules))
        }
    }
}

/// What the words of a directive lead to.
fn understood_of(repo: &RepoFacts<'_>, directive: &str) -> Understood {
    let own: Vec<(&str, &str)> = repo.input.own.iter().map(|it| (it.id, it.message)).collect();
    read(directive, &own, &|path| here::find(repo, path))
}

fn by_recipes_and_rules(
    repo: &RepoFacts<'_>,
    world: &mut OverIndex<'_>,
    directive: &str,
) -> Result<(Gathered, Vec<&'static Rule>), PlanError> {
    let mut understood = understood_of(repo, directive);
    let rules = rules(&understood.matched);
    if repo.input.has_model {
        understood.missing.retain(|it| !here::is_of_several(repo, it));
    }
    if !understood.missing.is_empty() {
        let unserved = Some(mistaken(here::none_there(repo, &understood.missing)));
        let matched = understood.matched;
        return Ok((Gathered { matched, unserved, ..Gathered::default() }, rules));
    }
    let mut work = Work::new(repo);
    let sources = work.sources(world, &understood, &rules)?;
    work.looked_for(&mut understood, &sources);
    work.tasks(world, sources);
    if work.gathered.drafts.is_empty() {
        work.for_want_of_tasks(world, directive, &understood)?;
    } else {
        work.rest(&understood)?;
    }
    let reach = Reach::of(&understood);
    for draft in work.gathered.drafts.iter_mut().filter(|it| it.task.by == Proposer::Model) {
        reach.trim(&mut draft.task);
    }
    work.gathered.by_impact = understood.is_general;
    work.gathered.matched = understood.matched;
    Ok((work.gathered, rules))
}

/// Nobody could serve it, whatever it says.
fn hopeless(repo: &RepoFacts<'_>, directive: &str) -> Option<Unserved> {
    let long = directive.chars().count();
    if long > LONGEST {
        return Some(mistaken(format!(
            "the directive has {long} characters, but the maximum is {LONGEST}: describe the change in a few \
             sentences, and put details into files of the repository"
        )));
    }
    repo.input.is_shut().then(|| mistaken(SHUT.to_owned()))
}

/// Who names a place that is not there did not mean all the others.
fn mistaken(why: String) -> Unserved {
    Unserved { why, instead: Vec::new(), settings: Vec::new(), is_mistaken: true }
}

/// Does it lie where the directive looks for what has this id?
fn is_meant(understood: &Understood, id: &str, path: &str) -> bool {
    let inside = understood.inside(id);
    (inside.is_empty() || is_in(inside, path)) && !is_in(&understood.outside, path)
}

fn rules(matched: &[Matched]) -> Vec<&'static Rule> {
    let of_kind = matched.iter().filter(|it| it.kind == MatchedKind::Rule);
    of_kind.filter_map(|it| rb_rules::engine::rule(&it.id)).collect()
}

struct Work<'w, 'g> {
    repo: &'w RepoFacts<'g>,
    gathered: Gathered,
    /// What a recipe could not be told.
    troubles: Vec<String>,
    /// What was found in files that the run may not touch.
    barred: Vec<Leftover>,
    /// What was looked for where none of the source files could be read.
    unread: Vec<(String, Sources)>,
}

impl<'w, 'g> Work<'w, 'g> {
    fn new(repo: &'w RepoFacts<'g>) -> Self {
        let (troubles, barred, unread) = (Vec::new(), Vec::new(), Vec::new());
        Work { repo, gathered: Gathered::default(), troubles, barred, unread }
    }

    /// Everything that serves the directive, with what it found.
    fn sources(
        &mut self,
        world: &mut OverIndex<'_>,
        understood: &Understood,
        rules: &[&'static Rule],
    ) -> Result<Vec<(Source, RecipeFindings)>, PlanError> {
        let mut sources = Vec::new();
        let recipes = understood.matched.iter().filter(|it| it.kind == MatchedKind::Recipe);
        for recipe in recipes.filter_map(|it| rb_recipes::recipes::find(&it.id)) {
            let only = |path: &str| is_meant(understood, recipe.id, path);
            for arguments in self.arguments(recipe, &understood.renames) {
                match chains::look(self.repo.input, world, (recipe, &arguments), Some(&only))? {
                    Ok(found) => sources.push((Source::Recipe { recipe, arguments }, found)),
                    Err(trouble) => self.troubles.push(trouble),
                }
            }
        }
        let own = understood.matched.iter().filter(|it| it.kind == MatchedKind::OwnRule);
        for some in alike(own.map(|it| it.id.clone()).collect(), |id| understood.inside(id)) {
            let only = |path: &str| is_meant(understood, &some[0], path);
            let asked = RuleRequest::ByName;
            sources.extend(edits::look_own(self.repo.input, world, &some, asked, Some(&only))?);
        }
        for some in alike(rules.to_vec(), |rule| understood.inside(rule.id)) {
            let only = |path: &str| is_meant(understood, some[0].id, path);
            let asked = RuleRequest::ByName;
            sources.extend(edits::look(self.repo.input, world, &some, asked, Some(&only))?);
        }
        let input = self.repo.input;
        for (_, found) in &mut sources {
            found.left.retain(|it| input.is_asked_about(it));
            self.barred.extend(found.left.extract_if(.., |it| !input.is_open(it)));
        }
        Ok(sources)
    }

    fn arguments(&self, recipe: &Recipe, renames: &[Rename]) -> Vec<Arguments> {
        if recipe.needs.is_empty() {
            return vec![Arguments::new()];
        }
        let told = renames.iter().map(|it| {
            let symbol = self.placed(&it.symbol);
            Arguments::from([("symbol".to_owned(), symbol), ("to".to_owned(), it.to.clone())])
        });
        let mut seen = BTreeSet::new();
        told.filter(|it| seen.insert(it.clone())).collect()
    }

    /// The symbol with the whole path of its file, where the end of it was given and means one file.
    fn placed(&self, symbol: &str) -> String {
        let Some((path, name)) = symbol.split_once('#') else { return symbol.to_owned() };
        if self.repo.exists(path) {
            return symbol.to_owned();
        }
        match here::by_end(self.repo, path) {
            Some(file) => format!("{file}#{name}"),
            None => symbol.to_owned(),
        }
    }

    fn tasks(&mut self, world: &OverIndex<'_>, sources: Vec<(Source, RecipeFindings)>) {
        let mut sources = sources;
        for (source, found) in &mut sources {
            chains::keep_to_budget(self.repo.input.limits, source.id(), found);
        }
        let mut for_a_model = Vec::new();
        for (source, found) in &mut sources {
            for_a_model.extend(self.leave(source, std::mem::take(&mut found.left)));
        }
        // A model has half of the tasks at most, where there is as much to do without it.
        let most = MOST - for_a_model.len().min(MOST / 2);
        let lines = self.repo.input.limits.diff_budget;
        let busy: Vec<usize> = sources.iter().map(|(_, found)| found.units.len()).collect();
        let shares = shares(&busy, most);
        let mut pieces = Vec::new();
        for ((source, found), (least, most)) in sources.into_iter().zip(shares) {
            let bounds = Bounds { lines, files: usize::MAX, least, most };
            pieces.push(Piece { source, groups: grouped(&found.units, bounds) });
        }
        for Piece { source, groups } in joined(pieces, most, lines) {
            self.gathered.add(drafts(self.repo, world, &source, &groups));
        }
        number(&mut for_a_model, 0);
        self.gathered.add(for_a_model);
    }

    /// Says what was looked for and not found, or found and not to be edited. What could not even be looked for is matched no more.
    fn looked_for(&mut self, understood: &mut Understood, sources: &[(Source, RecipeFindings)]) {
        let mut unread = Vec::new();
        for WantedChange { about, ids } in &understood.wanted {
            let is_its = |id: &str| ids.iter().any(|it| it == id);
            let of = || sources.iter().filter(|(source, _)| is_its(source.id()));
            if of().any(|(_, found)| !found.units.is_empty()) {
                continue;
            }
            let left: Vec<&Leftover> = of().flat_map(|(_, found)| &found.left).collect();
            let barred: Vec<&Leftover> =
                self.barred.iter().filter(|it| is_its(&it.found_by)).collect();
            let only = |path: &str| ids.iter().any(|id| is_meant(understood, id, path));
            let read = Sources::of(self.repo, Some(ids), &only);
            if left.is_empty() && barred.is_empty() && read.is_foreign() {
                unread.extend(ids.iter().cloned());
                self.unread.push((about.clone(), read));
                continue;
            }
            let what = found_nothing(&left, &barred, &read);
            self.gathered.notes.push(format!("looked for {about}: {what}"));
        }
        understood.matched.retain(|it| !unread.contains(&it.id));
    }

    /// What a rule reports and cannot edit is for a model, where there is one; what a recipe leaves has a reason to stay.
    fn leave(&mut self, source: &Source, left: Vec<Leftover>) -> Vec<Draft> {
        let Source::Rule(rule) = source else {
            self.gathered.leftovers.extend(left);
            return Vec::new();
        };
        let input = self.repo.input;
        // Nobody is to act on a candidate before somebody has judged it.
        let (candidates, left): (Vec<_>, Vec<_>) =
            left.into_iter().partition(Leftover::is_candidate);
        self.gathered.leftovers.extend(candidates);
        let may = |it: &Leftover| (input.may_touch)(&it.path);
        let (for_a_model, left): (Vec<_>, Vec<_>) = left.into_iter().partition(may);
        self.gathered.leftovers.extend(left);
        if !input.has_model {
            let left = for_a_model.into_iter().map(Leftover::for_want_of_a_model);
            self.gathered.leftovers.extend(left);
            return Vec::new();
        }
        let files: BTreeSet<&str> = for_a_model.iter().map(|it| it.path.as_str()).collect();
        let files: Vec<&str> = files.into_iter().filter(|it| repo_path(it).is_some()).collect();
        let mut tasks: Vec<Draft> = Vec::new();
        for some in files.chunks(MOST_FILES) {
            let places: Vec<&Leftover> =
                for_a_model.iter().filter(|it| some.contains(&it.path.as_str())).collect();
            let files: BTreeSet<&str> = some.iter().copied().collect();
            let (count, place) = (plural(places.len(), "place"), crate::draft::place(&files));
            let goal = format!("{}: {} in {place} ({count})", rule.id, rule.title);
            let mut draft = for_model(self.repo, &goal, some, Stage::Small, &["apply-rule"]);
            draft.task.rules = vec![rule.id.to_owned()];
            draft.task.notes = places
                .iter()
                .take(20)
                .map(|it| {
                    format!("line {} of {} when it was planned: {}", it.line, it.path, it.reason)
                })
                .collect();
            draft.places = places.into_iter().cloned().collect();
            tasks.push(draft);
        }
        tasks
    }
}

/// What came of looking for something that nothing is done about.
fn found_nothing(left: &[&Leftover], barred: &[&Leftover], read: &Sources) -> String {
    match (left, barred) {
        ([], []) if read.has_other() => format!(
            "nothing found in {}; {} not searched (supported: {})",
            read.read(),
            read.other_were(),
            read.languages
        ),
        ([], []) => "nothing found".to_owned(),
        ([], barred) => {
            let files: BTreeSet<&str> = barred.iter().map(|it| it.path.as_str()).collect();
            let (places, files) = (plural(barred.len(), "place"), first_of(&files));
            format!("{places} found, all in files that this run may not touch: {files}")
        }
        (left, _) if left.iter().all(|it| it.is_candidate()) => candidates(left),
        (left, _) => {
            format!("{} found, none of which can be edited safely", plural(left.len(), "place"))
        }
    }
}

/// The most candidates named with their place.
const NAMED: usize = 5;

/// `2 candidates that need your judgement: a.ts:3, b.ts:7`
fn candidates(left: &[&Leftover]) -> String {
    let places = at_most(NAMED, left.iter().map(|it| format!("{}:{}", it.path, it.line)));
    let need = if left.len() == 1 { "needs" } else { "need" };
    let count = plural(left.len(), "candidate");
    format!("{count} that {need} your judgement: {}", places.join(", "))
}

/// Those that are looked for in the same places together, since a look at all files takes its time.
fn alike<'u, T>(all: Vec<T>, inside: impl Fn(&T) -> &'u [String]) -> Vec<Vec<T>> {
    let mut groups: Vec<Vec<T>> = Vec::new();
    for it in all {
        match groups.iter_mut().find(|group| inside(&group[0]) == inside(&it)) {
            Some(group) => group.push(it),
            None => groups.push(vec![it]),
        }
    }
    groups
}

/// How many of `all` tasks each source gets, least and most, by its number of units.
fn shares(units: &[usize], all: usize) -> Vec<(usize, usize)> {
    let busy = units.iter().filter(|it| **it > 0).count();
    let most = (all / busy.max(1)).max(1);
    let largest = units.iter().max().and_then(|max| units.iter().position(|it| it == max));
    let least = |at: usize| match busy {
        0 | 1 => LEAST,
        2 if Some(at) == largest => LEAST - 1,
        _ => 1,
    };
    (0..units.len()).map(|at| (least(at), most.max(least(at)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rf3_sources_share_three_to_six_tasks() {
        let check = |units: &[usize], expected: &[(usize, usize)]| {
            assert_eq!(shares(units, MOST), expected, "{units:?}");
        };
        check(&[], &[]);
        check(&[9], &[(3, 6)]);
        check(&[0, 9], &[(3, 6), (3, 6)]);
        check(&[2, 9], &[(1, 3), (2, 3)]);
        check(&[2, 9, 1], &[(1, 2), (1, 2), (1, 2)]);
        check(&[1; 9], &[(1, 1); 9]);
        assert_eq!(shares(&[9, 2], 3), [(2, 2), (1, 1)]);
    }
}
