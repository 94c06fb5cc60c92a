//! One file on the way: what is asked of it, and what it has to say.

use std::collections::BTreeSet;

use oxc_ast::AstKind;
use oxc_ast::ast::{Expression, StringLiteral};
use oxc_semantic::SymbolId;
use oxc_span::Span;
use rb_core::Edit;
use rb_ecma::Module;
use rb_rules::{Target, World};

use crate::plan::{Left, one_line};

/// The name that goes, and the one that comes.
#[derive(Debug, Clone)]
pub(super) struct Names {
    pub(super) old: String,
    pub(super) new: String,
}

/// A parsed file, with what is wanted of it.
#[derive(Clone, Copy)]
pub(super) struct File<'f, 'a> {
    pub(super) module: &'f Module<'a>,
    pub(super) path: &'f str,
    pub(super) names: &'f Names,
    pub(super) world: &'f dyn World,
}

/// What comes of one file.
#[derive(Debug, Clone, Default)]
pub(super) struct FileResult {
    pub(super) edits: Vec<Edit>,
    /// Each of them forbids the whole.
    pub(super) left: Vec<Left>,
    pub(super) notes: Vec<String>,
    /// What it exports under the old name and from now on under the new one.
    pub(super) given: bool,
    /// Names of exported values of which a member changes its name.
    pub(super) objects: BTreeSet<String>,
    /// Symbols that were looked at already.
    pub(super) seen: BTreeSet<SymbolId>,
}

impl FileResult {
    pub(super) fn take(&mut self, other: FileResult) {
        self.edits.extend(other.edits);
        self.left.extend(other.left);
        self.notes.extend(other.notes);
        self.given |= other.given;
        self.objects.extend(other.objects);
        self.seen.extend(other.seen);
    }
}

impl<'a> File<'_, 'a> {
    pub(super) fn old(&self) -> &str {
        &self.names.old
    }

    pub(super) fn fresh(&self) -> &str {
        &self.names.new
    }

    /// Puts a text where the old name stands; a name that is written in another way is left.
    pub(super) fn put(&self, found: &mut FileResult, span: Span, text: String) {
        if self.module.slice(span) == self.old() {
            found.edits.push(Edit::replace(span.start, span.end, text));
        } else {
            let reason = format!("`{}` is written with an escape here", self.old());
            found.left.push(self.left(span, &reason, "write the name in plain letters first"));
        }
    }

    pub(super) fn put_new(&self, found: &mut FileResult, span: Span) {
        self.put(found, span, self.names.new.clone());
    }

    /// The new name between the quotes of a string.
    pub(super) fn put_string(&self, found: &mut FileResult, string: &StringLiteral<'_>) {
        self.put_new(found, Span::new(string.span.start + 1, string.span.end - 1));
    }

    pub(super) fn left(&self, span: Span, reason: &str, suggestion: &str) -> Left {
        let place = self.module.place(span.start);
        let start = self.module.line_start(span.start) as usize;
        let line = self.module.text()[start..].lines().next().unwrap_or_default();
        Left {
            path: self.path.to_owned(),
            line: place.line,
            column: place.column,
            code: one_line(line),
            reason: reason.to_owned(),
            suggestion: suggestion.to_owned(),
            through: Vec::new(),
        }
    }

    pub(super) fn stop(&self, found: &mut FileResult, span: Span, reason: &str, suggestion: &str) {
        found.left.push(self.left(span, reason, suggestion));
    }

    pub(super) fn leads_to(&self, specifier: &str, path: &str) -> bool {
        matches!(self.world.resolve(self.path, specifier), Target::File(target) if target == path)
    }

    /// `exports` or `module.exports` of `CommonJS`.
    pub(super) fn is_exports(&self, expression: &Expression<'a>) -> bool {
        match expression {
            Expression::StaticMemberExpression(it) => {
                it.property.name == "exports" && self.module.is_global_named(&it.object, "module")
            }
            _ => self.module.is_global_named(expression, "exports"),
        }
    }

    /// Is it the object of `module.exports = { … }`?
    pub(super) fn is_exported_object(&self, object: oxc_semantic::NodeId) -> bool {
        let AstKind::AssignmentExpression(assignment) = self.module.parent(object) else {
            return false;
        };
        let oxc_ast::ast::AssignmentTarget::StaticMemberExpression(left) = &assignment.left else {
            return false;
        };
        left.property.name == "exports" && self.module.is_global_named(&left.object, "module")
    }

    pub(super) fn line(&self, span: Span) -> u32 {
        self.module.line(span.start)
    }
}

/// Does the text have the word, with nothing around it that could be a part of a name?
pub(super) fn has_word(text: &str, word: &str) -> bool {
    words(text, word).next().is_some()
}

/// Where a word begins in a text.
pub(super) fn words<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    let of_name = |it: char| it.is_alphanumeric() || matches!(it, '_' | '$');
    text.match_indices(word).map(|(at, _)| at).filter(move |&at| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.is_some_and(of_name) && !after.is_some_and(of_name)
    })
}
