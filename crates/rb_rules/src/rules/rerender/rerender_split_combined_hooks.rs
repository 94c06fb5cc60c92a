//! One effect or memo does two jobs, and does both whenever one of them has to be done.
//! Groups that share any name are taken for one: the order may matter.

use oxc_ast::AstKind;
use oxc_ast::ast::{Expression, Statement, VariableDeclaration};
use oxc_ast_visit::Visit;
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::{Module, Types, join_lines};

use super::hooks::{Hook, hooks, is_declared_in, is_steady, locals_used, path_of};
use super::places::is_array_method;
use crate::cx::{Cx, Hit};
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "rerender-split-combined-hooks",
    title: "One hook does two jobs that have nothing in common",
    category: Category::Rerender,
    impact: Impact::Medium,
    fix: FixKind::Assist,
    level: Level::Audit,
    repairs: false,
    doc: Doc {
        what: "The statements of an effect fall into groups that share nothing: different dependencies, different \
               names. Or a memo computes in two steps, and the second depends on values that the first does not \
               read.",
        why: "When the values of one group change, the work of the other is repeated for nothing.",
        wrong: "import { useEffect } from 'react';\nconst Page = ({ path, title }) => {\n  useEffect(() => {\n    track(path);\n    document.title = title;\n  }, [path, title]);\n  return <main />;\n};",
        right: "import { useEffect } from 'react';\nconst Page = ({ path, title }) => {\n  useEffect(() => {\n    track(path);\n  }, [path]);\n  useEffect(() => {\n    document.title = title;\n  }, [title]);\n  return <main />;\n};",
        safe: "Always a draft: a group no longer runs when only the values of the other change, and the order \
               between them may matter.",
        leave: "The jobs belong together, or React Compiler is on.",
        given: &[],
    },
    wants: &["useEffect", "useMemo"],
    applies: |facts| facts.package.uses_react && !facts.package.compiler,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    for hook in hooks(module, &["useEffect", "useMemo"]) {
        if hook.name == "useEffect" {
            check_effect(cx, &hook);
        } else {
            check_memo(cx, &hook);
        }
    }
}

/// Statements that belong together, and what they depend on.
struct Group<'a> {
    statements: Vec<&'a Statement<'a>>,
    deps: Vec<SymbolId>,
    /// Every name they use.
    names: Vec<String>,
}

fn check_effect<'a>(cx: &mut Cx<'_, 'a>, hook: &Hook<'a>) {
    let module = cx.module;
    let statements = hook.func.statements();
    if statements.len() < 2 || hook.func.is_async() || statements.iter().any(leaves) {
        return;
    }
    let Some(groups) = groups(module, hook, statements) else { return };
    let [first, second, ..] = groups.as_slice() else { return };
    if groups.windows(2).any(|pair| change_together(module, hook, &pair[0], &pair[1])) {
        return;
    }
    let names = |group: &Group<'_>| {
        let names: Vec<String> =
            group.deps.iter().map(|&it| format!("`{}`", module.name(it))).collect();
        names.join(", ")
    };
    let line = module.line(second.statements[0].span().start);
    let verb = if second.deps.len() == 1 { "changes" } else { "change" };
    let message = format!(
        "the work for {} re-runs even if only {} {verb}; move line {line} to a separate effect",
        names(first),
        names(second)
    );
    let hit = Hit::at(hook.call.callee.span(), message);
    cx.report(match effect_edits(module, hook, &groups) {
        Some(edits) => hit.assist("split the effect", edits),
        None => hit,
    });
}

/// Does it return, throw or wait at the level of the effect? Then what follows hangs on it.
fn leaves(statement: &Statement<'_>) -> bool {
    struct Leaves(bool);
    impl<'a> Visit<'a> for Leaves {
        fn visit_return_statement(&mut self, _: &oxc_ast::ast::ReturnStatement<'a>) {
            self.0 = true;
        }
        fn visit_throw_statement(&mut self, _: &oxc_ast::ast::ThrowStatement<'a>) {
            self.0 = true;
        }
        fn visit_function(
            &mut self,
            _: &oxc_ast::ast::Function<'a>,
            _: oxc_syntax::scope::ScopeFlags,
        ) {
        }
        fn visit_arrow_function_expression(
            &mut self,
            _: &oxc_ast::ast::ArrowFunctionExpression<'a>,
        ) {
        }
    }
    let mut look = Leaves(false);
    look.visit_statement(statement);
    look.0
}

/// Two groups or more that share no name, each with dependencies of its own; `None` where it is not so clear.
fn groups<'a>(
    module: &Module<'a>,
    hook: &Hook<'a>,
    statements: &'a [Statement<'a>],
) -> Option<Vec<Group<'a>>> {
    let deps: Vec<SymbolId> =
        hook.dep_list()?.iter().map(|dep| root(module, dep)).collect::<Option<_>>()?;
    let mut groups: Vec<Group<'a>> = Vec::new();
    for statement in statements {
        let mut names: Vec<String> =
            module.identifiers_in(statement.span()).iter().map(|it| it.name.to_string()).collect();
        names.extend(declared_names(statement));
        let joins = groups.iter().position(|group| names.iter().any(|it| group.names.contains(it)));
        match joins {
            // Only the last group may go on: what comes between would change the order.
            Some(at) if at + 1 == groups.len() => {
                groups[at].statements.push(statement);
                groups[at].names.append(&mut names);
            }
            Some(_) => return None,
            None => groups.push(Group { statements: vec![statement], deps: Vec::new(), names }),
        }
    }
    for group in &mut groups {
        group.deps = deps
            .iter()
            .copied()
            .filter(|&dep| group.statements.iter().any(|it| module.mentions(it.span(), dep)))
            .collect();
        group.deps.dedup();
        let is_live =
            group.deps.iter().any(|&it| !is_steady(module, it) && is_data(module, group, it));
        if !is_live || group.statements.iter().any(|it| keeps(module, it)) {
            return None;
        }
    }
    let is_used = |dep: &SymbolId| groups.iter().any(|group| group.deps.contains(dep));
    (groups.len() > 1 && deps.iter().all(is_used)).then_some(groups)
}

/// Does one of them never change alone? `const { name } = user` changes with `user`, and with what else is taken from it.
fn change_together<'a>(
    module: &Module<'a>,
    hook: &Hook<'a>,
    one: &Group<'a>,
    other: &Group<'a>,
) -> bool {
    let live = |group: &Group<'a>| {
        let live = group.deps.iter().filter(|&&it| !is_steady(module, it));
        live.map(|&it| sources(module, hook, it, 3)).collect::<Vec<_>>()
    };
    let follow = |these: &[Vec<SymbolId>], those: &[Vec<SymbolId>]| {
        these.iter().all(|it| those.iter().flatten().any(|that| it.contains(that)))
    };
    let (one, other) = (live(one), live(other));
    follow(&one, &other) || follow(&other, &one)
}

/// The value and what it is made of, a few steps back. What a hook gives is made of what the hook is handed.
fn sources<'a>(
    module: &Module<'a>,
    hook: &Hook<'a>,
    symbol: SymbolId,
    depth: u32,
) -> Vec<SymbolId> {
    let mut found = vec![symbol];
    let init = module.declarator(symbol).and_then(|it| it.init.as_ref());
    let (Some(init), Some(depth)) = (init, depth.checked_sub(1)) else { return found };
    if is_own_state(module, init) {
        return found;
    }
    for used in locals_used(module, init.span(), hook.owner) {
        // All comes from the props, and they are another object on each render.
        if !is_steady(module, used) && module.name(used) != "props" {
            found.extend(sources(module, hook, used, depth));
        }
    }
    found
}

/// State begins with what it is handed, and goes its own way.
fn is_own_state<'a>(module: &Module<'a>, value: &Expression<'a>) -> bool {
    matches!(value.get_inner_expression(), Expression::CallExpression(call)
        if matches!(module.react_call(call), Some("useState" | "useReducer" | "useRef")))
}

/// Is it read, and not only called? Functions and services hardly ever change.
fn is_data<'a>(module: &Module<'a>, group: &Group<'a>, dep: SymbolId) -> bool {
    module.value_uses(dep).any(|it| {
        let is_here = group.statements.iter().any(|one| one.span().contains_inclusive(it.span));
        let path = path_of(module, &it);
        let is_called = matches!(module.parent(path.node), AstKind::CallExpression(call) if call.callee.span() == path.span);
        is_here && !is_called
    })
}

/// `ref.current = x`: keeping what was seen last is no work, and others read it.
fn keeps<'a>(module: &Module<'a>, statement: &Statement<'a>) -> bool {
    let Statement::ExpressionStatement(it) = statement else { return false };
    let Expression::AssignmentExpression(it) = &it.expression else { return false };
    module.slice(it.left.span()).ends_with(".current")
}

/// The name that a dependency begins with.
fn root<'a>(module: &Module<'a>, dep: &Expression<'a>) -> Option<SymbolId> {
    match dep.get_inner_expression() {
        Expression::StaticMemberExpression(it) => root(module, &it.object),
        Expression::ChainExpression(it) => {
            let member = it.expression.as_member_expression()?;
            root(module, member.object())
        }
        other => module.symbol_of(other),
    }
}

fn declared_names(statement: &Statement<'_>) -> Vec<String> {
    match statement {
        Statement::VariableDeclaration(it) => it
            .declarations
            .iter()
            .flat_map(|it| it.id.get_binding_identifiers())
            .map(|id| id.name.to_string())
            .collect(),
        Statement::FunctionDeclaration(it) => it.id.iter().map(|id| id.name.to_string()).collect(),
        _ => Vec::new(),
    }
}

fn effect_edits<'a>(
    module: &Module<'a>,
    hook: &Hook<'a>,
    groups: &[Group<'a>],
) -> Option<Vec<Edit>> {
    let AstKind::ExpressionStatement(statement) = module.parent(hook.call.node_id.get()) else {
        return None;
    };
    if module.has_comment(statement.span) {
        return None;
    }
    let deps = hook.dep_list()?;
    let style = module.style();
    let (eol, end) =
        (style.line_end, if module.slice(statement.span).ends_with(';') { ";" } else { "" });
    let indent = module.indent_at(statement.span.start);
    let callee = module.slice(hook.call.callee.span());
    let parts: Vec<String> = groups
        .iter()
        .map(|group| {
            let body: Vec<&str> =
                group.statements.iter().map(|it| module.slice(it.span())).collect();
            let inner = format!("{indent}{}", style.indent);
            let body = body.join(&format!("{eol}{inner}"));
            let listed: Vec<&str> = deps
                .iter()
                .filter(|dep| root(module, dep).is_some_and(|it| group.deps.contains(&it)))
                .map(|dep| module.slice(dep.span()))
                .collect();
            format!(
                "{callee}(() => {{{eol}{inner}{body}{eol}{indent}}}, [{}]){end}",
                listed.join(", ")
            )
        })
        .collect();
    let text = parts.join(&format!("{eol}{indent}"));
    Some(vec![Edit::replace(statement.span.start, statement.span.end, text)])
}

/// `const a = …; return … a …`, both going through data, the second with values that the first does not read.
fn check_memo<'a>(cx: &mut Cx<'_, 'a>, hook: &Hook<'a>) {
    let module = cx.module;
    let Some((step, returned, is_named)) = two_steps(module, hook) else { return };
    let [declarator] = step.declarations.as_slice() else { return };
    let (Some(id), Some(value)) = (declarator.id.get_binding_identifier(), &declarator.init) else {
        return;
    };
    let later = later_deps(module, hook, value.span(), returned.span());
    let is_work = passes(value) > 0 && passes(returned) > 0;
    // Flags change once in a while; that is not worth a memo.
    let are_flags = later.iter().all(|&it| is_flag(module, it));
    if !is_work || are_flags || !module.mentions(returned.span(), id.symbol_id()) {
        return;
    }
    let names: Vec<String> = later.iter().map(|&it| format!("`{}`", module.name(it))).collect();
    let verb = if names.len() == 1 { "changes" } else { "change" };
    let message = format!(
        "`{}` is recomputed even if only {} {verb}; move it to a separate `useMemo`",
        id.name,
        names.join(", ")
    );
    let hit = Hit::at(step.span, message).low();
    if is_named {
        cx.report(hit.likely("the second step may cost more than the first"));
        return;
    }
    cx.report(match memo_edits(module, hook, &id.name, value, returned) {
        Some(edits) => hit.assist("split the memo", edits),
        None => hit,
    });
}

/// `const a = …; return f(a)`, or `const a = …; const b = f(a); return b`: the first step, the second, and whether that has a
/// name of its own.
fn two_steps<'a>(
    module: &Module<'a>,
    hook: &Hook<'a>,
) -> Option<(&'a VariableDeclaration<'a>, &'a Expression<'a>, bool)> {
    match hook.func.statements() {
        [Statement::VariableDeclaration(step), Statement::ReturnStatement(last)] => {
            Some((step, last.argument.as_ref()?, false))
        }
        [
            Statement::VariableDeclaration(step),
            Statement::VariableDeclaration(second),
            Statement::ReturnStatement(last),
        ] => {
            let [declarator] = second.declarations.as_slice() else { return None };
            let id = declarator.id.get_binding_identifier()?;
            let given = module.symbol_of(last.argument.as_ref()?)?;
            let value = declarator.init.as_ref().filter(|_| given == id.symbol_id())?;
            Some((step, value, true))
        }
        _ => None,
    }
}

/// Dependencies that the second step reads and the first, which has its own, does not.
fn later_deps<'a>(
    module: &Module<'a>,
    hook: &Hook<'a>,
    first: Span,
    second: Span,
) -> Vec<SymbolId> {
    let live = |span: Span| {
        let mut found = locals_used(module, span, hook.owner);
        found.retain(|&it| !is_steady(module, it) && !is_declared_in(module, it, hook.func.span()));
        found
    };
    let (first, mut second) = (live(first), live(second));
    let Some(deps) = hook.dep_list() else { return Vec::new() };
    let is_listed = |symbol: SymbolId| deps.iter().any(|dep| root(module, dep) == Some(symbol));
    let before: Vec<SymbolId> = first.iter().flat_map(|&it| sources(module, hook, it, 3)).collect();
    second.retain(|&it| {
        !before.contains(&it) && is_listed(it) && !is_made_of(module, hook, it, &first, 3)
    });
    if first.is_empty() { Vec::new() } else { second }
}

/// Is it computed from these alone? Then it never changes without one of them.
fn is_made_of<'a>(
    module: &Module<'a>,
    hook: &Hook<'a>,
    symbol: SymbolId,
    these: &[SymbolId],
    depth: u32,
) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let init = module.declarator(symbol).and_then(|it| it.init.as_ref());
    let Some(init) = init.filter(|it| !calls_hook(it)) else { return false };
    let mut used = locals_used(module, init.span(), hook.owner);
    used.retain(|&it| !is_declared_in(module, it, init.span()));
    !used.is_empty()
        && used.iter().all(|&it| these.contains(&it) || is_made_of(module, hook, it, these, depth))
}

/// What a hook gives may change by itself.
fn calls_hook(value: &Expression<'_>) -> bool {
    let Expression::CallExpression(call) = value.get_inner_expression() else { return false };
    call.callee_name().is_some_and(|it| it == "use" || it.starts_with("use"))
}

/// `const isAdmin = role === 'admin'`
fn is_flag(module: &Module<'_>, symbol: SymbolId) -> bool {
    let init = module.declarator(symbol).and_then(|it| it.init.as_ref());
    init.is_some_and(|it| !calls_hook(it) && module.types(it).is_only(Types::BOOLEAN))
}

/// How often array methods go through data.
fn passes(value: &Expression<'_>) -> usize {
    struct Passes(usize);
    impl<'a> Visit<'a> for Passes {
        fn visit_call_expression(&mut self, it: &oxc_ast::ast::CallExpression<'a>) {
            self.0 += usize::from(is_array_method(it));
            oxc_ast_visit::walk::walk_call_expression(self, it);
        }
    }
    let mut look = Passes(0);
    look.visit_expression(value);
    look.0
}

fn memo_edits<'a>(
    module: &Module<'a>,
    hook: &Hook<'a>,
    name: &str,
    first: &Expression<'a>,
    second: &Expression<'a>,
) -> Option<Vec<Edit>> {
    let AstKind::VariableDeclarator(declarator) = module.parent(hook.call.node_id.get()) else {
        return None;
    };
    let AstKind::VariableDeclaration(statement) = module.parent(declarator.node_id.get()) else {
        return None;
    };
    let indent = module.indent_at(statement.span.start);
    let text = arrow_body(module, second, indent);
    let is_taken = module.scoping().symbol_names().filter(|it| *it == name).count() > 1;
    if changes_in_place(&text)
        || is_taken
        || statement.declarations.len() != 1
        || module.has_comment(statement.span)
    {
        return None;
    }
    let deps = hook.dep_list()?;
    let listed = |span: Span| {
        let of_it =
            deps.iter().filter(|dep| root(module, dep).is_some_and(|it| module.mentions(span, it)));
        of_it.map(|dep| module.slice(dep.span())).collect::<Vec<_>>()
    };
    let end = if module.slice(statement.span).ends_with(';') { ";" } else { "" };
    let callee = module.slice(hook.call.callee.span());
    let memo = |name: &str, head: &str, body: &str, deps: &[&str]| {
        format!("const {name} = {callee}{head} => {body}, [{}]){end}", deps.join(", "))
    };
    let inner = memo(name, "(()", &arrow_body(module, first, indent), &listed(first.span()));
    let mut rest = vec![name];
    rest.extend(listed(second.span()));
    // The types that are written are those of the result.
    let types = hook.call.type_arguments.as_ref().map_or("", |it| module.slice(it.span));
    let returned = hook.func.return_type().map_or("", |it| module.slice(it.span));
    let head = format!("{types}((){returned}");
    let outer = memo(module.slice(declarator.id.span()), &head, &text, &rest);
    let place = above_comments(module, statement.span.start);
    let inner = join_lines([inner.as_str(), ""], indent, module.style().line_end);
    Some(vec![
        Edit::insert(place, inner),
        Edit::replace(statement.span.start, statement.span.end, outer),
    ])
}

/// What is said right above a statement is said of it.
fn above_comments(module: &Module<'_>, start: u32) -> u32 {
    let mut place = start;
    for comment in module.comments().iter().rev().filter(|it| it.span.end <= start) {
        let between = module.slice(Span::new(comment.span.end, place));
        let line = module.line_start(comment.span.start);
        let before = module.slice(Span::new(line, comment.span.start));
        let touches = between.trim().is_empty() && between.matches('\n').count() == 1;
        if !touches || !before.trim().is_empty() {
            break;
        }
        place = comment.span.start;
    }
    place
}

/// A value that is kept must not be changed.
fn changes_in_place(code: &str) -> bool {
    [".sort(", ".reverse(", ".splice(", ".push("].iter().any(|it| code.contains(it))
}

/// An expression behind `=>`, where a brace would open a block, with its lines as far in as the new statement.
/// A text of several lines keeps its own.
fn arrow_body<'a>(module: &Module<'a>, value: &Expression<'a>, indent: &str) -> String {
    let mut code = module.code(value);
    if !code.contains('`') {
        let from = module.indent_at(value.span().start);
        code = code.replace(&format!("\n{from}"), &format!("\n{indent}"));
    }
    if code.starts_with('{') { format!("({code})") } else { code }
}

#[cfg(test)]
mod tests;
