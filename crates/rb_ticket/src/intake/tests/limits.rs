//! No text stops the reader, and no ticket is large.

use std::fmt::Write as _;

use super::*;

/// Every list and text of a ticket is bounded, and nothing hidden is left.
fn assert_bounded(ticket: &Ticket) {
    assert!(ticket.text.len() <= clean::LONGEST_TEXT && ticket.title.chars().count() <= 200);
    assert!(ticket.summary.chars().count() <= 1000);
    assert!(ticket.requirements.len() <= 100 && ticket.criteria.len() <= 100);
    assert!(ticket.stripped.len() <= 200 && ticket.attachments.len() <= 50);
    let json = serde_json::to_string(ticket).unwrap();
    assert!(json.len() < 600 << 10, "{}", json.len());
    let hidden = |c: char| {
        c.is_control() && c != '\n' && c != '\t' || "\u{200b}\u{202e}\u{e0041}".contains(c)
    };
    assert!(!ticket.text.contains(hidden), "{}", ticket.text);
}

#[test]
fn tk1_large_tickets_are_cut_in_bounded_time() {
    for piece in [
        "- item\n",
        "`",
        "`a` ",
        "<",
        "<!--",
        "<!---->",
        "<b ",
        "<p hidden>",
        "<a b=\"",
        "](",
        "<img ",
        "\u{200b}",
        "Given a\n",
        "a.",
        "é",
    ] {
        let started = std::time::Instant::now();
        let body = piece.repeat((1 << 20) / piece.len());
        let ticket = parse_markdown(&format!("# T\n\nIt must work.\n\n{body}"), Source::Stdin);
        let ticket = ticket.unwrap_or_else(|error| panic!("{piece}: {error}"));
        assert!(ticket.truncated, "{piece}");
        assert_bounded(&ticket);
        let seconds = started.elapsed().as_secs();
        assert!(seconds < 20, "{piece}: {seconds} s");
    }
}

#[test]
fn tk1_no_text_stops_the_reader() {
    const PIECES: [&str; 44] = [
        "a",
        " ",
        "\n",
        "\n\n",
        "\r",
        "\t",
        "`",
        "```",
        "~~~",
        "<",
        ">",
        "<!--",
        "-->",
        "<p hidden>",
        "</p>",
        "<img alt=\"",
        "\"",
        "'",
        "=",
        "/",
        "\\",
        "[",
        "]",
        "](",
        ")",
        "![",
        "[x]: ",
        "# ",
        "- ",
        "1. ",
        "> ",
        "| ",
        "**",
        ":",
        "Given ",
        "When ",
        "Then ",
        "Expected: ",
        "must ",
        "é",
        "\u{200d}",
        "\u{1f3f4}",
        "\u{e0067}",
        "http://",
    ];
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    for _ in 0..1000 {
        let mut text = String::new();
        for _ in 0..24 {
            // xorshift
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let at = usize::try_from(state >> 33).unwrap() % PIECES.len();
            write!(text, "{}", PIECES[at]).unwrap();
        }
        if let Ok(ticket) = parse_markdown(&text, Source::Stdin) {
            assert_bounded(&ticket);
            // What is left has nothing more to hide.
            let again = parse_markdown(&ticket.text, Source::Stdin);
            let left = again.map_or(0, |ticket| ticket.stripped.len());
            assert!(left <= ticket.stripped.len() + 1, "{text:?}");
        }
    }
}

#[test]
fn tk1_deep_documents_are_cut() {
    let mut node = serde_json::json!({"type": "text", "text": "must"});
    for _ in 0..500 {
        node = serde_json::json!({"type": "listItem", "content": [node]});
    }
    let issue = serde_json::json!({"key": "A-1", "fields": {"summary": "It must work", "description": node}});
    assert!(parse_json(&issue, Source::Stdin).is_err());
}
