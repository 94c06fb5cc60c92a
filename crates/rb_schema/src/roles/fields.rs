//! Reading fields as the schemas mean them.
//!
//! What serde derives is laxer than a schema: it takes an array for a struct, `{"fast": null}` for an enum and null for an
//! absent key; and stricter: `3.0` is no integer to it. The helpers here close the gap from both sides.

use std::fmt;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// A whole number of any size. One that does not fit 64 bits is as large as they go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Integer(pub i64);

/// A whole number from 0 to 100.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Percent(u8);

impl Percent {
    pub fn new(percent: u8) -> Option<Self> {
        (percent <= 100).then_some(Percent(percent))
    }

    pub fn get(self) -> u8 {
        self.0
    }
}

impl<'de> Deserialize<'de> for Integer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(IntegerVisitor)
    }
}

impl<'de> Deserialize<'de> for Percent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Integer(number) = Integer::deserialize(deserializer)?;
        let percent = u8::try_from(number).ok().and_then(Percent::new);
        percent.ok_or_else(|| D::Error::invalid_value(Unexpected::Signed(number), &"0 to 100"))
    }
}

struct IntegerVisitor;

impl Visitor<'_> for IntegerVisitor {
    type Value = Integer;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number")
    }

    fn visit_i64<E>(self, number: i64) -> Result<Integer, E> {
        Ok(Integer(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Integer, E> {
        Ok(Integer(i64::try_from(number).unwrap_or(i64::MAX)))
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "the cast stops at the largest, as is meant"
    )]
    fn visit_f64<E: Error>(self, number: f64) -> Result<Integer, E> {
        if number.trunc().total_cmp(&number).is_eq() {
            Ok(Integer(number as i64))
        } else {
            Err(E::invalid_value(Unexpected::Float(number), &self))
        }
    }
}

/// For a key that may be absent but is not null: `#[serde(default, deserialize_with = "present")]`.
pub(super) fn present<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    T::deserialize(deserializer).map(Some)
}

/// Implements serde's traits for structs that derive them as `#[serde(remote = "Self")]`: they are read from objects alone.
macro_rules! objects {
    ($($name:ident),+) => {$(
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let map = serde_json::Map::deserialize(deserializer)?;
                $name::deserialize(map).map_err(serde::de::Error::custom)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $name::serialize(self, serializer)
            }
        }
    )+};
}

/// An enum of words that is read from strings alone.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$variant_about:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(try_from = "String", into = "&'static str")]
        pub enum $name { $($(#[$variant_about])* $variant),+ }

        impl $name {
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $word),+ }
            }
        }

        impl TryFrom<String> for $name {
            type Error = String;

            fn try_from(word: String) -> Result<Self, String> {
                Self::ALL.iter().copied().find(|it| it.name() == word).ok_or(word)
            }
        }

        impl From<$name> for &'static str {
            fn from(it: $name) -> Self {
                it.name()
            }
        }
    };
}

pub(super) use {objects, words};
