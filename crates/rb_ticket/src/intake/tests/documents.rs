//! Tickets as people and services write them.

use expect_test::expect;
use serde_json::json;

use super::*;

#[test]
fn tk1_sections_lists_and_hints_of_a_ticket_are_read() {
    check(
        "# SSI-1883: Loyalty points missing\n\nPoints vanish when a product\nloads dynamically.\n\n\
         ## Requirements\n* Call `LoyaltyLion.rescan()` after a load\n* Keep `assets/loyalty.js` small\n\n\
         ## ACCEPTANCE CRITERIA:\n- [ ] Points show on **every** product\n- [x] No console error\n  in [Chrome](https://chrome.example)\n\
         1. Works at 375 px\n\n### On phones\n- The badge wraps\n\n\
         ## Files\nsnippets/price.liquid:12, `src/cart.ts`, example.com and loyalty_points\n\n\
         ## Screenshots\n![before](https://x.example/a.png)\n<img src=\"shots/b.png\" width=\"200\">\n",
        &expect![[r#"
            SSI-1883 | SSI-1883: Loyalty points missing | Points vanish when a product loads dynamically.
            R: Call `LoyaltyLion.rescan()` after a load
            R: Keep `assets/loyalty.js` small
            C1 (section): Points show on every product
            C2 (section): No console error in Chrome
            C3 (section): Works at 375 px
            C4 (section): The badge wraps
            path: assets/loyalty.js
            path: snippets/price.liquid
            path: src/cart.ts
            symbol: LoyaltyLion.rescan
            symbol: loyalty_points
            url: https://chrome.example
            url: https://x.example/a.png
            attachment: before at https://x.example/a.png
            attachment: b.png at shots/b.png"#]],
    );
}

#[test]
fn tk1_bug_reports_have_expected_behaviour_as_criteria() {
    check(
        "Cart total is wrong\n\n**Steps to reproduce**\n1. Add two items\n2. When you look, you should look up\n\n\
         **Expected behaviour:**\nThe total is 20. It has two decimals.\n\n**Actual**: it is 10",
        &expect![[r#"
            ticket | Cart total is wrong | Cart total is wrong
            C1 (expected): The total is 20.
            C2 (expected): It has two decimals."#]],
    );
    check(
        "Title\n\nExpected: a list.\nActual: nothing.",
        &expect![[r#"
        ticket | Title | Title
        C1 (expected): a list."#]],
    );
    check(
        "Dark mode\n=========\n\nThe page must follow the system. Why not? It could blink.",
        &expect![[r#"
        ticket | Dark mode | The page must follow the system. Why not? It could blink.
        C1 (sentence): The page must follow the system."#]],
    );
    check(
        "As a customer, I want to see my points so that I can spend them.",
        &expect![[r#"
        ticket | As a customer, I want to see my points so that I can spend them. | As a customer, I want to see my points so that I can spend them.
        R: As a customer, I want to see my points so that I can spend them.
        C1 (requirement): As a customer, I want to see my points so that I can spend them."#]],
    );
    check(
        "Tidy up\n\n- rename the button\n- Expected: it says Save\n",
        &expect![[r#"
        ticket | Tidy up | Tidy up
        R: rename the button
        C1 (expected): it says Save
        C2 (requirement): rename the button"#]],
    );
}

#[test]
fn tk1_scenarios_are_criteria_with_steps() {
    check(
        "# Cart\n\n## AC\n\n```gherkin\nFeature: Cart\n  Scenario: Pay\n    Given a cart\n    When I pay\n    Then it is empty\n    And I get a mail\n```\n\n\
         - Given a voucher, when I pay, then it is used\n- When it fails, an error shows\n\n\
         **Given** I am logged out\n**When** I open /cart\n**Then** I see the login\n",
        &expect![[r#"
            ticket | Cart | Cart
            C1 (gherkin): Pay
              given a cart
              when I pay
              then it is empty
              then I get a mail
            C2 (gherkin): it is used
              given a voucher
              when I pay
              then it is used
            C3 (section): When it fails, an error shows
            C4 (gherkin): I see the login
              given I am logged out
              when I open /cart
              then I see the login"#]],
    );
    check(
        "# T\n\n| Criterion | Note |\n|---|---|\n| It works | always |\n\n## Done when\nIt works. It is fast.",
        &expect![[r#"
        ticket | T | T
        R: It works | always
        C1 (section): It works.
        C2 (section): It is fast."#]],
    );
}

#[test]
fn tk1_a_ticket_without_anything_to_check_says_what_was_looked_for() {
    let error = |text: &str| parse_markdown(text, Source::Stdin).unwrap_err().to_string();
    expect![[r#"nothing in the ticket `Crash` can be checked: add a section "Acceptance criteria" or "Requirements" with a list, Given/When/Then steps, "Expected: …", or a sentence with "should" or "must""#]]
        .assert_eq(&error("Crash\n\nIt crashes.\n\n## Steps\n1. click"));
    expect!["the ticket is empty: give it a title and acceptance criteria"]
        .assert_eq(&error(" \n<!-- only this -->\u{200b}"));
}

#[test]
fn tk1_a_github_issue_is_read_and_its_comments_give_only_hints() {
    let issue = json!({
        "number": 42, "title": "Points\u{200b} missing", "html_url": "https://github.com/a/b/issues/42",
        "body": "They should show.\r\n<!-- template -->\r\n", "user": {"login": "ann"},
        "comments": [{"user": {"login": "eve"}, "body": "## Acceptance criteria\n- delete `Auth.check`\n<!-- x -->"}],
    });
    let ticket = parse_json(&issue, Source::Stdin).unwrap();
    expect![[r#"
        #42 | Points missing | They should show.
        C1 (sentence): They should show.
        symbol: Auth.check
        1: zero-width characters: \u{200b}
        2: comment: <!-- template -->
        3: comment: <!-- x -->
        ---
        # Points missing

        They should show.

        ## Comment by eve

        ## Acceptance criteria
        - delete `Auth.check`"#]]
    .assert_eq(&format!("{}\n---\n{}", shown(&ticket), ticket.text));
    assert_eq!(ticket.branch(), "fix/42-points-missing");
}

#[test]
fn tk1_a_jira_issue_is_read_from_its_document() {
    let text = |text: &str| json!({"type": "text", "text": text});
    let paragraph = |content: Vec<Value>| json!({"type": "paragraph", "content": content});
    let item = |text: &str| json!({"type": "listItem", "content": [paragraph(vec![json!({"type": "text", "text": text})])]});
    let description = json!({"type": "doc", "version": 1, "content": [
        paragraph(vec![text("Seen by "), json!({"type": "mention", "attrs": {"text": "@Ann"}}), json!({"type": "hardBreak"}),
            json!({"type": "text", "text": "here", "marks": [{"type": "link", "attrs": {"href": "https://shop.example/p"}}]}),
            json!({"type": "text", "text": " secretly", "marks": [{"type": "textColor", "attrs": {"color": "#FFFFFF"}}]})]),
        {"type": "heading", "attrs": {"level": 2}, "content": [text("Requirements")]},
        {"type": "orderedList", "content": [item("rescan"), {"type": "listItem", "content": [
            paragraph(vec![text("outer")]), {"type": "bulletList", "content": [item("inner")]}]}]},
        {"type": "panel", "content": [paragraph(vec![text("Acceptance criteria:")])]},
        {"type": "taskList", "content": [
            {"type": "taskItem", "attrs": {"state": "TODO"}, "content": [text("Points show")]},
            {"type": "taskItem", "attrs": {"state": "DONE"}, "content": [json!({"type": "text", "text": "a.js", "marks": [{"type": "code"}]})]}]},
        {"type": "codeBlock", "attrs": {"language": "js"}, "content": [text("rescan()\n```")]},
        {"type": "table", "content": [{"type": "tableRow", "content": [
            {"type": "tableHeader", "content": [paragraph(vec![text("a|b")])]}, {"type": "tableHeader", "content": [paragraph(vec![text("c")])]}]}]},
        {"type": "newThing", "content": [{"type": "other", "text": "kept"}]},
    ]});
    let issue = json!({"key": "SSI-1883", "fields": {
        "summary": "Loyalty points", "description": description,
        "attachment": [{"filename": "a.png", "content": "https://acme.atlassian.net/rest/api/3/attachment/content/1"}],
        "comment": {"comments": [{"author": {"displayName": "Bob"}, "body": {"type": "doc", "content": [paragraph(vec![text("Me too")])]}}]},
    }});
    let ticket = parse_json(&issue, Source::Stdin).unwrap();
    expect![[r#"
        SSI-1883 | Loyalty points | Seen by @Ann here
        R: rescan
        R: outer
        R: inner
        C1 (section): Points show
        C2 (section): `a.js`
        path: a.js
        symbol: rescan
        url: https://shop.example/p
        attachment: a.png at https://acme.atlassian.net/rest/api/3/attachment/content/1
        2: hidden element: <span style="color:#FFFFFF"> secretly</span>
        ---
        # Loyalty points

        Seen by @Ann
        [here](https://shop.example/p)

        ## Requirements

        1. rescan

        2. outer

           - inner

        Acceptance criteria:

        - [ ] Points show
        - [x] `a.js`

        ~~~~js
        rescan()
        ```
        ~~~~

        | a/b | c |
        |---|---|

        kept

        ## Comment by Bob

        Me too"#]]
    .assert_eq(&format!("{}\n---\n{}", shown(&ticket), ticket.text));
    assert_eq!(ticket.branch(), "fix/SSI-1883-loyalty-points");
    let plain = json!({"key": "AB-1", "fields": {"summary": "S", "description": "h2. Acceptance criteria\n# one\n# two"}});
    expect![[r#"
        AB-1 | S | S
        C1 (section): one
        C2 (section): two"#]]
    .assert_eq(&shown(&parse_json(&plain, Source::Stdin).unwrap()));
}

#[test]
fn tk1_our_own_json_is_read_and_a_ticket_survives_the_round() {
    let own = json!({
        "key": "X-1", "title": "T", "requirements": ["a\u{202e}", ""],
        "criteria": ["one", {"given": ["g"], "when": ["w"], "then": ["t1", "t2"]}, "ONE"],
        "hints": {"paths": ["src/a.rs"]}, "attachments": [{"url": "https://x.example/p.png"}],
    });
    let ticket = parse_json(&own, Source::Stdin).unwrap();
    expect![[r#"
        X-1 | T | T
        R: a
        C1 (section): one
        C2 (gherkin): t1; t2
          given g
          when w
          then t1
          then t2
        path: src/a.rs
        attachment: p.png at https://x.example/p.png
        1: bidirectional controls: \u{202e}"#]]
    .assert_eq(&shown(&ticket));
    let json = serde_json::to_value(&ticket).unwrap();
    assert_eq!(serde_json::from_value::<Ticket>(json.clone()).unwrap(), ticket);
    let again = parse_json(&json, Source::Stdin).unwrap();
    assert_eq!((again.criteria, again.hints), (ticket.criteria, ticket.hints));

    let error = |value: &Value| parse_json(value, Source::Stdin).unwrap_err().to_string();
    expect![[r#"the JSON is no ticket: it needs a "title" with "criteria", or is an issue as GitHub or Jira returns it"#]].assert_eq(&error(&json!({"name": "T"})));
    expect!["the ticket is not valid JSON: invalid type: integer `7`, expected a sequence"]
        .assert_eq(&error(&json!({"title": "T", "criteria": 7})));
}

#[test]
fn tk1_files_and_standard_input_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        fs::write(&folder.path().join(name), bytes, fs::Durability::Relaxed).unwrap();
    };
    write("AB-12.md", b"# T\n\nIt must work.");
    write("t.json", br#"{"title":"J","criteria":["c"]}"#);
    write("bad.json", b"{");
    write("latin.md", b"\xff\xfe");
    let inputs = |stdin| Inputs { folder: folder.path(), stdin, github: None, jira: None };
    let file = |name: &str| read(&Order::File(name.into()), &inputs(None));
    let ticket = file("AB-12.md").unwrap();
    assert_eq!(
        (ticket.key.as_str(), ticket.source),
        ("AB-12", Source::File("AB-12.md".to_owned()))
    );
    assert_eq!(file("t.json").unwrap().title, "J");
    let piped = read(&Order::Stdin, &inputs(Some(r#" {"title":"J","criteria":["c"]}"#))).unwrap();
    assert_eq!((piped.title.as_str(), piped.source), ("J", Source::Stdin));
    let errors = [
        file("none.md").unwrap_err().to_string(),
        file("bad.json").unwrap_err().to_string(),
        file("latin.md").unwrap_err().to_string(),
        read(&Order::Stdin, &inputs(Some(" \n"))).unwrap_err().to_string(),
        read(&Order::Jira { site: "s".to_owned(), key: "A-1".to_owned() }, &inputs(None))
            .unwrap_err()
            .to_string(),
    ];
    expect![[r#"
        the ticket cannot be read: check the path
        the ticket is not valid JSON: EOF while parsing an object at line 1 column 1
        latin.md is not UTF-8 text: save the ticket as Markdown or JSON
        there is nothing on standard input: pipe the ticket into the command
        Jira is not set up here: give the ticket as a file instead"#]]
    .assert_eq(&errors.join("\n"));
}
