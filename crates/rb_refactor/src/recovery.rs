//! What is done about a try that failed: a pure function, and its whole table as a test.
//!
//! Retry with less to do and with what went wrong → go on without it → take the subtree back and plan it anew → end with
//! what was good before. Every way is bounded, so that no loop is possible.

use rb_change::Failure;

use crate::event::Recovery;

/// Tasks in a row that may fail before the run stops.
pub(crate) const IN_A_ROW: u32 = 3;

/// How often a model is shown the code that it asks for, for one task.
pub(crate) const SHOWN_MORE: u32 = 2;

/// Everything that the decision hangs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Situation {
    pub failure: Failure,
    /// Tries of this task so far, this one included, those that asked for more code not.
    pub attempts: u32,
    /// A model says which code it has to see.
    pub asks_for_code: bool,
    /// How often it was shown what it asked for.
    pub shown_more: u32,
    pub max_retries: u32,
    /// Another try can differ from this one: a model is told what went wrong, a recipe is given less to do.
    pub can_differ: bool,
    /// A person said what is wrong with it.
    pub is_commented: bool,
    /// A model proposed it.
    pub by_model: bool,
    /// A recipe or a rule computed the change: what it may do is known, and it is taken back as a whole.
    pub is_computed: bool,
    /// The run has failed without this task.
    pub is_critical: bool,
    /// The person wants the run to end with the first task that keeps failing.
    pub is_strict: bool,
    /// Checkpoints exist that belong to the same subtree.
    pub has_subtree: bool,
    /// The subtree was taken back and planned anew once already.
    pub was_replanned: bool,
    /// Tasks before this one that failed in a row.
    pub failed_before: u32,
}

pub(crate) fn recover(now: &Situation) -> Recovery {
    match now.failure {
        // Whoever broke that much of the suite is not to be trusted with the rest.
        Failure::Collapse => return Recovery::Abort,
        Failure::Person => {
            let is_asked_again =
                now.is_commented && now.by_model && now.attempts <= now.max_retries;
            return if is_asked_again { Recovery::RetryNarrowed } else { Recovery::Skip };
        }
        Failure::Cascade if now.has_subtree && !now.was_replanned => {
            return Recovery::RollBackSubtree;
        }
        // The same question gives the same answer, unless more is shown.
        Failure::Blocked => {
            if now.asks_for_code && now.shown_more < SHOWN_MORE {
                return Recovery::ShowMore;
            }
        }
        Failure::Model
        | Failure::Patch
        | Failure::Critic
        | Failure::Audit
        | Failure::Cascade
        | Failure::Contract
        | Failure::Verify => {
            if now.can_differ && now.attempts <= now.max_retries {
                return Recovery::RetryNarrowed;
            }
        }
    }
    // What a recipe may not change is left as it is, like all else that it leaves.
    if now.failure == Failure::Contract && now.is_computed && !now.is_strict {
        return Recovery::Skip;
    }
    let repeatedly = now.failed_before + 1 >= IN_A_ROW;
    // A model that will not leave the public interface alone is stopped.
    let insists = now.failure == Failure::Contract;
    let ends = now.is_critical || now.is_strict || insists || repeatedly;
    if ends { Recovery::Abort } else { Recovery::Skip }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: Situation = Situation {
        failure: Failure::Verify,
        attempts: 1,
        asks_for_code: false,
        shown_more: 0,
        max_retries: 3,
        can_differ: true,
        is_commented: false,
        by_model: false,
        is_computed: false,
        is_critical: false,
        is_strict: false,
        has_subtree: false,
        was_replanned: false,
        failed_before: 0,
    };

    #[test]
    fn rf7_what_follows_from_a_failed_try() {
        use Failure::*;
        use Recovery::*;
        let check =
            |now: Situation, expected: Recovery| assert_eq!(recover(&now), expected, "{now:?}");
        for failure in [Model, Patch, Critic, Audit, Cascade, Contract, Verify] {
            let usual = Situation { failure, ..USUAL };
            for attempts in 1..=3 {
                check(Situation { attempts, ..usual }, RetryNarrowed);
            }
            let after = if failure == Contract { Abort } else { Skip };
            check(Situation { attempts: 4, ..usual }, after);
            check(Situation { attempts: 4, is_critical: true, ..usual }, Abort);
            check(Situation { attempts: 4, is_strict: true, ..usual }, Abort);
            check(Situation { attempts: 3, is_strict: true, ..usual }, RetryNarrowed);
            check(Situation { can_differ: false, ..usual }, after);
            check(Situation { can_differ: false, is_critical: true, ..usual }, Abort);
            check(Situation { max_retries: 0, ..usual }, after);
            check(Situation { attempts: 4, failed_before: 2, ..usual }, Abort);
            check(Situation { attempts: 4, failed_before: 1, ..usual }, after);
        }
        // What a recipe may not change is left, and the others go on, however many such tasks there are.
        let computed = Situation { failure: Contract, is_computed: true, ..USUAL };
        check(Situation { attempts: 4, ..computed }, Skip);
        check(Situation { attempts: 4, is_critical: true, ..computed }, Skip);
        check(Situation { attempts: 4, failed_before: 2, ..computed }, Skip);
        check(Situation { attempts: 4, is_strict: true, ..computed }, Abort);
        // A task that cannot be done as it was asked is not asked for again.
        check(Situation { failure: Blocked, ..USUAL }, Skip);
        check(Situation { failure: Blocked, is_critical: true, ..USUAL }, Abort);
        check(Situation { failure: Blocked, is_strict: true, ..USUAL }, Abort);
        // Unless it says what it has to see, which is shown to it twice.
        let asks = Situation { failure: Blocked, asks_for_code: true, ..USUAL };
        check(asks, ShowMore);
        check(Situation { shown_more: 1, is_critical: true, ..asks }, ShowMore);
        check(Situation { shown_more: 2, ..asks }, Skip);
        check(Situation { shown_more: 2, is_strict: true, ..asks }, Abort);
        // Errors in files that nobody touched: everything that hangs together is taken back, once.
        let cascade = Situation { failure: Cascade, has_subtree: true, ..USUAL };
        check(cascade, RollBackSubtree);
        check(Situation { attempts: 4, ..cascade }, RollBackSubtree);
        check(Situation { was_replanned: true, ..cascade }, RetryNarrowed);
        check(Situation { was_replanned: true, attempts: 4, ..cascade }, Skip);
        // The suite fell apart: nothing else matters.
        for is_critical in [true, false] {
            check(Situation { failure: Collapse, is_critical, ..USUAL }, Abort);
        }
        // What a person refused is refused, whatever it is.
        check(Situation { failure: Person, is_critical: true, failed_before: 9, ..USUAL }, Skip);
        // Unless a model can be told what is wrong.
        let commented = Situation { failure: Person, is_commented: true, by_model: true, ..USUAL };
        check(commented, RetryNarrowed);
        check(Situation { attempts: 4, ..commented }, Skip);
        check(Situation { by_model: false, ..commented }, Skip);
        check(Situation { is_commented: false, ..commented }, Skip);
    }

    #[test]
    fn rf7_no_situation_can_be_retried_for_ever() {
        for failure in [
            Failure::Model,
            Failure::Patch,
            Failure::Blocked,
            Failure::Critic,
            Failure::Audit,
            Failure::Cascade,
            Failure::Contract,
            Failure::Verify,
            Failure::Collapse,
            Failure::Person,
        ] {
            for max_retries in 0..=3 {
                let tries = (1..).take_while(|attempts| {
                    let now = Situation { failure, attempts: *attempts, max_retries, ..USUAL };
                    recover(&now) == Recovery::RetryNarrowed
                });
                assert!(tries.count() <= 3, "{failure:?}");
            }
        }
    }
}
