//! Sites that a task loses when it is tried again with less to do: nothing is left out without its place and its reason.

use rb_change::Failure;
use rb_core::at_most;

/// The most tests that are named.
const NAMED: usize = 5;

/// Why a site was taken out of a task.
pub(crate) fn why_dropped(failure: Failure, reasons: &[String], tests: &[String]) -> String {
    let what = match failure {
        Failure::Verify | Failure::Collapse if !tests.is_empty() => {
            let names = at_most(NAMED, tests.iter().map(|name| format!("`{name}`")));
            return format!("the task failed its tests with this site: {}", names.join(", "));
        }
        Failure::Verify | Failure::Collapse => "the task failed its checks with this site",
        Failure::Audit | Failure::Cascade => "the audit found errors with this site",
        Failure::Contract => "the public interface changed with this site",
        Failure::Critic => "the critic objected to this site",
        Failure::Model | Failure::Patch | Failure::Blocked | Failure::Person => {
            "the task could not be applied with this site"
        }
    };
    match reasons.first() {
        Some(reason) => format!("{what}: {reason}"),
        None => what.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rf7_a_dropped_site_says_what_failed_with_it() {
        let check = |failure, reasons: &[&str], tests: &[&str], expected: &str| {
            let own = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
            assert_eq!(why_dropped(failure, &own(reasons), &own(tests)), expected);
        };
        check(
            Failure::Verify,
            &["test: broken, passed before (1): `a`"],
            &["a", "b"],
            "the task failed its tests with this site: `a`, `b`",
        );
        check(
            Failure::Verify,
            &[],
            &["a", "b", "c", "d", "e", "f"],
            "the task failed its tests with this site: `a`, `b`, `c`, `d`, `e`, and 1 more",
        );
        check(
            Failure::Verify,
            &["lint: x.js:1 no-undef"],
            &[],
            "the task failed its checks with this site: lint: x.js:1 no-undef",
        );
        check(Failure::Audit, &[], &["a"], "the audit found errors with this site");
    }
}
