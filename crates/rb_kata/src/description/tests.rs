use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::Kata;
use crate::runner::Runner;

/// The katas of `examples/katas` with what is understood of them.
fn check(file_name: &str, text: &str, expected: &Expect) {
    let kata = Kata::read(file_name, text);
    assert!(kata.problems.is_empty(), "{:?}", kata.problems);
    assert_eq!(kata.choose_runner(None), Ok((Runner::Rust, "the default".to_owned())));
    expected.assert_eq(&format!("{}: {}", kata.slug, kata.outline()));
}

#[test]
fn ka1_fizzbuzz_is_understood() {
    let text = include_str!("../../../../examples/katas/fizzbuzz.md");
    check(
        "fizzbuzz.md",
        text,
        &expect![[r#"
        fizzbuzz: FizzBuzz

        Requirements
          1. A number is said as it is.
          2. A multiple of three is said as `Fizz`.
          3. A multiple of five is said as `Buzz`.
          4. A multiple of both three and five is said as `FizzBuzz`.
          5. A second function takes a limit and returns what is said for all numbers from 1 to that limit,
             in order.

        Examples
          - Number: 1, Said: 1
          - Number: 2, Said: 2
          - Number: 3, Said: Fizz
          - Number: 5, Said: Buzz
          - Number: 6, Said: Fizz
          - Number: 10, Said: Buzz
          - Number: 15, Said: FizzBuzz
          - Number: 30, Said: FizzBuzz
    "#]],
    );
}

#[test]
fn ka1_string_calculator_is_understood() {
    let text = include_str!("../../../../examples/katas/string-calculator.md");
    check(
        "string-calculator.md",
        text,
        &expect![[r#"
        string-calculator: String Calculator

        Requirements
          1. An empty text has the sum 0.
          2. A text with one number has that number as its sum.
          3. Two numbers are separated by a comma.
          4. Any count of numbers can be added.
          5. A line break separates numbers just as a comma does, and both may occur in one text.
          6. A text may choose its own separator, a single character, in a first line of the form `//;`. The
             numbers begin in the second line.
          7. A negative number is an error. The message is `negatives not allowed:` followed by the number.
          8. If there are several negative numbers, the message lists all of them, separated by commas.
          9. Numbers above 1000 are ignored.

        Examples
          - `""` -> 0
          - `"7"` -> 7
          - `"1,2"` -> 3
          - `"1,2,3,4"` -> 10
          - `"1\n2,3"` -> 6
          - `"//;\n1;2"` -> 3
          - `"1,-2,-3"` -> error `negatives not allowed: -2,-3`
          - `"2,1000"` -> 1002
          - `"2,1001"` -> 2
    "#]],
    );
}

#[test]
fn ka1_bowling_is_understood() {
    let text = include_str!("../../../../examples/katas/bowling.md");
    check(
        "bowling.md",
        text,
        &expect![[r#"
        bowling: Bowling

        Requirements
          1. A game has ten frames. In each frame the player has up to two rolls to knock down ten pins.
          2. An open frame, in which pins are left standing, scores the number of pins that fell.
          3. A spare, in which all ten pins fall with two rolls, scores ten plus the pins of the next roll.
          4. A strike, in which all ten pins fall with the first roll, ends the frame. It scores ten plus
             the pins of the next two rolls.
          5. A spare in the tenth frame gives one extra roll, a strike in the tenth frame gives two. Extra
             rolls count only as the bonus of that frame.
          6. The score of the game is the sum of its frames.

        Examples
          - Game: twenty rolls of 0, Score: 0
          - Game: twenty rolls of 1, Score: 20
          - Game: 5, 5, 3, then seventeen rolls of 0, Score: 16
          - Game: 10, 3, 4, then sixteen rolls of 0, Score: 24
          - Game: twenty-one rolls of 5, Score: 150
          - Game: twelve rolls of 10, Score: 300
          - Game: nine pairs of 9 and 0, then 10, 10, 10, Score: 111
    "#]],
    );
}

#[test]
fn ka1_mars_rover_is_understood() {
    let text = include_str!("../../../../examples/katas/mars-rover.md");
    check(
        "mars-rover.md",
        text,
        &expect![[r#"
        mars-rover: Mars Rover

        Requirements
          1. A rover without commands reports the position at which it landed.
          2. `R` turns the rover by a quarter to the right, `L` by a quarter to the left. It stays on its
             square.
          3. `F` moves the rover one square forward in its direction, `B` one square backward. Its direction
             stays the same.
          4. Commands are carried out one after the other.
          5. A rover that leaves the plateau at one edge comes back at the opposite edge.
          6. An obstacle stops the rover: it stays on the square before the obstacle, ignores all further
             commands, and its report begins with `O:`.
          7. An unknown command is an error that names the letter. The rover does not carry out any command
             of that text.

        Examples
          - Start: `0 0 N`, Report: `0 0 N`
          - Start: `0 0 N`, Commands: `R`, Report: `0 0 E`
          - Start: `0 0 N`, Commands: `LLLL`, Report: `0 0 N`
          - Start: `2 3 E`, Commands: `FF`, Report: `4 3 E`
          - Start: `2 3 E`, Commands: `B`, Report: `1 3 E`
          - Start: `0 0 N`, Commands: `FFRFF`, Report: `2 2 E`
          - Start: `0 9 N`, Commands: `F`, Report: `0 0 N`
          - Start: `0 0 N`, Commands: `FFF`, Obstacle: `0 2`, Report: `O:0 1 N`
    "#]],
    );
}

#[test]
fn ka4_object_calisthenics_is_understood() {
    let text = include_str!("../../../../examples/katas/object-calisthenics.md");
    check(
        "object-calisthenics.md",
        text,
        &expect![[r#"
        shopping-basket: Shopping Basket

        Requirements
          1. The total of an empty basket is 0.00.
          2. A product has a name and a price in euros. A basket with one product costs the price of that
             product.
          3. The total of several products is the sum of their prices.
          4. A product can be put into the basket several times, or once with a quantity. Both give one
             entry with the whole quantity.
          5. Removing a product takes its entry out of the basket. Removing a product that is not in the
             basket is an error that names the product.
          6. A basket worth 100.00 or more gets a discount of 5 percent, one worth 200.00 or more gets 10
             percent.
          7. The basket prints a receipt: one line for each entry in the order in which they were added,
             with quantity, name and price, and the total in the last line.

        Examples
          - Basket: empty, Total: 0.00
          - Basket: 1 × book at 12.50, Total: 12.50
          - Basket: 2 × book at 12.50, 1 × pen at 1.20, Total: 26.20
          - Basket: 4 × lamp at 25.00, Total: 95.00
          - Basket: 8 × lamp at 25.00, Total: 180.00
          - 2 x book 25.00
            1 x pen 1.20
            total 26.20

        Constraints
          - Only one level of indentation per method (checked: at most 1 level of indentation)
          - Do not use the `else` keyword (checked: no `else`)
          - Wrap all primitives and strings (checked: no bare primitives)
          - First-class collections: a class with a collection has no other fields (checked: first-class
            collections)
          - Only one dot per line (checked: one dot per line)
          - Do not abbreviate names (checked: no abbreviations)
          - Keep all classes small: at most 50 lines (checked: at most 50 lines in a class)
          - No class with more than two instance variables (checked: at most 2 instance variables in a
            class)
          - No getters or setters (checked: no getters or setters)
    "#]],
    );
}

#[test]
fn ka9_a_kata_survives_its_journal() {
    let kata = Kata::read("a-python.md", "# A in Go\n\n- b\n\n## Constraints\n- Be kind\n");
    let json = serde_json::to_string(&kata).unwrap();
    assert_eq!(serde_json::from_str::<Kata>(&json).unwrap(), kata);
}

/// Texts at the limit of what is read: a reader that needs quadratic time or space does not come to an end here.
#[test]
fn ka9_hostile_texts_are_read() {
    let lines = [
        "- a:\n  ",
        "# ",
        "```a\n",
        "|a|\n|-|\n",
        "> ",
        "* ",
        "Language: x\n",
        "[",
        "<!--\n",
        "1. 2. ",
        "a. B",
    ];
    for line in lines {
        let text = line.repeat(99_000 / line.len());
        let kata = Kata::read("a.md", &text);
        assert!(kata.outline().len() < 40 * text.len(), "{line:?}");
    }
}

/// Pieces of Markdown, so that random texts have some structure.
fn markdown() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "# ",
        "## ",
        "Requirements",
        "Examples",
        "Constraints",
        "Language",
        ": ",
        "Go",
        "Python",
        "\n",
        "\n\n",
        "- ",
        "  - ",
        "1. ",
        "```",
        "~~~",
        "---",
        "===",
        "| a | b |",
        "|---|---|",
        "**",
        "_",
        "`",
        "[",
        "](",
        ")",
        "> ",
        "<!--",
        "-->",
        "    ",
        "\t",
        "must",
        "->",
        " returns ",
        "é",
        "\u{feff}",
        "\r\n",
        ".",
        "\\",
        "\0",
        "word ",
    ]);
    prop::collection::vec(pieces, 0..60).prop_map(|pieces| pieces.concat())
}

fn is_slug(slug: &str) -> bool {
    let is_sign = |sign: char| matches!(sign, 'a'..='z' | '0'..='9' | '-');
    slug.starts_with(|first: char| first.is_ascii_lowercase())
        && slug.chars().all(is_sign)
        && slug.len() <= 40
        && !slug.ends_with('-')
        && !slug.contains("--")
}

#[test]
fn ka9_quoted_code_is_read_to_its_end() {
    let kata = Kata::read(
        "a.md",
        "# Sum\n\n>     add(1, 2) -> 3\n>     add(2, 2) -> 4\n\n- Adds numbers.\n",
    );
    assert_eq!(kata.requirements, ["Adds numbers."]);
    assert!(
        kata.examples.iter().any(|example| example.contains("add(2, 2)")),
        "{:?}",
        kata.examples
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn ka9_any_text_is_read(file_name in ".{0,30}", text in any::<String>()) {
        let kata = Kata::read(&file_name, &text);
        prop_assert!(is_slug(&kata.slug), "{}", kata.slug);
        prop_assert!(!kata.title.is_empty());
        prop_assert!(kata.outline().ends_with('\n'));
    }

    #[test]
    fn ka9_any_markdown_is_read(file_name in "[a-z]{0,5}[-._ /]?(go|py|python|c)?(.md)?", text in markdown()) {
        let kata = Kata::read(&file_name, &text);
        prop_assert!(is_slug(&kata.slug), "{}", kata.slug);
        prop_assert_eq!(&kata.text, &text);
        let is_workable = !kata.requirements.is_empty() || !kata.examples.is_empty();
        prop_assert_eq!(is_workable, kata.problems.iter().all(|problem| !problem.is_fatal));
        prop_assert!(kata.hints.is_sorted_by_key(|hint| hint.strength));
    }

    #[test]
    fn ka9_any_title_gives_a_slug(title in "(Kata: )?\\PC{0,80}") {
        let slug = Kata::read("a.md", &format!("# {title}\n- b\n")).slug;
        prop_assert!(is_slug(&slug), "{}", slug);
    }
}
