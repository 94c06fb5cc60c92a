//! The code of an index, and of the questions to it.

use oxc_ast::AstKind;
use oxc_ast::ast::{BindingPattern, Expression, TSType};
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::Module;
use rb_rules::rules::js::lookup::has;

use super::At;
use super::changes::only_reads;
use super::elements::{KeyKind, key, may_be_nan};
use super::lookup::{Ask, Key, Lookup, Want};
use super::names::{by_key, set_of, singular};

/// Lines that would be longer are broken.
const WIDTH: usize = 100;

/// The name that an index would have.
pub(super) fn name<'a>(module: &Module<'a>, it: &Lookup<'a>) -> String {
    let list = it.names.last().copied().unwrap_or(module.name(it.root));
    match it.ask {
        Ask::Keyed(Key { want: Want::Any, of, .. }) => set_of(list, Some(of)),
        Ask::Keyed(Key { of, .. }) => by_key(list, of),
        Ask::Has(_) | Ask::Other(..) => set_of(list, None),
    }
}

/// The statements that build it.
pub(super) fn lines<'a>(at: &At<'_, '_, 'a>, same: &[&Lookup<'a>], name: &str) -> Vec<String> {
    let module = at.module;
    let style = module.style();
    let (semi, tab) = (style.semicolon(), &style.indent);
    let Some(it) = same.first() else { return Vec::new() };
    let list = module.slice(it.list.span());
    let Ask::Keyed(Key { want, of, .. }) = it.ask else {
        return vec![format!("const {name} = new Set({list}){semi}")];
    };
    let element = element_name(module, same);
    let is_guarded = key(at, it, of) != Some(KeyKind::Plain)
        && same.iter().any(|it| may_be_nan(module, it.wanted));
    let entry = format!("{element}.{of}");
    let nan = format!("Number.isNaN({entry})");
    if want == Want::Any {
        let types = if is_open(at, same, of) { "<unknown>" } else { "" };
        let keys = format!("{list}.map(({element}) => {entry})");
        let keys =
            if is_guarded { format!("{keys}.filter((key) => !Number.isNaN(key))") } else { keys };
        let line = format!("const {name} = new Set{types}({keys}){semi}");
        if line.len() + module.indent_at(it.call.span.start).len() <= WIDTH {
            return vec![line];
        }
        return vec![
            format!("const {name} = new Set{types}("),
            format!("{tab}{keys}{}", if style.trailing_commas { "," } else { "" }),
            format!("){semi}"),
        ];
    }
    let types = type_arguments(at, same, of, want);
    let mut lines = vec![
        format!("const {name} = new Map{types}(){semi}"),
        format!("for (const {element} of {list}) {{"),
    ];
    if want == Want::First {
        let guard = if is_guarded { format!("!{nan} && ") } else { String::new() };
        lines.push(format!("{tab}if ({guard}!{name}.has({entry})) {{"));
        lines.push(format!("{tab}{tab}{name}.set({entry}, {element}){semi}"));
        lines.push(format!("{tab}}}"));
    } else {
        let group = module.fresh_name("group");
        lines.push(format!("{tab}const {group} = {name}.get({entry}){semi}"));
        lines.push(format!("{tab}if ({group}) {{"));
        lines.push(format!("{tab}{tab}{group}.push({element}){semi}"));
        let guard = if is_guarded { format!(" if (!{nan})") } else { String::new() };
        lines.push(format!("{tab}}} else{guard} {{"));
        lines.push(format!("{tab}{tab}{name}.set({entry}, [{element}]){semi}"));
        lines.push(format!("{tab}}}"));
    }
    lines.push("}".to_owned());
    lines
}

fn element_name<'a>(module: &Module<'a>, same: &[&Lookup<'a>]) -> String {
    let Some(it) = same.first() else { return String::new() };
    let written = same.iter().find_map(|it| match it.ask {
        Ask::Keyed(key) => key.element,
        Ask::Has(_) | Ask::Other(..) => None,
    });
    let list = it.names.last().copied().unwrap_or(module.name(it.root));
    let own = module.name(it.root);
    match written.filter(|name| *name != own) {
        Some(name) => name.to_owned(),
        None => {
            let one = singular(list);
            let is_free = one != list && module.fresh_name(&one) == one;
            if is_free { one } else { module.fresh_name("item") }
        }
    }
}

/// `<string, User>` where types are written.
fn type_arguments<'a>(at: &At<'_, '_, 'a>, same: &[&Lookup<'a>], of: &str, want: Want) -> String {
    let module = at.module;
    let Some(it) = same.first().filter(|_| module.is_typescript()) else { return String::new() };
    let list = module.slice(it.list.span());
    let element = module.declared_type(it.list).and_then(|written| module.element_type(written));
    let whole = || format!("(typeof {list})[number]");
    let value = element.map_or_else(whole, |written| {
        let text = module.slice(written.span());
        if text.contains('\n') || text.len() > 40 { whole() } else { text.to_owned() }
    });
    let key = if is_open(at, same, of) {
        "unknown".to_owned()
    } else {
        element
            .and_then(|written| module.member_type(written, of))
            .map_or_else(|| "unknown".to_owned(), |key| module.slice(key.span()).to_owned())
    };
    match want {
        Want::All if value.contains(['|', '&', ' ']) => format!("<{key}, Array<{value}>>"),
        Want::All => format!("<{key}, {value}[]>"),
        Want::First | Want::Any => format!("<{key}, {value}>"),
    }
}

/// May something be looked for that is not of the type of the keys?
fn is_open<'a>(at: &At<'_, '_, 'a>, same: &[&Lookup<'a>], of: &str) -> bool {
    let module = at.module;
    if !module.is_typescript() {
        return false;
    }
    same.iter().any(|it| {
        let written = module
            .declared_type(it.list)
            .and_then(|written| module.element_type(written))
            .and_then(|element| module.member_type(element, of));
        let is_plain = |key: &TSType<'_>| {
            matches!(
                key,
                TSType::TSStringKeyword(_)
                    | TSType::TSNumberKeyword(_)
                    | TSType::TSBooleanKeyword(_)
                    | TSType::TSBigIntKeyword(_)
            )
        };
        !written.is_some_and(|key| {
            is_plain(key) && module.types(it.wanted).is_only(module.types_of_written(key))
        })
    })
}

/// The edits that make a search ask the index.
pub(super) fn asks<'a>(module: &Module<'a>, it: &Lookup<'a>, name: &str) -> Vec<Edit> {
    let whole = it.call.span;
    match it.ask {
        Ask::Has(compared) => {
            let list = bracketed(module, it);
            let is_absent = compared.is_some_and(|(_, absent)| absent);
            let not = if is_absent { "!" } else { "" };
            let mut edits = vec![Edit::replace(list.start, list.end, format!("{not}{name}"))];
            let compared = compared.map(|(span, _)| (span, false));
            edits.extend(has(it.call.span, it.name_span, compared));
            edits
        }
        Ask::Keyed(Key { want, .. }) => {
            let wanted = module.code(it.wanted);
            let text = match want {
                Want::First => format!("{name}.get({wanted})"),
                Want::Any => format!("{name}.has({wanted})"),
                Want::All => all(module, it, &format!("{name}.get({wanted})")),
            };
            vec![Edit::replace(whole.start, whole.end, text)]
        }
        Ask::Other(..) => Vec::new(),
    }
}

/// The list with the parentheses around it, which its span leaves out.
fn bracketed<'a>(module: &Module<'a>, it: &Lookup<'a>) -> Span {
    let list = it.list.span();
    let before = module.slice(Span::new(it.call.span.start, list.start));
    let after = module.slice(Span::new(list.end, it.name_span.start));
    let end = after.rfind(')').and_then(|at| u32::try_from(at + 1).ok()).map(|at| list.end + at);
    let is_bare = |text: &str| text.chars().all(|it| "() \t\r\n.".contains(it));
    match end {
        Some(end) if before.starts_with('(') && is_bare(before) && is_bare(after) => {
            Span::new(it.call.span.start, end)
        }
        _ => list,
    }
}

/// `filter` gives a new array: whoever keeps it or changes it gets a copy.
fn all<'a>(module: &Module<'a>, it: &Lookup<'a>, found: &str) -> String {
    let or = if module.is_typescript() || module.text().contains("??") { "??" } else { "||" };
    let text = format!("{found} {or} []");
    let node = it.call.node_id.get();
    if !is_only_read(module, it) {
        return format!("[...({text})]");
    }
    match module.parent(node) {
        AstKind::VariableDeclarator(_)
        | AstKind::ForOfStatement(_)
        | AstKind::ReturnStatement(_) => text,
        _ => format!("({text})"),
    }
}

fn is_only_read<'a>(module: &Module<'a>, it: &Lookup<'a>) -> bool {
    let node = it.call.node_id.get();
    if let AstKind::VariableDeclarator(declarator) = module.parent(node) {
        let BindingPattern::BindingIdentifier(id) = &declarator.id else { return false };
        return id.symbol_id.get().is_some_and(|symbol| {
            module.is_stable(symbol)
                && module.value_uses(symbol).all(|it| only_reads(module, it.node, it.span))
        });
    }
    only_reads(module, node, it.call.span)
}

/// Every name that the expression reads is there, and reading it has no effect and cannot throw.
pub(super) fn can_be_read_first<'a>(module: &Module<'a>, it: &Lookup<'a>) -> bool {
    if module.is_total(it.wanted) {
        return true;
    }
    if !module.is_pure0(it.wanted) {
        return false;
    }
    // Code that compiles reads no member of what may be missing.
    module.is_typescript() || is_read_before(module, it)
}

/// `row.id` is looked for, and something of `row` was read already in the same round.
fn is_read_before<'a>(module: &Module<'a>, it: &Lookup<'a>) -> bool {
    let Expression::StaticMemberExpression(member) = it.wanted.get_inner_expression() else {
        return false;
    };
    let Some(symbol) = module.symbol_of(&member.object) else { return false };
    module.value_uses(symbol).any(|used| {
        used.span.end <= it.call.span.start
            && matches!(module.parent(used.node), AstKind::StaticMemberExpression(other)
                if other.object.span() == used.span && !other.optional)
            && is_certain(module, used.node, it.call.span)
    })
}

/// Nothing between a node and what holds the span, too, decides whether the node runs.
fn is_certain(module: &Module<'_>, node: oxc_semantic::NodeId, span: Span) -> bool {
    module.ancestors(node).take_while(|kind| !kind.span().contains_inclusive(span)).all(|kind| {
        !matches!(
            kind,
            AstKind::IfStatement(_)
                | AstKind::ConditionalExpression(_)
                | AstKind::LogicalExpression(_)
                | AstKind::Function(_)
                | AstKind::ArrowFunctionExpression(_)
                | AstKind::TryStatement(_)
                | AstKind::ForStatement(_)
                | AstKind::ForInStatement(_)
                | AstKind::ForOfStatement(_)
                | AstKind::WhileStatement(_)
                | AstKind::SwitchCase(_)
                | AstKind::ChainExpression(_)
                | AstKind::AssignmentPattern(_)
        )
    })
}
