//! `list.includes(x)` in a loop goes through the list each time; a `Set` does not.

use oxc_ast::AstKind;
use oxc_ast::ast::{BindingPattern, CallExpression, Expression, TSType, VariableDeclarator};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::{Module, Use};

use super::hot::{heat, is_before_throw, is_in_hot_function, is_in_waiting_round, round};
use super::lookup::{Ask, Lookup, has, lookup};
use super::shapes::{is_declared_outside, is_exported_in_place, method, method_call};
use super::size::{MANY, is_fetched, is_few_by_name, is_small, is_small_elsewhere};
use crate::cx::{Cx, Hit};
use crate::facts::FileKind;
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "js-set-map-lookups",
    title: "A long list is searched in a loop",
    category: Category::JavaScript,
    impact: Impact::LowMedium,
    fix: FixKind::Auto,
    level: Level::Audit,
    repairs: false,
    doc: Doc {
        what: "`list.includes(x)` or `list.indexOf(x) !== -1` runs for each element of something else, and the list \
               is long: 16 or more elements are written out, or it is built from other data.",
        why: "Each test searches the list. From about 16 elements on, a `Set` answers in half the time; if both \
              sides grow, the work grows with their product.",
        wrong: "const countries = ['at', 'be', 'bg', 'cy', 'cz', 'de', 'dk', 'ee', 'es', 'fi', 'fr', 'gr', 'hr', 'hu', 'ie', 'it'];
export const european = (users: User[]) => users.filter((user) => countries.includes(user.country));",
        right: "const countries = new Set(['at', 'be', 'bg', 'cy', 'cz', 'de', 'dk', 'ee', 'es', 'fi', 'fr', 'gr', 'hr', 'hu', 'ie', 'it']);
export const european = (users: User[]) => users.filter((user) => countries.has(user.country));",
        safe: "Fixed automatically if the list is a `const` literal that is not exported and is used only for such \
               tests. `includes` and `has` compare in the same way, including `NaN`; `indexOf` does not find `NaN`, \
               so tests with `indexOf` are rewritten only for lists of strings. Otherwise a draft adds a `Set` \
               beside the list.",
        leave: "The loop is known to be short.",
        given: &[],
    },
    wants: &["includes", "indexOf"],
    applies: |facts| facts.kind == FileKind::Source,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    let mut seen: Vec<SymbolId> = Vec::new();
    for call in module.calls() {
        let Some(list) = searched(module, call) else { continue };
        if seen.contains(&list) || !is_hot(module, call, list) {
            continue;
        }
        let Some(declarator) = module.declarator(list) else { continue };
        let Some(size) = size(module, list) else { continue };
        // What nobody counted is worth a word where it runs in each render, or where it came from outside.
        let is_worth = matches!(size, Size::Written(_))
            || is_in_hot_function(module, call.node_id.get())
            || declarator.init.as_ref().is_some_and(|init| is_fetched(module, init));
        let is_short = module.initializer(list).is_some_and(|it| is_small_elsewhere(cx, it));
        if !is_worth || is_short {
            continue;
        }
        seen.push(list);
        report(cx, call, list, declarator, size);
    }
}

/// The symbol of the list, where the call asks whether something is in it.
fn searched<'a>(module: &Module<'a>, call: &'a CallExpression<'a>) -> Option<SymbolId> {
    Some(test(module, call)?.root)
}

/// A test of membership of a list that has a name.
fn test<'a>(module: &Module<'a>, call: &'a CallExpression<'a>) -> Option<Lookup<'a>> {
    lookup(module, call).filter(|it| match it.ask {
        Ask::Has(compared) => it.names.is_empty() && (compared.is_none() || !it.optional),
        Ask::Keyed(_) | Ask::Other(..) => false,
    })
}

fn compared(it: &Lookup<'_>) -> Option<(Span, bool)> {
    match it.ask {
        Ask::Has(compared) => compared,
        Ask::Keyed(_) | Ask::Other(..) => None,
    }
}

/// Is it asked in a loop over something that may be long, with the list made before the loop?
fn is_hot<'a>(module: &Module<'a>, call: &'a CallExpression<'a>, list: SymbolId) -> bool {
    let node = call.node_id.get();
    let Some(round) = round(module, node) else { return false };
    round.is_counted
        && is_declared_outside(module, list, round.span)
        && !round.over.is_some_and(|over| is_small(module, over))
        && heat(module, node).is_some()
        && !is_in_waiting_round(module, node)
        && !is_before_throw(module, node)
        && !is_few_by_name(module.name(list))
}

#[derive(Clone, Copy)]
enum Size {
    /// The most elements that are written down.
    Written(usize),
    /// As long as other data is.
    Grows,
}

/// How long the list is, where something says that it is long.
fn size(module: &Module<'_>, list: SymbolId) -> Option<Size> {
    let init = module.initializer(list)?;
    match init.get_inner_expression() {
        Expression::ArrayExpression(it) => {
            let written = it.elements.iter().filter(|element| !element.is_spread()).count();
            (written >= MANY).then_some(Size::Written(written))
        }
        inner => {
            let (call, method) = method_call(inner)?;
            let grows = match method.name {
                "map" | "flatMap" => super::hot::is_each(call),
                _ => false,
            };
            (grows && !is_small(module, init)).then_some(Size::Grows)
        }
    }
}

fn report<'a>(
    cx: &mut Cx<'_, 'a>,
    call: &'a CallExpression<'a>,
    list: SymbolId,
    declarator: &'a VariableDeclarator<'a>,
    size: Size,
) {
    let module = cx.module;
    let name = module.name(list);
    let message = match size {
        Size::Written(count) => {
            format!("all {count} elements of `{name}` are searched on every iteration; use a Set")
        }
        Size::Grows => {
            format!("`{name}` is searched on every iteration and grows with its data; use a Set")
        }
    };
    let hit = Hit::at(call.span, message);
    let lookups = all_lookups(module, list).filter(|_| !is_exported_in_place(module, list));
    let Some(lookups) = lookups else {
        // The list of a function would be made into a set with each call, which costs as much as some rounds.
        if matches!(size, Size::Written(_)) && !module.is_top_level(list) {
            return;
        }
        cx.report(match beside(module, call, list, declarator) {
            Some(edits) => hit.assist("add a Set for the lookup", edits),
            None => hit,
        });
        return;
    };
    let doubt = doubt(module, list, declarator, &lookups);
    cx.report(match whole(module, declarator, &lookups) {
        Some(edits) => hit.auto_unless(doubt, "convert it to a Set", edits),
        None => hit,
    });
}

/// Every use of the list, where each is such a test.
fn all_lookups<'a>(module: &Module<'a>, list: SymbolId) -> Option<Vec<Lookup<'a>>> {
    module.uses(list).map(|it| use_as_lookup(module, it)).collect()
}

fn use_as_lookup<'a>(module: &Module<'a>, it: Use<'a>) -> Option<Lookup<'a>> {
    let mut around = module.ancestors(it.node);
    let AstKind::StaticMemberExpression(member) = around.next()? else { return None };
    let AstKind::CallExpression(call) = around.next()? else { return None };
    let is_callee = call.callee.span() == member.span && member.object.span() == it.span;
    is_callee.then(|| test(module, call)).flatten()
}

/// Why the list cannot be made a set without somebody looking at it.
fn doubt<'a>(
    module: &Module<'a>,
    list: SymbolId,
    declarator: &VariableDeclarator<'a>,
    lookups: &[Lookup<'a>],
) -> Option<&'static str> {
    let init = declarator.init.as_ref()?;
    let Expression::ArrayExpression(array) = init else {
        return Some(match init {
            Expression::TSAsExpression(_) | Expression::TSSatisfiesExpression(_) => {
                "the list uses `as` or `satisfies`"
            }
            _ => "the initial value may not be an array",
        });
    };
    let is_text = |it: &oxc_ast::ast::ArrayExpressionElement<'a>| {
        it.as_expression().is_some_and(|it| matches!(it, Expression::StringLiteral(_)))
    };
    let by_index = lookups.iter().any(|it| compared(it).is_some());
    if !module.is_const(list) {
        Some("the list is not a `const`")
    } else if by_index && !array.elements.iter().all(is_text) {
        Some("`indexOf` does not find `NaN`, but a Set does")
    } else if module.scoping().symbol_names().any(|it| it == "Set") {
        Some("`Set` is shadowed here")
    } else if lookups
        .iter()
        .any(|it| compared(it).is_some_and(|(span, _)| module.has_comment(span)))
    {
        Some("a comment would be lost")
    } else {
        None
    }
}

/// The list becomes a set, and each test asks it.
fn whole<'a>(
    module: &Module<'a>,
    declarator: &VariableDeclarator<'a>,
    lookups: &[Lookup<'a>],
) -> Option<Vec<Edit>> {
    let init = declarator.init.as_ref()?.span();
    let mut edits = Vec::new();
    if let Some(written) = &declarator.type_annotation {
        let span = written.type_annotation.span();
        edits.push(Edit::replace(
            span.start,
            span.end,
            set_type(module, &written.type_annotation)?,
        ));
    }
    edits.push(Edit::insert(init.start, "new Set("));
    edits.push(Edit::insert(init.end, ")"));
    for it in lookups {
        edits.extend(has(it.call.span, it.name_span, compared(it)));
    }
    Some(edits)
}

/// `Set<T>` for `T[]`, in the words of the file.
fn set_type<'a>(module: &Module<'a>, written: &TSType<'a>) -> Option<String> {
    match written {
        TSType::TSArrayType(it) => Some(format!("Set<{}>", module.slice(it.element_type.span()))),
        TSType::TSTypeOperatorType(it) => match &it.type_annotation {
            TSType::TSArrayType(it) => {
                Some(format!("ReadonlySet<{}>", module.slice(it.element_type.span())))
            }
            _ => None,
        },
        TSType::TSTypeReference(it) => {
            let text = module.slice(it.span);
            let rest = text.strip_prefix("ReadonlyArray<").map(|rest| ("ReadonlySet<", rest));
            let (name, rest) = rest.or(text.strip_prefix("Array<").map(|rest| ("Set<", rest)))?;
            Some(format!("{name}{rest}"))
        }
        _ => None,
    }
}

/// The list stays, since it is used for more; a set of it is put behind it, for the tests in loops.
fn beside<'a>(
    module: &Module<'a>,
    call: &'a CallExpression<'a>,
    list: SymbolId,
    declarator: &'a VariableDeclarator<'a>,
) -> Option<Vec<Edit>> {
    if method(call)?.optional || !matches!(declarator.id, BindingPattern::BindingIdentifier(_)) {
        return None;
    }
    let statement = module.siblings(declarator.node_id.get())?.statement().span();
    let line = module.text()[statement.end as usize..].split('\n').next()?;
    if !line.trim().is_empty() {
        return None;
    }
    let name = module.fresh_name(&format!("{}Set", module.name(list)));
    let style = module.style();
    let code = format!(
        "{}{}const {name} = new Set({}){}",
        style.line_end,
        module.indent_at(statement.start),
        module.name(list),
        style.semicolon()
    );
    let object = method(call)?.object.span();
    let mut edits =
        vec![Edit::insert(statement.end, code), Edit::replace(object.start, object.end, name)];
    let it = test(module, call)?;
    edits.extend(has(call.span, it.name_span, compared(&it)));
    Some(edits)
}

#[cfg(test)]
mod tests;
