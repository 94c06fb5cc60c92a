//! What the head of a declaration says about types: of which type a method is, and of which a parameter is.
//!
//! Signatures are text on one line. This reads the plain cases and nothing that needs a parser.

use super::builtins::Family;

/// The class of a method that stands outside of it: `Store` of `func (s *Store) Get()` and of `int Store::get()`.
pub(super) fn owner<'a>(signature: &'a str, name: &str) -> Option<&'a str> {
    if let Some(receiver) = go_receiver(signature) {
        return Some(receiver.1);
    }
    let before = signature.match_indices("::").map(|(at, _)| at).find(|&at| {
        let after = &signature[at + 2..];
        after.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('('))
    })?;
    last_word(signature[..before].trim_end())
}

/// The type that `variable` has by the signature, as a path of names: `Store` of `def f(a, store: Store)`.
pub(super) fn type_of<'a>(signature: &'a str, variable: &str, family: Family) -> Option<&'a str> {
    if family == Family::Go
        && let Some((name, of)) = go_receiver(signature)
        && name == variable
    {
        return Some(of);
    }
    let at = word_at(signature, variable)?;
    let (before, after) = (&signature[..at], signature[at + variable.len()..].trim_start());
    match family {
        Family::Python | Family::Ecma | Family::Rust | Family::Swift => {
            first_type(after.trim_start_matches('?').strip_prefix(':')?)
        }
        // Kotlin and Scala put the type behind, Java in front.
        Family::Jvm => after.strip_prefix(':').map_or_else(|| type_before(before), first_type),
        Family::Go => first_type(after),
        Family::C | Family::CSharp | Family::Php => type_before(before),
        Family::Ruby | Family::Elixir | Family::Lua | Family::Shell | Family::Other => None,
    }
}

/// `(s, Store)` of `func (s *Store[K]) Get()`.
fn go_receiver(signature: &str) -> Option<(&str, &str)> {
    let inside = signature.strip_prefix("func (")?.split(')').next()?;
    let (name, of) = inside.split_once(' ').unwrap_or(("", inside));
    let of = of.trim_start_matches(['*', ' ']).split('[').next()?.trim();
    (!of.is_empty()).then_some((name, of))
}

/// Where a whole word stands in a text, after the parenthesis that opens the parameters.
fn word_at(text: &str, word: &str) -> Option<usize> {
    let open = text.find('(')?;
    text.match_indices(word).map(|(at, _)| at).find(|&at| {
        let after = text[at + word.len()..].chars().next();
        at > open && !text[..at].ends_with(is_word) && !after.is_some_and(is_word)
    })
}

/// The path of names that a type begins with, seen through what only points to it: `a.Store` of `&'a mut a.Store<T>`.
fn first_type(text: &str) -> Option<&str> {
    const SEEN_THROUGH: [&str; 7] = ["Optional", "Option", "Box", "Arc", "Rc", "Type", "type"];
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([' ', '&', '*', '"', '\'']);
        let end =
            rest.find(|c: char| !(is_word(c) || matches!(c, '.' | ':'))).unwrap_or(rest.len());
        let (path, after) = (rest[..end].trim_end_matches([':', '.']), &rest[end..]);
        match path {
            // A lifetime, a word before the type, or a pointer.
            "mut" | "dyn" | "impl" | "final" | "inout" | "static" => rest = after,
            _ if text.contains(&format!("'{path} ")) && after.starts_with(' ') => rest = after,
            _ if SEEN_THROUGH.contains(&path) && after.starts_with(['[', '<']) => {
                rest = &after[1..];
            }
            "" => return None,
            _ => return Some(path),
        }
    }
}

/// The last path of names in front of a parameter: `a.Store` of `final a.Store<T> `.
fn type_before(text: &str) -> Option<&str> {
    let mut text = text.trim_end_matches(['$', '&', '*', ' ', '?']);
    if text.ends_with('>') {
        text = text[..text.find('<').filter(|&at| !text[at..].contains('('))?].trim_end();
    }
    let start =
        text.rfind(|c: char| !(is_word(c) || matches!(c, '.' | ':' | '\\'))).map_or(0, |at| at + 1);
    let path = text.get(start..)?;
    (!path.is_empty() && !matches!(path, "const" | "final" | "out" | "ref" | "in" | "params"))
        .then_some(path)
}

fn last_word(text: &str) -> Option<&str> {
    let text = if text.ends_with('>') { &text[..text.find('<')?] } else { text };
    let start = text.rfind(|c: char| !is_word(c)).map_or(0, |at| at + 1);
    text.get(start..).filter(|word| !word.is_empty())
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ix4_the_class_of_a_method_outside_of_it() {
        let check = |signature: &str, name: &str, expected: Option<&str>| {
            assert_eq!(owner(signature, name), expected, "{signature}");
        };
        check("func (s *Store) Get(key string) error", "Get", Some("Store"));
        check("func (List[K]) Len() int", "Len", Some("List"));
        check("func plain(a int)", "plain", None);
        check("const T& ns::Store<T>::get (int a)", "get", Some("Store"));
        check("std::vector<int> Store::get()", "get", Some("Store"));
        check("int ns::Store::get(int a) const", "get", Some("Store"));
        check("void other::name()", "get", None);
        check("func (", "Get", None);
        check("", "", None);
    }

    #[test]
    fn ix4_the_type_of_a_parameter() {
        let check = |family: Family, signature: &str, expected: Option<&str>| {
            assert_eq!(type_of(signature, "a", family), expected, "{signature}");
        };
        check(Family::Python, "def f(self, aa: X, a: 'm.Store' = None)", Some("m.Store"));
        check(Family::Python, "def f(a: Optional[Store])", Some("Store"));
        check(Family::Python, "def f(b, a, c: Store)", None);
        check(Family::Ecma, "function f(a?: Store<T>, b: X)", Some("Store"));
        check(Family::Rust, "pub fn f<'a>(a: &'a mut m::Store<'a>) -> X", Some("m::Store"));
        check(Family::Rust, "fn f(a: Arc<dyn Store>)", Some("Store"));
        check(Family::Rust, "fn a(b: X)", None);
        check(Family::Go, "func f(b int, a *pkg.Store) error", Some("pkg.Store"));
        check(Family::Go, "func (a *Store) Get(b X)", Some("Store"));
        check(Family::Jvm, "public void f(final Store<A, B> a, X b)", Some("Store"));
        check(Family::Jvm, "fun f(a: Store, b: X)", Some("Store"));
        check(Family::C, "void f(const ns::Store &a)", Some("ns::Store"));
        check(Family::Php, "function f(?Store $a)", Some("Store"));
        check(Family::Php, "function f($a)", None);
        check(Family::Ecma, "function f(a", None);
        check(Family::Ecma, "(a:", None);
        check(Family::Rust, "(a: '", None);
    }
}
