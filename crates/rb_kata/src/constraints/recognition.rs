//! The constraints that a line of a kata states, in the usual wordings.
//!
//! A word like "else" alone states nothing: words of prohibition or of a limit have to stand right beside it. What is not
//! recognised is left to the model.

mod limit;
mod phrase;

use self::limit::{depth_limit, field_limit, length_limits, parameter_limit};
use self::phrase::Clause;
use crate::constraint::{Constraint, ConstraintKind};

/// The rules of Object Calisthenics.
const CALISTHENICS: [(&str, ConstraintKind); 9] = [
    ("Only one level of indentation per method", ConstraintKind::IndentationDepth(1)),
    ("Don't use the else keyword", ConstraintKind::NoElse),
    ("Wrap all primitives and strings", ConstraintKind::WrappedPrimitives),
    ("First class collections", ConstraintKind::FirstClassCollections),
    ("One dot per line", ConstraintKind::OneDotPerLine),
    ("Don't abbreviate", ConstraintKind::NoAbbreviations),
    ("Keep all entities small", ConstraintKind::ClassLength(50)),
    ("No classes with more than two instance variables", ConstraintKind::InstanceVariables(2)),
    ("No getters/setters/properties", ConstraintKind::NoGettersOrSetters),
];

/// Lines of a class that is "small".
const SMALL_CLASS: u32 = 50;

const ONLY_RECURSION: &[&[&str]] = &[
    &["only", "recursion"],
    &["recursion", "only"],
    &["only", "recursive"],
    &["only", "use", "recursion"],
    &["only", "using", "recursion"],
    &["only", "by", "recursion"],
];

/// The constraints of a line, each kind once.
pub(crate) fn constraints_in(line: &str) -> Vec<Constraint> {
    let clauses = Clause::split(line);
    if clauses.iter().any(states_calisthenics) {
        let constraint =
            |(text, kind): (&str, ConstraintKind)| Constraint { text: text.into(), kind };
        return CALISTHENICS.into_iter().map(constraint).collect();
    }
    let mut constraints: Vec<Constraint> = Vec::new();
    for kind in clauses.iter().flat_map(kinds_in) {
        if constraints.iter().all(|constraint| constraint.kind != kind) {
            constraints.push(Constraint { text: line.trim().to_owned(), kind });
        }
    }
    constraints
}

fn states_calisthenics(clause: &Clause) -> bool {
    clause.find(&["object", "calisthenics"]).is_some_and(|at| !clause.negates(at))
        || clause.find(&["objects", "calisthenics"]).is_some_and(|at| !clause.negates(at))
}

fn kinds_in(clause: &Clause) -> Vec<ConstraintKind> {
    let mut kinds = Vec::new();
    kinds.extend(depth_limit(clause).map(ConstraintKind::IndentationDepth));
    kinds.extend(length_limits(clause));
    kinds.extend(field_limit(clause).map(ConstraintKind::InstanceVariables));
    kinds.extend(parameter_limit(clause).map(ConstraintKind::Parameters));
    let is_stated: [(bool, ConstraintKind); 9] = [
        (clause.forbids(&["else"]), ConstraintKind::NoElse),
        (keeps_small(clause), ConstraintKind::ClassLength(SMALL_CLASS)),
        (
            clause.forbids(&["getters", "getter", "setters", "setter", "accessors", "accessor"]),
            ConstraintKind::NoGettersOrSetters,
        ),
        (allows_one_dot(clause), ConstraintKind::OneDotPerLine),
        (wraps_primitives(clause), ConstraintKind::WrappedPrimitives),
        (has_own_collections(clause), ConstraintKind::FirstClassCollections),
        (
            clause.forbids(&["abbreviate", "abbreviated", "abbreviations", "abbreviation"]),
            ConstraintKind::NoAbbreviations,
        ),
        (forbids_loops(clause), ConstraintKind::NoLoops),
        (forbids_mutation(clause), ConstraintKind::NoMutation),
    ];
    kinds.extend(is_stated.into_iter().filter(|(is_stated, _)| *is_stated).map(|(_, kind)| kind));
    kinds.extend(forbids_conditionals(clause).then_some(ConstraintKind::NoConditionals));
    kinds
}

/// "Keep all entities small", "keep your classes small".
fn keeps_small(clause: &Clause) -> bool {
    clause.has(&["keep", "keeps"])
        && clause.has(&["small", "tiny"])
        && clause.has(&["entities", "entity", "classes", "class"])
}

/// "One dot per line", "law of Demeter".
fn allows_one_dot(clause: &Clause) -> bool {
    let is_one =
        |at: usize| clause.word(at).is_some_and(|word| ["one", "1", "single"].contains(&word));
    let one_dot = ["dot", "dots"]
        .into_iter()
        .filter_map(|word| clause.find(&[word]))
        .any(|at| at.checked_sub(1).is_some_and(is_one) && clause.has(&["line", "statement"]));
    one_dot || clause.find(&["law", "of", "demeter"]).is_some_and(|at| !clause.negates(at))
}

/// "Wrap all primitives", "no primitive types exposed".
fn wraps_primitives(clause: &Clause) -> bool {
    let primitives: &[&str] = &["primitive", "primitives"];
    (clause.has(primitives) && clause.has(&["wrap", "wrapped", "wraps", "wrapping", "encapsulate"]))
        || clause.forbids(primitives)
}

/// "First class collections", "wrap collections".
fn has_own_collections(clause: &Clause) -> bool {
    ["collection", "collections"].into_iter().any(|word| {
        clause.find(&["first", "class", word]).is_some()
            || (clause.has(&[word]) && clause.has(&["wrap", "wrapped", "wraps"]))
    })
}

/// "No loops", "recursion only".
fn forbids_loops(clause: &Clause) -> bool {
    clause.forbids(&["loop", "loops", "looping"])
        || ONLY_RECURSION.iter().any(|words| clause.find(words).is_some())
}

/// "No if statements", "no conditionals"; "if" also begins clauses of other kinds.
fn forbids_conditionals(clause: &Clause) -> bool {
    let is_keyword = |at: usize| match clause.word(at + 1) {
        None => true,
        Some(word) => [
            "statement",
            "statements",
            "keyword",
            "keywords",
            "condition",
            "conditions",
            "else",
            "block",
            "blocks",
            "expression",
            "expressions",
            "or",
            "and",
            "nor",
            "switch",
            "is",
            "are",
            ",",
        ]
        .contains(&word),
    };
    clause.forbids(&["conditional", "conditionals", "ifs", "branching"])
        || clause.forbids_where("if", is_keyword)
}

/// "No mutation", "no mutable state", "immutable".
fn forbids_mutation(clause: &Clause) -> bool {
    clause.forbids(&["mutation", "mutations", "mutable", "mutate", "mutating", "reassignment"])
        || ["immutable", "immutability"]
            .into_iter()
            .filter_map(|word| clause.find(&[word]))
            .any(|at| !clause.negates(at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::ConstraintKind as Kind;

    #[track_caller]
    fn check(line: &str, expected: &[Kind]) {
        let constraints = constraints_in(line);
        let kinds: Vec<Kind> = constraints.iter().map(|constraint| constraint.kind).collect();
        assert_eq!(kinds, expected, "{line}");
        for constraint in constraints {
            assert_eq!(constraint.text, line.trim());
        }
    }

    #[test]
    fn ka4_the_rules_of_object_calisthenics_are_recognised() {
        for line in ["Object Calisthenics", "Follow the rules of *object calisthenics*."] {
            let constraints = constraints_in(line);
            let rows: Vec<_> =
                constraints.iter().map(|rule| (rule.text.as_str(), rule.kind)).collect();
            assert_eq!(rows, CALISTHENICS);
        }
        for (text, kind) in CALISTHENICS {
            check(text, &[kind]);
        }
    }

    #[test]
    fn ka4_prohibitions_are_recognised() {
        check("no else", &[Kind::NoElse]);
        check("  - Don’t use the `else` keyword ", &[Kind::NoElse]);
        check("The else keyword is forbidden.", &[Kind::NoElse]);
        check("`else` must not be used", &[Kind::NoElse]);
        check("Never use else", &[Kind::NoElse]);
        check("No getters or setters", &[Kind::NoGettersOrSetters]);
        check("Avoid setters", &[Kind::NoGettersOrSetters]);
        check("Only one dot per line", &[Kind::OneDotPerLine]);
        check("Respect the Law of Demeter", &[Kind::OneDotPerLine]);
        check("No primitive types exposed", &[Kind::WrappedPrimitives]);
        check("Do not expose primitives", &[Kind::WrappedPrimitives]);
        check("Primitives must be wrapped", &[Kind::WrappedPrimitives]);
        check("Use first-class collections", &[Kind::FirstClassCollections]);
        check("Do not abbreviate names", &[Kind::NoAbbreviations]);
        check("No abbreviations", &[Kind::NoAbbreviations]);
        check("No loops", &[Kind::NoLoops]);
        check("Solve it without using any loops", &[Kind::NoLoops]);
        check("Loops are not allowed", &[Kind::NoLoops]);
        check("Recursion only", &[Kind::NoLoops]);
        check("Use recursion instead of loops", &[Kind::NoLoops]);
        check("no if statements", &[Kind::NoConditionals]);
        check("Don't use if", &[Kind::NoConditionals]);
        check("No conditionals", &[Kind::NoConditionals]);
        check("No loops or conditionals", &[Kind::NoLoops, Kind::NoConditionals]);
        check("All objects are immutable", &[Kind::NoMutation]);
        check("No mutable state; no loops", &[Kind::NoMutation, Kind::NoLoops]);
        check("No if, else or switch", &[Kind::NoElse, Kind::NoConditionals]);
        check("No if/else statements", &[Kind::NoElse, Kind::NoConditionals]);
    }

    #[test]
    fn ka4_limits_are_recognised() {
        check("At most two levels of nesting", &[Kind::IndentationDepth(2)]);
        check("One level of indentation per function", &[Kind::IndentationDepth(1)]);
        check("Max nesting depth: 3", &[Kind::IndentationDepth(3)]);
        check("No nesting", &[Kind::IndentationDepth(1)]);
        check("Methods at most 5 lines", &[Kind::FunctionLength(5)]);
        check("Functions should be no longer than ten lines", &[Kind::FunctionLength(10)]);
        check("Keep methods under 10 lines", &[Kind::FunctionLength(9)]);
        check("Methods must have 5 lines or less", &[Kind::FunctionLength(5)]);
        check("max 4 lines per method", &[Kind::FunctionLength(4)]);
        check("Classes must not exceed 50 lines", &[Kind::ClassLength(50)]);
        check(
            "Methods at most 5 lines and classes at most 100 lines",
            &[Kind::FunctionLength(5), Kind::ClassLength(100)],
        );
        check("At most 3 instance variables per class", &[Kind::InstanceVariables(3)]);
        check("No class may have more than one field", &[Kind::InstanceVariables(1)]);
        check("No more than 3 arguments", &[Kind::Parameters(3)]);
        check("Functions take at most two parameters", &[Kind::Parameters(2)]);
        check("Fewer than 4 parameters per method", &[Kind::Parameters(3)]);
    }

    #[test]
    fn ka4_other_lines_state_nothing() {
        for line in [
            "",
            "The parser should handle else",
            "If nothing else matches, print the number",
            "Do not print anything else",
            "If there is no match, the else branch is taken",
            "Returns nothing if the input is empty",
            "A request must not be used if the token is old",
            "The game loop asks for a move",
            "A path without obstacles loops forever",
            "Print two levels of indentation",
            "The program takes at most 2 arguments",
            "Print at most 5 lines",
            "A line has at least 5 lines of methods",
            "The report lists functions longer than ten lines",
            "A class has two instance variables",
            "More than 3 arguments raise an error",
            "The value is mutable",
            "The board is not immutable",
            "Collections are sorted",
            "The first class passengers board first",
            "Print a dot per line",
            "Expand abbreviations",
            "Numbers with 99999999999 levels of nesting at most",
            "This kata is not about object calisthenics",
        ] {
            check(line, &[]);
        }
    }

    #[test]
    fn ka4_a_huge_line_is_read_quickly() {
        for line in ["no ", "else if loops , ", ".", "no else. ", "no,", "x"] {
            assert!(constraints_in(&line.repeat(300_000)).len() <= 1, "{line}");
        }
    }
}
