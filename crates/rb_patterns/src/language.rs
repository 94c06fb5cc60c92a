//! The languages that rules are written for: those that `rb_lang` has a grammar of, by ast-grep's names.
//!
//! A metavariable must parse as a name. Where `$A` does not, its `$` is swapped for a letter that no code uses
//! before the pattern is parsed; `pre_process_pattern` does it and the user never sees it.

use std::borrow::Cow;
use std::collections::BTreeSet;

use ast_grep_core::language::Language as AstGrepLanguage;
use ast_grep_core::matcher::PatternBuilder;
use ast_grep_core::{Pattern, PatternError};
use rb_lang::Language;
use serde::{Deserialize, Deserializer};

use crate::syntax::Syntax;

/// A language that rules can be written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RuleLanguage(Language);

/// How each language is named in a rule, what else it answers to, and the letter that stands for `$` in its patterns.
const ROWS: &[(Language, &str, &[&str], char)] = &[
    (Language::Bash, "Bash", &["sh", "shell"], '$'),
    (Language::C, "C", &[], '𐀀'),
    (Language::Cpp, "Cpp", &["cc", "c++", "cxx"], '𐀀'),
    (Language::CSharp, "CSharp", &["cs"], 'µ'),
    (Language::Elixir, "Elixir", &["ex"], 'µ'),
    (Language::Go, "Go", &["golang"], 'µ'),
    (Language::Java, "Java", &[], '$'),
    (Language::JavaScript, "JavaScript", &["js", "jsx"], '$'),
    (Language::Kotlin, "Kotlin", &["kt"], 'µ'),
    (Language::Lua, "Lua", &[], 'µ'),
    (Language::Php, "Php", &[], 'µ'),
    (Language::Python, "Python", &["py"], 'µ'),
    (Language::Ruby, "Ruby", &["rb"], 'µ'),
    (Language::Rust, "Rust", &["rs"], 'µ'),
    (Language::Scala, "Scala", &[], '$'),
    (Language::Swift, "Swift", &[], 'µ'),
    (Language::Tsx, "Tsx", &[], '$'),
    (Language::TypeScript, "TypeScript", &["ts"], '$'),
];

/// The languages that rules can be written for.
pub fn languages() -> impl Iterator<Item = Language> {
    ROWS.iter().map(|row| row.0)
}

/// The language of a name or an alias, in any case: `ts`, `TypeScript`, `golang`.
pub fn language_named(name: &str) -> Option<Language> {
    ROWS.iter()
        .find(|(_, own, aliases, _)| {
            own.eq_ignore_ascii_case(name)
                || aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name))
        })
        .map(|row| row.0)
}

/// All names, as a rule would have them: `Bash, C, …`.
pub(crate) fn language_names() -> String {
    ROWS.iter().map(|row| row.1).collect::<Vec<_>>().join(", ")
}

impl RuleLanguage {
    pub(crate) fn new(language: Language) -> Option<Self> {
        ROWS.iter().any(|row| row.0 == language).then_some(RuleLanguage(language))
    }

    pub(crate) fn get(self) -> Language {
        self.0
    }

    /// As it is written in a rule.
    pub(crate) fn name(self) -> &'static str {
        self.row().1
    }

    fn row(self) -> &'static (Language, &'static str, &'static [&'static str], char) {
        ROWS.iter().find(|row| row.0 == self.0).expect("`new` takes no language without a row")
    }

    /// A pattern that does not parse would match nothing, or what nobody meant.
    fn unparsed(self, pattern: &str, piece: &str) -> String {
        let as_written = |text: &str| text.trim().replace(self.expando_char(), "$");
        format!(
            "the pattern `{}` does not parse as {} at `{}`; code that cannot stand alone needs `context` and `selector`",
            as_written(pattern),
            self.name(),
            as_written(piece)
        )
    }

    /// The kinds of node that have names, each once.
    pub(crate) fn kinds(self) -> BTreeSet<String> {
        let grammar = self.grammar();
        (0..grammar.node_kind_count())
            .filter_map(|id| u16::try_from(id).ok())
            .filter(|&id| grammar.node_kind_is_named(id) && grammar.node_kind_is_visible(id))
            .filter_map(|id| grammar.node_kind_for_id(id).map(str::to_owned))
            .collect()
    }

    fn grammar(self) -> tree_sitter::Language {
        rb_lang::grammar(self.0).expect("a language with a row has a grammar, a test says so")
    }
}

impl<'de> Deserialize<'de> for RuleLanguage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        language_named(&name)
            .map(RuleLanguage)
            .ok_or_else(|| serde::de::Error::custom(format_args!("`{name}` is no language")))
    }
}

impl AstGrepLanguage for RuleLanguage {
    fn pre_process_pattern<'q>(&self, query: &'q str) -> Cow<'q, str> {
        match self.expando_char() {
            '$' => Cow::Borrowed(query),
            letter => Cow::Owned(with_letter(query, letter)),
        }
    }

    fn expando_char(&self) -> char {
        self.row().3
    }

    fn kind_to_id(&self, kind: &str) -> u16 {
        self.grammar().id_for_node_kind(kind, true)
    }

    fn field_to_id(&self, field: &str) -> Option<u16> {
        self.grammar().field_id_for_name(field).map(std::num::NonZero::get)
    }

    fn build_pattern(&self, builder: &PatternBuilder) -> Result<Pattern, PatternError> {
        builder.build(|text| {
            let syntax = Syntax::of_pattern(text, *self).ok_or("it is too tangled")?;
            match syntax.first_error() {
                Some(piece) => Err(self.unparsed(text, piece)),
                None => Ok(syntax),
            }
        })
    }
}

/// Swaps the `$` of metavariables: `$A`, `$_`, `$$A`, `$$$A` and `$$$`. Others belong to the language.
fn with_letter(pattern: &str, letter: char) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut rest = pattern;
    while let Some(at) = rest.find('$') {
        let (before, from) = rest.split_at(at);
        let behind = from.trim_start_matches('$');
        let count = from.len() - behind.len();
        let is_variable =
            count == 3 || behind.starts_with(|c: char| c == '_' || c.is_ascii_uppercase());
        out.push_str(before);
        out.extend(std::iter::repeat_n(if is_variable { letter } else { '$' }, count));
        rest = behind;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ru4_every_language_that_is_read_can_have_rules() {
        let mut ours: Vec<Language> = languages().collect();
        ours.sort_unstable();
        let read: Vec<Language> =
            Language::ALL.iter().copied().filter(|language| language.is_read()).collect();
        assert_eq!(ours, read);
    }

    #[test]
    fn ru4_a_language_answers_to_its_names() {
        for (name, expected) in [
            ("ts", Some(Language::TypeScript)),
            ("TypeScript", Some(Language::TypeScript)),
            ("TSX", Some(Language::Tsx)),
            ("jsx", Some(Language::JavaScript)),
            ("py", Some(Language::Python)),
            ("golang", Some(Language::Go)),
            ("c++", Some(Language::Cpp)),
            ("cobol", None),
            ("", None),
        ] {
            assert_eq!(language_named(name), expected, "{name}");
        }
    }

    #[test]
    fn ru4_only_the_dollar_of_a_metavariable_is_swapped() {
        for (pattern, expected) in [
            ("f($A, $$$B)", "f(µA, µµµB)"),
            ("$_ + $$OP", "µ_ + µµOP"),
            ("f($$$)", "f(µµµ)"),
            ("$foo = '$5' . $A", "$foo = '$5' . µA"),
            ("$", "$"),
            ("a", "a"),
        ] {
            assert_eq!(with_letter(pattern, 'µ'), expected);
        }
    }
}
