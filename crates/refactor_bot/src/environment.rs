//! The environment as it was when the program began: read once, handed down, never read again.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

use rb_core::process::Env;

/// Every variable of the process, keys and tokens included: it is never printed, hence no `Debug`.
#[derive(Clone)]
pub(crate) struct Environment(BTreeMap<OsString, OsString>);

impl Environment {
    pub(crate) fn new(vars: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        Environment(vars.into_iter().collect())
    }

    /// The value, unless it is unset or empty: an empty variable means "not set" everywhere here.
    pub(crate) fn get(&self, name: &str) -> Option<&OsStr> {
        self.0.get(OsStr::new(name)).map(OsString::as_os_str).filter(|value| !value.is_empty())
    }

    /// As `get`, for values that can only be plain text.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.get(name).and_then(OsStr::to_str)
    }

    /// As `text`, where an empty value means something: no pager.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        self.0.get(OsStr::new(name)).and_then(|value| value.to_str())
    }

    /// All variables whose name begins with `prefix`, sorted by name. A value that is not UTF-8 is shown
    /// with replacement characters.
    pub(crate) fn with_prefix(&self, prefix: &str) -> impl Iterator<Item = (&str, String)> {
        let named = self.0.iter().filter_map(|(name, value)| Some((name.to_str()?, value)));
        named
            .filter(move |(name, _)| name.starts_with(prefix))
            .map(|(name, value)| (name, value.to_string_lossy().into_owned()))
    }

    /// Everything, for who takes a few of them by name.
    pub(crate) fn all(&self) -> impl Iterator<Item = (OsString, OsString)> {
        self.0.clone().into_iter()
    }

    /// What this program itself sees when it is started again.
    pub(crate) fn whole(&self) -> Env {
        self.all().fold(Env::default(), |env, (name, value)| env.with(name, value))
    }

    /// What other programs may see: no keys, no tokens.
    pub(crate) fn children(&self) -> Env {
        Env::passed_on(self.0.clone())
    }
}
