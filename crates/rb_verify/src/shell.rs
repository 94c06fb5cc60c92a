//! The variables of the person's shell, of which commands see what was chosen and nothing else.
//!
//! `Shell` holds all of them, keys and tokens included; `Passed` is what `verify.env` takes out of it. Neither is ever printed with its
//! values, and no value is written down.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fmt;

use rb_core::Verdict;
use rb_core::process::PASSED_ON;

use crate::record::CommandRun;

/// Every variable of the shell: never printed, hence no `Debug`.
#[derive(Clone, Default)]
pub struct Shell(BTreeMap<OsString, OsString>);

/// What commands get beyond what every program gets.
#[derive(Clone, Default)]
pub struct Passed {
    variables: Vec<(String, OsString)>,
    /// Names that were chosen and are not set.
    unset: Vec<String>,
    /// Names that are set and stay behind, sorted.
    withheld: Vec<String>,
}

impl fmt::Debug for Passed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.variables.iter().map(|(name, _)| name.as_str()).collect();
        out.debug_struct("Passed").field("names", &names).finish_non_exhaustive()
    }
}

impl Shell {
    pub fn new(all: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        Shell(all.into_iter().collect())
    }

    /// One variable, for who may have it: nothing that a repository names is passed on this way.
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.0.get(OsStr::new(name)).map(OsString::as_os_str)
    }

    /// The same with the values that `entries` give.
    pub fn with_values(mut self, entries: &[String]) -> Self {
        let given = entries.iter().filter_map(|entry| entry.split_once('='));
        self.0.extend(given.map(|(name, value)| (name.into(), value.into())));
        self
    }

    /// Names in `entries` whose value was not written down and is not set here.
    pub fn missing<'e>(&self, entries: &'e [String]) -> Vec<&'e str> {
        let hidden = entries.iter().filter_map(|entry| entry.strip_suffix(HIDDEN));
        hidden.filter(|name| !self.0.contains_key(OsStr::new(name))).collect()
    }

    /// What `entries` choose: `NAME` with the value it has here, `NAME=VALUE` with that one. Later ones win.
    pub fn pass(&self, entries: &[String]) -> Passed {
        let mut passed = Passed::default();
        for entry in entries.iter().map(|entry| entry.strip_suffix(HIDDEN).unwrap_or(entry)) {
            match entry.split_once('=') {
                Some((name, value)) => passed.variables.push((name.to_owned(), value.into())),
                None => match self.0.get(OsStr::new(entry)) {
                    Some(value) => passed.variables.push((entry.to_owned(), value.clone())),
                    None => passed.unset.push(entry.to_owned()),
                },
            }
        }
        let names = self.0.keys().filter_map(|name| name.to_str());
        let is_known = |name: &&str| {
            PASSED_ON.contains(name) || passed.variables.iter().any(|(known, _)| known == name)
        };
        passed.withheld = names.filter(|name| !is_known(name)).map(str::to_owned).collect();
        passed
    }
}

/// What stands for a value that is not written down.
const HIDDEN: &str = "=***";

/// An entry of `verify.env` as it may be shown and kept.
pub fn without_value(entry: &str) -> String {
    match entry.split_once('=') {
        Some((name, _)) => format!("{name}{HIDDEN}"),
        None => entry.to_owned(),
    }
}

/// Whether an entry of `verify.env` can be read: a name, or a name and a value.
pub fn is_entry(entry: &str) -> bool {
    let name = entry.split_once('=').map_or(entry, |(name, _)| name);
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.chars().all(is_part) && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// Variables whose lack shows in other words than their names: any of these words in the output of a failed command.
const SYMPTOMS: &[(&[&str], &[&str])] = &[
    (
        &["DATABASE_URL", "DOCKER_HOST", "MONGODB_URI", "PGHOST", "REDIS_URL", "TEST_DATABASE_URL"],
        &["econnrefused", "connection refused", "could not connect", "cannot connect"],
    ),
    (&["NODE_EXTRA_CA_CERTS"], &["certificate"]),
    (
        &["CLASSPATH", "NODE_PATH", "PYTHONPATH", "RUBYLIB"],
        &["cannot find module", "no module named", "noclassdeffounderror", "cannot load such file"],
    ),
    (&["LD_LIBRARY_PATH"], &["shared object file"]),
];

impl Passed {
    pub(crate) fn variables(&self) -> impl Iterator<Item = (&str, &OsString)> {
        self.variables.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Chosen names that are not set here; whoever wrote them expects that they are.
    pub(crate) fn unset_words(&self) -> Option<String> {
        let names = self.unset.join(", ");
        (!names.is_empty())
            .then(|| format!("verify.env lists variables that are not set in your shell: {names}"))
    }

    /// Where a command failed: which variables of the shell it did not get and may have needed, and how it gets them.
    pub(crate) fn hint(&self, runs: &[CommandRun]) -> Option<String> {
        let failed: Vec<&CommandRun> =
            runs.iter().filter(|run| run.verdict == Verdict::Fail).collect();
        if failed.is_empty() {
            return None;
        }
        let texts: Vec<&str> = failed.iter().flat_map(|run| texts(run)).collect();
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let words: BTreeSet<&str> =
            texts.iter().flat_map(|text| text.split(|c: char| !is_part(c))).collect();
        let lower: Vec<String> = texts.iter().map(|text| text.to_lowercase()).collect();
        let shows = |symptom: &&str| lower.iter().any(|text| text.contains(symptom));
        let may_matter = |name: &&str| {
            let mut symptoms = SYMPTOMS.iter().filter(|(names, _)| names.contains(name));
            name.contains('_') && words.contains(name)
                || symptoms.any(|(_, symptoms)| symptoms.iter().any(shows))
        };
        let names: Vec<&str> =
            self.withheld.iter().map(String::as_str).filter(may_matter).collect();
        if names.is_empty() {
            return None;
        }
        let is = if names.len() == 1 { "is" } else { "are" };
        let how = if self.variables.is_empty() && self.unset.is_empty() {
            "to pass, use --set verify.env="
        } else {
            // A second list would take the place of the first.
            "to pass, add to verify.env: "
        };
        Some(format!(
            "{} {is} set in your shell but not passed to commands; {how}{}",
            names.join(", "),
            names.join(",")
        ))
    }
}

/// What a command and its tests printed.
pub(crate) fn texts(run: &CommandRun) -> impl Iterator<Item = &str> {
    let tests = run.tests.iter().flat_map(|tests| &tests.results);
    let messages = tests.filter_map(|test| test.message.as_deref());
    let troubles = run.tests.iter().flat_map(|tests| &tests.troubles);
    messages.chain(troubles.map(|trouble| trouble.message.as_str())).chain([run.said.as_str()])
}

#[cfg(test)]
mod tests {
    use rb_toolchains::{Detected, line_command};

    use super::*;
    use crate::command_run;

    fn shell(all: &[(&str, &str)]) -> Shell {
        Shell::new(all.iter().map(|(name, value)| ((*name).into(), (*value).into())))
    }

    #[test]
    fn ve2_only_named_variables_are_passed_on() {
        let shell = shell(&[("PATH", "/bin"), ("NODE_OPTIONS", "--x"), ("API_TOKEN", "s3cret")]);
        let entries = ["NODE_OPTIONS", "DATABASE_URL=a=b", "NOT_THERE"].map(str::to_owned);
        let passed = shell.pass(&entries);
        let got: Vec<(&str, &str)> =
            passed.variables().map(|(name, value)| (name, value.to_str().unwrap())).collect();
        assert_eq!(got, [("NODE_OPTIONS", "--x"), ("DATABASE_URL", "a=b")]);
        assert_eq!(passed.withheld, ["API_TOKEN"]);
        assert!(passed.unset_words().unwrap().contains("NOT_THERE"));
        assert!(!format!("{passed:?}").contains("--x"), "{passed:?}");
    }

    #[test]
    fn ve2_an_entry_is_a_name_or_a_name_with_a_value() {
        for entry in ["A", "_a1", "A=", "A=b=c d"] {
            assert!(is_entry(entry), "{entry}");
        }
        for entry in ["", "=", "=b", "1A", "A B", "A-B=c", "Ä"] {
            assert!(!is_entry(entry), "{entry}");
        }
    }

    #[test]
    fn ve2_a_failing_command_names_the_variables_that_it_did_not_get() {
        let check = |all: &[(&str, &str)], verdict: Verdict, said: &str, expected: &[&str]| {
            let mut run = command_run::blank(&line_command("make test", &Detected::default()));
            (run.verdict, run.said) = (verdict, said.to_owned());
            let hint = shell(all).pass(&[]).hint(&[run]).unwrap_or_default();
            let names = hint.split_once("verify.env=").map_or("", |(_, names)| names);
            let names: Vec<&str> = names.split(',').filter(|name| !name.is_empty()).collect();
            assert_eq!(names, expected, "{hint}");
        };
        let all = [("NODE_OPTIONS", "a"), ("RUSTFLAGS", "b"), ("MY_SECRET", "c"), ("HOME", "/")];
        check(&all, Verdict::Fail, "3 failed", &[]);
        check(&all, Verdict::Fail, "NODE_OPTIONS is empty", &["NODE_OPTIONS"]);
        check(&all, Verdict::Pass, "NODE_OPTIONS is empty", &[]);
        let certificates = [("NODE_EXTRA_CA_CERTS", "a"), ("REDIS_URL", "b")];
        check(&certificates, Verdict::Fail, "expected 2, got 3", &[]);
        check(&certificates, Verdict::Fail, "connect ECONNREFUSED ::1:6379", &["REDIS_URL"]);
        let said = "unable to get local issuer Certificate";
        check(&certificates, Verdict::Fail, said, &["NODE_EXTRA_CA_CERTS"]);
        check(&[("MY_URL", "a"), ("MY", "b")], Verdict::Fail, "MY: MY_URL is not set", &["MY_URL"]);
        check(&[("MY_URL", "a")], Verdict::Fail, "MY_URLS", &[]);
        let mut run = command_run::blank(&line_command("make test", &Detected::default()));
        (run.verdict, run.said) = (Verdict::Fail, "NODE_OPTIONS, RUSTFLAGS".to_owned());
        let hint = shell(&all).pass(&["RUSTFLAGS".to_owned()]).hint(&[run]).unwrap_or_default();
        assert!(hint.ends_with("add to verify.env: NODE_OPTIONS"), "{hint}");
    }
}
