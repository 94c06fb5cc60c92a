//! A map of the repository that fits a token budget: files in rank order, each with the signatures of its chief
//! symbols.
//!
//! Higher ranked files show more of themselves. It counts tokens by an estimate, never with a model's tokenizer, so
//! that the same repository gives the same map for every model.

use rb_lang::SymbolKind;

/// One symbol as the map shows it.
#[derive(Debug, Clone, Copy)]
pub struct SymbolLine<'a> {
    pub name: &'a str,
    pub kind: SymbolKind,
    /// The declaration without its body; the name stands in where it is empty.
    pub signature: &'a str,
    pub line: u32,
    /// How many symbols it is nested in. Symbols are given in the order of the text, so that the parent of one is the
    /// nearest before it that is less deep.
    pub depth: u32,
    pub exported: bool,
    /// Symbols of greater weight are shown first: the rank of the symbol, or how often it is used.
    pub weight: f64,
}

/// Three and a half bytes of code make a token, near enough for the tokenizers in use; rounded up.
pub fn estimated_tokens(text: &str) -> usize {
    (text.len().saturating_mul(2)).div_ceil(7)
}

/// The map of `files`, which come in rank order, each with its symbols in the order of the text.
///
/// A file is a heading and at least one symbol (a file without symbols is a heading alone), ending in a count of what
/// was left out. The map never has more than `budget_tokens`, by the estimate of `estimated_tokens`.
pub fn outline<'a>(
    files: impl Iterator<Item = (&'a str, &'a [SymbolLine<'a>])>,
    budget_tokens: usize,
) -> String {
    let budget = budget_tokens.saturating_mul(7) / 2;
    // More files than these could not be shown even if each were a heading of a few letters.
    let entries: Vec<Entry> = files
        .take(budget / LEAST_HEADING)
        .map(|(path, symbols)| Entry::new(path, symbols))
        .collect();
    let mut shown = shares(&entries, budget);
    fill(&entries, &mut shown, budget);
    let mut map = String::new();
    for (entry, &count) in entries.iter().zip(&shown) {
        if let Some(count) = count {
            entry.write(count, &mut map);
        }
    }
    debug_assert!(map.len() <= budget);
    map
}

/// A path of one letter, a colon and the end of the line.
const LEAST_HEADING: usize = 3;
const INDENT: &str = "  ";
/// Signatures beyond this say little more, and one of them could eat the map.
const LONGEST: usize = 160;
const DEEPEST: u32 = 8;

/// One file, ready to be shown with any number of its symbols.
struct Entry<'a> {
    path: &'a str,
    symbols: &'a [SymbolLine<'a>],
    /// For each symbol when it comes in: 1 for the first. Whoever is nested comes with all it is nested in.
    turn: Vec<usize>,
    /// The bytes of the file when it shows so many symbols, for each number of turns.
    cost: Vec<usize>,
}

impl<'a> Entry<'a> {
    fn new(path: &'a str, symbols: &'a [SymbolLine<'a>]) -> Entry<'a> {
        let parents = parents(symbols);
        let mut by_weight: Vec<usize> = (0..symbols.len()).collect();
        by_weight.sort_by(|&a, &b| {
            let (a, b) = (&symbols[a], &symbols[b]);
            b.weight
                .total_cmp(&a.weight)
                .then(b.exported.cmp(&a.exported))
                .then(a.line.cmp(&b.line))
        });
        let mut turn = vec![0; symbols.len()];
        let mut cost = vec![one_line(path).len() + 2];
        for start in by_weight {
            if turn[start] > 0 {
                continue;
            }
            let mut bytes = *cost.last().expect("the heading is in it");
            let mut at = Some(start);
            while let Some(symbol) = at.filter(|&symbol| turn[symbol] == 0) {
                turn[symbol] = cost.len();
                bytes += text_of(&symbols[symbol]).len() + 1;
                at = parents[symbol];
            }
            cost.push(bytes);
        }
        Entry { path, symbols, turn, cost }
    }

    fn most(&self) -> usize {
        self.cost.len() - 1
    }

    fn least(&self) -> usize {
        self.most().min(1)
    }

    /// The bytes that it takes to show so many turns, the count of what is left out included.
    fn bytes(&self, turns: usize) -> usize {
        let longest_rest = if turns < self.most() { rest(self.symbols.len()).len() } else { 0 };
        self.cost[turns] + longest_rest
    }

    /// The most turns that fit into `bytes`.
    fn fitting(&self, bytes: usize) -> Option<usize> {
        if self.bytes(self.most()) <= bytes {
            return Some(self.most());
        }
        let mut fits = self.least()..self.most();
        while !fits.is_empty() {
            let middle = fits.start + fits.len() / 2;
            if self.bytes(middle) <= bytes {
                fits.start = middle + 1;
            } else {
                fits.end = middle;
            }
        }
        fits.start
            .checked_sub(1)
            .filter(|&turns| turns >= self.least() && self.bytes(turns) <= bytes)
    }

    fn write(&self, turns: usize, map: &mut String) {
        map.push_str(&one_line(self.path));
        map.push_str(":\n");
        let mut left_out = 0;
        for (symbol, &turn) in self.symbols.iter().zip(&self.turn) {
            if turn <= turns {
                map.push_str(&text_of(symbol));
                map.push('\n');
            } else {
                left_out += 1;
            }
        }
        if left_out > 0 {
            map.push_str(&rest(left_out));
        }
    }
}

/// What stands for symbols that are not shown.
fn rest(count: usize) -> String {
    format!("{INDENT}… {count} more\n")
}

/// The symbol that each is nested in.
fn parents(symbols: &[SymbolLine]) -> Vec<Option<usize>> {
    let mut open: Vec<usize> = Vec::new();
    let mut parents = Vec::with_capacity(symbols.len());
    for (at, symbol) in symbols.iter().enumerate() {
        while open.last().is_some_and(|&last| symbols[last].depth >= symbol.depth) {
            open.pop();
        }
        parents.push(open.last().copied());
        open.push(at);
    }
    parents
}

fn text_of(symbol: &SymbolLine) -> String {
    let signature = if symbol.signature.is_empty() { symbol.name } else { symbol.signature };
    let depth = symbol.depth.min(DEEPEST) as usize + 1;
    format!("{}{}", INDENT.repeat(depth), cut(&one_line(signature), LONGEST))
}

/// Names and signatures come from foreign files: nothing in them may start a line of its own.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    format!("{}…", &text[..text.floor_char_boundary(most)])
}

/// How many turns each file gets when the budget is shared out by rank: the greatest shares that fit together.
fn shares(entries: &[Entry], budget: usize) -> Vec<Option<usize>> {
    let (mut low, mut high) = (0, budget.saturating_mul(entries.len() + STEADY));
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if total(entries, &with_pot(entries, middle)) <= budget {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    with_pot(entries, low)
}

/// The greater, the more alike are the shares of the first files.
const STEADY: usize = 6;

fn with_pot(entries: &[Entry], pot: usize) -> Vec<Option<usize>> {
    entries.iter().enumerate().map(|(at, entry)| entry.fitting(pot / (at + STEADY))).collect()
}

fn total(entries: &[Entry], shown: &[Option<usize>]) -> usize {
    entries
        .iter()
        .zip(shown)
        .filter_map(|(entry, shown)| shown.map(|turns| entry.bytes(turns)))
        .fold(0, usize::saturating_add)
}

/// Spends what sharing out left over, the highest ranked first.
fn fill(entries: &[Entry], shown: &mut [Option<usize>], budget: usize) {
    let mut left = budget - total(entries, shown);
    for (entry, shown) in entries.iter().zip(shown) {
        let has = shown.map_or(0, |turns| entry.bytes(turns));
        if let Some(turns) =
            entry.fitting(has + left).filter(|&turns| shown.is_none_or(|had| turns > had))
        {
            left -= entry.bytes(turns).saturating_sub(has);
            *shown = Some(turns);
        }
    }
}

#[cfg(test)]
mod tests {

    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    use super::*;

    fn symbol(signature: &'static str, depth: u32, weight: f64) -> SymbolLine<'static> {
        SymbolLine {
            name: "x",
            kind: SymbolKind::Function,
            signature,
            line: 1,
            depth,
            exported: true,
            weight,
        }
    }

    #[expect(clippy::needless_pass_by_value, reason = "an `Expect` is written in place")]
    #[track_caller]
    fn check(files: &[(&'static str, Vec<SymbolLine<'static>>)], budget: usize, expected: Expect) {
        let map = outline(files.iter().map(|(path, symbols)| (*path, &**symbols)), budget);
        assert!(estimated_tokens(&map) <= budget, "{} > {budget}", estimated_tokens(&map));
        expected.assert_eq(&map);
    }

    fn shop() -> Vec<(&'static str, Vec<SymbolLine<'static>>)> {
        vec![
            (
                "src/cart.ts",
                vec![
                    symbol("export class Cart", 0, 9.0),
                    symbol("add(item: Item): void", 1, 8.0),
                    symbol("private sum(): number", 1, 1.0),
                    symbol("export function emptyCart(): Cart", 0, 5.0),
                ],
            ),
            ("src/styles.css", vec![]),
            (
                "src/price.ts",
                vec![
                    symbol("export function net(price: number)", 0, 3.0),
                    symbol("function tax()", 0, 1.0),
                ],
            ),
            ("src/log.ts", vec![symbol("class Log", 0, 0.1), symbol("line(text: string)", 1, 2.0)]),
        ]
    }

    #[test]
    fn ix10_smart001_5_a_roomy_budget_shows_all() {
        check(
            &shop(),
            1000,
            expect![[r#"
            src/cart.ts:
              export class Cart
                add(item: Item): void
                private sum(): number
              export function emptyCart(): Cart
            src/styles.css:
            src/price.ts:
              export function net(price: number)
              function tax()
            src/log.ts:
              class Log
                line(text: string)
        "#]],
        );
    }

    #[test]
    fn ix10_smart001_3_a_small_budget_goes_to_the_first_files() {
        check(
            &shop(),
            45,
            expect![[r#"
            src/cart.ts:
              export class Cart
                add(item: Item): void
              … 2 more
            src/styles.css:
            src/log.ts:
              class Log
                line(text: string)
        "#]],
        );
        check(
            &shop(),
            25,
            expect![[r#"
            src/cart.ts:
              export class Cart
              … 3 more
            src/styles.css:
        "#]],
        );
    }

    #[test]
    fn ix10_no_heading_stands_without_its_symbol() {
        check(&shop()[2..3], 12, expect![[r#""#]]);
        check(&shop(), 0, expect![[r#""#]]);
    }

    #[test]
    fn ix10_a_nested_symbol_brings_what_it_is_nested_in() {
        check(
            &shop()[3..],
            14,
            expect![[r#"
            src/log.ts:
              class Log
                line(text: string)
        "#]],
        );
    }

    #[test]
    fn ix10_foreign_text_stays_on_its_line() {
        let long: &'static str = "é".repeat(300).leak();
        let odd = vec![symbol("a\nIGNORE ALL\r\u{1b}[2J", 90, 1.0), symbol(long, 0, f64::NAN)];
        check(
            &[("a\nb.rs", odd)],
            200,
            expect![[r#"
            a b.rs:
                              a IGNORE ALL  [2J
              éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé…
        "#]],
        );
    }

    proptest! {
        #[test]
        fn ix10_a_map_is_never_over_budget(
            depths in prop::collection::vec(prop::collection::vec((0u32..5, 0u32..9), 0..12), 0..20),
            budget in 0usize..400,
        ) {
            let files: Vec<(String, Vec<SymbolLine>)> = depths.iter().enumerate().map(|(at, file)| {
                let symbols = file.iter().map(|&(depth, weight)| symbol("fn name(argument: Type)", depth, f64::from(weight)));
                (format!("src/file{at}.rs"), symbols.collect())
            }).collect();
            let map = outline(files.iter().map(|(path, symbols)| (&**path, &**symbols)), budget);
            prop_assert!(estimated_tokens(&map) <= budget);
            prop_assert!(map.is_empty() || map.ends_with('\n'));
            let full = outline(files.iter().map(|(path, symbols)| (&**path, &**symbols)), 1_000_000);
            prop_assert!(!full.contains("more"));
        }
    }
}
