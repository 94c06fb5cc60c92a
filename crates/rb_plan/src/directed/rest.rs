//! The part of a directive that no recipe and no rule serves: a model gets it, or the plan gives the reason why nothing does.

use std::collections::{BTreeMap, BTreeSet};

use rb_core::at_most;
use rb_rules::engine::OverIndex;

use super::Work;
use crate::draft::Draft;
use crate::group::MOST;
use crate::input::PlanError;
use crate::plan::Unserved;
use crate::reach::Reach;
use crate::readable::{Sources, listed};
use crate::relevant::{self, Otherwise};
use crate::survey;
use crate::understand::{Lost, Understood, said};

/// The most unserved parts that are named.
const NAMED: usize = 10;

/// Parts that nobody does, one after the other.
fn first_of_many(words: Vec<String>) -> String {
    at_most(NAMED, words.into_iter()).join("; ")
}

impl Work<'_, '_> {
    /// Something is done; what of the directive is not?
    pub(super) fn rest(&mut self, understood: &Understood) -> Result<(), PlanError> {
        let unmatched = &understood.unmatched;
        if !unmatched.is_empty() {
            self.gathered
                .notes
                .push(format!("words that matched nothing: {}", unmatched.join(", ")));
        }
        let mut lost: Vec<String> = self.troubles.clone();
        lost.extend(self.not_read());
        let mut undone = Vec::new();
        for (at, part) in understood.lost.iter().enumerate() {
            let tasks = if at < MOST { self.for_part(understood, part)? } else { Vec::new() };
            if tasks.is_empty() {
                undone.push(part);
            }
            self.gathered.add(tasks);
        }
        lost.extend(said(undone));
        if !lost.is_empty() {
            let settings = self.settings(understood);
            let (why, instead) = (first_of_many(lost), Vec::new());
            self.gathered.unserved = Some(Unserved { why, instead, settings, is_mistaken: false });
        }
        Ok(())
    }

    /// A model's tasks for one part of the directive, where there is a model and it could do it.
    fn for_part(&self, understood: &Understood, part: &Lost) -> Result<Vec<Draft>, PlanError> {
        if !self.repo.input.has_model || !part.is_for_a_model() {
            return Ok(Vec::new());
        }
        let reach = Reach::within(understood, &part.inside);
        relevant::tasks(self.repo, &part.text, &reach, Otherwise::Nothing)
    }

    /// No recipe and no rule serves the directive: a model gets it, or the plan gives the reason.
    pub(super) fn for_want_of_tasks(
        &mut self,
        world: &OverIndex<'_>,
        directive: &str,
        understood: &Understood,
    ) -> Result<(), PlanError> {
        let says_what = !understood.matched.is_empty() || understood.forbidden.is_empty();
        if self.repo.input.has_model && says_what {
            self.for_a_model(directive, understood)?;
        }
        if !self.gathered.drafts.is_empty() {
            return Ok(());
        }
        let Some(why) = self.why(understood) else { return Ok(()) };
        let named = understood.matched.iter().chain(&understood.forbidden).map(|it| &it.id);
        let asked: BTreeSet<&str> = named
            .chain(understood.lost.iter().flat_map(Lost::opposed))
            .map(String::as_str)
            .collect();
        let mut unserved = survey::unserved(self.repo.input, world, why, &asked)?;
        unserved.settings = self.settings(understood);
        unserved.is_mistaken = understood.matched.is_empty() && self.is_for_nobody(understood);
        self.gathered.unserved = Some(unserved);
        Ok(())
    }

    fn for_a_model(&mut self, directive: &str, understood: &Understood) -> Result<(), PlanError> {
        let left: Vec<&str> = self.gathered.leftovers.iter().map(|it| it.path.as_str()).collect();
        let reach = Reach::of(understood);
        let over_left = relevant::over(self.repo, directive, left, &reach);
        if !over_left.is_empty() {
            self.gathered.add(over_left);
            return Ok(());
        }
        let is_understood = !understood.matched.is_empty() && self.unread.is_empty();
        let is_whole = understood.lost.iter().all(Lost::is_for_a_model)
            && (understood.lost.is_empty() || !is_understood);
        if !is_whole {
            for part in understood.lost.iter().take(MOST) {
                let tasks = self.for_part(understood, part)?;
                self.gathered.add(tasks);
            }
            return Ok(());
        }
        let otherwise = if is_understood { Otherwise::Nothing } else { Otherwise::Important };
        self.gathered.add(relevant::tasks(self.repo, directive, &reach, otherwise)?);
        Ok(())
    }

    /// A model would serve it, where none is there.
    fn settings(&self, understood: &Understood) -> Vec<String> {
        if self.repo.input.has_model || self.is_for_nobody(understood) {
            return Vec::new();
        }
        survey::settings()
    }

    /// Questions and contradictions alone: a model that changes code is of no use.
    fn is_for_nobody(&self, understood: &Understood) -> bool {
        let lost = &understood.lost;
        let is_all = self.troubles.is_empty() && self.unread.is_empty();
        is_all && !lost.is_empty() && !lost.iter().any(Lost::is_for_a_model)
    }

    /// Nothing where all that was asked for is understood: then there is nothing to change, and the notes say what was looked for.
    fn why(&self, understood: &Understood) -> Option<String> {
        let mut lost = self.troubles.clone();
        lost.extend(self.not_read());
        let is_special = understood.lost.iter().any(Lost::is_special);
        if !understood.matched.is_empty() || is_special || !lost.is_empty() {
            lost.extend(said(&understood.lost));
            return (!lost.is_empty()).then(|| first_of_many(lost));
        }
        Some(if !understood.forbidden.is_empty() {
            "the directive only says what not to do".to_owned()
        } else if self.repo.input.has_model {
            "there is no source file that a model could change".to_owned()
        } else {
            "no recipe or rule does this; a model could".to_owned()
        })
    }

    /// What was looked for in languages that nobody wrote here.
    fn not_read(&self) -> Vec<String> {
        let mut groups: BTreeMap<(&str, String), Vec<&str>> = BTreeMap::new();
        for (about, sources) in &self.unread {
            let Sources { languages, .. } = sources;
            groups.entry((languages, sources.other_were())).or_default().push(about);
        }
        let words = |((languages, other), about): ((&str, String), Vec<&str>)| {
            format!(
                "the search for {} only supports {languages}, and there are no such files; {other} not searched",
                listed(&about)
            )
        };
        groups.into_iter().map(words).collect()
    }
}
