//! `props.rows.sort()` sorts the array of whoever handed it over.

mod shared;

use oxc_ast::AstKind;
use oxc_ast::ast::{BindingPattern, CallExpression, Expression};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::{FunctionKind, Module, Types};

use self::shared::{Owner, owner, updated_state};
use super::hot::{kind_of, round};
use super::shapes::{Chain, Method, chain, method};
use crate::cx::{Cx, Hit};
use crate::facts::{Facts, FileKind};
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "js-tosorted-immutable",
    title: "An array of props or state is changed in place",
    category: Category::JavaScript,
    impact: Impact::MediumHigh,
    fix: FixKind::AssistWithAuto,
    level: Level::Default,
    repairs: true,
    doc: Doc {
        what: "`sort`, `reverse`, `splice`, `fill` or `copyWithin` is called on an array that comes from props, \
               state, a context, a query cache or a store. These methods mutate the array.",
        why: "Everything else that shows the array sees it change without notice, React does not re-render what kept \
              its identity, and `reverse` flips it back and forth with each render.",
        wrong: "const List = ({ rows }: { rows: Row[] }) => rows.sort(byName).map((row) => <Item key={row.id} row={row} />);",
        right: "const List = ({ rows }: { rows: Row[] }) => [...rows].sort(byName).map((row) => <Item key={row.id} row={row} />);",
        safe: "Fixed automatically if the array is a prop or state, is an array by type, the result is used in \
               place, and nothing else in the function reads the array: the only difference is that the owner's \
               array stays as it was. `toSorted` and `toReversed` are used if the project's targets have them \
               (ES2023), otherwise a copy by spread. Code that relied on the mutated array is not fixed; that is why \
               the rest are drafts.",
        leave: "The array was created for this component alone and nothing else holds it.",
        given: &[],
    },
    wants: &["sort", "reverse", "splice", "fill", "copyWithin"],
    applies: |facts| facts.package.uses_react && facts.kind == FileKind::Source,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    for call in module.calls() {
        let Some(method) = method(call).filter(|it| changes(it, call)) else { continue };
        let Some(owner) = owner(module, method.object) else { continue };
        if !is_array(cx, call, &method) {
            continue;
        }
        let list = module.slice(method.object.span());
        let hit = Hit::at(
            call.span,
            format!(
                "`{}` mutates `{list}`, which is {}; {}",
                method.name,
                owner.noun(),
                advice(method.name)
            ),
        );
        let hit = if owner == Owner::Argument { hit.low() } else { hit };
        cx.report(match edits(cx, call, &method) {
            Some((title, edits)) => hit.auto_unless(doubt(cx, call, &method, owner), title, edits),
            None => hit,
        });
    }
}

fn advice(method: &str) -> &'static str {
    match method {
        "sort" => "sort a copy",
        "reverse" => "reverse a copy",
        _ => "change a copy",
    }
}

/// Is it a method that changes arrays, called in a way that arrays know?
fn changes(method: &Method<'_>, call: &CallExpression<'_>) -> bool {
    let count = call.arguments.len();
    match method.name {
        "sort" => count <= 1,
        "reverse" => count == 0,
        "splice" | "fill" | "copyWithin" => count >= 1,
        _ => false,
    }
}

/// Does anything say that it is an array, and not something else that can be sorted or turned round?
fn is_array<'a>(cx: &Cx<'_, 'a>, call: &'a CallExpression<'a>, method: &Method<'a>) -> bool {
    let module = cx.module;
    let state = module.symbol_of(method.object).and_then(|it| updated_state(module, it));
    let types =
        state.map_or_else(|| module.types(method.object), |state| module.types_of_symbol(state));
    if types.is_known() {
        return types.includes(Types::ARRAY);
    }
    if ["immutable", "yjs", "@vue/reactivity"].iter().any(|it| cx.facts.package.depends_on(it))
        || module
            .import_declarations()
            .any(|it| ["immer", "use-immer"].contains(&it.source.value.as_str()))
    {
        return false;
    }
    let compares = || {
        let first = call.arguments.first().and_then(|it| it.as_expression());
        first.and_then(|it| module.function_of(it)).is_some_and(|it| it.params().items.len() == 2)
    };
    method.name == "sort" && compares()
        || is_array_chain(module, call.node_id.get())
        || is_empty_default(method.object)
        || chain(method.object).is_some_and(|list| is_used_as_array(module, &list, call))
}

/// `… ?? []`.
fn is_empty_default(list: &Expression<'_>) -> bool {
    matches!(list.get_inner_expression(), Expression::LogicalExpression(it)
        if matches!(it.right, Expression::ArrayExpression(_)))
}

/// `.map(…)` or `.forEach(…)` behind it.
fn is_array_chain(module: &Module<'_>, node: NodeId) -> bool {
    const METHODS: &[&str] = &["map", "filter", "forEach", "reduce", "slice", "find", "flatMap"];
    matches!(module.parent(node), AstKind::StaticMemberExpression(it)
        if METHODS.contains(&it.property.name.as_str()))
}

/// Is the same list gone through somewhere, or spread?
fn is_used_as_array<'a>(module: &Module<'a>, list: &Chain<'a>, call: &CallExpression<'a>) -> bool {
    let Some(symbol) = module.symbol(list.root) else { return false };
    if module.initial_state(symbol).is_some_and(|it| matches!(it, Expression::ArrayExpression(_)))
        && list.names.is_empty()
    {
        return true;
    }
    module.value_uses(symbol).filter(|it| !call.span.contains_inclusive(it.span)).any(|it| {
        let Some(node) = same_chain(module, it.node, &list.names) else { return false };
        is_array_chain(module, node) || matches!(module.parent(node), AstKind::SpreadElement(_))
    })
}

/// The node of `root.a.b` around a use of `root`.
fn same_chain(module: &Module<'_>, root: NodeId, names: &[&str]) -> Option<NodeId> {
    let mut node = root;
    let mut around = module.ancestors(root);
    for name in names {
        let AstKind::StaticMemberExpression(member) = around.next()? else { return None };
        if member.property.name != *name {
            return None;
        }
        node = member.node_id.get();
    }
    Some(node)
}

/// The call on a copy; none for what is called as a statement, or gives something else than the array.
fn edits<'a>(
    cx: &Cx<'_, 'a>,
    call: &'a CallExpression<'a>,
    method: &Method<'a>,
) -> Option<(String, Vec<Edit>)> {
    let module = cx.module;
    if matches!(module.parent(call.node_id.get()), AstKind::ExpressionStatement(_)) {
        return None;
    }
    let object = with_parentheses(module, method.object.span());
    let newer = match method.name {
        "sort" => "toSorted",
        "reverse" => "toReversed",
        "fill" | "copyWithin" => "",
        _ => return None,
    };
    if !newer.is_empty() && has_copying_methods(cx.facts) {
        let edit = Edit::replace(method.name_span.start, method.name_span.end, newer);
        return Some((format!("use `{newer}`"), vec![edit]));
    }
    if method.optional {
        return None;
    }
    let edits = vec![Edit::insert(object.start, "[..."), Edit::insert(object.end, "]")];
    Some((advice(method.name).to_owned(), edits))
}

/// `(a || b)` of `(a || b).sort()`: what stands before a dot and ends in `)` stands in parentheses.
fn with_parentheses(module: &Module<'_>, object: Span) -> Span {
    let text = module.text();
    let (before, after) = (&text[..object.start as usize], &text[object.end as usize..]);
    if before.ends_with('(') && after.starts_with(')') {
        Span::new(object.start - 1, object.end + 1)
    } else {
        object
    }
}

/// `toSorted` is in ES2023, and in no engine of React Native that can be counted on.
fn has_copying_methods(facts: &Facts) -> bool {
    facts.package.es_year.is_some_and(|year| year >= 2023) && !facts.package.react_native
}

/// Why it is not proved that all stays as it was but for the owner's array.
fn doubt<'a>(
    cx: &Cx<'_, 'a>,
    call: &'a CallExpression<'a>,
    method: &Method<'a>,
    owner: Owner,
) -> Option<&'static str> {
    let module = cx.module;
    if !matches!(owner, Owner::Prop | Owner::State) {
        return Some("other code may depend on the mutation");
    }
    if !module.types(method.object).is_only(Types::ARRAY) {
        return Some("it may not be an array");
    }
    let Some(list) = chain(method.object) else {
        return Some("the array may have other references");
    };
    if !matches!(method.name, "sort" | "reverse") {
        return Some("other code may depend on the mutation");
    }
    if method.name == "reverse" && round(module, call.node_id.get()).is_some() {
        return Some("it may be reversed more than once");
    }
    if !is_direct(module, &list) || is_read_elsewhere(module, &list, call) {
        return Some("the array is read elsewhere, where the mutation is visible");
    }
    (!is_consumed(module, call)).then_some("the result is a new array each time")
}

/// Is the root the parameter or the state itself, and no other name for it?
fn is_direct<'a>(module: &Module<'a>, list: &Chain<'a>) -> bool {
    let Some(symbol) = module.symbol(list.root) else { return false };
    let node = module.scoping().symbol_declaration(symbol);
    let mut around = std::iter::once(module.nodes().kind(node)).chain(module.ancestors(node));
    let declaration = around.find_map(|kind| match kind {
        // Elements of a list have other ways to be reached.
        AstKind::FormalParameter(it) => Some(
            module
                .function_around(it.node_id.get())
                .is_some_and(|func| kind_of(module, func) == FunctionKind::Component),
        ),
        AstKind::VariableDeclarator(it) => {
            Some(list.names.is_empty() && matches!(it.id, BindingPattern::ArrayPattern(_)))
        }
        _ => None,
    });
    declaration.unwrap_or(false)
}

/// Is the array read where its order can be seen, but for the call? What compares identities does not look inside.
fn is_read_elsewhere<'a>(module: &Module<'a>, list: &Chain<'a>, call: &CallExpression<'a>) -> bool {
    let Some(symbol) = module.symbol(list.root) else { return true };
    module.value_uses(symbol).filter(|it| it.span != list.root.span).any(|it| {
        if is_dependency(module, it.node) {
            return false;
        }
        let Some(first) = list.names.first() else {
            // Read before, in the same run of the same function: it was not sorted yet.
            let before = it.span.end <= call.span.start && !call.span.contains_inclusive(it.span);
            let same = module.function_around(it.node).map(rb_ecma::Func::span)
                == module.function_around(call.node_id.get()).map(rb_ecma::Func::span);
            return !(before && same && is_length(module, it.node));
        };
        !matches!(module.parent(it.node), AstKind::StaticMemberExpression(member)
            if member.property.name != *first)
    })
}

fn is_length(module: &Module<'_>, node: NodeId) -> bool {
    matches!(module.parent(node), AstKind::StaticMemberExpression(it) if it.property.name == "length")
}

/// An element of the list of dependencies that a hook compares.
fn is_dependency(module: &Module<'_>, node: NodeId) -> bool {
    let mut around = module
        .ancestors(node)
        .skip_while(|kind| matches!(kind, AstKind::StaticMemberExpression(_)));
    let Some(AstKind::ArrayExpression(list)) = around.next() else { return false };
    matches!(around.next(), Some(AstKind::CallExpression(call))
        if module.react_call(call).is_some()
            && call.arguments.get(1).is_some_and(|it| it.span() == list.span))
}

/// Is what comes out gone through at once, so that nobody can tell whether it is a new array?
fn is_consumed<'a>(module: &Module<'a>, call: &CallExpression<'a>) -> bool {
    let node = call.node_id.get();
    if reads_inside(module, node) {
        return true;
    }
    let mut around = module.ancestors(node);
    match around.next() {
        Some(AstKind::VariableDeclarator(declarator)) => {
            let symbol: Option<SymbolId> =
                declarator.id.get_binding_identifier().and_then(|it| it.symbol_id.get());
            symbol.is_some_and(|symbol| {
                module.is_stable(symbol)
                    && module.value_uses(symbol).all(|it| reads_inside(module, it.node))
            })
        }
        Some(AstKind::ArrowFunctionExpression(_)) => is_memo(module, around.next()),
        _ => false,
    }
}

/// `useMemo(() => …, […])` keeps what came out as long as the array is the same.
fn is_memo<'a>(module: &Module<'a>, kind: Option<AstKind<'a>>) -> bool {
    matches!(kind, Some(AstKind::CallExpression(call))
        if module.is_react_call(call, "useMemo") && call.arguments.len() == 2)
}

/// `.map(…)`, `.length`, `[0]`, a spread.
fn reads_inside(module: &Module<'_>, node: NodeId) -> bool {
    const READS: &[&str] = &[
        "map",
        "filter",
        "forEach",
        "reduce",
        "slice",
        "find",
        "flatMap",
        "length",
        "join",
        "some",
        "every",
        "at",
        "includes",
        "findIndex",
        "indexOf",
    ];
    match module.parent(node) {
        AstKind::StaticMemberExpression(it) => READS.contains(&it.property.name.as_str()),
        AstKind::ComputedMemberExpression(it) => {
            it.object.span() == module.nodes().kind(node).span()
                && !matches!(module.parent(it.node_id.get()), AstKind::AssignmentExpression(_))
        }
        AstKind::SpreadElement(_) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
