//! Which calls search a list again and again, and in which loops.

use oxc_ast::ast::{CallExpression, Expression};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_ecma::{Module, Types};
use rb_rules::rules::js::hot::{Round, round};
use rb_rules::rules::js::lookup::{asked, lookup};
use rb_rules::rules::js::shapes::{is_declared_outside, method, uses_inner};

use super::At;
use super::array;
use super::report::Why;

pub(super) use rb_rules::rules::js::lookup::{Ask, Key, Lookup, Want};

/// The search that a call is, if it is one that is repeated over something that may be long.
pub(super) fn of<'a>(at: &At<'_, '_, 'a>, call: &'a CallExpression<'a>) -> Option<Lookup<'a>> {
    let module = at.module;
    let mut found = lookup(module, call)?;
    found.rounds = rounds(module, call, found.root, found.wanted);
    let is_long = |round: &Round<'a>| {
        round.is_counted && !round.over.is_some_and(|over| super::size::is_small(at, over))
    };
    if !found.rounds.iter().any(is_long) || super::size::is_small(at, found.list) {
        return None;
    }
    let is_other = found.call.arguments.len() > 1 && array::array(at, &found).is_none();
    (!is_other && !is_text(module, &found)).then_some(found)
}

/// `rows.map((it) => it.id).includes(x)` in a loop: a list that is made anew for each search.
pub(super) fn made_anew<'a>(
    at: &At<'_, '_, 'a>,
    call: &'a CallExpression<'a>,
) -> Option<(Span, Why)> {
    let module = at.module;
    let method = method(call)?;
    let list = method.object.get_inner_expression();
    if matches!(list, Expression::StaticMemberExpression(_)) {
        return of_this(at, call);
    }
    let Expression::CallExpression(_) = list else { return None };
    let (Ask::Has(_), wanted) = asked(module, call, method.name)? else { return None };
    let round = round(module, call.node_id.get()).filter(|it| it.is_counted)?;
    let is_same =
        !uses_inner_outside(module, list.span(), round.span) && varies(module, wanted, round.span);
    let is_long = !super::size::is_small(at, list)
        && !round.over.is_some_and(|over| super::size::is_small(at, over));
    (is_same && is_long && array::made_array(at, list).is_some()).then(|| {
        let list = crate::plan::one_line(module.slice(list.span()));
        let why = Why::new(
            format!("`{list}` is created again for each search"),
            "build a Set of it once, before the loop, if the loop does not change its source",
        );
        (call.span, why)
    })
}

/// `this.rows.find(…)` in a loop: whatever the object does may change its list.
fn of_this<'a>(at: &At<'_, '_, 'a>, call: &'a CallExpression<'a>) -> Option<(Span, Why)> {
    let module = at.module;
    let method = method(call)?;
    let Expression::StaticMemberExpression(member) = method.object.get_inner_expression() else {
        return None;
    };
    let (ask, wanted) = asked(module, call, method.name)?;
    let name = member.property.name.as_str();
    let is_list = matches!(ask, Ask::Keyed(_)) || matches!(ask, Ask::Has(_)) && name.ends_with('s');
    let round = round(module, call.node_id.get()).filter(|it| it.is_counted)?;
    let is_long = !round.over.is_some_and(|over| super::size::is_small(at, over));
    let is_this = matches!(member.object, Expression::ThisExpression(_));
    (is_this && is_list && is_long && varies(module, wanted, round.span)).then(|| {
        let why = Why::new(
            format!("`this.{name}` belongs to the object, whose methods may change it"),
            "build the index before the loop if nothing in the loop does",
        );
        (call.span, why)
    })
}

/// Does a piece use what the loop declares outside of the piece?
fn uses_inner_outside(module: &Module<'_>, piece: Span, round: Span) -> bool {
    module.identifiers_in(piece).iter().filter_map(|it| module.symbol(it)).any(|symbol| {
        !is_declared_outside(module, symbol, round) && is_declared_outside(module, symbol, piece)
    })
}

/// Loops in which the list is the same and what is looked for is not, from the inside out.
fn rounds<'a>(
    module: &Module<'a>,
    call: &'a CallExpression<'a>,
    root: SymbolId,
    wanted: &Expression<'a>,
) -> Vec<Round<'a>> {
    let mut found = Vec::new();
    let mut node = call.node_id.get();
    while let Some(around) = round(module, node) {
        if !is_declared_outside(module, root, around.span) {
            break;
        }
        node = around.node;
        if found.is_empty() && !varies(module, wanted, around.span) {
            continue;
        }
        found.push(around);
    }
    found
}

fn varies<'a>(module: &Module<'a>, wanted: &Expression<'a>, round: Span) -> bool {
    uses_inner(module, wanted.span(), round)
        || module.identifiers_in(wanted.span()).iter().any(|name| {
            module.symbol(name).is_some_and(|symbol| {
                module.uses(symbol).any(|it| it.is_write() && round.contains_inclusive(it.span))
            })
        })
}

/// A text is searched for a part of it: no list at all. What could be either counts as a text here unless its name or its
/// other uses speak for a list; nothing is edited by that.
fn is_text<'a>(module: &Module<'a>, it: &Lookup<'a>) -> bool {
    let Ask::Has(_) = it.ask else {
        return matches!(it.ask, Ask::Other(..))
            && module.types(it.list).is_known()
            && !module.types(it.list).includes(Types::ARRAY);
    };
    let types = module.types(it.list);
    if types.is_known() {
        return !types.includes(Types::ARRAY);
    }
    let name = it.names.last().copied().unwrap_or(module.name(it.root));
    let is_plural = name.ends_with(['s', 'S']) && !name.ends_with("ss")
        || name.ends_with("List")
        || name.ends_with("Array");
    !is_plural && !array::has_list_uses(module, it.root)
        || it.names.is_empty() && array::has_text_uses(module, it.root)
}
