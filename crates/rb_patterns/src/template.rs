//! The file that a new rule begins as. It works as it is: its own tests pass in every language.

use rb_lang::Language;

use crate::language::RuleLanguage;

/// A small rule with comments that say what to change; `None` for a language that rules cannot be written for. Ask
/// `is_id` about the id first.
pub fn template(id: &str, language: Language) -> Option<String> {
    let name = RuleLanguage::new(language)?.name();
    let (before, behind) = around_a_call(language);
    let (open, close) = if language == Language::Bash { (" ", "") } else { ("(", ")") };
    let call = |name: &str, argument: &str| format!("{name}{open}{argument}{close}");
    let code = |name: &str| format!("{before}{}{behind}", call(name, "1"));
    Some(
        TEXT.replace("LANGUAGE", name)
            .replace("MATCHER", &matcher(language, &call("old_name", "$A")))
            .replace("FIX", &call("new_name", "$A"))
            .replace("OLD", &code("old_name"))
            .replace("NEW", &code("new_name"))
            // Last, because an id may hold any of the words above.
            .replace("ID", id),
    )
}

const TEXT: &str = r#"# A rule of this project. `refactor-bot rules test` runs the tests below.
id: ID
language: LANGUAGE
# error, warning, info, hint or off
severity: warning
# $A is what the pattern found in its place.
message: use new_name for $A

# What is found. $A stands for one piece of code, $$$A for any number of them.
rule:
MATCHER

# What is put in its place. Without this key the rule only finds.
fix: FIX

# Which files; all of the language without these keys.
# files: ["src/**"]
# ignores: ["**/generated/**"]

tests:
  # Code that the rule must leave alone.
  valid:
    - NEW
  # Code that it must find, and what the fix makes of it.
  invalid:
    - code: OLD
      fixed: NEW
"#;

/// In C a call by itself reads as a declaration.
fn matcher(language: Language, call: &str) -> String {
    if language != Language::C {
        return format!("  pattern: {call}");
    }
    format!(
        "  # Code that cannot stand alone needs some around it; the selector says which part is meant.
  pattern:
    context: void f() {{ {call}; }}
    selector: call_expression"
    )
}

/// What makes a call a file of the language.
fn around_a_call(language: Language) -> (&'static str, &'static str) {
    match language {
        Language::C | Language::Cpp => ("void f() { ", "; }"),
        Language::CSharp | Language::Java => ("class A { void f() { ", "; } }"),
        Language::Go => ("\"package a\\nfunc f() { ", " }\""),
        Language::Kotlin => ("fun f() { ", " }"),
        Language::Php => ("<?php ", ";"),
        Language::Rust => ("fn f() { ", "; }"),
        Language::Scala => ("object A { def f() = ", " }"),
        Language::Swift => ("func f() { ", " }"),
        _ => ("", ""),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::rules::Rules;

    #[test]
    fn ru4_the_template_explains_itself() {
        expect![[r##"
            # A rule of this project. `refactor-bot rules test` runs the tests below.
            id: my-rule
            language: Go
            # error, warning, info, hint or off
            severity: warning
            # $A is what the pattern found in its place.
            message: use new_name for $A

            # What is found. $A stands for one piece of code, $$$A for any number of them.
            rule:
              pattern: old_name($A)

            # What is put in its place. Without this key the rule only finds.
            fix: new_name($A)

            # Which files; all of the language without these keys.
            # files: ["src/**"]
            # ignores: ["**/generated/**"]

            tests:
              # Code that the rule must leave alone.
              valid:
                - "package a\nfunc f() { new_name(1) }"
              # Code that it must find, and what the fix makes of it.
              invalid:
                - code: "package a\nfunc f() { old_name(1) }"
                  fixed: "package a\nfunc f() { new_name(1) }"
        "##]]
        .assert_eq(&template("my-rule", Language::Go).expect("Go has rules"));
        assert_eq!(template("my-rule", Language::Markdown), None);
    }

    #[test]
    fn ru4_the_template_passes_its_own_tests_in_every_language() {
        let mut failed = Vec::new();
        for language in crate::languages() {
            let text = template("my-rule", language).expect("a language with rules");
            let (rules, errors) = Rules::load(&[("new.yml", &text)], &|_| false);
            failed.extend(errors.iter().map(|error| format!("{language:?} {error}")));
            assert_eq!(rules.test().len(), 2, "{}", language.name());
            let bad = rules.test().into_iter().filter(|result| !result.is_ok());
            failed.extend(bad.map(|result| format!("{language:?} {result}")));
        }
        assert!(failed.is_empty(), "{}", failed.join("\n"));
    }
}
