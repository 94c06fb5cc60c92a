//! The checks of constraints, one file each.
//!
//! A check reads a `Source` and says where it breaks the constraint. It sees one file at a time, and knows no types but those
//! that are written down.

mod abbreviations;
mod class_length;
mod code_lines;
mod collections;
mod declarations;
mod dots;
mod function_length;
mod getters;
mod indentation;
mod instance_variables;
mod no_conditionals;
mod no_else;
mod no_loops;
mod no_mutation;
mod parameters;
mod primitives;
pub(crate) mod recognition;
pub(crate) mod source;
mod syntax;

use self::source::Source;
use crate::constraint::{Constraint, ConstraintKind};

/// A place that breaks a constraint.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    /// Counted from 1.
    pub(crate) line: u32,
    /// In a few words.
    pub(crate) what: String,
}

impl Finding {
    fn new(line: u32, what: impl Into<String>) -> Finding {
        Finding { line, what: what.into() }
    }
}

/// The places in a file that break a constraint, each once, in the order of their lines.
pub(crate) fn findings(constraint: &Constraint, source: &Source<'_>) -> Vec<Finding> {
    let mut findings = match constraint.kind {
        ConstraintKind::IndentationDepth(limit) => indentation::check(source, limit),
        ConstraintKind::NoElse => no_else::check(source),
        ConstraintKind::FunctionLength(limit) => function_length::check(source, limit),
        ConstraintKind::ClassLength(limit) => class_length::check(source, limit),
        ConstraintKind::NoGettersOrSetters => getters::check(source),
        ConstraintKind::InstanceVariables(limit) => instance_variables::check(source, limit),
        ConstraintKind::OneDotPerLine => dots::check(source),
        ConstraintKind::WrappedPrimitives => primitives::check(source),
        ConstraintKind::FirstClassCollections => collections::check(source),
        ConstraintKind::NoAbbreviations => abbreviations::check(source),
        ConstraintKind::Parameters(limit) => parameters::check(source, limit),
        ConstraintKind::NoLoops => no_loops::check(source),
        ConstraintKind::NoConditionals => no_conditionals::check(source, &constraint.text),
        ConstraintKind::NoMutation => no_mutation::check(source),
        ConstraintKind::Judged => Vec::new(),
    };
    findings.sort();
    findings.dedup();
    findings
}

/// Checks a text and compares what is found, as "line: what".
#[cfg(test)]
#[track_caller]
fn expect_findings(
    kind: ConstraintKind,
    language: rb_lang::Language,
    text: &str,
    expected: &[&str],
) {
    let constraint = Constraint { text: String::new(), kind };
    let tree = rb_lang::parse(language, text).expect("the sample is small");
    let source = Source::new(language, text, &tree).expect("the sample has no syntax errors");
    let lines: Vec<String> = findings(&constraint, &source)
        .into_iter()
        .map(|finding| format!("{}: {}", finding.line, finding.what))
        .collect();
    assert_eq!(lines, expected, "{language:?}\n{text}");
}
