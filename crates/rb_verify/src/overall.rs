//! What several commands amount to together, before a change and after it.
//!
//! Every command that ran and held is a verifier, whether it tests, lints or checks types; a suite that ran no test is none. That no
//! test is among those that held is said beside the pass.

use rb_core::Verdict;

use crate::record::CommandRun;

/// One command, as it is judged.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ended<'c> {
    pub(crate) run: &'c CommandRun,
    pub(crate) verdict: Verdict,
    pub(crate) reasons: &'c [String],
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Overall {
    pub(crate) verdict: Verdict,
    /// It is a pass, and no test is among what passed.
    pub(crate) untested: bool,
    /// Those of failing commands first. What passing ones remark is in none.
    pub(crate) reasons: Vec<String>,
}

/// What is said of a pass that rests on no test.
const NO_TESTS: &str = "the checks that passed include no tests";

/// Whatever fails decides against it; whatever passes makes it a pass.
pub(crate) fn overall<'c>(commands: impl Iterator<Item = Ended<'c>>) -> Overall {
    let all: Vec<Ended<'_>> = commands.collect();
    let of = |wanted: Verdict| all.iter().filter(move |ended| ended.verdict == wanted);
    let failing = of(Verdict::Fail).flat_map(Ended::words);
    let mut reasons: Vec<String> =
        failing.chain(of(Verdict::NoVerifierRan).flat_map(Ended::words)).collect();
    let verdict = match () {
        () if of(Verdict::Fail).next().is_some() => Verdict::Fail,
        () if of(Verdict::Pass).next().is_some() => Verdict::Pass,
        () => Verdict::NoVerifierRan,
    };
    let untested = verdict == Verdict::Pass && !of(Verdict::Pass).any(Ended::tests);
    if untested {
        reasons.insert(0, NO_TESTS.to_owned());
    }
    Overall { verdict, untested, reasons }
}

impl Ended<'_> {
    fn tests(&self) -> bool {
        self.run.tests.as_ref().is_some_and(|tests| tests.ran() > 0)
    }

    /// Its reasons, with what the command is for.
    pub(crate) fn words(&self) -> impl Iterator<Item = String> {
        let command = &self.run.command;
        let name = match &*command.folder {
            "" => command.purpose.name().to_owned(),
            folder => format!("{} in {folder}", command.purpose.name()),
        };
        self.reasons.iter().map(move |reason| format!("{name}: {reason}"))
    }
}
