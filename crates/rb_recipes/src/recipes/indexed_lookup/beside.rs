//! Lists that stay what they are: an index is built before the loop, one for all searches that can share it.

use std::collections::BTreeMap;

use oxc_ast::ast::Expression;
use oxc_span::{GetSpan, Span};
use rb_ecma::{Module, Types};
use rb_rules::rules::js::shapes::is_declared_outside;

use super::array::{array, is_claimed, is_filled, proof};
use super::build::{asks, can_be_read_first, lines, name};
use super::changes::stays;
use super::elements::{are_plain, key};
use super::lookup::{Ask, Key, Lookup, Want};
use super::place::{IndexScope, Spot, is_unquestioned, place};
use super::report::Why;
use super::size::imported_length;
use super::{At, Part};
use crate::plan::Chain;

/// Searches that share an index: place, list, key.
type Shared<'a> = (u32, &'a str, Option<(Want, &'a str)>);

pub(super) fn plan<'a>(at: &At<'_, '_, 'a>, lookups: &[&Lookup<'a>], part: &mut Part) {
    let mut groups: BTreeMap<Shared<'a>, Group<'_, 'a>> = BTreeMap::new();
    for it in lookups {
        match decide(at, it) {
            Ok(place) => {
                let shared = match it.ask {
                    Ask::Keyed(Key { want, of, .. }) => Some((want, of)),
                    Ask::Has(_) | Ask::Other(..) => None,
                };
                let key = (place.spot.start(), at.module.slice(it.list.span()), shared);
                groups.entry(key).or_insert_with(|| (place, Vec::new())).1.push(it);
            }
            Err(why) => part.left.push(at.left(it.call.span, why)),
        }
    }
    let groups = joined(at, groups.into_iter().map(|((_, _, key), it)| (key, it)).collect());
    let mut given = ScopedNames::default();
    let mut by_spot: BTreeMap<u32, Vec<Group<'_, 'a>>> = BTreeMap::new();
    for group in groups {
        by_spot.entry(group.0.spot.start()).or_default().push(group);
    }
    let mut ends: Vec<u32> = Vec::new();
    for groups in by_spot.into_values() {
        chains(at, &groups, lookups, &mut given, &mut ends, part);
    }
}

/// Searches that share an index, and its place.
type Group<'l, 'a> = (IndexScope<'a>, Vec<&'l Lookup<'a>>);

/// An index that was built for a loop serves the loops behind it, too, where the list stays the same up to there.
fn joined<'l, 'a>(
    at: &At<'_, '_, 'a>,
    groups: Vec<(Option<(Want, &'a str)>, Group<'l, 'a>)>,
) -> Vec<Group<'l, 'a>> {
    let mut done: Vec<(Option<(Want, &'a str)>, Group<'l, 'a>)> = Vec::new();
    for (key, (place, same)) in groups {
        let list = same.first().map(|it| at.module.slice(it.list.span()));
        let earlier = done.iter_mut().find(|(other, (before, theirs))| {
            *other == key
                && theirs.first().map(|it| at.module.slice(it.list.span())) == list
                && theirs.first().map(|it| it.root) == same.first().map(|it| it.root)
                && before
                    .reaching(at.module, &place)
                    .is_some_and(|place| same.iter().all(|it| stays(at, it, &place).is_ok()))
        });
        match earlier {
            Some((_, (before, theirs))) => {
                *before = before.reaching(at.module, &place).unwrap_or(*before);
                theirs.extend(same);
            }
            None => done.push((key, (place, same))),
        }
    }
    done.into_iter().map(|(_, group)| group).collect()
}

/// Names that are given, each with the function or block in which it is seen.
#[derive(Default)]
struct ScopedNames(Vec<(String, Span)>);

impl ScopedNames {
    fn name(&mut self, module: &Module<'_>, base: &str, place: &IndexScope<'_>) -> String {
        let scope = place.scope;
        let base = &super::names::apart(module, base);
        let mut name = module.fresh_name(base);
        let mut count = 2;
        let meets = |it: &Span| (*it).contains_inclusive(scope) || scope.contains_inclusive(*it);
        while self.0.iter().any(|(given, other)| *given == name && meets(other)) {
            name = module.fresh_name(&format!("{base}{count}"));
            count += 1;
        }
        self.0.push((name.clone(), scope));
        name
    }
}

/// The chains of all indexes at one spot: each its own before a statement, all in one where a body is made for them.
fn chains<'a>(
    at: &At<'_, '_, 'a>,
    groups: &[Group<'_, 'a>],
    lookups: &[&Lookup<'a>],
    given: &mut ScopedNames,
    ends: &mut Vec<u32>,
    part: &mut Part,
) {
    let Some((place, _)) = groups.first() else { return };
    if let Spot::Arrow(func) = place.spot {
        if ends.contains(&func.span().end) {
            for it in groups.iter().flat_map(|(_, same)| same) {
                let why = Why::new(
                    "two arrow functions that end here would both need a body",
                    "give one of them a body",
                );
                part.left.push(at.left(it.call.span, why));
            }
            return;
        }
        ends.push(func.span().end);
    }
    let mut all = Vec::new();
    let mut chains: Vec<Chain> = Vec::new();
    for (place, same) in groups {
        let Some(first) = same.first() else { continue };
        let name = given.name(at.module, &name(at.module, first), place);
        let code = lines(at, same, &name);
        let mut chain = chain(at, same, &name);
        if let Spot::Before(_) = place.spot {
            for edit in place.spot.insert(at.module, &code) {
                chain.edit(at.path, edit);
            }
        }
        all.extend(code);
        chains.push(chain);
    }
    if let Spot::Arrow(_) = place.spot {
        let mut joined = Chain::default();
        for chain in chains {
            joined.join(chain);
        }
        for edit in place.spot.insert(at.module, &all) {
            joined.edit(at.path, edit);
        }
        if groups.iter().map(|(_, same)| same.len()).sum::<usize>() == count_in(lookups, place) {
            let edits = joined.edits.get(at.path).cloned().unwrap_or_default();
            let deeper = place.spot.deeper(at.module);
            for edit in deeper.into_iter().filter(|new| !edits.iter().any(|it| it.touches(new))) {
                joined.edit(at.path, edit);
            }
        }
        chains = vec![joined];
    }
    part.chains.extend(chains);
}

/// How many searches lie in the function that gets a body.
fn count_in(lookups: &[&Lookup<'_>], place: &IndexScope<'_>) -> usize {
    lookups.iter().filter(|it| place.scope.contains_inclusive(it.call.span)).count()
}

fn chain<'a>(at: &At<'_, '_, 'a>, same: &[&Lookup<'a>], name: &str) -> Chain {
    let module = at.module;
    let mut chain = Chain::default();
    if let Some(first) = same.first() {
        let list = module.slice(first.list.span());
        chain.title = match first.ask {
            Ask::Keyed(Key { want: Want::Any, of, .. }) => {
                format!("`{list}` is searched through `{name}`, a Set of `{of}`")
            }
            Ask::Keyed(Key { of, .. }) => {
                format!("`{list}` is searched through `{name}`, a Map keyed by `{of}`")
            }
            Ask::Has(_) | Ask::Other(..) => format!("`{list}` is searched through `{name}`, a Set"),
        };
    }
    for it in same {
        let now = match it.ask {
            Ask::Keyed(Key { want: Want::First | Want::All, .. }) => "Map.get",
            Ask::Keyed(Key { want: Want::Any, .. }) | Ask::Has(_) | Ask::Other(..) => "Set.has",
        };
        let what = format!("`{}` → `{now}`", module.slice(it.name_span));
        chain.sites.push(at.site(it.call.span, what));
        for edit in asks(module, it, name) {
            chain.edit(at.path, edit);
        }
    }
    chain
}

/// Where the index of a search goes, or why it has none.
fn decide<'a>(at: &At<'_, '_, 'a>, it: &Lookup<'a>) -> Result<IndexScope<'a>, Why> {
    shape(at, it)?;
    let mut last = Err(Why::new("no loop around it", "leave it"));
    let count = it.rounds.len();
    for (index, round) in it.rounds.iter().enumerate().rev() {
        last = place(at.module, round, it.root, index + 1 == count)
            .and_then(|place| there(at, it, &place).map(|()| place))
            .and_then(|place| is_worth(at, it, &place).map(|()| place))
            .and_then(|place| stays(at, it, &place).map(|()| place));
        if last.is_ok() {
            break;
        }
    }
    last
}

/// The list is there before the loop, and not only where it is searched.
fn there<'a>(at: &At<'_, '_, 'a>, it: &Lookup<'a>, place: &IndexScope<'a>) -> Result<(), Why> {
    if proof(at, it.list).is_some() || is_unquestioned(at.module, it.root, place) {
        return Ok(());
    }
    let list = at.module.slice(it.list.span());
    Err(Why::new(
        format!("`{list}` may be undefined before the loop, where its index would be built"),
        "give it a default of `[]` before the loop",
    ))
}

/// A list that somebody wrote down is made once: to build its index in each call costs more than the searches.
fn is_worth<'a>(at: &At<'_, '_, 'a>, it: &Lookup<'a>, place: &IndexScope<'a>) -> Result<(), Why> {
    let module = at.module;
    let is_written = it.names.is_empty()
        && (matches!(module.resolved(it.list), Expression::ArrayExpression(_))
            || imported_length(at, it.root).is_some());
    let is_called = module
        .function_around(place.node)
        .is_some_and(|func| is_declared_outside(module, it.root, func.span()));
    if !is_written || !is_called || is_filled(module, it.root) {
        return Ok(());
    }
    let list = module.name(it.root);
    Err(Why::new(
        format!("`{list}` is created once, but its index would be built on every call"),
        format!("build the index where `{list}` is declared"),
    ))
}

/// Everything that has to hold wherever the index is built.
fn shape<'a>(at: &At<'_, '_, 'a>, it: &Lookup<'a>) -> Result<(), Why> {
    let module = at.module;
    let list = module.slice(it.list.span());
    if let Ask::Other(reason, suggestion) = it.ask {
        return Err(Why::new(reason, suggestion));
    }
    if array(at, it).is_none() {
        return Err(no_array(module, it, list));
    }
    if let Some(name) = short_name(module, it) {
        return Err(Why::new(
            format!("by its name, the list `{name}` is likely to be short"),
            "build a Map before the loop if it can be long",
        ));
    }
    if it.optional {
        return Err(Why::new(
            format!("`{list}` is searched with `?.`"),
            "give it a default of `[]` before the loop",
        ));
    }
    if let Some(why) = &at.hidden {
        return Err(why.clone());
    }
    match it.ask {
        Ask::Has(compared) => has_shape(at, it, compared.map(|(span, _)| span)),
        Ask::Keyed(of) => keyed_shape(at, it, of),
        Ask::Other(..) => Ok(()),
    }
}

fn has_shape<'a>(at: &At<'_, '_, 'a>, it: &Lookup<'a>, compared: Option<Span>) -> Result<(), Why> {
    let Some(span) = compared else { return Ok(()) };
    let list = at.module.slice(it.list.span());
    if is_found_alike(at, it) {
        let rest = Span::new(it.call.span.end, span.end);
        return if at.module.has_comment(rest) { Err(comment()) } else { Ok(()) };
    }
    Err(Why::new(
        format!("`{list}` may hold NaN or holes, which `indexOf` does not find and a Set does"),
        "use `includes`, or declare it as an array of strings",
    ))
}

/// Does `indexOf` find what a Set has?
pub(super) fn is_found_alike<'a>(at: &At<'_, '_, 'a>, it: &Lookup<'a>) -> bool {
    let wanted = at.module.types(it.wanted);
    let never_alike = Types::NUMBER | Types::UNDEFINED;
    !wanted.may_be(never_alike) || are_plain(at, it.list)
}

fn keyed_shape<'a>(at: &At<'_, '_, 'a>, it: &Lookup<'a>, of: Key<'a>) -> Result<(), Why> {
    let module = at.module;
    let (list, key_name) = (module.slice(it.list.span()), of.of);
    let Some(_) = key(at, it, key_name) else {
        return Err(Why::new(
            format!("it is not certain that every element of `{list}` has a readable `{key_name}`"),
            format!(
                "declare the element type of `{list}`, or build a Map by `{key_name}` if no element is missing"
            ),
        ));
    };
    if module.has_watched_objects() {
        return Err(Why::new(
            format!(
                "elements of `{list}` may be reactive, and an index would read the `{key_name}` of all of them"
            ),
            "build the Map where the list is stored, as a computed value",
        ));
    }
    if !can_be_read_first(module, it) {
        let wanted = module.slice(it.wanted.span());
        return Err(Why::new(
            format!("`{wanted}` would be computed even if `{list}` is empty"),
            "compute it in a constant before the search",
        ));
    }
    if module.has_comment(it.call.span) {
        return Err(comment());
    }
    Ok(())
}

fn comment() -> Why {
    Why::new("a comment inside the search would be lost", "move the comment above the statement")
}

fn no_array<'a>(module: &Module<'a>, it: &Lookup<'a>, list: &str) -> Why {
    if is_claimed(module, it.list) {
        return Why::new(
            format!("only `as` claims that `{list}` is an array; it may be a string"),
            "build a Set of it before the loop if it never is one",
        );
    }
    let types = module.types(it.list);
    if types.is_known() && types.includes(Types::ARRAY) {
        return Why::new(
            format!("`{list}` may not be an array, or may be undefined"),
            "give it a default of `[]` before the loop",
        );
    }
    let or = if matches!(it.ask, Ask::Has(_)) {
        "it may be a string"
    } else {
        "it may be another collection"
    };
    Why::new(
        format!("it is not certain that `{list}` is an array; {or}"),
        format!("if it is one, build the index of `{list}` before the loop, or pass a Set"),
    )
}

/// Names that mean something else here than the index needs.
pub(super) fn hidden(module: &Module<'_>) -> Option<Why> {
    let bound = ["Map", "Set"]
        .into_iter()
        .find(|name| module.scoping().symbol_names().any(|it| it == *name));
    if let Some(name) = bound {
        return Some(Why::new(format!("`{name}` has another meaning in this file"), "rename it"));
    }
    let has_eval = module.identifiers().iter().any(|it| it.name == "eval" && module.is_global(it));
    has_eval.then(|| Why::new("`eval` in this file may use any name", "remove `eval`"))
}

/// Lists that are written by hand, or are as long as a menu: no amount of data makes them long.
fn short_name<'a>(module: &Module<'a>, it: &Lookup<'a>) -> Option<String> {
    const SHORT: &[&str] = &[
        "columns",
        "days",
        "languages",
        "levels",
        "locales",
        "menus",
        "modes",
        "months",
        "options",
        "roles",
        "steps",
        "tabs",
        "themes",
        "variants",
        "weekdays",
    ];
    let name = it.names.last().copied().unwrap_or(module.name(it.root));
    let word = name.rfind(|c: char| c.is_uppercase()).map_or(name, |at| &name[at..]);
    let is_short = matches!(it.ask, Ask::Keyed(_)) && SHORT.contains(&word.to_lowercase().as_str());
    is_short.then(|| name.to_owned())
}
