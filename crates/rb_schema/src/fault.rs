//! What is wrong with a value, where, in words that help a model to do better.

use std::fmt;

use crate::value::{Kind, printable, quoted};

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// JSON pointer of the place; empty for the whole value.
    pub pointer: String,
    pub problem: Problem,
}

/// What a place should be, and what is there. Values are held in their short printable form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// Another kind of value.
    Kind {
        expected: Vec<Kind>,
        found: String,
    },
    /// A required key is not there.
    Missing {
        key: String,
    },
    /// A key that the object must not have; `known` are those that it may.
    UnknownKey {
        known: Vec<String>,
    },
    /// Not among the values of `enum`, or not the one of `const`.
    NotOneOf {
        allowed: Vec<String>,
        found: String,
    },
    /// A bound is passed: `found` is `relation` to `bound`.
    Bound {
        found: String,
        relation: Relation,
        bound: String,
    },
    NotMultiple {
        found: String,
        unit: String,
    },
    /// A string or an array of a wrong length.
    Length {
        found: usize,
        bound: LengthBound,
        of: Counted,
    },
    /// Two items that must differ.
    Repeated {
        first: usize,
        second: usize,
    },
    /// `oneOf` with more than one that fits, counted from 1.
    Several {
        first: usize,
        second: usize,
    },
    /// What `not` forbids.
    Forbidden,
    /// Valid by the schema, but not readable as the type that the program has for it.
    Unreadable {
        why: String,
    },
    /// Deeper than anything is checked.
    TooDeep,
    /// Checking it takes more steps than are spent on a value.
    TooMuch,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    Below,
    Above,
    NotBelow,
    NotAbove,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LengthBound {
    AtLeast(u64),
    AtMost(u64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    Characters,
    Items,
}

/// Every fault of a value, the first [`Faults::MAX`] in full.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Faults {
    list: Vec<Fault>,
    more: usize,
}

impl Faults {
    /// More would not help a model, and its answer may hold thousands.
    pub const MAX: usize = 20;

    pub fn list(&self) -> &[Fault] {
        &self.list
    }

    /// How many there are beyond those listed.
    pub fn more(&self) -> usize {
        self.more
    }

    /// One that is about the whole value.
    pub(crate) fn one(problem: Problem) -> Self {
        Fault { pointer: String::new(), problem }.into()
    }

    pub(crate) fn count(&self) -> usize {
        self.list.len() + self.more
    }

    pub(crate) fn push(&mut self, fault: Fault) {
        if self.list.len() < Self::MAX {
            self.list.push(fault);
        } else {
            self.more += 1;
        }
    }

    pub(crate) fn append(&mut self, other: Faults) {
        other.list.into_iter().for_each(|fault| self.push(fault));
        self.more += other.more;
    }
}

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Self {
        Faults { list: vec![fault], more: 0 }
    }
}

impl std::error::Error for Faults {}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.list.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{fault}")?;
        }
        if self.more > 0 {
            write!(f, "\nand {} more", self.more)?;
        }
        Ok(())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.pointer.is_empty() { "(root)" } else { "" })?;
        for token in self.pointer.split('/').skip(1) {
            write!(f, "/{}", printable(token, ' '))?;
        }
        write!(f, ": {}", self.problem)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Kind { expected, found } => {
                write!(f, "expected {}, found {found}", listed(expected, " or "))
            }
            Problem::Missing { key } => write!(f, "the key {} is missing", quoted(key)),
            Problem::UnknownKey { known } if known.is_empty() => {
                f.write_str("no key is allowed here")
            }
            Problem::UnknownKey { known } => {
                let known: Vec<_> = known.iter().map(|key| quoted(key)).collect();
                write!(f, "no such key is allowed here; the keys are {}", listed(&known, " and "))
            }
            Problem::NotOneOf { allowed, found } => match allowed.as_slice() {
                [only] => write!(f, "{found} is not {only}"),
                several => write!(f, "{found} is none of {}", listed(several, " and ")),
            },
            Problem::Bound { found, relation, bound } => write!(f, "{found} is {relation} {bound}"),
            Problem::NotMultiple { found, unit } => write!(f, "{found} is no multiple of {unit}"),
            Problem::Length { found, bound, of } => write!(f, "has {found} {of}, {bound} allowed"),
            Problem::Repeated { first, second } => {
                write!(f, "items {first} and {second} are equal, and no two may be")
            }
            Problem::Several { first, second } => {
                write!(f, "fits alternatives {first} and {second}, and only one may fit")
            }
            Problem::Forbidden => f.write_str("is what the schema forbids here"),
            Problem::Unreadable { why } => write!(f, "cannot be read: {why}"),
            Problem::TooDeep => f.write_str("nests too deep to be checked"),
            Problem::TooMuch => f.write_str("takes too many steps to be checked"),
        }
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Relation::Below => "less than",
            Relation::Above => "more than",
            Relation::NotBelow => "not less than",
            Relation::NotAbove => "not more than",
        })
    }
}

impl fmt::Display for LengthBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LengthBound::AtLeast(bound) => write!(f, "at least {bound} are"),
            LengthBound::AtMost(bound) => write!(f, "at most {bound} are"),
        }
    }
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Counted::Characters => "characters",
            Counted::Items => "items",
        })
    }
}

/// `a, b or c`; a long list is cut.
fn listed(items: &[impl fmt::Display], last: &str) -> String {
    const MOST: usize = 24;
    let mut out = String::new();
    for (i, item) in items.iter().take(MOST).enumerate() {
        let joint = match i {
            0 => "",
            _ if i + 1 == items.len() => last,
            _ => ", ",
        };
        out.push_str(joint);
        out.push_str(&item.to_string());
    }
    if items.len() > MOST {
        out.push_str(", …");
    }
    out
}

/// The pointer of a place, from its keys and indices.
pub(crate) fn pointer<'a>(tokens: impl IntoIterator<Item = &'a str>) -> String {
    let escaped = |token: &str| format!("/{}", token.replace('~', "~0").replace('/', "~1"));
    tokens.into_iter().map(escaped).collect()
}
