//! What holds for every plan.

use rb_core::Proposer;
use rb_plan::{order, plan};

use crate::directed::FILES;
use crate::support::Repo;
use crate::whole::fixture;

const DIRECTIVES: &[Option<&str>] = &[
    None,
    Some("Convert sync file ops to async"),
    Some("Remove unused imports and dead code"),
    Some("Replace raw SQL string interpolation with parameterized queries."),
    Some("General performance audit"),
    Some("Harden security, remove dead code and eliminate waterfalls"),
    Some("Add OpenTelemetry tracing"),
    Some(""),
    Some("rename a to b"),
];

/// `Repo::plan` looks for faults, for files outside of scopes, and for proposals that do not fit.
#[test]
fn rf3_every_plan_is_sound_and_the_same_each_time() {
    for fixture in [FILES.to_owned(), fixture()] {
        for directive in DIRECTIVES {
            for has_model in [false, true] {
                let mut repo = Repo::new(&fixture);
                repo.directive = directive.map(str::to_owned);
                repo.has_model = has_model;
                repo.found = vec!["src/main.js".to_owned(), "src/a.js".to_owned()];
                let first = repo.plan();
                assert_eq!(first, repo.plan(), "{directive:?}");
                let written = serde_json::to_string(&first).expect("plain data");
                let read: rb_plan::Plan =
                    serde_json::from_str(&written).expect("it was written so");
                assert_eq!((&read.tasks, &read.leftovers), (&first.tasks, &first.leftovers));
                // What a model does for a directive comes by relevance, all else by stage and risk.
                let by_model = first.tasks.iter().any(|it| it.by == Proposer::Model);
                if directive.is_none() || !by_model {
                    let ordered = order(first.tasks.clone());
                    assert_eq!(ordered.as_ref(), Ok(&first.tasks), "{directive:?}");
                }
            }
        }
    }
}

#[test]
fn rf3_planning_can_be_interrupted() {
    for directive in DIRECTIVES {
        let mut repo = Repo::new(FILES);
        repo.directive = directive.map(str::to_owned);
        repo.with(|input| {
            input.cancel.cancel();
            assert!(plan(input).is_err(), "{directive:?}");
        });
    }
}
