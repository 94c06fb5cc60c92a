//! Why ast-grep refused a rule, in words for whoever wrote it: the cause, its line, and what to do.

use std::error::Error;

use ast_grep_config::{RuleConfigError, RuleCoreError};

use crate::error::Problem;
use crate::language::{RuleLanguage, language_named};
use crate::yaml::Item;

/// How many characters of a message are kept: it may quote a whole pattern.
const MAX_MESSAGE: usize = 400;

pub(crate) fn in_words(error: &RuleConfigError, rule: &Item) -> (u32, Problem) {
    let cause = cause(error);
    let place = rule.get(key(error)).unwrap_or(rule);
    let quoted = cause.split('`').nth(1).unwrap_or_default();
    let line = place.line_of_text(quoted).unwrap_or(place.line);
    let what_to_do = advice(&cause, quoted, rule);
    (line, Problem::BadRule(format!("{cause}{what_to_do}")))
}

/// The innermost cause, in one line: those around it only say where in ast-grep it was noticed.
fn cause(error: &RuleConfigError) -> String {
    let mut cause: &dyn Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    let words: Vec<String> = cause.to_string().split_whitespace().map(str::to_owned).collect();
    let line: String = words.join(" ").chars().take(MAX_MESSAGE).collect();
    let line = line.trim_end_matches('.');
    let ours = line.strip_prefix("Fails to parse the pattern query: `");
    ours.map_or(line, |ours| ours.strip_suffix('`').unwrap_or(ours)).to_owned()
}

/// The key of the rule that the error is about.
fn key(error: &RuleConfigError) -> &'static str {
    match error {
        RuleConfigError::Core(RuleCoreError::Utils(_)) => "utils",
        RuleConfigError::Core(RuleCoreError::Constraints(_)) => "constraints",
        RuleConfigError::Core(RuleCoreError::Transform(_)) => "transform",
        RuleConfigError::Core(RuleCoreError::UndefinedMetaVar(_, key)) => key,
        RuleConfigError::Core(RuleCoreError::Rule(_) | RuleCoreError::Yaml(_))
        | RuleConfigError::MissingPotentialKinds
        | RuleConfigError::Yaml(_) => "rule",
        RuleConfigError::Fixer(_) => "fix",
        RuleConfigError::Rewriter(_) | RuleConfigError::UndefinedRewriter(_) => "rewriters",
        RuleConfigError::LabelVariable(_) => "labels",
    }
}

fn advice(cause: &str, quoted: &str, rule: &Item) -> String {
    if cause.starts_with("Kind `") {
        return nearest_kind(quoted, rule).unwrap_or_default();
    }
    let advice = if cause.starts_with("Undefined meta var") {
        "use one that `rule` or `transform` gives a value"
    } else if cause.starts_with("Multiple AST nodes") || cause.starts_with("No AST root") {
        "a pattern is one piece of code"
    } else if cause.starts_with("Rule `") && cause.ends_with("is not defined") {
        "define it below `utils`"
    } else {
        return String::new();
    };
    format!("; {advice}")
}

fn nearest_kind(kind: &str, rule: &Item) -> Option<String> {
    let name = rule.get("language").and_then(Item::text)?;
    let language = RuleLanguage::new(language_named(name)?)?;
    let kinds = language.kinds().into_iter();
    let (_, nearest) = kinds
        .map(|known| (strsim::damerau_levenshtein(&known, kind), known))
        .min()
        .filter(|(distance, known)| distance * 2 <= known.len())?;
    Some(format!("; did you mean `{nearest}`?"))
}
