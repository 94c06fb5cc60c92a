//! Names that an operation changes, as contracts and signatures write them.

use rb_operations::Operation;

/// Stands for all names of a file in [`ApiChange::name`].
pub const WHOLE_FILE: &str = "*";

/// `a.b` of `a.b(c)`: a change of a signature is written with more than the name.
pub(super) fn leading_name(words: &str) -> &str {
    let words = words.trim_start_matches('`');
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let end = words.find(|c| !is_part(c)).unwrap_or(words.len());
    words[..end].trim_end_matches('.')
}

/// `load` of `shop.cart.load`, which is in shop/cart.py; all of the file for `shop.cart` itself.
pub(super) fn below_module<'n>(path: &str, name: &'n str) -> &'n str {
    let mut module = dotted(path);
    loop {
        match name.strip_prefix(&module) {
            Some("") => return WHOLE_FILE,
            Some(rest) if rest.starts_with('.') => return &rest[1..],
            _ => {}
        }
        match module.split_once('.') {
            Some((_, inner)) => module = inner.to_owned(),
            None => return name,
        }
    }
}

/// What names become by an operation, whether they are public or not.
pub(super) fn renames(operation: &Operation) -> Vec<(String, String)> {
    match operation {
        Operation::Rename { symbol, to, alias: false, .. } => {
            let new = match symbol.name.rsplit_once('.') {
                Some((owner, _)) => format!("{owner}.{to}"),
                None => to.clone(),
            };
            pairs(&symbol.name, &new)
        }
        Operation::RenameModule { path, to } => pairs(&dotted(path), &dotted(to)),
        Operation::Encapsulate { functions, class } => {
            let pair = |name: &String| (name.clone(), format!("{class}.{name}"));
            functions.iter().map(|function| pair(&function.name)).collect()
        }
        // With an alias both names are there afterwards.
        Operation::Rename { alias: true, .. }
        | Operation::RenameParameter { .. }
        | Operation::Move { .. }
        | Operation::MoveMethod { .. }
        | Operation::Merge { .. }
        | Operation::AddParameter { .. }
        | Operation::RemoveParameter { .. }
        | Operation::ReorderParameters { .. }
        | Operation::ParameterObject { .. }
        | Operation::InlineReexport { .. }
        | Operation::ReplaceDuplicate { .. } => Vec::new(),
    }
}

/// `a.b.c` → `a.b.d` as it may be written: `c` → `d`, `b.c` → `b.d` and the whole.
pub(super) fn pairs(before: &str, after: &str) -> Vec<(String, String)> {
    let (old, new): (Vec<&str>, Vec<&str>) =
        (before.split('.').collect(), after.split('.').collect());
    let starts = if old.len() == new.len() { 0..old.len() } else { 0..1 };
    let pair = |at: usize| (old[at..].join("."), new[at..].join("."));
    starts.map(pair).filter(|(old, new)| old != new && !old.is_empty()).collect()
}

/// `shop.cart` of shop/cart.py.
fn dotted(path: &str) -> String {
    let stem = path.trim_end_matches(".pyi").trim_end_matches(".py").trim_end_matches("/__init__");
    stem.replace('/', ".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn st1_the_name_of_a_changed_signature_is_told() {
        for (words, expected) in [
            ("load", "load"),
            ("`load`", "load"),
            ("Store.load(path, mode)", "Store.load"),
            ("load: str", "load"),
            ("", ""),
        ] {
            assert_eq!(leading_name(words), expected, "{words}");
        }
    }

    #[test]
    fn st1_a_dotted_name_is_one_of_its_module() {
        for (path, name, expected) in [
            ("shop/cart.py", "load", "load"),
            ("shop/cart.py", "shop.cart.load", "load"),
            ("src/shop/cart.py", "shop.cart.Cart.load", "Cart.load"),
            ("src/shop/cart.py", "shop.cart", "*"),
            ("src/shop/__init__.py", "shop.load", "load"),
            ("src/shop/__init__.py", "shop", "*"),
            ("cart.pyi", "cart.load", "load"),
            ("shop/cart.py", "carton.load", "carton.load"),
            ("", "load", "load"),
        ] {
            assert_eq!(below_module(path, name), expected, "{path} {name}");
        }
    }

    #[test]
    fn st1_a_name_is_replaced_as_it_may_be_written() {
        let shown = |before: &str, after: &str| {
            let pairs = pairs(before, after);
            pairs.iter().map(|(old, new)| format!("{old} {new}")).collect::<Vec<_>>().join(", ")
        };
        assert_eq!(shown("a.b", "a.c"), "a.b a.c, b c");
        assert_eq!(shown("a.b", "x.b"), "a.b x.b");
        assert_eq!(shown("b", "A.b"), "b A.b");
        assert_eq!(shown("a", "a"), "");
        assert_eq!(shown("", "a"), "");
    }
}
