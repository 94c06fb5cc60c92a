//! What calls pass for a new parameter, by their place.

use std::collections::BTreeSet;

use super::super::Unclear;
use super::super::definitions::is_test;
use super::super::dialect::is_source_name;
use super::super::phrase::Phrase;
use super::super::resolve::Resolver;
use super::super::scope::{self, Scope};
use crate::operation::{CallPlace, CallValue, SymbolPath};
use crate::outcome::Place;
use crate::project::Project;
use crate::references::ReferenceKind;

/// A value for some calls.
#[derive(Debug, Clone)]
pub(in crate::directive) struct Passed {
    pub(in crate::directive) value: String,
    pub(in crate::directive) calls: CallPlace,
    /// Only calls in these files are spoken of; everywhere if it is empty.
    pub(in crate::directive) files: Vec<Phrase>,
}

impl Passed {
    /// The calls, and the files that they are in where these do not have all calls there are, in or outside of tests.
    pub(super) fn place(
        &self,
        resolver: &Resolver<'_>,
        function: &SymbolPath,
    ) -> Result<(CallPlace, Vec<String>), Unclear> {
        if self.files.is_empty() {
            return Ok((self.calls, Vec::new()));
        }
        let named = self.named_files(resolver);
        let callers = callers(resolver, function);
        let of =
            |is_in_tests: bool| callers.iter().filter(move |path| is_test(path) == is_in_tests);
        let is_covered = |is_in_tests: bool| of(is_in_tests).all(|path| named.contains(path));
        let is_named = |is_in_tests: bool| of(is_in_tests).any(|path| named.contains(path));
        match (is_named(false), is_named(true)) {
            (true, true) if is_covered(false) && is_covered(true) => {
                Ok((CallPlace::All, Vec::new()))
            }
            (true, false) if is_covered(false) => Ok((CallPlace::NotTests, Vec::new())),
            (false, true) if is_covered(true) => Ok((CallPlace::Tests, Vec::new())),
            (false, false) => Err(self.others(function, callers.iter())),
            _ => Ok((CallPlace::All, callers.intersection(&named).cloned().collect())),
        }
    }

    fn named_files(&self, resolver: &Resolver<'_>) -> BTreeSet<String> {
        let mut named = BTreeSet::new();
        for (at, phrase) in self.files.iter().enumerate() {
            let scope = Scope::of(resolver.index, scope::behind(&self.files, at));
            for name in phrase.names.iter().filter(|name| is_source_name(&name.text)) {
                let found = resolver.files(name, &scope);
                let is_elsewhere = found.is_empty();
                named.extend(found);
                if is_elsewhere {
                    named.extend(resolver.files(name, &Scope::default()));
                }
            }
        }
        named
    }

    fn others<'p>(
        &self,
        function: &SymbolPath,
        paths: impl Iterator<Item = &'p String>,
    ) -> Unclear {
        let name = function.name.rsplit('.').next().unwrap_or_default().to_owned();
        let what = "calls it";
        let place = |path: &String| Place { path: path.clone(), line: 1, what: what.to_owned() };
        let why = format!(
            "`{}` is to be passed in files that do not call `{name}`; others do",
            self.value
        );
        Unclear { name, why, candidates: paths.map(place).collect() }
    }
}

/// Files that call a function, or name it otherwise.
fn callers(resolver: &Resolver<'_>, function: &SymbolPath) -> BTreeSet<String> {
    let found = Project::new(resolver.index.files).references(function);
    let is_use = |kind: ReferenceKind| match kind {
        ReferenceKind::Name | ReferenceKind::Attribute => true,
        ReferenceKind::Definition
        | ReferenceKind::Import { .. }
        | ReferenceKind::All
        | ReferenceKind::String
        | ReferenceKind::Keyword => false,
    };
    found.references.into_iter().filter(|one| is_use(one.kind)).map(|one| one.path).collect()
}

/// "True everywhere, False in tests": the first means calls that are not in tests.
pub(super) fn split_places(values: &[CallValue], text: &str) -> Result<Vec<CallValue>, Unclear> {
    let special: Vec<&CallValue> =
        values.iter().filter(|value| value.calls != CallPlace::All).collect();
    let general: Vec<&CallValue> =
        values.iter().filter(|value| value.calls == CallPlace::All).collect();
    let ([special], [general]) = (special.as_slice(), general.as_slice()) else {
        return Err(Unclear::new(
            text,
            "calls are to pass different values, and which call passes which is not clear",
        ));
    };
    let calls = match special.calls {
        CallPlace::Tests => CallPlace::NotTests,
        CallPlace::NotTests => CallPlace::Tests,
        CallPlace::All => CallPlace::All,
    };
    Ok(vec![CallValue { calls, ..(*general).clone() }, (*special).clone()])
}
