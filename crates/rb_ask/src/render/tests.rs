use expect_test::expect;

use super::*;
use crate::answer::{Draft, DraftSection, DraftStatement, verify};
use crate::citation::Citation;
use crate::citation::fixture::{Files, cite};

fn answer() -> Answer {
    let files = Files::new(&[
        ("lib/__init__.py", "def total(items):\n    return sum(items)\n"),
        ("b.py", "def other():\n    pass\n"),
    ]);
    let statement =
        |text: &str, citations: Vec<Citation>| DraftStatement { text: text.to_owned(), citations };
    let right = cite("lib/__init__.py", 1, 2, "def total(items):");
    let wrong = cite("lib/__init__.py", 2, 2, "def total(items):");
    let unread = cite("b.py", 1, 1, "def other():");
    let statements = vec![
        statement("`total` sums items. It calls `average`.", vec![right]),
        statement("- `total` is a function.\n- `sum` is called.", vec![wrong]),
        statement("```py\ndef other():\n```", vec![unread]),
        statement("It has ![an image](https://example.com/a.png)\u{1b}[2J.", vec![]),
    ];
    let draft = Draft {
        sections: vec![DraftSection { heading: "Totals".to_owned(), statements }],
        not_found: vec!["a cache".to_owned()],
    };
    let author = Author::Model { provider: "anthropic".to_owned(), model: "large".to_owned() };
    let evidence = files.shown("lib/__init__.py", 1, 2);
    let mut answer = verify("How are <b>totals</b>\nmade?", author, &draft, &evidence, &files);
    answer.notes.push("The limit of 20 calls was reached.".to_owned());
    answer
}

struct Tags;

impl Style for Tags {
    fn heading(&self, text: &str) -> String {
        format!("<h>{text}</h>")
    }

    fn dim(&self, text: &str) -> String {
        format!("<dim>{text}</dim>")
    }

    fn warn(&self, text: &str) -> String {
        format!("<warn>{text}</warn>")
    }
}

#[test]
fn as8_markdown_marks_what_is_not_verified() {
    expect![[r#"
        # How are &lt;b>totals&lt;/b> made?

        ## Totals

        `total` sums items. It calls `average`. *(not verified: `average` is not in the cited lines)* [lib/\_\_init\_\_.py:1-2]

        - `total` is a function.
        - `sum` is called. [lib/\_\_init\_\_.py:1]

        ```py
        def other():
        ```
        *(not verified: the citation is not valid: the file was not read)* [b.py:1 (not valid: the file was not read)]

        It has \![an image\](https://example.com/a.png)\u{1b}[2J. *(not verified: no citation)*

        - I couldn't find: a cache

        > Note: The limit of 20 calls was reached.

        ---

        Answered by large (anthropic).

        6 claims, 3 verified, 3 not verified; 3 citations, 2 valid (1 line number corrected)
    "#]].assert_eq(&markdown(&answer()));
}

#[test]
fn as8_the_terminal_shows_links_and_marks() {
    let link = |checked: &CheckedCitation, text: &str| {
        format!("<a {}>{text}</a>", checked.citation.first_line)
    };
    expect![[r#"
        <h>Totals</h>

        `total` sums items. It calls `average`. <warn>(not verified: `average` is not in the cited lines)</warn> <a 1>[lib/__init__.py:1-2]</a>

        - `total` is a function.
        - `sum` is called. <a 1>[lib/__init__.py:1]</a>

        ```py
        def other():
        ```
        <warn>(not verified: the citation is not valid: the file was not read)</warn> <warn>[b.py:1 (not valid: the file was not read)]</warn>

        It has ![an image](https://example.com/a.png)\u{1b}[2J. <warn>(not verified: no citation)</warn>

        I couldn't find: a cache

        note: The limit of 20 calls was reached.

        <dim>Answered by large (anthropic). 6 claims, 3 verified, 3 not verified; 3 citations, 2 valid (1 line number corrected)</dim>
    "#]].assert_eq(&terminal(&answer(), &link, &Tags));
}

#[test]
fn as8_json_holds_all_of_an_answer() {
    let answer = answer();
    assert_eq!(serde_json::from_str::<Answer>(&json(&answer)).unwrap(), answer);
}

#[test]
fn as8_counts_are_said_in_words() {
    let counts = Counts {
        claims: 12,
        verified_claims: 11,
        cited_claims: 12,
        citations: 14,
        valid_citations: 14,
        repaired_citations: 1,
    };
    let expected = "12 claims, 11 verified, 1 not verified; \
                    14 citations, 14 valid (1 line number corrected)";
    assert_eq!(summary(&counts), expected);
    let nothing = "0 claims, 0 verified, 0 not verified; 0 citations, 0 valid";
    assert_eq!(summary(&Counts::default()), nothing);
}

#[test]
fn ux5_foreign_text_cannot_steer_the_terminal() {
    assert_eq!(safe("plain ä 漢\nline"), "plain ä 漢\nline");
    assert_eq!(safe("\u{1b}[2J\u{9b}x\r\u{202e}"), "\\u{1b}[2J\\u{9b}x\\u{d}\\u{202e}");
    assert_eq!(safe_line("a\n\tb"), "a b");
}
