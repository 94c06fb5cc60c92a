//! Every rule on every example and case of all rules, whole and with lines missing: nothing panics, and what a proved fix leaves
//! parses and has no more of it to do.

use std::path::Path;

use rb_core::fs;
use rb_ecma::with_module;
use rb_lang::Language;
use rb_rules::Applicability;
use rb_rules::rules::ALL;
use rb_rules::testing::{Setup, check_doc};

#[test]
fn ru1_wrong_forms_are_found_and_right_ones_are_not() {
    for rule in ALL {
        check_doc(rule);
    }
}

#[test]
fn ru1_every_rule_stands_every_text() {
    let mut texts = examples();
    texts.extend(cases());
    let whole = texts.len();
    for at in 0..whole {
        texts.extend(with_lines_missing(&texts[at]));
    }
    texts.retain(|text| with_module(Language::Tsx, text, |_| ()).is_some());
    assert!(texts.len() > 2 * whole, "most texts parse with a line missing: {}", texts.len());
    std::thread::scope(|scope| {
        for share in texts.chunks(texts.len().div_ceil(2)) {
            let work = move || share.iter().for_each(|text| stands(text));
            rb_lang::spawn(scope, work).expect("a thread can be started");
        }
    });
}

/// `Setup::fixed` holds each fix to what all must keep.
fn stands(text: &str) {
    for rule in ALL {
        let setup = Setup::new().given(rule.doc.given).path("src/any.tsx");
        if setup.findings(rule, text).iter().any(|it| it.fix.is_some()) {
            setup.fixed(rule, text, Applicability::Auto);
            setup.fixed(rule, text, Applicability::Assist);
        }
    }
}

fn examples() -> Vec<String> {
    ALL.iter().flat_map(|rule| [rule.doc.wrong, rule.doc.right]).map(str::to_owned).collect()
}

fn cases() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/behaviour/cases");
    let mut texts = Vec::new();
    for rule in fs::list(&root).expect("the cases") {
        let folder = root.join(rule);
        for file in fs::list(&folder).expect("the cases of a rule") {
            let bytes = fs::read(&folder.join(file)).expect("a case");
            texts.push(String::from_utf8(bytes).expect("a text"));
        }
    }
    texts
}

/// The text without one line, for some of its lines.
fn with_lines_missing(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let without = |gone: usize| {
        let left = lines.iter().enumerate().filter(|(at, _)| *at != gone).map(|(_, line)| *line);
        left.collect::<Vec<_>>().join("\n")
    };
    let step = lines.len().div_ceil(12).max(1);
    (0..lines.len()).step_by(step).map(without).collect()
}
