//! Operations as data: what a directive is turned into, what a model may answer, what `rules fix --recipe` builds from its arguments.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// `path/to/file.py#name` or `path/to/file.py#Class.member`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SymbolPath {
    pub path: String,
    pub name: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "operation", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Operation {
    /// A function, class, method, attribute, constant or variable gets another name.
    Rename {
        symbol: SymbolPath,
        to: String,
        /// Modules (`__init__.py` above all) that go on giving it to others under its old name: `from .a import new as old`.
        #[serde(default)]
        keep_name_in: Vec<String>,
        /// The old name stays beside the new one, for users outside of the project: `old = new`.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        alias: bool,
        /// Tests whose names contain the old name follow: `test_old_strips`.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        rename_tests: bool,
        /// Files whose names contain the old name follow, and tests: `test_old.py`.
        #[serde(default)]
        rename_files: bool,
        /// What is written behind the old name in changelogs and release notes, which are left alone otherwise. Kept for directives such as
        /// "update the release notes to say …".
        #[serde(default)]
        note_in_changelogs: Option<String>,
    },
    /// A parameter gets another name; keyword arguments follow.
    RenameParameter {
        function: SymbolPath,
        parameter: String,
        to: String,
    },
    /// A module or package gets another name or folder: `a/b.py` becomes `a/c.py` or `d/b.py`.
    RenameModule {
        path: String,
        to: String,
    },
    /// Top-level symbols go to another module, which is created if it does not exist.
    Move {
        symbols: Vec<SymbolPath>,
        to: String,
    },
    /// Methods leave their class and become functions of a module.
    MoveMethod {
        methods: Vec<SymbolPath>,
        to: String,
    },
    /// All that is in some modules goes into one (created if need be), and they are removed.
    Merge {
        modules: Vec<String>,
        into: String,
        /// Test files of the merged modules (`test_a.py`, `test_b.py`) are merged into that of the target, too.
        #[serde(default)]
        merge_tests: bool,
    },
    AddParameter {
        function: SymbolPath,
        name: String,
        /// Python source: `False`.
        default: Option<String>,
        annotation: Option<String>,
        /// What calls pass, by the place of the call. A call that none matches is left as it is.
        #[serde(default)]
        values: Vec<CallValue>,
        /// Log a line if the parameter is true: the directive asked for logging, not only for a parameter.
        #[serde(default)]
        logs: bool,
    },
    RemoveParameter {
        function: SymbolPath,
        name: String,
    },
    /// All parameters, in their new order.
    ReorderParameters {
        function: SymbolPath,
        order: Vec<String>,
    },
    /// Parameters are wrapped in a new dataclass, and calls pass an instance.
    ParameterObject {
        function: SymbolPath,
        class: String,
        /// Where the class is declared; the file of the function if it is empty.
        #[serde(default)]
        module: String,
        /// All but `self` and `cls` if it is empty.
        #[serde(default)]
        parameters: Vec<String>,
    },
    /// Functions of one module become static methods of a new class in it, and calls follow.
    Encapsulate {
        functions: Vec<SymbolPath>,
        class: String,
    },
    /// Imports of a name through another module are taken from where it is defined.
    InlineReexport {
        symbol: SymbolPath,
        /// Only in these files; everywhere if it is empty.
        #[serde(default)]
        files: Vec<String>,
    },
    /// A copy of a definition is removed and the original imported.
    ReplaceDuplicate {
        keep: SymbolPath,
        remove: SymbolPath,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallValue {
    /// Python source: `True`.
    pub value: String,
    pub calls: CallPlace,
    /// Only calls in these files, folders (`shop/`) and functions (`shop/cart.py#Cart.total`); everywhere if it is empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub within: Vec<String>,
}

impl CallValue {
    /// Those for some places alone come before those for all: the first that is for a call is its value.
    pub fn in_order(values: &[CallValue]) -> Vec<&CallValue> {
        let mut sorted: Vec<&CallValue> = values.iter().collect();
        sorted.sort_by_key(|value| value.within.is_empty());
        sorted
    }

    /// Whether a call in a file is meant; `is_in` says if it stands in a function of that file, named `Class.method`.
    pub fn is_for(&self, path: &str, is_test: bool, is_in: impl Fn(&str) -> bool) -> bool {
        let is_there = match self.calls {
            CallPlace::All => true,
            CallPlace::Tests => is_test,
            CallPlace::NotTests => !is_test,
        };
        let is_within = |place: &String| match place.split_once('#') {
            Some((file, function)) => file == path && is_in(function),
            None if place.ends_with('/') => path.starts_with(place.as_str()),
            None => path == place,
        };
        is_there && (self.within.is_empty() || self.within.iter().any(is_within))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CallPlace {
    All,
    Tests,
    NotTests,
}

impl fmt::Display for SymbolPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.path, self.name)
    }
}

impl FromStr for SymbolPath {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once('#') {
            Some((path, name)) if !path.is_empty() && !name.is_empty() => {
                Ok(SymbolPath { path: path.to_owned(), name: name.to_owned() })
            }
            _ => Err(format!("`{text}` is not of the form `path/to/file.py#name`")),
        }
    }
}

impl TryFrom<String> for SymbolPath {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<SymbolPath> for String {
    fn from(symbol: SymbolPath) -> Self {
        symbol.to_string()
    }
}
