//! The declarations of a file, with their lines and their documentation: what a file offers, in a fraction of its text.
//!
//! It is no copy of the text and says so by its form: every line begins with numbers.

use rb_lang::{Facts, Symbol, SymbolKind};

use crate::source::Source;
use crate::text::{cut, inline};

/// Signatures beyond this say little more.
const LONGEST: usize = 160;
const LONGEST_DOC: usize = 120;
const LONGEST_TYPE: usize = 400;
const LONGEST_TYPE_LINES: u32 = 20;
const DEEPEST: usize = 3;

/// The outline of the symbols that `wanted` names, of those around and inside them, within so many characters. Of what does
/// not fit, the most telling stay: what others can name, then what is complex. Empty where there is nothing to show.
pub(crate) fn outline(
    facts: &Facts,
    source: &Source,
    wanted: impl Fn(usize) -> bool,
    most: usize,
) -> String {
    let bodies: Vec<Option<String>> =
        facts.symbols.iter().map(|symbol| type_body(symbol, source)).collect();
    let told = |at: usize| {
        parent(facts, at).is_some_and(|parent| {
            let (inner, outer) = (facts.symbols[at].span, facts.symbols[parent].span);
            bodies[parent].is_some() && inner.last_line <= outer.last_line
        })
    };
    let chosen = with_kin(facts, wanted).into_iter().filter(|&at| !told(at));
    let rows: Vec<Row> = chosen.map(|at| Row::of(facts, at, bodies[at].as_deref())).collect();
    let total: usize = rows.iter().map(|row| row.chars).sum();
    if total <= most {
        return rows.iter().map(|row| row.text.as_str()).collect();
    }
    let Some(room) = most.checked_sub(REST) else { return String::new() };
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|&at| (rows[at].weight, at));
    let mut keep = vec![false; rows.len()];
    let mut left = room;
    for at in order {
        if rows[at].chars <= left {
            left -= rows[at].chars;
            keep[at] = true;
        }
    }
    let gone = keep.iter().filter(|kept| !**kept).count();
    if gone == rows.len() {
        return String::new();
    }
    let kept = rows.iter().zip(&keep).filter(|(_, kept)| **kept).map(|(row, _)| row.text.as_str());
    kept.chain([format!("… {gone} more\n").as_str()]).collect()
}

/// Room for the count of what is missing.
const REST: usize = 24;

struct Row {
    text: String,
    chars: usize,
    /// Smaller is shown first.
    weight: (usize, bool, u32),
}

impl Row {
    fn of(facts: &Facts, at: usize, body: Option<&str>) -> Row {
        let symbol = &facts.symbols[at];
        let depth = depth(facts, at);
        let lines = format!("{}-{}", symbol.span.first_line, symbol.span.last_line);
        let name =
            if symbol.signature.trim().is_empty() { &symbol.name } else { &symbol.signature };
        let said = body.map_or_else(|| inline(name, LONGEST), str::to_owned);
        let mut text = format!("{lines:>9}  {}{said}", "  ".repeat(depth));
        if let Some(doc) = first_sentence(&symbol.doc) {
            text.push_str("  // ");
            text.push_str(&doc);
        }
        text.push('\n');
        let weight = (depth, !symbol.exported, u32::MAX - symbol.complexity);
        Row { chars: text.chars().count(), text, weight }
    }
}

/// The whole of a small type, on one line: its fields are what it says.
fn type_body(symbol: &Symbol, source: &Source) -> Option<String> {
    let is_type = match symbol.kind {
        SymbolKind::Struct | SymbolKind::Interface | SymbolKind::Enum | SymbolKind::Type => true,
        SymbolKind::Function
        | SymbolKind::Method
        | SymbolKind::Class
        | SymbolKind::Component
        | SymbolKind::Trait
        | SymbolKind::Constant
        | SymbolKind::Variable
        | SymbolKind::Macro
        | SymbolKind::Module => false,
    };
    let (first, last) = (symbol.span.first_line, symbol.span.last_line);
    if !is_type || first == 0 || last.saturating_sub(first) >= LONGEST_TYPE_LINES {
        return None;
    }
    let text = inline(&source.text(first, last), LONGEST_TYPE + 1);
    let is_of_it = text.contains(&*symbol.name) && text.chars().count() <= LONGEST_TYPE;
    is_of_it.then_some(text)
}

/// In the order of the text: what is wanted, what it is declared in, and the members of wanted types.
fn with_kin(facts: &Facts, wanted: impl Fn(usize) -> bool) -> Vec<usize> {
    let count = facts.symbols.len();
    let mut chosen = vec![false; count];
    for at in 0..count {
        let of_chosen_type = parent(facts, at)
            .is_some_and(|parent| chosen[parent] && holds_members(&facts.symbols[parent]));
        if depth(facts, at) >= DEEPEST || !(wanted(at) || of_chosen_type) {
            continue;
        }
        chosen[at] = true;
    }
    for at in (0..count).rev() {
        if let (true, Some(parent)) = (chosen[at], parent(facts, at)) {
            chosen[parent] = true;
        }
    }
    (0..count).filter(|&at| chosen[at]).collect()
}

fn holds_members(symbol: &Symbol) -> bool {
    match symbol.kind {
        SymbolKind::Class
        | SymbolKind::Struct
        | SymbolKind::Interface
        | SymbolKind::Trait
        | SymbolKind::Enum
        | SymbolKind::Type => true,
        SymbolKind::Function
        | SymbolKind::Method
        | SymbolKind::Component
        | SymbolKind::Constant
        | SymbolKind::Variable
        | SymbolKind::Macro
        | SymbolKind::Module => false,
    }
}

pub(crate) fn parent(facts: &Facts, at: usize) -> Option<usize> {
    facts.symbols[at].parent.map(|parent| parent as usize).filter(|&parent| parent < at)
}

fn depth(facts: &Facts, at: usize) -> usize {
    std::iter::successors(parent(facts, at), |&at| parent(facts, at)).take(DEEPEST + 1).count()
}

fn first_sentence(doc: &str) -> Option<String> {
    let line = doc.lines().map(str::trim).find(|line| !line.is_empty())?;
    let end = line.find(". ").map_or(line.len(), |at| at + 1);
    Some(cut(&inline(&line[..end], LONGEST_DOC), LONGEST_DOC))
}

/// The symbols that a reader of the whole file would list: no local variables, no constants inside of functions.
pub(crate) fn is_listed(facts: &Facts, at: usize) -> bool {
    let symbol = &facts.symbols[at];
    let Some(parent) = parent(facts, at) else { return true };
    match symbol.kind {
        SymbolKind::Constant | SymbolKind::Variable => holds_members(&facts.symbols[parent]),
        SymbolKind::Function
        | SymbolKind::Method
        | SymbolKind::Class
        | SymbolKind::Component
        | SymbolKind::Struct
        | SymbolKind::Interface
        | SymbolKind::Trait
        | SymbolKind::Enum
        | SymbolKind::Type
        | SymbolKind::Macro
        | SymbolKind::Module => true,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use rb_lang::{Language, extract};

    use super::*;

    const CART: &str = "/** Holds items. It grows. */
export class Cart {
  /** Adds one. */
  add(item: Item): void {
    const local = 1
    this.items.push(item)
  }
  private total(): number { return 0 }
}

export const RATE = 7
export interface Item {
  id: string
  parts: Item[]
}
function helper(a: number, b: number) {
  if (a) { return b }
  return a
}
export function price(cart: Cart): number { return helper(1, 2) }
";

    #[expect(clippy::needless_pass_by_value, reason = "an `Expect` is written in place")]
    fn check(wanted: &[&str], most: usize, expected: Expect) {
        let facts = extract(Language::TypeScript, CART).unwrap();
        let is_wanted = |at: usize| {
            let listed = is_listed(&facts, at);
            listed && (wanted.is_empty() || wanted.contains(&&*facts.symbols[at].name))
        };
        let source = Source::read(CART.as_bytes().to_vec()).unwrap();
        let shown = outline(&facts, &source, is_wanted, most);
        assert!(shown.chars().count() <= most);
        // A snapshot loses the blanks that all of its lines begin with.
        let lines: Vec<String> = shown.lines().map(|line| format!("|{line}")).collect();
        expected.assert_eq(&lines.join("\n"));
    }

    #[test]
    fn rf4_an_outline_has_signatures_docs_and_lines() {
        check(
            &[],
            4000,
            expect![[r#"
                |      2-9  export class Cart  // Holds items.
                |      4-7    add(item: Item): void  // Adds one.
                |      8-8    private total(): number
                |    11-11  export const RATE = 7
                |    12-15  export interface Item { id: string parts: Item[] }
                |    16-19  function helper(a: number, b: number)
                |    20-20  export function price(cart: Cart): number"#]],
        );
    }

    #[test]
    fn rf4_an_outline_of_some_names_has_their_members_and_what_is_around_them() {
        check(&["price"], 4000, expect!["|    20-20  export function price(cart: Cart): number"]);
        check(
            &["total"],
            4000,
            expect![[r#"
                |      2-9  export class Cart  // Holds items.
                |      8-8    private total(): number"#]],
        );
        check(
            &["Cart"],
            4000,
            expect![[r#"
                |      2-9  export class Cart  // Holds items.
                |      4-7    add(item: Item): void  // Adds one.
                |      8-8    private total(): number"#]],
        );
        check(&["nothing"], 4000, expect![[r#""#]]);
    }

    #[test]
    fn rf4_an_outline_without_room_keeps_what_others_can_name() {
        check(
            &[],
            160,
            expect![[r#"
                |      2-9  export class Cart  // Holds items.
                |    11-11  export const RATE = 7
                |    20-20  export function price(cart: Cart): number
                |… 4 more"#]],
        );
        check(&[], 30, expect![[r#""#]]);
        check(&[], 0, expect![[r#""#]]);
    }
}
