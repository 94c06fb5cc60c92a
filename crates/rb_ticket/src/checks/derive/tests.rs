//! Tables of sentences and the checks that they become.

use super::*;
use crate::ticket::{Attachment, Hints, Origin, Source};

fn criterion(id: usize, text: &str) -> Criterion {
    Criterion {
        id: format!("C{id}"),
        text: text.to_owned(),
        given: Vec::new(),
        when: Vec::new(),
        then: Vec::new(),
        from: Origin::Section,
    }
}

fn ticket(title: &str, criteria: Vec<Criterion>) -> Ticket {
    Ticket {
        key: "T-1".to_owned(),
        title: title.to_owned(),
        summary: String::new(),
        requirements: Vec::new(),
        criteria,
        hints: Hints::default(),
        attachments: vec![Attachment {
            name: "cart.png".to_owned(),
            location: "cart.png".to_owned(),
        }],
        stripped: Vec::new(),
        suspicious: Vec::new(),
        source: Source::Stdin,
        text: String::new(),
        truncated: false,
    }
}

/// What becomes of each sentence alone, on a line each.
fn said(sentences: &[&str]) -> String {
    let line = |sentence: &&str| {
        let derived = derive(&ticket("A title", vec![criterion(1, sentence)]));
        let words = match (derived.checks.first(), derived.unchecked.first()) {
            (Some(check), None) => check.to_string(),
            (None, Some(unchecked)) => format!("unchecked: {}", unchecked.why),
            both => panic!("a criterion is in one list: {both:?}"),
        };
        format!("{sentence}\n  {words}\n")
    };
    sentences.iter().map(line).collect()
}

#[test]
#[expect(clippy::too_many_lines, reason = "the table is long, not the code")]
fn tk3_sentences_become_checks() {
    let said = said(&[
        r#"On /cart the page shows "Earn 10 points""#,
        r#"The page /products displays "Sale" and "New"."#,
        r#"/cart no longer shows "+ loyalty points""#,
        r#"The cart doesn't show "x""#,
        r#"The page does not contain "A" or "B""#,
        r#""Total" and "Tax" are visible on /cart"#,
        r#""Old price" is not shown on /cart."#,
        r#"The button "Save" exists"#,
        r#"The "Save" button is disabled, and the link "Help" is visible"#,
        r#"The heading "Cart" is shown on the home page"#,
        r#"The heading reads "Your cart""#,
        r#"There are 3 `.card` on /products"#,
        "There are three items `.card`",
        r#"The page shows exactly 2 buttons "Add""#,
        r#""Sold out" is shown twice"#,
        "There are 3 items",
        "/missing returns a 404 status code",
        "The page /missing responds with status 404",
        "It returns 9999",
        r#"The title is "Shop""#,
        "There are no console errors on /cart",
        "No failed requests",
        "No errors in the console and no horizontal scrolling at 375 px",
        "At 375px wide the page does not overflow",
        "The page /cart fits on a phone",
        "On mobile there is no horizontal scrollbar",
        "Below 375 px the page does not overflow",
        "The page looks like cart.png on a 375×667 screen",
        "The page looks like other.png",
        r#"The field "Email" contains "a@b.c""#,
        r#"The "Email" field is empty"#,
        r#"When I click "Add to cart", the page shows "1 item""#,
        r#"After clicking the button "Save" then "Saved" is visible"#,
        r#"Clicking the link "Home" opens /"#,
        r#"The page shows "A" but not "B""#,
        r#"No "Error" is shown"#,
        "Loyalty points are correct",
        r#"The page shows "A" after 5 seconds"#,
        r#"The page shows "A" on /a and /b"#,
        "",
    ]);
    expect_test::expect![[r#"
        On /cart the page shows "Earn 10 points"
          open /cart: the page shows "Earn 10 points"
        The page /products displays "Sale" and "New".
          open /products: the page shows "Sale"; the page shows "New"
        /cart no longer shows "+ loyalty points"
          open /cart: the page does not show "+ loyalty points"
        The cart doesn't show "x"
          unchecked: this part is not understood without a model: The cart doesn't show "x"
        The page does not contain "A" or "B"
          unchecked: this part is not understood without a model: The page does not contain "A" or "B"
        "Total" and "Tax" are visible on /cart
          open /cart: the page shows "Total"; the page shows "Tax"
        "Old price" is not shown on /cart.
          open /cart: the page does not show "Old price"
        The button "Save" exists
          open /: the button "Save" is visible
        The "Save" button is disabled, and the link "Help" is visible
          open /: the button "Save" is disabled; the link "Help" is visible
        The heading "Cart" is shown on the home page
          open /: the heading "Cart" is visible
        The heading reads "Your cart"
          open /: the heading "Your cart" is visible
        There are 3 `.card` on /products
          open /products: the element `.card` occurs exactly 3 times
        There are three items `.card`
          open /: the element `.card` occurs exactly 3 times
        The page shows exactly 2 buttons "Add"
          open /: the button "Add" occurs exactly twice
        "Sold out" is shown twice
          open /: the text "Sold out" occurs exactly twice
        There are 3 items
          unchecked: this part is not understood without a model: There are 3 items
        /missing returns a 404 status code
          open /missing: the server answers with status 404
        The page /missing responds with status 404
          open /missing: the server answers with status 404
        It returns 9999
          unchecked: this part is not understood without a model: It returns 9999
        The title is "Shop"
          open /: the title is "Shop"
        There are no console errors on /cart
          open /cart: the console shows no errors
        No failed requests
          open /: no request fails
        No errors in the console and no horizontal scrolling at 375 px
          open / at 375×667: the console shows no errors; nothing overflows the window horizontally
        At 375px wide the page does not overflow
          open / at 375×667: nothing overflows the window horizontally
        The page /cart fits on a phone
          open /cart at 375×667: nothing overflows the window horizontally
        On mobile there is no horizontal scrollbar
          open / at 375×667: nothing overflows the window horizontally
        Below 375 px the page does not overflow
          unchecked: this part is not understood without a model: Below 375 px the page does not overflow
        The page looks like cart.png on a 375×667 screen
          open / at 375×667: the page looks like cart.png (at most 1% of the pixels differ)
        The page looks like other.png
          unchecked: the ticket has no attachment `other.png`
        The field "Email" contains "a@b.c"
          open /: the value of the field "Email" is "a@b.c"
        The "Email" field is empty
          open /: the field "Email" is empty
        When I click "Add to cart", the page shows "1 item"
          open /, click the text "Add to cart": the page shows "1 item"
        After clicking the button "Save" then "Saved" is visible
          open /, click the button "Save": the page shows "Saved"
        Clicking the link "Home" opens /
          open /, click the link "Home": the URL is /
        The page shows "A" but not "B"
          open /: the page shows "A"; the page does not show "B"
        No "Error" is shown
          open /: the page does not show "Error"
        Loyalty points are correct
          unchecked: this part is not understood without a model: Loyalty points are correct
        The page shows "A" after 5 seconds
          unchecked: this part is not understood without a model: The page shows "A" after 5 seconds
        The page shows "A" on /a and /b
          unchecked: this part is not understood without a model: /b

          unchecked: it is empty
    "#]].assert_eq(&said);
}

#[test]
fn tk3_gherkin_lines_become_steps_and_expectations() {
    let scenario = |given: &[&str], when: &[&str], then: &[&str]| {
        let own = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
        let scenario = Criterion {
            given: own(given),
            when: own(when),
            then: own(then),
            ..criterion(1, "A scenario")
        };
        let derived = derive(&ticket("A title", vec![scenario]));
        match derived.checks.first() {
            Some(check) => check.to_string(),
            None => derived.unchecked[0].why.clone(),
        }
    };
    let rows = [
        scenario(
            &["I am on /login", "I use a phone"],
            &[
                r#"I enter "a@b.c" into "Email""#,
                r#"I fill in the field "Password" with "x""#,
                "And I press Enter",
            ],
            &["Then the URL is /account", r#"I see "Welcome""#],
        ),
        scenario(
            &["the user is on the page /shop"],
            &[r#"the user selects "Red" from "Colour""#, r#"I hover over `.card`"#],
            &["the button \"Buy\" is enabled"],
        ),
        scenario(
            &["I open the home page"],
            &[r#"I press the button "Go""#, r#"I wait for "Done""#, "I go to /x"],
            &["I am on /x"],
        ),
        scenario(&["I am logged in"], &["I open /"], &["I see \"A\""]),
        scenario(&["I am on /a"], &[], &["I am happy"]),
        scenario(&["I am on /a"], &[], &["the page /b shows \"x\""]),
        scenario(&["I am on /a"], &["I click \"b\""], &[]),
    ];
    expect_test::expect![[r#"
        open /login at 375×667, type "a@b.c" into the field "Email", type "x" into the field "Password", press Enter: the URL is /account; the page shows "Welcome"
        open /shop, select "Red" in the field "Colour", hover over the element `.card`: the button "Buy" is enabled
        open /x, click the button "Go", wait for "Done", open /x: the URL is /x
        this part is not understood without a model: I am logged in
        this part is not understood without a model: I am happy
        it names more than one page: the page /b shows "x"
        it does not say what a browser should see"#]].assert_eq(&rows.join("\n"));
}

#[test]
fn tk3_a_criterion_without_a_page_is_checked_on_the_only_one_or_not_at_all() {
    let paths = |title: &str, sentences: &[&str]| {
        let criteria =
            sentences.iter().enumerate().map(|(at, text)| criterion(at + 1, text)).collect();
        let derived = derive(&ticket(title, criteria));
        let checks = derived.checks.iter().map(|check| {
            format!(
                "{} {} {}",
                check.criterion.as_deref().unwrap_or("-"),
                check.by.name(),
                check.path
            )
        });
        let unchecked =
            derived.unchecked.iter().map(|one| format!("{}: {}", one.criterion, one.why));
        checks.chain(unchecked).collect::<Vec<_>>().join("\n")
    };
    expect_test::expect![[r#"
        C1 criterion /cart
        C2 criterion /cart
        - always /cart

        C1 criterion /a
        C2 criterion /b
        - always /a
        - always /b
        C3: it names no page, and the ticket names several (/a, /b)

        C1 criterion /gone
        C2 criterion /gone
        - always /gone"#]]
    .assert_eq(
        &[
            paths("Points on /cart (see /src/cart.js)", &["It shows \"A\"", "It shows \"B\""]),
            paths("Points", &["/a shows \"A\"", "/b shows \"B\"", "It shows \"C\""]),
            paths("Points", &["/gone returns 404", "It shows \"C\""]),
        ]
        .join("\n\n"),
    );
}

/// Numbers from a seed, the same every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}

#[test]
fn tk3_no_sentence_panics_or_is_lost() {
    let words = [
        "the",
        "page",
        "shows",
        "\"A\"",
        "\"",
        "`.x`",
        "`",
        "/",
        "/cart",
        "//x",
        "is",
        "not",
        "no",
        "visible",
        "and",
        ",",
        ".",
        "375",
        "px",
        "375px",
        "4x",
        "x",
        "on",
        "a",
        "phone",
        "at",
        "when",
        "then",
        "click",
        "press",
        "Enter",
        "type",
        "into",
        "in",
        "with",
        "field",
        "button",
        "there",
        "are",
        "title",
        "url",
        "returns",
        "404",
        "é",
        "'",
        "’",
        "“",
        "don't",
        "cannot",
        "n't",
        "\u{0}",
        "\u{200b}",
        "🦀",
        "home",
        "looks",
        "like",
        "cart.png",
        "[",
        "#",
        ".",
        "li.",
        "http://localhost",
        "http://localhost:1/x",
        "99999999999999999999",
        "console",
        "errors",
        "exactly",
        "3",
        "times",
        "twice",
        "value",
        "of",
        "ß×ß",
    ];
    let mut numbers = Numbers(7);
    for _ in 0..4_000 {
        let length = 1 + numbers.below(12);
        let parts: Vec<&str> = (0..length).map(|_| words[numbers.below(words.len())]).collect();
        let text = parts.join(if numbers.below(4) == 0 { "" } else { " " });
        let mut one = criterion(1, &text);
        if numbers.below(3) == 0 {
            one.given.push(text.clone());
            one.then.push(text.clone());
        }
        let derived = derive(&ticket(&text, vec![one]));
        let decided = derived.checks.iter().filter(|check| check.by == By::Criterion).count();
        assert_eq!(decided + derived.unchecked.len(), 1, "{text}");
        for check in &derived.checks {
            assert_eq!(check.validate(), Ok(()), "{text}");
        }
    }
}
