//! Callbacks that an effect depends on: what it does with them, and the effect without that dependency.
//!
//! Only functions that are written in the effect are followed; what is handed to somebody unknown may be called at any time.

use oxc_ast::AstKind;
use oxc_ast::ast::{CallExpression, Expression};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::{Func, Module, Use, join_lines};

use super::hooks::{Effect, effects, is_handed_in, without};
use crate::facts::PackageFacts;

/// A function among the dependencies of an effect, which the effect does not call by itself.
pub(super) struct Callback<'a> {
    pub(super) effect: Effect<'a>,
    pub(super) symbol: SymbolId,
    /// Of the dependency.
    pub(super) span: Span,
    pub(super) runs: Runs,
    /// Made anew on every render of this very component.
    pub(super) is_inline: bool,
    uses: Vec<(Use<'a>, Form)>,
}

/// When the callback is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Runs {
    /// When something happens that the effect listens to.
    OnEvent,
    /// When a timer or a promise is due.
    Later,
}

/// How it stands in the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `callback(…)`
    Called,
    /// `callback?.(…)`
    CalledIfThere,
    /// Handed on by its name.
    Handed,
}

/// Every callback of an effect that could do without it as a dependency.
pub(super) fn callbacks<'a>(module: &Module<'a>) -> Vec<Callback<'a>> {
    let mut found = Vec::new();
    for effect in effects(module) {
        for name in effect.names() {
            let Some(symbol) = module.symbol(name) else { continue };
            let is_inline = is_inline(module, symbol);
            if (is_inline || is_handed_in(module, symbol)) && !is_setter(module.name(symbol)) {
                found.extend(callback(module, effect, symbol, name.span, is_inline));
            }
        }
    }
    found
}

fn callback<'a>(
    module: &Module<'a>,
    effect: Effect<'a>,
    symbol: SymbolId,
    span: Span,
    is_inline: bool,
) -> Option<Callback<'a>> {
    let within = effect.callback.span();
    let inside = module.value_uses(symbol).filter(|it| within.contains_inclusive(it.span));
    let mut uses = Vec::new();
    let mut on_event = false;
    for it in inside {
        let (runs, form) = run_of(module, &effect, &it)?;
        on_event |= runs == Runs::OnEvent;
        uses.push((it, form));
    }
    // Whoever takes it off elsewhere needs the very same function.
    let is_taken_elsewhere = module
        .value_uses(symbol)
        .any(|it| !within.contains_inclusive(it.span) && listener_call(module, &it).is_some());
    if uses.is_empty() || is_taken_elsewhere || (on_event && !effect.has_cleanup()) {
        return None;
    }
    let runs = if on_event { Runs::OnEvent } else { Runs::Later };
    Some(Callback { effect, symbol, span, runs, is_inline, uses })
}

/// A function of the component that nothing keeps the same.
fn is_inline(module: &Module<'_>, symbol: SymbolId) -> bool {
    if module.is_top_level(symbol) {
        return false;
    }
    match module.declaration(symbol) {
        AstKind::Function(_) => module.is_stable(symbol),
        _ => module.initializer(symbol).is_some_and(|it| it.get_inner_expression().is_function()),
    }
}

/// `setOpen` and `dispatch` stay the same, wherever they come from.
fn is_setter(name: &str) -> bool {
    name == "dispatch"
        || name.strip_prefix("set").is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase()))
}

/// When a use of the callback runs. `None` where the effect itself runs it, or hands it to somebody unknown.
fn run_of<'a>(module: &Module<'a>, effect: &Effect<'a>, used: &Use<'a>) -> Option<(Runs, Form)> {
    let own = effect.callback.node();
    let parent = module.parent(used.node);
    let form = match parent {
        AstKind::CallExpression(call) if call.callee.span() == used.span => {
            if call.optional {
                Form::CalledIfThere
            } else {
                Form::Called
            }
        }
        _ => Form::Handed,
    };
    let outer = module
        .ancestors(used.node)
        .take_while(|kind| Func::of(*kind).is_none_or(|it| it.node() != own))
        .filter_map(Func::of)
        .last();
    if form == Form::Handed {
        if let Some(call) = listener_call(module, used) {
            let is_sure = ["addEventListener", "removeEventListener"].contains(&method(call)?);
            return (is_sure || is_callback_name(module, used)).then_some((Runs::OnEvent, form));
        }
        let AstKind::CallExpression(call) = parent else { return None };
        return (outer.is_none() && defers(module, call, used.span)).then_some((Runs::Later, form));
    }
    let outer = outer?;
    runs_function(module, effect, outer).map(|runs| (runs, form))
}

/// When a function that is written in the effect runs.
fn runs_function<'a>(module: &Module<'a>, effect: &Effect<'a>, func: Func<'a>) -> Option<Runs> {
    let handed = |node, span| match module.parent(node) {
        AstKind::CallExpression(call) if is_listener(call, span) => Some(Runs::OnEvent),
        AstKind::CallExpression(call) if defers(module, call, span) => Some(Runs::Later),
        _ => None,
    };
    if let Some(runs) = handed(func.node(), func.span()) {
        return Some(runs);
    }
    let symbol = module.function_view(func)?.symbol?;
    let mut all = None;
    for used in module.value_uses(symbol) {
        let runs = handed(used.node, used.span)?;
        if !effect.callback.span().contains_inclusive(used.span) || all.is_some_and(|it| it != runs)
        {
            return None;
        }
        all = Some(runs);
    }
    all
}

fn method<'a>(call: &CallExpression<'a>) -> Option<&'a str> {
    call.callee.get_inner_expression().as_member_expression()?.static_property_name()
}

fn listener_call<'a>(module: &Module<'a>, used: &Use<'a>) -> Option<&'a CallExpression<'a>> {
    let AstKind::CallExpression(call) = module.parent(used.node) else { return None };
    is_listener(call, used.span).then_some(call)
}

/// `target.addEventListener("x", f)`, `store.subscribe(f)` and what takes them off again. What is listened to once is not
/// the same with another function in its place.
fn is_listener(call: &CallExpression<'_>, span: Span) -> bool {
    let at = call.arguments.iter().position(|it| it.span() == span);
    let (Some(at), Some(method)) = (at, method(call)) else { return false };
    let is_once = call.arguments.iter().any(|it| {
        matches!(it.as_expression(), Some(Expression::ObjectExpression(options))
            if options.properties.iter().any(|it| matches!(it, oxc_ast::ast::ObjectPropertyKind::ObjectProperty(it)
                if it.key.is_specific_static_name("once"))))
    });
    let is_last_but_options = at + 1 == call.arguments.len() || at == 1;
    !is_once
        && match method {
            "addEventListener" | "removeEventListener" => at == 1,
            "on" | "off" | "addListener" | "removeListener" => at == 1 || call.arguments.len() == 1,
            "subscribe" | "unsubscribe" | "listen" => is_last_but_options,
            _ => false,
        }
}

/// `setTimeout(f, …)`, `promise.then(f)`.
fn defers<'a>(module: &Module<'a>, call: &CallExpression<'a>, span: Span) -> bool {
    const TIMERS: &[&str] = &[
        "setTimeout",
        "setInterval",
        "requestAnimationFrame",
        "requestIdleCallback",
        "queueMicrotask",
    ];
    let Some(at) = call.arguments.iter().position(|it| it.span() == span) else { return false };
    match method(call) {
        Some("then") => true,
        Some("catch" | "finally") => at == 0,
        // The others say how long.
        _ if at > 0 => false,
        Some(name) => TIMERS.contains(&name) && module.slice(call.span).starts_with("window."),
        None => TIMERS.iter().any(|it| module.is_global_named(&call.callee, it)),
    }
}

/// `onClose`, `handleKey`, `callback`: by its name a function, where the place alone does not say so.
fn is_callback_name<'a>(module: &Module<'a>, used: &Use<'a>) -> bool {
    let name = used.identifier.name.as_str();
    let begins = |start: &str| {
        name.strip_prefix(start).is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase()))
    };
    begins("on")
        || begins("handle")
        || ["fn", "cb", "callback", "handler", "listener"]
            .iter()
            .any(|it| name.to_lowercase().ends_with(it))
        || module.symbol(used.identifier).is_some_and(|it| is_inline(module, it))
}

/// Where the comments begin that stand right above a statement, line by line.
fn with_comments(module: &Module<'_>, statement: u32) -> u32 {
    let text = module.text();
    let mut start = statement;
    for comment in module.comments().iter().rev().filter(|it| it.span.end <= statement) {
        let between = &text[comment.span.end as usize..start as usize];
        let line = module.line_start(comment.span.start);
        let before = &text[line as usize..comment.span.start as usize];
        let is_above = between.trim().is_empty() && between.matches('\n').count() == 1;
        if !is_above || !before.trim().is_empty() {
            break;
        }
        start = comment.span.start;
    }
    start
}

impl<'a> Callback<'a> {
    /// The effect with the latest callback out of its dependencies: by `useEffectEvent` where React has it, by a ref else.
    pub(super) fn edits(&self, module: &Module<'a>, package: &PackageFacts) -> Option<Vec<Edit>> {
        let deps = self.effect.deps?;
        let version = package.react?;
        let is_called_if_there = self.uses.iter().any(|(_, form)| *form == Form::CalledIfThere);
        if is_called_if_there || module.has_comment(deps.span) {
            return None;
        }
        let siblings = module.siblings(self.effect.call.node_id.get())?;
        let start = with_comments(module, siblings.statement().span().start);
        let (mut edits, lines, latest) = if version.at_least(19, 2) {
            self.event(module)?
        } else {
            self.reference(module, version.at_least(18, 0))?
        };
        let eol = module.style().line_end;
        let indent = module.indent_at(start);
        let before = join_lines(lines.iter().map(String::as_str), indent, eol);
        edits.push(Edit::insert(start, format!("{before}{eol}{indent}")));
        edits.extend(self.replacements(module, &latest)?);
        edits.extend(without(deps, &[self.span]));
        Some(edits)
    }

    fn event(&self, module: &Module<'a>) -> Option<(Vec<Edit>, Vec<String>, String)> {
        let name = module.name(self.symbol);
        let hook = module.import_name("react", "useEffectEvent")?;
        let latest = module.fresh_name(&format!("{name}Event"));
        let end = module.style().semicolon();
        let line = format!("const {latest} = {}({name}){end}", hook.name);
        Some((hook.edits, vec![line], latest))
    }

    fn reference(
        &self,
        module: &Module<'a>,
        has_insertion: bool,
    ) -> Option<(Vec<Edit>, Vec<String>, String)> {
        let name = module.name(self.symbol);
        let effect = if has_insertion { "useInsertionEffect" } else { "useLayoutEffect" };
        let (hook, effect) =
            (module.import_name("react", "useRef")?, module.import_name("react", effect)?);
        let holder = module.fresh_name(&format!("{name}Ref"));
        let style = module.style();
        let end = style.semicolon();
        let lines = vec![
            format!("const {holder} = {}({name}){end}", hook.name),
            format!("{}(() => {{", effect.name),
            format!("{}{holder}.current = {name}{end}", style.indent),
            format!("}}){end}"),
        ];
        let mut edits = hook.edits;
        edits.extend(effect.edits);
        Some((edits, lines, format!("{holder}.current")))
    }

    /// Every use reads the latest; what is handed on is a function that stays the same while the effect lasts.
    fn replacements(&self, module: &Module<'a>, latest: &str) -> Option<Vec<Edit>> {
        let handed = self.uses.iter().any(|(_, form)| *form == Form::Handed);
        let mut edits = Vec::new();
        let mut stable = String::new();
        if handed {
            let name = module.name(self.symbol);
            stable = module.fresh_name(&format!("{name}Latest"));
            let first = self.effect.callback.statements().first()?.span().start;
            let (style, indent) = (module.style(), module.indent_at(first));
            let line = if module.is_typescript() {
                format!("const {stable}: typeof {name} = (...args) => {latest}(...args)")
            } else {
                format!("const {stable} = (...args) => {latest}(...args)")
            };
            edits.push(Edit::insert(
                first,
                format!("{line}{}{}{indent}", style.semicolon(), style.line_end),
            ));
        }
        for (used, form) in &self.uses {
            let text = if *form == Form::Handed { stable.as_str() } else { latest };
            edits.push(Edit::replace(used.span.start, used.span.end, text));
        }
        Some(edits)
    }
}
