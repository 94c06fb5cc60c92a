//! Types as far as they are written: annotations, literals, and what built-in functions give.
//!
//! There is no type checker here. What cannot be told is `UNKNOWN`, and nothing is proved of it; narrowing by conditions is
//! not followed, so that a value that may be null somewhere may be null everywhere.

mod declared;
mod expressions;

use std::ops::BitOr;

/// What a value may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Types(u16);

impl Types {
    pub const NONE: Types = Types(0);
    pub const NUMBER: Types = Types(1);
    pub const STRING: Types = Types(1 << 1);
    pub const BOOLEAN: Types = Types(1 << 2);
    pub const BIGINT: Types = Types(1 << 3);
    pub const NULL: Types = Types(1 << 4);
    pub const UNDEFINED: Types = Types(1 << 5);
    pub const ARRAY: Types = Types(1 << 6);
    pub const FUNCTION: Types = Types(1 << 7);
    /// What JSX gives.
    pub const ELEMENT: Types = Types(1 << 8);
    pub const PROMISE: Types = Types(1 << 9);
    /// Any other object.
    pub const OBJECT: Types = Types(1 << 10);
    pub const SYMBOL: Types = Types(1 << 11);
    pub const UNKNOWN: Types = Types(1 << 15);

    pub const NULLISH: Types = Types(Types::NULL.0 | Types::UNDEFINED.0);
    pub const PRIMITIVE: Types = Types(
        Types::NUMBER.0 | Types::STRING.0 | Types::BOOLEAN.0 | Types::BIGINT.0 | Types::SYMBOL.0,
    );

    pub fn is_known(self) -> bool {
        self.0 != 0 && self.0 & Types::UNKNOWN.0 == 0
    }

    /// Surely one of these.
    pub fn is_only(self, these: Types) -> bool {
        self.is_known() && self.0 & !these.0 == 0
    }

    /// Is one of these said to be possible? An unknown type says nothing.
    pub fn includes(self, these: Types) -> bool {
        self.0 & these.0 != 0
    }

    /// Could it be one of these, for all that is known?
    pub fn may_be(self, these: Types) -> bool {
        !self.is_known() || self.includes(these)
    }

    pub fn without(self, these: Types) -> Types {
        Types(self.0 & !these.0)
    }
}

impl BitOr for Types {
    type Output = Types;

    fn bitor(self, other: Types) -> Types {
        Types(self.0 | other.0)
    }
}

#[cfg(test)]
mod tests;
