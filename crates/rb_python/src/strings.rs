//! String literals, and what each is there for.

use ruff_python_ast::{self as ast, StringFlags};
use ruff_text_size::{Ranged, TextRange};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StringLiteral {
    /// Of the whole literal, prefix and quotes included.
    pub range: TextRange,
    /// Of what is between the quotes.
    pub content: TextRange,
    /// What is between the quotes has escapes, so that offsets in the value are not offsets in the text.
    pub has_escapes: bool,
    pub is_bytes: bool,
    pub usage: StringUse,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StringUse {
    /// The first statement of a module, class or function.
    Docstring,
    /// An annotation, or a part of one.
    Annotation,
    /// An argument of a call: what is called and which argument (None for a keyword). What is called is written as a path (`mock.patch`),
    /// or as `.name` if it is called on something else than a path (`f().name`), or it is empty.
    Argument {
        callee: String,
        position: Option<usize>,
    },
    /// An entry of `__all__`.
    All,
    Other,
}

pub(crate) fn literal(text: &str, literal: &ast::StringLiteral, usage: StringUse) -> StringLiteral {
    from_flags(text, literal.range(), literal.flags, usage)
}

pub(crate) fn bytes(text: &str, literal: &ast::BytesLiteral, usage: StringUse) -> StringLiteral {
    StringLiteral { is_bytes: true, ..from_flags(text, literal.range(), literal.flags, usage) }
}

fn from_flags(
    text: &str,
    range: TextRange,
    flags: impl StringFlags,
    usage: StringUse,
) -> StringLiteral {
    let content = range.add_start(flags.opener_len()).sub_end(flags.closer_len());
    let has_escapes = !flags.prefix().is_raw() && text[content].contains('\\');
    StringLiteral { range, content, has_escapes, is_bytes: false, usage }
}
