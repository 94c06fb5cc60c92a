//! Lists that serve nothing but tests of membership: they become Sets themselves, through the functions that they are
//! handed to, in this file and in others.

use std::sync::Arc;

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument, BindingPattern, CallExpression, Expression, TSType, TSTypeAnnotation,
};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::{Func, Module, Use};
use rb_rules::rules::js::hot::round;
use rb_rules::rules::js::lookup::{has, lookup};
use rb_rules::rules::js::shapes::is_declared_outside;
use rb_rules::rules::js::size::MANY;

use super::array::{Array, is_exported, made_array, parameter};
use super::beside::is_found_alike;
use super::callers::{Callers, callers};
use super::lookup::{Ask, Lookup};
use super::report::Why;
use super::size::is_small;
use super::{At, Part};
use crate::plan::{ApiChange, Chain, Site};

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
        let mut group = Group { is_wide: is_called, ..Group::default() };
        match group.follow(at, it.root) {
            Ok(()) if group.made > 0 => {
                done.extend(group.tests.iter().filter(|it| it.0 == at.path).map(|it| it.1));
                part.chains.push(group.chain(at.module.name(it.root)));
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
    let is_new = |call: &CallExpression<'a>| lookups.iter().all(|it| it.call.span != call.span);
    let tests =
        module.calls().iter().filter(|call| is_new(call)).filter_map(|call| lookup(module, call));
    tests
        .filter(|it| matches!(it.ask, Ask::Has(_)) && it.names.is_empty() && !it.optional)
        .filter(|it| is_handed_in_loop(at, it))
        .collect()
}

fn is_handed_in_loop<'a>(at: &At<'_, '_, 'a>, it: &Lookup<'a>) -> bool {
    let module = at.module;
    let Some((func, position, _)) = parameter(module, it.root) else { return false };
    let varies =
        module.identifiers_in(it.wanted.span()).iter().any(|name| module.symbol(name).is_some());
    let Some(Callers { here, elsewhere, .. }) =
        varies.then(|| callers(at, func, "").ok()).flatten()
    else {
        return false;
    };
    let is_in_loop = |path: &str, place: (u32, u32)| {
        let world = at.planning.world;
        let known = world
            .ask("lists handed on in loops", path, "", |module| Arc::new(handed_in_loops(module)));
        known.is_some_and(|it| it.contains(&(place, position)))
    };
    here.iter().any(|call| is_in_loop(at.path, (call.callee.span().start, call.callee.span().end)))
        || elsewhere
            .iter()
            .any(|(path, places)| places.iter().any(|place| is_in_loop(path, *place)))
}

/// Calls in loops that hand over the same list each time: the callee, and the position of the argument.
fn handed_in_loops(module: &Module<'_>) -> Vec<((u32, u32), usize)> {
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
                found.push(((call.callee.span().start, call.callee.span().end), position));
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
    seen: Vec<(String, SymbolId)>,
    /// Tests of membership: file and place.
    tests: Vec<(String, (u32, u32))>,
    sites: Vec<Site>,
    edits: Vec<(String, Edit)>,
    api: Vec<ApiChange>,
    /// How many arrays are made Sets that may be long.
    made: usize,
    /// Functions that other files call are changed, too: where the loop is in the function itself, a Set within it does.
    is_wide: bool,
    /// Calls in other files of functions that are followed: file, callee, and the position of the list.
    known: Vec<(String, (u32, u32), usize)>,
}

impl Group {
    pub(super) fn follow(&mut self, at: &At<'_, '_, '_>, symbol: SymbolId) -> Result<(), Why> {
        let own = (at.path.to_owned(), symbol);
        if self.seen.contains(&own) {
            return Ok(());
        }
        self.seen.push(own);
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
                self.called(at, func, position, name)
            }
            None => self.declared(at, symbol),
        }
    }

    /// Every caller hands over a Set.
    fn called<'a>(
        &mut self,
        at: &At<'_, '_, 'a>,
        func: Func<'a>,
        position: usize,
        name: &str,
    ) -> Result<(), Why> {
        let Callers { here, elsewhere, api } = callers(at, func, name)?;
        if !self.is_wide && !api.is_empty() {
            return Err(unseen(name, at.path));
        }
        let public = api.iter().find(|it| it.is_public);
        if let Some(api) = public.filter(|_| !at.planning.allow_public_api_changes) {
            return Err(Why::new(
                format!("`{}` is public API, and would then take a Set", api.name),
                "pass a Set yourself, or allow changes of the public API (allow_public_api_changes)",
            ));
        }
        for (path, places) in &elsewhere {
            self.known.extend(places.iter().map(|place| (path.clone(), *place, position)));
        }
        for call in here {
            self.given(at, call, position)?;
        }
        for (path, places) in elsewhere {
            let handed = at.in_file(&path, |other| {
                for place in &places {
                    let calls = other.module.calls();
                    let call = calls.iter().find(|it| {
                        it.callee.span().start == place.0 && it.callee.span().end == place.1
                    });
                    let Some(call) = call else { return Err(unseen(name, &path)) };
                    self.given(other, call, position)?;
                }
                Ok(())
            });
            handed.unwrap_or_else(|| Err(unseen(name, &path)))?;
        }
        self.api.extend(api);
        Ok(())
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
                if self.is_known(at.path, call, it.span) {
                    return Ok(());
                }
                let parameter = parameter_for(module, call, it.span);
                self.follow(at, parameter.ok_or_else(other)?)
            }
            _ => Err(other()),
        }
    }

    /// A call of a function of another file that is followed already.
    fn is_known(&self, path: &str, call: &CallExpression<'_>, list: Span) -> bool {
        let callee = (call.callee.span().start, call.callee.span().end);
        let is_list = |at: usize| call.arguments.get(at).is_some_and(|it| it.span() == list);
        self.known.iter().any(|(file, place, at)| file == path && *place == callee && is_list(*at))
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
        self.tests.push((at.path.to_owned(), (call.span.start, call.span.end)));
        let edits = has(call.span, test.name_span, compared);
        self.edits.extend(edits.into_iter().map(|edit| (at.path.to_owned(), edit)));
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
        let path = || at.path.to_owned();
        let new = [Edit::insert(span.start, "new Set("), Edit::insert(span.end, ")")];
        self.edits.extend(new.into_iter().map(|edit| (path(), edit)));
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
        self.edits.push((at.path.to_owned(), Edit::replace(span.start, span.end, text)));
        Ok(())
    }

    fn chain(self, name: &str) -> Chain {
        let files = self
            .edits
            .iter()
            .map(|(path, _)| path)
            .collect::<std::collections::BTreeSet<_>>()
            .len();
        let title = match files {
            1 => format!("`{name}` becomes a Set"),
            files => format!("`{name}` becomes a Set, in {files} files"),
        };
        let mut chain = Chain { title, sites: self.sites, api: self.api, ..Chain::default() };
        for (path, edit) in self.edits {
            chain.edit(&path, edit);
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
