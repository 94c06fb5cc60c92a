//! A plan: plain data.

use std::collections::{BTreeMap, BTreeSet};

use rb_core::{Task, TaskId};
use rb_recipes::recipes::sql_parameters::OPEN_INJECTION;
use serde::{Deserialize, Serialize};

use crate::batch_names::rename_in;

/// What is to be done, in order, and what was seen and left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Each after those that it depends on; every file of each exists.
    pub tasks: Vec<Task>,
    /// How the directive was understood; empty without one.
    pub matched: Vec<Matched>,
    pub is_react_project: bool,
    /// The rules that diffs are held against, in the order of their impact.
    pub active_rules: Vec<String>,
    /// What was found and is in no task.
    #[serde(rename = "left", alias = "leftovers", with = "left")]
    pub leftovers: Vec<Leftover>,
    /// How many more were found than are among them.
    #[serde(default, skip_serializing_if = "is_none")]
    pub unlisted: usize,
    /// What of the directive nothing here can do.
    pub unserved: Option<Unserved>,
    /// What a reader of the plan has to know.
    pub notes: Vec<String>,
    /// The directive asks for a structural change, and these are the reasons why the program made no operations of it: a model may.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub untranslated: Vec<String>,
    /// Proposals that are ready, for the files as they are now.
    #[serde(skip)]
    pub prepared: BTreeMap<TaskId, Prepared>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_none(count: &usize) -> bool {
    *count == 0
}

impl Plan {
    /// Whether the directive has to be written anew.
    pub fn is_mistaken(&self) -> bool {
        self.unserved.as_ref().is_some_and(|unserved| unserved.is_mistaken)
    }

    /// The same plan behind tasks that have the first numbers.
    #[must_use]
    pub fn after(mut self, first: &[Task]) -> Plan {
        let Some(by) = first.iter().map(|task| task.id.0).max() else { return self };
        let moved = |id: TaskId| TaskId(id.0 + by);
        let ids: BTreeSet<TaskId> = self.tasks.iter().map(|task| task.id).collect();
        let renamed = |name: &str| {
            let id = name.parse::<TaskId>().ok().filter(|id| ids.contains(id));
            id.map(|id| moved(id).to_string())
        };
        for task in &mut self.tasks {
            task.id = moved(task.id);
            task.depends_on.iter_mut().for_each(|id| *id = moved(*id));
            rename_in(task, &renamed);
        }
        self.prepared = self.prepared.into_iter().map(|(id, it)| (moved(id), it)).collect();
        self
    }
}

/// What was left is `left.places`, as it is in the report of a run.
mod left {
    use serde::{Deserialize, Deserializer, Serialize as _, Serializer};

    use super::Leftover;

    #[derive(serde::Serialize)]
    struct Written<'p> {
        places: &'p [Leftover],
    }

    /// A plan from before had the list alone.
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Read {
        Left { places: Vec<Leftover> },
        Places(Vec<Leftover>),
    }

    pub(super) fn serialize<S: Serializer>(places: &[Leftover], to: S) -> Result<S::Ok, S::Error> {
        Written { places }.serialize(to)
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Vec<Leftover>, D::Error> {
        Ok(match Read::deserialize(from)? {
            Read::Left { places } | Read::Places(places) => places,
        })
    }
}

/// Something of the product that serves a directive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Matched {
    /// A recipe's or a rule's id.
    pub id: String,
    pub kind: MatchedKind,
    pub title: String,
    /// The words of the directive that led to it.
    pub words: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MatchedKind {
    Recipe,
    Rule,
    OwnRule,
}

/// A place that something could be done about, and why no task does it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Leftover {
    pub path: String,
    pub line: u32,
    /// The recipe or rule that found it, or `hotspot`, `cycle`, `duplicate`, `long-function`.
    pub found_by: String,
    pub what: String,
    pub reason: String,
    /// What a person or a model could do about it.
    pub suggestion: String,
}

/// Why a likely finding of a rule is not edited.
pub(crate) const CANDIDATE: &str = "a candidate that needs your judgement";

const A_MODEL: &str = "a model could try it: --provider claude-code, anthropic or ollama";

impl Leftover {
    /// Nothing here can be sure of it, and nobody is there who could be asked.
    pub(crate) fn for_want_of_a_model(self) -> Leftover {
        Leftover { suggestion: A_MODEL.to_owned(), ..self }
    }

    /// Is it likely, and not proved?
    pub fn is_candidate(&self) -> bool {
        self.reason == CANDIDATE
    }

    pub fn wants_a_model(&self) -> bool {
        self.suggestion == A_MODEL
    }

    /// May an attacker write into a statement here?
    pub fn is_open_injection(&self) -> bool {
        self.reason.starts_with(OPEN_INJECTION)
    }
}

/// A directive, or a part of it, that needs a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unserved {
    pub why: String,
    /// What could be done here without a model: directives in words, each with what it would do.
    pub instead: Vec<String>,
    /// Settings that would serve it.
    pub settings: Vec<String>,
    /// Nobody can serve the directive as it is: it names a place that is not there, asks a question, contradicts itself or is too
    /// long, or the run may touch nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_mistaken: bool,
}

/// A change that a recipe or a rule has computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prepared {
    /// A unified diff.
    pub patch: Vec<u8>,
    pub added: usize,
    pub removed: usize,
}

#[cfg(test)]
mod tests {
    use rb_core::TaskKind;

    use super::*;

    #[test]
    fn rf4_batches_keep_their_names_behind_other_tasks() {
        let task = |id: u32| Task::new(TaskId(id), "Go on", TaskKind::Change { format: None });
        let mut later = task(2);
        later.goal = "Use what batch-001 makes".to_owned();
        later.notes = ["planner: after batch-001, see batch-009", "batch-001 of the fixture"]
            .map(str::to_owned)
            .to_vec();
        let plan = Plan { tasks: vec![task(1), later], ..Plan::default() };
        let moved = plan.clone().after(&[task(1), task(2)]);
        assert_eq!(moved.tasks[1].id, TaskId(4));
        assert_eq!(moved.tasks[1].goal, "Use what batch-003 makes");
        assert_eq!(
            moved.tasks[1].notes,
            ["planner: after batch-003, see batch-009", "batch-001 of the fixture"]
        );
        assert_eq!(plan.clone().after(&[]), plan);
    }

    #[test]
    fn rf9_what_was_left_has_one_name() {
        let place = Leftover {
            path: "a.js".to_owned(),
            line: 1,
            found_by: "cycle".to_owned(),
            what: "a circle".to_owned(),
            reason: "nobody can".to_owned(),
            suggestion: String::new(),
        };
        let plan = Plan { leftovers: vec![place], ..Plan::default() };
        let mut value = serde_json::to_value(&plan).unwrap();
        assert_eq!(value["left"]["places"][0]["reason"], "nobody can");
        assert_eq!(serde_json::from_value::<Plan>(value.clone()).unwrap(), plan);
        // As it was once written.
        let left = value.as_object_mut().and_then(|it| it.remove("left")).unwrap();
        value["leftovers"] = left["places"].clone();
        assert_eq!(serde_json::from_value::<Plan>(value).unwrap(), plan);
    }
}
