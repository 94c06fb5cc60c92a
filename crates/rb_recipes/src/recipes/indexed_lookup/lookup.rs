//! Which calls search a list again and again: their shape, the list, what is looked for, the loops around.

use oxc_ast::AstKind;
use oxc_ast::ast::{BindingPattern, CallExpression, Expression};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::{BinaryOperator, LogicalOperator};
use rb_ecma::{Func, Module, Types};
use rb_rules::rules::js::hot::{Round, round};
use rb_rules::rules::js::shapes::{
    callback, chain, comparison, is_declared_outside, method, only_argument, uses_inner,
};

use super::At;
use super::array;
use super::report::Why;

/// One search of a list that runs in a loop.
pub(super) struct Lookup<'a> {
    pub(super) call: &'a CallExpression<'a>,
    pub(super) list: &'a Expression<'a>,
    pub(super) root: SymbolId,
    /// `a`, `b` of `root.a.b`.
    pub(super) names: Vec<&'a str>,
    pub(super) name_span: Span,
    pub(super) ask: Ask<'a>,
    /// What is looked for.
    pub(super) wanted: &'a Expression<'a>,
    /// Loops in which the list is the same one, from the inside out.
    pub(super) rounds: Vec<Round<'a>>,
    pub(super) optional: bool,
}

/// What is asked of the list.
#[derive(Clone, Copy)]
pub(super) enum Ask<'a> {
    /// Is the value in it? With the comparison around `indexOf`, and whether it asks for absence.
    Has(Option<(Span, bool)>),
    Keyed(Key<'a>),
    /// Something that is not rewritten, and why.
    Other(&'static str, &'static str),
}

#[derive(Clone, Copy)]
pub(super) struct Key<'a> {
    pub(super) want: Want,
    pub(super) of: &'a str,
    /// The name that the predicate has for an element.
    pub(super) element: Option<&'a str>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Want {
    /// `find`
    First,
    /// `filter`
    All,
    /// `some`
    Any,
}

/// The search that a call is, if it is one that is repeated over something that may be long.
pub(super) fn of<'a>(at: &At<'_, '_, 'a>, call: &'a CallExpression<'a>) -> Option<Lookup<'a>> {
    let module = at.module;
    let mut found = test(module, call)?;
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

/// The question that a call asks, in a loop or not.
pub(super) fn test<'a>(module: &Module<'a>, call: &'a CallExpression<'a>) -> Option<Lookup<'a>> {
    let method = method(call)?;
    let (ask, wanted) = asked(module, call, method.name)?;
    let list = chain(method.object)?;
    Some(Lookup {
        call,
        list: method.object,
        root: module.symbol(list.root)?,
        names: list.names,
        name_span: method.name_span,
        ask,
        wanted,
        rounds: Vec::new(),
        optional: method.optional,
    })
}

fn asked<'a>(
    module: &Module<'a>,
    call: &'a CallExpression<'a>,
    name: &str,
) -> Option<(Ask<'a>, &'a Expression<'a>)> {
    match name {
        "includes" => match call.arguments.as_slice() {
            [_] => Some((Ask::Has(None), only_argument(call)?)),
            [wanted, _] => Some((
                Ask::Other(
                    "the search starts in the middle of the list",
                    "keep a Map from value to position",
                ),
                wanted.as_expression()?,
            )),
            _ => None,
        },
        "indexOf" => {
            let wanted = only_argument(call)?;
            Some(match comparison(module, call) {
                Some(compared) => (Ask::Has(Some(compared)), wanted),
                None => (
                    Ask::Other(
                        "its result is used as a position",
                        "keep a Map from each value to its first position, and use -1 for missing values",
                    ),
                    wanted,
                ),
            })
        }
        "find" | "filter" | "some" | "findIndex" => keyed(module, call, name),
        _ => None,
    }
}

fn keyed<'a>(
    module: &Module<'a>,
    call: &'a CallExpression<'a>,
    name: &str,
) -> Option<(Ask<'a>, &'a Expression<'a>)> {
    only_argument(call)?;
    let func = callback(call)?;
    if func.is_async() || func.is_generator() {
        return None;
    }
    let [only] = func.params().items.as_slice() else { return None };
    if only.initializer.is_some() || func.params().rest.is_some() {
        return None;
    }
    let test = func.returned()?.get_inner_expression();
    let found = equality(module, func, &only.pattern, test);
    let Some((operator, key, element, wanted)) = found else {
        if let Some(wanted) = itself(module, func, &only.pattern, test) {
            let other = Ask::Other(
                "the search is for the element itself",
                "use `includes`, or a Set if no element is NaN",
            );
            return Some((other, wanted));
        }
        let (_, _, _, wanted) = conjunct(module, func, &only.pattern, test)?;
        let other = Ask::Other(
            "the search tests more than one equality",
            "build a Map by the key that varies, and test the other conditions on the result",
        );
        return Some((other, wanted));
    };
    let ask = if operator == BinaryOperator::Equality {
        Ask::Other("`==` treats values as equal that a Map does not", "compare with `===` first")
    } else {
        let want = match name {
            // An element of which a key is read is an object, and true.
            "find" if is_negated(module, call) => Want::Any,
            "find" => Want::First,
            "filter" => Want::All,
            "some" => Want::Any,
            _ => {
                let other = Ask::Other(
                    "its result is used as a position",
                    "keep a Map from each key to its first position, and use -1 for missing keys",
                );
                return Some((other, wanted));
            }
        };
        Ask::Keyed(Key { want, of: key, element })
    };
    Some((ask, wanted))
}

/// `!list.find(…)`
fn is_negated(module: &Module<'_>, call: &CallExpression<'_>) -> bool {
    matches!(module.parent(call.node_id.get()), AstKind::UnaryExpression(it) if it.operator.is_not())
}

type Equality<'a> = (BinaryOperator, &'a str, Option<&'a str>, &'a Expression<'a>);

/// `element.key === wanted`, either way round, or with the key taken out of the parameter.
fn equality<'a>(
    module: &Module<'a>,
    func: Func<'a>,
    parameter: &'a BindingPattern<'a>,
    test: &'a Expression<'a>,
) -> Option<Equality<'a>> {
    let Expression::BinaryExpression(test) = test.get_inner_expression() else { return None };
    if !matches!(test.operator, BinaryOperator::StrictEquality | BinaryOperator::Equality) {
        return None;
    }
    let key = |side: &'a Expression<'a>| key_of(module, parameter, side);
    let (found, wanted) = match (key(&test.left), key(&test.right)) {
        (Some(found), None) => (found, &test.right),
        (None, Some(found)) => (found, &test.left),
        _ => return None,
    };
    let is_own = uses_inner(module, wanted.span(), func.span());
    (!is_own).then_some((test.operator, found.0, found.1, wanted))
}

/// The key, and the name of the element.
fn key_of<'a>(
    module: &Module<'a>,
    parameter: &'a BindingPattern<'a>,
    side: &'a Expression<'a>,
) -> Option<(&'a str, Option<&'a str>)> {
    match (parameter, side.get_inner_expression()) {
        (BindingPattern::BindingIdentifier(id), Expression::StaticMemberExpression(member)) => {
            let symbol = module.symbol_of(&member.object)?;
            let is_own = !member.optional && id.symbol_id.get() == Some(symbol);
            is_own.then(|| (member.property.name.as_str(), Some(id.name.as_str())))
        }
        (BindingPattern::ObjectPattern(object), Expression::Identifier(name)) => {
            let symbol = module.symbol(name)?;
            object.properties.iter().find_map(|it| {
                let BindingPattern::BindingIdentifier(id) = &it.value else { return None };
                let is_own = id.symbol_id.get() == Some(symbol) && !it.computed;
                let key = it.key.static_name()?;
                (is_own && key == id.name.as_str()).then(|| (id.name.as_str(), None))
            })
        }
        _ => None,
    }
}

/// `element === wanted`.
fn itself<'a>(
    module: &Module<'a>,
    func: Func<'a>,
    parameter: &'a BindingPattern<'a>,
    test: &'a Expression<'a>,
) -> Option<&'a Expression<'a>> {
    let Expression::BinaryExpression(test) = test else { return None };
    let BindingPattern::BindingIdentifier(id) = parameter else { return None };
    let is_own = |side: &Expression<'a>| {
        module.symbol_of(side).is_some_and(|it| id.symbol_id.get() == Some(it))
    };
    let wanted = match (is_own(&test.left), is_own(&test.right)) {
        (true, false) => &test.right,
        (false, true) => &test.left,
        _ => return None,
    };
    let is_plain = test.operator == BinaryOperator::StrictEquality
        && !uses_inner(module, wanted.span(), func.span());
    is_plain.then_some(wanted)
}

/// One equality of several that are joined by `&&`.
fn conjunct<'a>(
    module: &Module<'a>,
    func: Func<'a>,
    parameter: &'a BindingPattern<'a>,
    test: &'a Expression<'a>,
) -> Option<Equality<'a>> {
    let Expression::LogicalExpression(all) = test.get_inner_expression() else { return None };
    if all.operator != LogicalOperator::And {
        return None;
    }
    [&all.left, &all.right].into_iter().find_map(|side| {
        equality(module, func, parameter, side).or_else(|| conjunct(module, func, parameter, side))
    })
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
