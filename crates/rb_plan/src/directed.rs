//! A plan for a directive: the recipes and rules that serve it, in three to six tasks; a model for what none of them serves.

use std::collections::BTreeSet;

use rb_core::Stage;
use rb_recipes::{Arguments, Recipe};
use rb_rules::Rule;
use rb_rules::engine::OverIndex;

use crate::chains::{self, Found};
use crate::draft::{Draft, drafts, for_model, number, plural};
use crate::edits::{self, Asked};
use crate::given::PlanError;
use crate::group::{Bounds, LEAST, MOST, grouped};
use crate::here;
use crate::join::{Piece, joined};
use crate::make::Gathered;
use crate::plan::{Leftover, Matched, MatchedKind, Unserved};
use crate::relevant;
use crate::scene::{Scene, repo_path};
use crate::smells::MOST_FILES;
use crate::survey;
use crate::understand::{Rename, Understood, Wanted, read};
use crate::unit::Source;

pub(crate) fn gather(
    scene: &Scene<'_>,
    world: &mut OverIndex<'_>,
    directive: &str,
) -> Result<(Gathered, Vec<&'static Rule>), PlanError> {
    let own: Vec<(&str, &str)> = scene.given.own.iter().map(|it| (it.id, it.message)).collect();
    let understood = read(directive, &own, &|path| here::find(scene, path));
    let rules = rules(&understood.matched);
    if !understood.missing.is_empty() {
        return Ok((nowhere(scene, understood), rules));
    }
    let mut work = Work { scene, gathered: Gathered::default(), troubles: Vec::new() };
    let sources = work.sources(world, &understood, &rules)?;
    work.looked_for(&understood, &sources);
    work.tasks(world, sources);
    if work.gathered.drafts.is_empty() {
        work.for_want_of_tasks(world, directive, &understood)?;
    } else {
        work.rest(&understood);
    }
    work.gathered.by_impact = understood.is_general;
    work.gathered.matched = understood.matched;
    Ok((work.gathered, rules))
}

/// Who names a place that is not there did not mean all the others.
fn nowhere(scene: &Scene<'_>, understood: Understood) -> Gathered {
    let why: Vec<String> =
        understood.missing.iter().map(|path| here::not_there(scene, path)).collect();
    let (instead, settings) = (Vec::new(), Vec::new());
    let unserved = Some(Unserved { why: why.join("; "), instead, settings, is_mistaken: true });
    Gathered { unserved, matched: understood.matched, ..Gathered::default() }
}

/// Does it lie where the directive looks for what has this id?
fn is_meant(understood: &Understood, id: &str, path: &str) -> bool {
    let is_in = |place: &String| {
        path.strip_prefix(place.as_str()).is_some_and(|it| it.is_empty() || it.starts_with('/'))
    };
    let inside = understood.inside(id);
    (inside.is_empty() || inside.iter().any(is_in)) && !understood.outside.iter().any(is_in)
}

fn rules(matched: &[Matched]) -> Vec<&'static Rule> {
    let of_kind = matched.iter().filter(|it| it.kind == MatchedKind::Rule);
    of_kind.filter_map(|it| rb_rules::engine::rule(&it.id)).collect()
}

struct Work<'w, 'g> {
    scene: &'w Scene<'g>,
    gathered: Gathered,
    /// What a recipe could not be told.
    troubles: Vec<String>,
}

impl Work<'_, '_> {
    /// Everything that serves the directive, with what it found.
    fn sources(
        &mut self,
        world: &mut OverIndex<'_>,
        understood: &Understood,
        rules: &[&'static Rule],
    ) -> Result<Vec<(Source, Found)>, PlanError> {
        let mut sources = Vec::new();
        let recipes = understood.matched.iter().filter(|it| it.kind == MatchedKind::Recipe);
        for recipe in recipes.filter_map(|it| rb_recipes::recipes::find(&it.id)) {
            let only = |path: &str| is_meant(understood, recipe.id, path);
            for arguments in self.arguments(recipe, &understood.renames) {
                match chains::look(self.scene.given, world, (recipe, &arguments), Some(&only))? {
                    Ok(found) => sources.push((Source::Recipe { recipe, arguments }, found)),
                    Err(trouble) => self.troubles.push(trouble),
                }
            }
        }
        let own = understood.matched.iter().filter(|it| it.kind == MatchedKind::OwnRule);
        for some in alike(own.map(|it| it.id.clone()).collect(), |id| understood.inside(id)) {
            let only = |path: &str| is_meant(understood, &some[0], path);
            let asked = Asked::ByName;
            sources.extend(edits::look_own(self.scene.given, world, &some, asked, Some(&only))?);
        }
        for some in alike(rules.to_vec(), |rule| understood.inside(rule.id)) {
            let only = |path: &str| is_meant(understood, some[0].id, path);
            let asked = Asked::ByName;
            sources.extend(edits::look(self.scene.given, world, &some, asked, Some(&only))?);
        }
        for (_, found) in &mut sources {
            found.left.retain(|it| self.scene.given.is_asked_about(it));
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
        told.collect()
    }

    /// The symbol with the whole path of its file, where the end of it was given and means one file.
    fn placed(&self, symbol: &str) -> String {
        let Some((path, name)) = symbol.split_once('#') else { return symbol.to_owned() };
        if self.scene.exists(path) {
            return symbol.to_owned();
        }
        match here::by_end(self.scene, path) {
            Some(file) => format!("{file}#{name}"),
            None => symbol.to_owned(),
        }
    }

    fn tasks(&mut self, world: &OverIndex<'_>, sources: Vec<(Source, Found)>) {
        let mut sources = sources;
        for (source, found) in &mut sources {
            chains::keep_to_budget(self.scene.given.limits, source.id(), found);
        }
        let mut for_a_model = Vec::new();
        for (source, found) in &mut sources {
            for_a_model.extend(self.leave(source, std::mem::take(&mut found.left)));
        }
        // A model has half of the tasks at most, where there is as much to do without it.
        let most = MOST - for_a_model.len().min(MOST / 2);
        let lines = self.scene.given.limits.diff_budget;
        let busy: Vec<usize> = sources.iter().map(|(_, found)| found.units.len()).collect();
        let shares = shares(&busy, most);
        let mut pieces = Vec::new();
        for ((source, found), (least, most)) in sources.into_iter().zip(shares) {
            let bounds = Bounds { lines, files: usize::MAX, least, most };
            pieces.push(Piece { source, groups: grouped(&found.units, bounds) });
        }
        for Piece { source, groups } in joined(pieces, most, lines) {
            self.gathered.add(drafts(self.scene, world, &source, &groups));
        }
        number(&mut for_a_model, 0);
        self.gathered.add(for_a_model);
    }

    /// Says what was looked for and not found, or found and not to be edited.
    fn looked_for(&mut self, understood: &Understood, sources: &[(Source, Found)]) {
        for Wanted { about, ids } in &understood.wanted {
            let of = || sources.iter().filter(|(source, _)| ids.iter().any(|it| it == source.id()));
            let left: usize = of().map(|(_, found)| found.left.len()).sum();
            if of().any(|(_, found)| !found.units.is_empty()) {
                continue;
            }
            let what = match left {
                0 => "nothing found".to_owned(),
                _ => format!("{} found, none that can be edited safely", plural(left, "place")),
            };
            self.gathered.notes.push(format!("looked for {about}: {what}"));
        }
    }

    /// What a rule reports and cannot edit is for a model, where there is one; what a recipe leaves has a reason to stay.
    fn leave(&mut self, source: &Source, left: Vec<Leftover>) -> Vec<Draft> {
        let Source::Rule(rule) = source else {
            self.gathered.leftovers.extend(left);
            return Vec::new();
        };
        let given = self.scene.given;
        let may = |it: &Leftover| (given.may_touch)(&it.path);
        let (for_a_model, left): (Vec<_>, Vec<_>) = left.into_iter().partition(may);
        self.gathered.leftovers.extend(left);
        if !given.has_model {
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
            let mut draft = for_model(self.scene, &goal, some, Stage::Small, &["apply-rule"]);
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

    /// Something is done; what of the directive is not?
    fn rest(&mut self, understood: &Understood) {
        let Understood { unmatched, unserved, .. } = understood;
        if !unmatched.is_empty() {
            self.gathered
                .notes
                .push(format!("words that led to nothing: {}", unmatched.join(", ")));
        }
        let mut lost: Vec<String> = self.troubles.clone();
        for part in unserved {
            let tasks = if self.scene.given.has_model {
                relevant::tasks(self.scene, part)
            } else {
                Vec::new()
            };
            if tasks.is_empty() {
                lost.push(format!("nothing here does this: {part}"));
            }
            self.gathered.add(tasks);
        }
        if !lost.is_empty() {
            let why = lost.join("; ");
            let settings = if self.scene.given.has_model { Vec::new() } else { survey::settings() };
            self.gathered.unserved =
                Some(Unserved { why, instead: Vec::new(), settings, is_mistaken: false });
        }
    }

    /// No recipe and no rule has anything to do: a model has, or it is said why nobody does.
    fn for_want_of_tasks(
        &mut self,
        world: &OverIndex<'_>,
        directive: &str,
        understood: &Understood,
    ) -> Result<(), PlanError> {
        let says_what = !understood.matched.is_empty() || understood.forbidden.is_empty();
        if self.scene.given.has_model && says_what {
            let left: Vec<&str> =
                self.gathered.leftovers.iter().map(|it| it.path.as_str()).collect();
            let tasks = match relevant::over(self.scene, directive, left) {
                tasks if tasks.is_empty() => relevant::tasks(self.scene, directive),
                tasks => tasks,
            };
            self.gathered.add(tasks);
        }
        if !self.gathered.drafts.is_empty() {
            return Ok(());
        }
        let Some(why) = self.why(understood) else { return Ok(()) };
        let asked = [understood.matched.as_slice(), &understood.forbidden].concat();
        let mut unserved = survey::unserved(self.scene.given, world, why, &asked)?;
        if self.scene.given.has_model {
            unserved.settings.clear();
        }
        self.gathered.unserved = Some(unserved);
        Ok(())
    }

    /// Nothing where all that was asked for is understood: then there is nothing to change, and the notes say what was looked for.
    fn why(&self, understood: &Understood) -> Option<String> {
        let mut lost = self.troubles.clone();
        if !understood.matched.is_empty() {
            let parts = understood.unserved.iter();
            lost.extend(parts.map(|part| format!("nothing here does this: {part}")));
            return (!lost.is_empty()).then(|| lost.join("; "));
        }
        Some(if !understood.forbidden.is_empty() {
            "the directive says only what is not to be done".to_owned()
        } else if self.scene.given.has_model {
            "no file here seems to be about it".to_owned()
        } else {
            "no recipe and no rule serves this directive; a model could".to_owned()
        })
    }
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
