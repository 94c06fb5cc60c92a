//! Searches of lists: which calls they are, what they look for, and in which list. The rules that report them and the recipe that
//! replaces them all start here.

use oxc_ast::AstKind;
use oxc_ast::ast::{BinaryExpression, BindingPattern, CallExpression, Expression};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::{BinaryOperator, LogicalOperator};
use rb_core::Edit;
use rb_ecma::{Func, Module};

use super::hot::Round;
use super::shapes::{callback, chain, comparison, method, only_argument, uses_inner};

/// One search of a list that runs in a loop.
pub struct Lookup<'a> {
    pub call: &'a CallExpression<'a>,
    pub list: &'a Expression<'a>,
    pub root: SymbolId,
    /// `a`, `b` of `root.a.b`.
    pub names: Vec<&'a str>,
    pub name_span: Span,
    pub ask: Ask<'a>,
    /// What is looked for.
    pub wanted: &'a Expression<'a>,
    /// Loops in which the list is the same one, from the inside out.
    pub rounds: Vec<Round<'a>>,
    pub optional: bool,
}

/// What is asked of the list.
#[derive(Clone, Copy)]
pub enum Ask<'a> {
    /// Is the value in it? With the comparison around `indexOf`, and whether it asks for absence.
    Has(Option<(Span, bool)>),
    Keyed(Key<'a>),
    /// Something that is not rewritten, and why.
    Other(&'static str, &'static str),
}

#[derive(Clone, Copy)]
pub struct Key<'a> {
    pub want: Want,
    pub of: &'a str,
    /// The name that the predicate has for an element.
    pub element: Option<&'a str>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Want {
    /// `find`
    First,
    /// `filter`
    All,
    /// `some`
    Any,
}

/// The question that a call asks, in a loop or not.
pub fn lookup<'a>(module: &Module<'a>, call: &'a CallExpression<'a>) -> Option<Lookup<'a>> {
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

pub fn asked<'a>(
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
    let (element, test) = predicate(func)?;
    let Some(KeyTest { operator, key, element, wanted }) = equality(module, func, element, test)
    else {
        if let Some(wanted) = itself(module, func, element, test) {
            let other = Ask::Other(
                "the search is for the element itself",
                "use `includes`, or a Set if no element is NaN",
            );
            return Some((other, wanted));
        }
        let KeyTest { wanted, .. } = conjunct(module, func, element, test)?;
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

/// `element.key === wanted`, either way round, or with the key taken out of the parameter.
pub struct KeyTest<'a> {
    /// `===` or `==`
    pub operator: BinaryOperator,
    pub key: &'a str,
    /// The name that the predicate has for an element.
    pub element: Option<&'a str>,
    pub wanted: &'a Expression<'a>,
}

/// The equality that a predicate asks for, where it asks for nothing else.
pub fn key_test<'a>(module: &Module<'a>, func: Func<'a>) -> Option<KeyTest<'a>> {
    let (element, test) = predicate(func)?;
    equality(module, func, element, test)
}

/// The only parameter of a function, and the expression that it gives.
fn predicate(func: Func<'_>) -> Option<(&BindingPattern<'_>, &Expression<'_>)> {
    if func.is_async() || func.is_generator() || func.params().rest.is_some() {
        return None;
    }
    let [only] = func.params().items.as_slice() else { return None };
    let test = func.returned()?.get_inner_expression();
    only.initializer.is_none().then_some((&only.pattern, test))
}

fn equality<'a>(
    module: &Module<'a>,
    func: Func<'a>,
    parameter: &'a BindingPattern<'a>,
    test: &'a Expression<'a>,
) -> Option<KeyTest<'a>> {
    let Expression::BinaryExpression(test) = test.get_inner_expression() else { return None };
    if !matches!(test.operator, BinaryOperator::StrictEquality | BinaryOperator::Equality) {
        return None;
    }
    let ((key, element), wanted) = one_side(test, |side| key_of(module, parameter, side))?;
    let is_own = uses_inner(module, wanted.span(), func.span());
    (!is_own).then_some(KeyTest { operator: test.operator, key, element, wanted })
}

/// What is found on one side of a comparison and not on the other, and that other side.
fn one_side<'a, T>(
    test: &'a BinaryExpression<'a>,
    find: impl Fn(&'a Expression<'a>) -> Option<T>,
) -> Option<(T, &'a Expression<'a>)> {
    match (find(&test.left), find(&test.right)) {
        (Some(found), None) => Some((found, &test.right)),
        (None, Some(found)) => Some((found, &test.left)),
        _ => None,
    }
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
    let is_own =
        |side: &'a Expression<'a>| (module.symbol_of(side)? == id.symbol_id.get()?).then_some(());
    let ((), wanted) = one_side(test, is_own)?;
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
) -> Option<KeyTest<'a>> {
    let Expression::LogicalExpression(all) = test.get_inner_expression() else { return None };
    if all.operator != LogicalOperator::And {
        return None;
    }
    [&all.left, &all.right].into_iter().find_map(|side| {
        equality(module, func, parameter, side).or_else(|| conjunct(module, func, parameter, side))
    })
}

/// `.has(x)` for `.includes(x)` and for `.indexOf(x) !== -1`.
pub fn has(call: Span, method: Span, compared: Option<(Span, bool)>) -> Vec<Edit> {
    let mut edits = vec![Edit::replace(method.start, method.end, "has")];
    if let Some((span, absent)) = compared {
        if absent {
            edits.push(Edit::insert(span.start, "!"));
        }
        edits.push(Edit::delete(call.end, span.end));
    }
    edits
}
