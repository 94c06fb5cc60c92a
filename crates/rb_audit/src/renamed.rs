//! Declarations that a change gave another name, read from its texts alone.
//!
//! Only what is plainly the same declaration counts: one edit put the new name where the old one stood, the signature is the same but for the
//! name, and so is most of the body.

use rb_lang::{Facts, Language, Symbol, SymbolKind, extract};

use crate::Change;
use crate::changed::Changed;
use crate::comparison::is_ecma;
use crate::leftovers::{has, owner, successor};
use crate::words;

/// A declaration with another name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamed {
    pub path: String,
    /// `name`, or `Class.name` for a member.
    pub old: String,
    /// The same with the new name.
    pub new: String,
}

impl Renamed {
    /// Without the class.
    pub fn new_name(&self) -> &str {
        self.new.rsplit('.').next().unwrap_or(&self.new)
    }

    /// Without the class.
    pub fn old_name(&self) -> &str {
        self.old.rsplit('.').next().unwrap_or(&self.old)
    }
}

/// What a change renamed, in Python, JavaScript and TypeScript. A file that was moved is left out.
pub fn renames(changes: &[Change]) -> Vec<Renamed> {
    let mut renames = Vec::new();
    for changed in &Changed::all(changes) {
        if changed.moved_from.is_none() {
            renames.extend(renamed_in(changed));
        }
    }
    renames
}

fn renamed_in(changed: &Changed) -> Vec<Renamed> {
    let (Some(before), Some(after)) = (&changed.before, &changed.after) else { return Vec::new() };
    let language = Language::of_path(changed.path.as_bytes());
    let Some(language) = language.filter(|it| is_ecma(Some(*it)) || *it == Language::Python) else {
        return Vec::new();
    };
    let read = |text: &str| {
        let facts = extract(language, text)?;
        (facts.syntax_errors == 0 && facts.cut.is_none()).then_some(facts)
    };
    let (Some(old), Some(new)) = (read(before), read(after)) else { return Vec::new() };
    let is_imported = |name: &str| {
        let mut names = new.imports.iter().flat_map(|import| &import.names);
        names.any(|it| *it.local == *name)
    };
    let mut renames = Vec::new();
    for symbol in old.symbols.iter().filter(|it| is_renamable(&old, it) && !has(&new, &old, it)) {
        let Some(name) = successor(changed, &old, &new, symbol) else { continue };
        let mut now = new
            .symbols
            .iter()
            .filter(|it| it.name == name && owner(&new, it) == owner(&old, symbol));
        let (Some(now), None) = (now.next(), now.next()) else { continue };
        if !is_imported(&symbol.name)
            && is_same(symbol, slice(before, symbol), now, slice(after, now))
        {
            let full = |name: &str| match owner(&old, symbol) {
                Some(class) => format!("{class}.{name}"),
                None => name.to_owned(),
            };
            let path = changed.path.clone();
            renames.push(Renamed { path, old: full(&symbol.name), new: full(&name) });
        }
    }
    renames
}

/// At the top of the file, or a method of a class there; and declared once.
fn is_renamable(facts: &Facts, symbol: &Symbol) -> bool {
    let is_fit = match symbol.parent.map(|parent| &facts.symbols[parent as usize]) {
        None => !matches!(symbol.kind, SymbolKind::Module),
        Some(parent) => {
            parent.parent.is_none()
                && parent.kind == SymbolKind::Class
                && symbol.kind == SymbolKind::Method
        }
    };
    let same = |it: &&Symbol| it.name == symbol.name && it.parent == symbol.parent;
    is_fit && !symbol.name.starts_with("__") && facts.symbols.iter().filter(same).count() == 1
}

fn slice<'t>(text: &'t str, symbol: &Symbol) -> &'t str {
    text.get(symbol.span.start as usize..symbol.span.end as usize).unwrap_or_default()
}

/// The same signature and at least half of the lines, but for the name.
fn is_same(old: &Symbol, old_text: &str, new: &Symbol, new_text: &str) -> bool {
    let renamed = |text: &str| words::replaced(text, &old.name, &new.name);
    let signature = renamed(&old.signature);
    let body = renamed(old_text);
    let lines = |text: &str| {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let (mut before, after) = (lines(&body), lines(new_text));
    let longest = before.len().max(after.len());
    let mut common = 0;
    for line in &after {
        if let Some(at) = before.iter().position(|it| it == line) {
            before.swap_remove(at);
            common += 1;
        }
    }
    signature == *new.signature && common * 2 >= longest && common > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, before: &str, after: &str, expected: &[(&str, &str)]) {
        let text = |text: &str| Some(text.as_bytes().to_vec());
        let change = Change { path: path.to_owned(), before: text(before), after: text(after) };
        let found = renames(&[change]);
        let found: Vec<(&str, &str)> = found.iter().map(|it| (&*it.old, &*it.new)).collect();
        assert_eq!(found, expected, "{before} {after}");
    }

    #[test]
    fn st5_a_declaration_with_another_name_is_a_rename() {
        let before = "def total(a, b):\n    c = a + b\n    return total(c, 0)\n";
        let after = "def grand_total(a, b):\n    c = a + b\n    return grand_total(c, 0)\n";
        check("a.py", before, after, &[("total", "grand_total")]);
        let before = "class Cart:\n    def add(self, x):\n        self.all.append(x)\n";
        let after = "class Cart:\n    def put(self, x):\n        self.all.append(x)\n";
        check("a.py", before, after, &[("Cart.add", "Cart.put")]);
        check("a.ts", "export const RATE = 2;\n", "export const TAX = 2;\n", &[("RATE", "TAX")]);
        let before = "export function load(id: string) {\n  return id;\n}\n";
        let after = "export function read(id: string) {\n  return id;\n}\n";
        check("a.ts", before, after, &[("load", "read")]);
    }

    #[test]
    fn st5_another_declaration_in_its_place_is_no_rename() {
        // Another signature.
        check("a.py", "def f(a):\n    return a\n", "def g(a, b):\n    return a\n", &[]);
        // Another body.
        let before = "def f(a):\n    return a\n";
        check("a.py", before, "def g(a):\n    x = a\n    y = x + 1\n    return y * 2\n", &[]);
        // The old name stays.
        let after = "def g(a):\n    return a\n\n\nf = g\n";
        check("a.py", before, after, &[]);
        check(
            "a.py",
            before,
            &format!("from b import h as f\n\n\n{}", "def g(a):\n    return a\n"),
            &[],
        );
        check("a.py", before, "def g(a):\n    return a\n\n\ndef f(a):\n    return g(a)\n", &[]);
        // It is declared under a condition.
        let twice =
            "if X:\n    def f(a):\n        return a\nelse:\n    def f(a):\n        return 1\n";
        check("a.py", twice, &twice.replace("f(a)", "g(a)"), &[]);
        check("a.py", "def f(:\n", "def g(:\n", &[]);
        check("a.go", "func f() {}\n", "func g() {}\n", &[]);
    }
}
