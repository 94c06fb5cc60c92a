//! Which test files a command can be asked for by name, and whether what it then said can be believed.
//!
//! A repository has more than one suite: a file that another command tests is no test of this one, and asking for it fails with
//! "no test files found". What cannot be told is not selected; then all of it runs.

use std::collections::BTreeSet;

use rb_toolchains::{Command, Runner, Unit};

use crate::record::CommandRun;

/// Those of `files` that `command` tests, as its run before the change tells; none where that cannot be told.
pub(crate) fn own(command: &Command, before: &CommandRun, files: &[String]) -> Vec<String> {
    let Some(select) = &command.select else { return Vec::new() };
    let reported: BTreeSet<&str> = before
        .tests
        .iter()
        .flat_map(|tests| &tests.results)
        .filter_map(|test| test.file.as_deref())
        .collect();
    let is_own = |file: &str| {
        if reported.is_empty() {
            takes_any_file(command.runner, &select.unit)
        } else {
            reported.contains(file)
        }
    };
    files.iter().filter(|file| is_below(file, &command.folder) && is_own(file)).cloned().collect()
}

fn is_below(file: &str, folder: &str) -> bool {
    folder.is_empty() || file.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// Whether a runner that names no files tests whatever file it is given: packages, folders and classes of its language are always
/// its own, and some runners load the very file. Others take a file for a pattern over those that their settings let them see.
fn takes_any_file(runner: Option<Runner>, unit: &Unit) -> bool {
    match unit {
        Unit::Folders | Unit::CargoPackages(_) | Unit::Classes { .. } => true,
        Unit::Files => matches!(runner, Some(Runner::Pytest | Runner::Rspec | Runner::NodeTest)),
    }
}

/// Whether a failed run of `files` says anything of the change: a test ran, or one of the files could not be loaded, or it had to be
/// ended. A runner that found nothing to run has failed at the selection.
pub(crate) fn speaks(run: &CommandRun, files: &[String]) -> bool {
    let of_files = |file: &Option<String>| file.as_ref().is_some_and(|file| files.contains(file));
    run.how.was_ended()
        || run.tests.as_ref().is_some_and(|tests| {
            tests.ran() > 0 || tests.troubles.iter().any(|trouble| of_files(&trouble.file))
        })
}
