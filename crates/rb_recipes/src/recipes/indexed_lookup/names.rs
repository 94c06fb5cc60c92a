//! Names for indexes: `usersById`, `dateFieldSet`.

use rb_ecma::Module;
use rb_rules::rules::js::shapes::camel;
use rb_rules::rules::js::size::is_constant_name;

const LONGEST: usize = 32;

/// `usersById` of `users` and `id`.
pub(super) fn by_key(list: &str, key: &str) -> String {
    if is_constant_name(list) {
        return format!("{list}_BY_{}", key.to_uppercase());
    }
    let list = lower(list);
    let words = [list.as_str(), "By"].into_iter().chain(key.split('_'));
    camel(&words.filter(|it| !it.is_empty()).collect::<Vec<_>>())
}

/// `dateFieldSet` of `dateFields`; `userIdSet` of `users` and `id`.
pub(super) fn set_of(list: &str, key: Option<&str>) -> String {
    if is_constant_name(list) {
        let key = key.map_or_else(String::new, |key| format!("_{}", key.to_uppercase()));
        return format!("{}{key}_SET", singular(list));
    }
    let mut stem = list;
    for end in ["Set", "List", "Array"] {
        stem = stem.strip_suffix(end).filter(|it| !it.is_empty()).unwrap_or(stem);
    }
    let stem = lower(&singular(stem));
    // A name that says all would be longer than the code that uses it.
    let is_long = key.is_some_and(|key| stem.len() + key.len() > LONGEST);
    let head = (!is_long).then_some(stem.as_str());
    let words = head.into_iter().chain(key.into_iter().flat_map(|it| it.split('_')));
    camel(&words.filter(|it| !it.is_empty()).chain(["Set"]).collect::<Vec<_>>())
}

/// The name, or another one where the file has one that differs by a letter: `outFieldSet` beside `outFieldsSet`.
pub(super) fn apart(module: &Module<'_>, name: &str) -> String {
    let is_near = |other: &str| {
        let (short, long) = if name.len() < other.len() { (name, other) } else { (other, name) };
        long.len() == short.len() + 1
            && (0..long.len()).any(|at| {
                long.is_char_boundary(at)
                    && long
                        .get(at + 1..)
                        .is_some_and(|rest| format!("{}{rest}", &long[..at]) == short)
            })
    };
    if !module.scoping().symbol_names().any(is_near) {
        return name.to_owned();
    }
    match name.strip_suffix("Set") {
        Some(stem) => format!("{stem}Lookup"),
        None => format!("{name}Lookup"),
    }
}

/// `country` of `countries`; what does not look like a plural stays.
pub(super) fn singular(word: &str) -> String {
    let lower = word.to_lowercase();
    let cut = |count: usize| word[..word.len() - count].to_owned();
    for end in ["ndices", "ertices", "atrices"] {
        if lower.ends_with(end) && !word.ends_with('S') {
            return cut(4) + if end == "atrices" { "ix" } else { "ex" };
        }
    }
    if lower.ends_with("statuses") {
        return cut(2);
    }
    if lower.ends_with("ies") && word.len() > 4 {
        let y = if word.ends_with('S') { "Y" } else { "y" };
        return cut(3) + y;
    }
    if ["sses", "xes", "ches", "shes"].iter().any(|end| lower.ends_with(end)) {
        return cut(2);
    }
    let is_plural =
        lower.ends_with('s') && !["ss", "us", "is"].iter().any(|end| lower.ends_with(end));
    if is_plural && word.len() > 2 { cut(1) } else { word.to_owned() }
}

/// `requestGroup` of `RequestGroup`.
fn lower(word: &str) -> String {
    let mut characters = word.chars();
    characters
        .next()
        .map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect())
}
