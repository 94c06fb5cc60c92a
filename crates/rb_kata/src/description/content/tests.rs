use super::*;
use crate::constraint::ConstraintKind;
use crate::description::markdown::Document;
use crate::description::section::parts;

fn content(text: &str) -> Content {
    let document = Document::parse(text);
    Content::of(&parts(&document.blocks, Some(1)))
}

#[test]
fn ka1_requirements_stand_below_their_headings() {
    let check = |text: &str, expected: &[&str]| {
        assert_eq!(content(text).requirements, expected, "{text:?}");
    };
    check("# A\n- no\n## Requirements\n- **b**\n- see [c](d)\n", &["b", "see c"]);
    check("# A\n## Rules\n1. b\n   and c\n2. `d_e`\n", &["b and c", "`d_e`"]);
    check("# A\n## Step 1\n- b\n## Step 2\n- c\n## Notes\n- d\n", &["b", "c"]);
    check(
        "# A\n## User stories\nAs a fan, I want b. I want c.\n",
        &["As a fan, I want b. I want c."],
    );
    check(
        "# A\n## Rules\nThe following apply:\n- b\n\nIt must be c.\n\nNice.\n",
        &["b", "It must be c."],
    );
    check(
        "# A\n## Features\n### Step 1: add\n### Step 2: subtract\n",
        &["Step 1: add", "Step 2: subtract"],
    );
    check(
        "# A\n## Rules\n- A cell dies if:\n  - b\n  - c\n- d\n",
        &["A cell dies if: b", "A cell dies if: c", "d"],
    );
    check("# A\n## Step 1\nAn empty text is 0.\n```\nadd(\"\")\n```\n", &["An empty text is 0."]);
    check("# A\n**Requirements**\n\n- b\n\nExamples:\n- c\n", &["b"]);
    check("# A\n## Rules\n- b\n- `1` -> 2\n- Language: Go\n", &["b"]);
}

#[test]
fn ka1_without_headings_items_then_sentences_then_the_text_are_requirements() {
    let check = |text: &str, source: Source, expected: &[&str]| {
        let content = content(text);
        assert_eq!(
            (content.source, content.requirements.as_slice()),
            (source, owned(expected).as_slice())
        );
    };
    check("# A\nIt must c.\n- b\n", Source::Statements, &["b"]);
    check(
        "# A\nA nice kata. It must b. When c, d.\n",
        Source::Statements,
        &["It must b.", "When c, d."],
    );
    check(
        "# A\nWrite a b.\nThen rest.\n\nEnjoy.\n",
        Source::WholeText,
        &["Write a b. Then rest. Enjoy."],
    );
    check("# A\n## Background\n- b\n", Source::WholeText, &["b"]);
    check("# A\n", Source::Nowhere, &[]);
    check("# A\n## Examples\n- b\n", Source::Nowhere, &[]);
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn ka1_examples_are_found() {
    let check = |text: &str, expected: &[&str]| {
        assert_eq!(content(text).examples, expected, "{text:?}");
    };
    check("# A\n## Examples\n- 1 is I\n- *2* is II\n", &["1 is I", "2 is II"]);
    check("# A\n## Examples\nSome of them:\n\n```\n1 -> I\n2 -> II\n```\n", &["1 -> I\n2 -> II"]);
    check(
        "# A\n## Test cases\n| In | Out |\n|--|--|\n| 1 | I |\n| 2 | II |\n",
        &["In: 1, Out: I", "In: 2, Out: II"],
    );
    check("# A\n## Sample\nOne is I.\nTwo is II.\n", &["One is I. Two is II."]);
    check("# A\n1 -> I\n2 => II\nthree\n", &["1 -> I", "2 => II"]);
    check("# A\n- b\n- 1 -> I\n\n`f(1)` returns 2\n", &["1 -> I", "`f(1)` returns 2"]);
    check("# A\nThe function returns 0 for nothing.\n", &["The function returns 0 for nothing."]);
    check("# A\n```\n```\n", &[]);
    check("# A\n## Hints\n```\nx\n```\n", &[]);
}

#[test]
fn ka4_constraints_are_read_from_the_text() {
    let check = |text: &str, expected: &[(&str, ConstraintKind)]| {
        let content = content(text);
        let shown: Vec<(&str, ConstraintKind)> = content
            .constraints
            .iter()
            .map(|constraint| (constraint.text.as_str(), constraint.kind))
            .collect();
        assert_eq!(shown, expected, "{text:?}");
    };
    let no_else = ConstraintKind::NoElse;
    let judged = ConstraintKind::Judged;
    check(
        "# A\n## Constraints\n- No else\n- Be kind\n",
        &[("No else", no_else), ("Be kind", judged)],
    );
    check(
        "# A\n## Constraints\nBe kind. Be brief.\n",
        &[("Be kind.", judged), ("Be brief.", judged)],
    );
    check("# A\n## Constraints\nThey help.\n\n- Be kind\n- Be kind\n", &[("Be kind", judged)]);
    check("# A\n## Rules\n- No else\n- Be kind\n", &[("No else", no_else)]);
    check("# A\n- b\n\nNo else\n\nNo else\n", &[("No else", no_else)]);
    check("# A\n- Numbers are added\n", &[]);
}

#[test]
fn ka4_object_calisthenics_are_nine_rules_once() {
    let check = |text: &str, first: &str| {
        let constraints = content(text).constraints;
        assert_eq!(constraints.len(), 9, "{text:?}: {constraints:?}");
        assert_eq!(constraints[0].text, first);
        assert!(constraints.iter().all(|constraint| constraint.kind != ConstraintKind::Judged));
    };
    check("# A\n## Object Calisthenics\n- No else\n", "No else");
    check("# A\n- b\n\nNo else\n\nFollow Object Calisthenics.\n", "No else");
    check("# A\n## Constraints\n- No else\n- Object Calisthenics\n", "No else");
}

#[test]
fn ka4_a_constraint_is_not_a_requirement() {
    assert_eq!(content("# A\n## Rules\n- b\n- No else\n").requirements, ["b"]);
    assert_eq!(
        content("# A\nIt must b. No else. It must c.\n").requirements,
        ["It must b.", "It must c."]
    );
}

#[test]
fn ka9_a_long_text_is_cut_where_it_is_the_only_requirement() {
    let requirements = content(&format!("# A\n{}", "word ".repeat(1_000))).requirements;
    assert_eq!(requirements.len(), 1);
    assert!(requirements[0].chars().count() <= LONGEST_PROSE + 1);
    assert!(requirements[0].ends_with('…'));
}
