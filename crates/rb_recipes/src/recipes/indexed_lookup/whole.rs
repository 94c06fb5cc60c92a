//! Lists that serve nothing but tests of membership: they become Sets themselves, through the functions of the file that they are
//! handed to.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument, BindingPattern, CallExpression, Expression, TSType, TSTypeAnnotation,
};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::{Module, Use};
use rb_rules::rules::js::hot::round;
use rb_rules::rules::js::lookup::{has, lookup};
use rb_rules::rules::js::shapes::is_declared_outside;
use rb_rules::rules::js::size::MANY;

use super::array::{Array, is_exported, made_array, parameter};
use super::beside::is_found_alike;
use super::callers::callers;
use super::lookup::{Ask, Lookup};
use super::report::Why;
use super::size::is_small;
use super::{At, Part};
use crate::plan::{Chain, Site};

/// The most names followed for one list.
const MOST: usize = 64;

/// Plans the lists that can be Sets, and gives the searches that are left.
pub(super) fn plan<'l, 'a>(
    at: &At<'_, '_, 'a>,
    lookups: &'l [Lookup<'a>],
    part: &mut Part,
) -> Vec<&'l Lookup<'a>> {
    let mut done: Vec<(u32, u32)> = Vec::new();
    let mut failed: Vec<SymbolId> = Vec::new();
    let called = called_in_loops(at, lookups);
    let in_loops = lookups.iter().map(|it| (it, false));
    for (it, is_called) in in_loops.chain(called.iter().map(|it| (it, true))) {
        let is_candidate = matches!(it.ask, Ask::Has(_)) && it.names.is_empty();
        let place = (it.call.span.start, it.call.span.end);
        if !is_candidate || done.contains(&place) || failed.contains(&it.root) {
            continue;
        }
        let mut group = Group::default();
        match group.follow(at, it.root) {
            Ok(()) if group.made > 0 => {
                done.extend(&group.tests);
                part.chains.push(group.chain(at, it.root));
            }
            Ok(()) => {
                failed.push(it.root);
                if is_called {
                    part.left.push(at.left(it.call.span, unseen(at.module.name(it.root), at.path)));
                }
            }
            Err(why) => {
                failed.push(it.root);
                // What is in a loop itself may still have a Set beside it.
                if is_called {
                    part.left.push(at.left(it.call.span, why));
                }
            }
        }
    }
    lookups.iter().filter(|it| !done.contains(&(it.call.span.start, it.call.span.end))).collect()
}

/// Tests of a parameter that are in no loop here, while a caller in this file hands over the same list in a loop.
fn called_in_loops<'a>(at: &At<'_, '_, 'a>, lookups: &[Lookup<'a>]) -> Vec<Lookup<'a>> {
    let module = at.module;
    let in_loops = handed_in_loops(module);
    let is_new = |call: &CallExpression<'a>| lookups.iter().all(|it| it.call.span != call.span);
    let tests =
        module.calls().iter().filter(|call| is_new(call)).filter_map(|call| lookup(module, call));
    tests
        .filter(|it| matches!(it.ask, Ask::Has(_)) && it.names.is_empty() && !it.optional)
        .filter(|it| is_handed_in_loop(at, it, &in_loops))
        .collect()
}

fn is_handed_in_loop<'a>(at: &At<'_, '_, 'a>, it: &Lookup<'a>, in_loops: &InLoops) -> bool {
    let module = at.module;
    let Some((func, position, _)) = parameter(module, it.root) else { return false };
    let varies =
        module.identifiers_in(it.wanted.span()).iter().any(|name| module.symbol(name).is_some());
    let callers = varies.then(|| callers(at, func, "").ok()).flatten().unwrap_or_default();
    callers.iter().any(|call| in_loops.contains(&(call.span, position)))
}

/// Calls, and the positions of arguments.
type InLoops = Vec<(Span, usize)>;

/// Calls in loops that hand over the same list each time, and the position of that argument.
fn handed_in_loops(module: &Module<'_>) -> InLoops {
    let mut found = Vec::new();
    for call in module.calls() {
        let Some(round) = round(module, call.node_id.get()).filter(|it| it.is_counted) else {
            continue;
        };
        if round.over.is_some_and(|over| is_short(module, over)) {
            continue;
        }
        for (position, argument) in call.arguments.iter().enumerate() {
            let list = argument.as_expression().filter(|it| !is_short(module, it));
            let is_same = list
                .and_then(|it| module.symbol_of(it))
                .is_some_and(|it| is_declared_outside(module, it, round.span));
            if is_same {
                found.push((call.span, position));
            }
        }
    }
    found
}

fn is_short<'a>(module: &Module<'a>, list: &Expression<'a>) -> bool {
    matches!(module.resolved(list), Expression::ArrayExpression(it) if it.elements.len() < MANY)
}

/// A list under all of its names.
#[derive(Default)]
pub(super) struct Group {
    seen: Vec<SymbolId>,
    /// Tests of membership.
    tests: Vec<(u32, u32)>,
    sites: Vec<Site>,
    edits: Vec<Edit>,
    /// How many arrays are made Sets that may be long.
    made: usize,
}

impl Group {
    pub(super) fn follow(&mut self, at: &At<'_, '_, '_>, symbol: SymbolId) -> Result<(), Why> {
        if self.seen.contains(&symbol) {
            return Ok(());
        }
        self.seen.push(symbol);
        let module = at.module;
        let name = module.name(symbol);
        let is_plain = self.seen.len() <= MOST && module.is_stable(symbol) && at.hidden.is_none();
        if !is_plain || parameter(module, symbol).is_none() && is_exported(module, symbol) {
            return Err(Why::new(
                format!("`{name}` is assigned or exported"),
                "build a Set next to it, and pass that",
            ));
        }
        for it in module.uses(symbol) {
            self.used(at, it)?;
        }
        match parameter(module, symbol) {
            Some((func, position, parameter)) => {
                if parameter.optional || parameter.initializer.is_some() {
                    return Err(Why::new(
                        format!("callers may omit `{name}`"),
                        "make every caller pass a Set",
                    ));
                }
                self.typed(at, parameter.type_annotation.as_deref())?;
                // Every caller hands over a Set.
                callers(at, func, name)?.into_iter().try_for_each(|it| self.given(at, it, position))
            }
            None => self.declared(at, symbol),
        }
    }

    /// What a call hands over.
    fn given<'a>(
        &mut self,
        at: &At<'_, '_, 'a>,
        call: &'a CallExpression<'a>,
        position: usize,
    ) -> Result<(), Why> {
        let is_plain = call.arguments.iter().take(position + 1).all(|it| !it.is_spread());
        let argument =
            call.arguments.get(position).and_then(Argument::as_expression).filter(|_| is_plain);
        let Some(argument) = argument else {
            return Err(unseen(at.module.slice(call.callee.span()), at.path));
        };
        match at.module.symbol_of(argument) {
            Some(symbol) => self.follow(at, symbol),
            None => self.wrap(at, argument),
        }
    }

    /// A use of the list: a test, or an argument for a parameter that is followed in its turn.
    fn used<'a>(&mut self, at: &At<'_, '_, 'a>, it: Use<'a>) -> Result<(), Why> {
        let module = at.module;
        let other = || {
            Why::new(
                format!(
                    "`{}` is used for more than membership tests, in {}:{}",
                    it.identifier.name,
                    at.path,
                    module.line(it.span.start)
                ),
                "build a Set of it before the loop, and pass that",
            )
        };
        let mut around = module.ancestors(it.node);
        match around.next() {
            Some(AstKind::StaticMemberExpression(member)) if member.object.span() == it.span => {
                let Some(AstKind::CallExpression(call)) = around.next() else {
                    return Err(other());
                };
                let is_method =
                    call.callee.span() == member.span && !member.optional && !call.optional;
                if is_method && self.tested(at, call) { Ok(()) } else { Err(other()) }
            }
            Some(AstKind::CallExpression(call)) if call.callee.span() != it.span => {
                let parameter = parameter_for(module, call, it.span);
                self.follow(at, parameter.ok_or_else(other)?)
            }
            _ => Err(other()),
        }
    }

    fn tested<'a>(&mut self, at: &At<'_, '_, 'a>, call: &'a CallExpression<'a>) -> bool {
        let module = at.module;
        let Some(test) = lookup(module, call) else { return false };
        let Ask::Has(compared) = test.ask else { return false };
        let is_alike = compared.is_none_or(|(span, _)| {
            is_found_alike(at, &test) && !module.has_comment(Span::new(call.span.end, span.end))
        });
        if !is_alike {
            return false;
        }
        let what =
            if compared.is_some() { "`indexOf` → `Set.has`" } else { "`includes` → `Set.has`" };
        self.sites.push(at.site(call.span, what.to_owned()));
        self.tests.push((call.span.start, call.span.end));
        self.edits.extend(has(call.span, test.name_span, compared));
        true
    }

    fn declared(&mut self, at: &At<'_, '_, '_>, symbol: SymbolId) -> Result<(), Why> {
        let module = at.module;
        let made = module.declarator(symbol).zip(module.initializer(symbol));
        let Some((declarator, init)) = made.filter(|(_, init)| module.symbol_of(init).is_none())
        else {
            return Err(unmade(module.name(symbol)));
        };
        self.typed(at, declarator.type_annotation.as_deref())?;
        self.wrap(at, init)
    }

    /// The list is made a Set where it is made.
    fn wrap<'a>(&mut self, at: &At<'_, '_, 'a>, list: &Expression<'a>) -> Result<(), Why> {
        let module = at.module;
        let span = list.span();
        let is_literal = matches!(list.get_inner_expression(), Expression::ArrayExpression(_));
        let is_one_line = !module.slice(span).contains('\n');
        let is_new = made_array(at, list) == Some(Array::Fresh) && (is_literal || is_one_line);
        if !is_new {
            return Err(unmade(&crate::plan::one_line(module.slice(span))));
        }
        self.edits.push(Edit::insert(span.start, "new Set("));
        self.edits.push(Edit::insert(span.end, ")"));
        // A list that somebody wrote down with few entries is as good as a Set; it follows where another is long.
        self.made += usize::from(!is_small(at, list));
        Ok(())
    }

    fn typed<'a>(
        &mut self,
        at: &At<'_, '_, 'a>,
        written: Option<&TSTypeAnnotation<'a>>,
    ) -> Result<(), Why> {
        let Some(written) = written else { return Ok(()) };
        let span = written.type_annotation.span();
        let Some(text) = set_type(at.module, &written.type_annotation) else {
            return Err(unmade(at.module.slice(span)));
        };
        self.edits.push(Edit::replace(span.start, span.end, text));
        Ok(())
    }

    fn chain(self, at: &At<'_, '_, '_>, list: SymbolId) -> Chain {
        let title = format!("`{}` becomes a Set", at.module.name(list));
        let mut chain = Chain { title, sites: self.sites, ..Chain::default() };
        for edit in self.edits {
            chain.edit(at.path, edit);
        }
        chain
    }
}

/// The parameter of a function of this file that an argument is for.
fn parameter_for<'a>(
    module: &Module<'a>,
    call: &CallExpression<'a>,
    argument: Span,
) -> Option<SymbolId> {
    let func = module.function_of(&call.callee)?;
    let position = call.arguments.iter().position(|it| it.span() == argument)?;
    match &func.params().items.get(position)?.pattern {
        BindingPattern::BindingIdentifier(id) => id.symbol_id.get(),
        _ => None,
    }
}

fn unseen(name: &str, path: &str) -> Why {
    Why::new(
        format!("not all callers that pass `{name}` are known, in {path}"),
        "change the callers to pass a Set",
    )
}

fn unmade(code: &str) -> Why {
    Why::new(
        format!("`{code}` is not created in a single place that could create a Set instead"),
        "build a Set of it before the loop, and pass that",
    )
}

/// `Set<T>` for `T[]`, in the words of the file.
pub(super) fn set_type<'a>(module: &Module<'a>, written: &TSType<'a>) -> Option<String> {
    match written {
        TSType::TSArrayType(it) => {
            let element = module.slice(it.element_type.span());
            let inner = element.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
            Some(format!("Set<{}>", inner.unwrap_or(element)))
        }
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
