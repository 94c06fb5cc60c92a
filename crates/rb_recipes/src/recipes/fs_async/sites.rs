//! Where a file calls synchronous functions of `fs` and its kin, and what each call becomes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use oxc_ast::AstKind;
use oxc_ast::ast::{BindingPattern, BindingProperty, CallExpression, Expression, Statement};
use oxc_semantic::{AstNode, NodeId};
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::{Func, Module};

use super::doubles::Doubles;
use super::model::{Change, Key, Kind, Site, Touch};
use super::names::bare;
use super::paths::Paths;
use super::table::{self, Family, Form};
use crate::links::{ByteRange, Import, ImportKind, Links, Use, UseKind};
use crate::plan::one_line;
use crate::recipe::Planning;

/// What the sites of one file are told by.
pub(super) struct Finder<'f, 'a> {
    pub(super) planning: &'f Planning<'f>,
    doubles: &'f Doubles,
    pub(super) path: &'f Arc<str>,
    pub(super) module: &'f Module<'a>,
    pub(super) links: &'f Links,
    /// Functions that work on file descriptors: what they do belongs together.
    descriptors: BTreeSet<NodeId>,
    /// What may be a function of `fs`, by its place.
    expressions: BTreeMap<ByteRange, NodeId>,
}

fn expressions(module: &Module<'_>) -> BTreeMap<ByteRange, NodeId> {
    let is_one = |node: &&AstNode<'_>| {
        matches!(
            node.kind(),
            AstKind::IdentifierReference(_)
                | AstKind::StaticMemberExpression(_)
                | AstKind::CallExpression(_)
        )
    };
    let nodes = module.nodes().iter().filter(is_one);
    nodes.map(|node| (node.kind().span().into(), node.id())).collect()
}

/// The sites of one file.
pub(super) fn find(
    planning: &Planning<'_>,
    doubles: &Doubles,
    path: &Arc<str>,
    module: &Module<'_>,
    links: &Links,
) -> Vec<(Key, Site)> {
    let mut finder = Finder {
        planning,
        doubles,
        path,
        module,
        links,
        descriptors: BTreeSet::new(),
        expressions: expressions(module),
    };
    let mut used = Vec::new();
    for import in links.imports.iter().filter(|it| !it.is_type) {
        let Some(family) = table::family(&import.specifier) else { continue };
        for it in &import.uses {
            let Some(name) = name_of(import, it) else { continue };
            let Some(form) = table::form(family, name) else { continue };
            if matches!(it.kind, UseKind::Type | UseKind::Write) {
                continue;
            }
            if table::is_descriptor(name)
                && let Some(around) = finder.function_at(it.whole)
            {
                finder.descriptors.insert(around);
            }
            used.push((import, it, name, family, form));
        }
    }
    let hidden = finder.hidden();
    let site = |(import, it, name, family, form): (&Import, &Use, &str, Family, Form)| {
        let span = Span::new(it.whole.start, it.whole.end);
        let key = Key::new(path, span, Kind::Use);
        (key, finder.site(import, it, name, (family, form)))
    };
    let mut found: Vec<(Key, Site)> = used.into_iter().map(site).chain(hidden).collect();
    share_exists(module, &mut found);
    found
}

/// Several places that ask whether a file is there call one function of the file.
fn share_exists(module: &Module<'_>, sites: &mut [(Key, Site)]) {
    let asks = |it: &Site| matches!(&it.change, Change::Made { behind, .. } if !behind.is_empty());
    if sites.iter().filter(|it| asks(&it.1)).count() < 2 {
        return;
    }
    let style = module.style();
    let (eol, step, end) = (style.line_end, style.indent, style.semicolon());
    let name = module.fresh_name("exists");
    let (parameter, result) = if module.is_typescript() {
        ("path: string | Buffer | URL", ": Promise<boolean>")
    } else {
        ("path", "")
    };
    for (key, site) in sites.iter_mut().filter(|it| asks(&it.1)) {
        let Change::Made { edits, behind, helper, .. } = &mut site.change else { continue };
        let [edit] = edits.as_slice() else { continue };
        let mut callee = module.slice(key.span()).to_owned();
        let (from, to) = ((edit.start - key.start) as usize, (edit.end - key.start) as usize);
        callee.replace_range(from..to, &edit.text);
        let code = format!(
            "function {name}({parameter}){result} {{{eol}{step}return {callee}(path){behind}{end}{eol}}}"
        );
        *helper = Some(below_imports(module, &code));
        *edits = vec![Edit::replace(key.start, key.end, &*name)];
        *behind = "";
    }
}

/// A function of the file goes below the imports, `require` among them.
fn below_imports(module: &Module<'_>, code: &str) -> Edit {
    let is_import = |it: &&Statement<'_>| match it {
        Statement::ImportDeclaration(_) => true,
        Statement::VariableDeclaration(it) => module.slice(it.span).contains("require("),
        _ => false,
    };
    let (text, eol) = (module.text(), module.style().line_end);
    let Some(last) = module.program().body.iter().take_while(is_import).last() else {
        return module.insert_at_top(code);
    };
    let end = last.span().end as usize;
    let line = text[end..].find('\n').map_or(text.len(), |it| end + it + 1);
    let gap = if text[line..].starts_with(['\n', '\r']) { "" } else { eol };
    let lead = if text[..line].ends_with('\n') { "" } else { eol };
    Edit::insert(u32::try_from(line).unwrap_or(u32::MAX), format!("{lead}{eol}{code}{eol}{gap}"))
}

impl<'a> Finder<'_, 'a> {
    /// Functions that are taken out of the whole in ways that are not followed: `const { statSync } = fs`, `fs['statSync']`.
    fn hidden(&self) -> Vec<(Key, Site)> {
        let mut found = Vec::new();
        for import in self.links.imports.iter().filter(|it| !it.is_type) {
            let Some(family) = table::family(&import.specifier) else { continue };
            for used in import.uses.iter().filter(|it| it.member.is_none()) {
                let Some(node) = self.node_at(used.whole) else { continue };
                let names: Vec<(String, Span)> = match self.module.parent(node) {
                    AstKind::ComputedMemberExpression(it) => match &it.expression {
                        Expression::StringLiteral(name) => vec![(name.value.to_string(), it.span)],
                        _ => continue,
                    },
                    AstKind::VariableDeclarator(it) => match &it.id {
                        BindingPattern::ObjectPattern(pattern) => {
                            let named = |it: &BindingProperty<'_>| {
                                Some((it.key.static_name()?.into_owned(), it.span))
                            };
                            pattern.properties.iter().filter_map(named).collect()
                        }
                        _ => continue,
                    },
                    _ => continue,
                };
                let names = names.into_iter().filter(|it| table::form(family, &it.0).is_some());
                found.extend(names.map(|(name, span)| self.unfollowed(&name, span)));
            }
        }
        found
    }

    fn unfollowed(&self, name: &str, span: Span) -> (Key, Site) {
        let place = self.module.place(span.start);
        let reason = format!("`{name}` is taken from the module in an unsupported way");
        let suggestion = format!("call it by its name, as `fs.{name}`, then run again");
        let site = Site {
            line: place.line,
            column: place.column,
            code: one_line(self.module.slice(span)),
            what: name.to_owned(),
            reads: false,
            touches: Vec::new(),
            within: None,
            change: Change::Left { reason, suggestion },
        };
        (Key::new(self.path, span, Kind::Use), site)
    }

    fn function_at(&self, place: ByteRange) -> Option<NodeId> {
        let node = self.node_at(place)?;
        Some(self.module.function_around(node)?.node())
    }

    pub(super) fn node_at(&self, place: ByteRange) -> Option<NodeId> {
        self.expressions.get(&place).copied()
    }

    fn site(&self, import: &Import, used: &Use, name: &str, as_what: (Family, Form)) -> Site {
        let node = self.node_at(used.whole);
        let call = node.and_then(|node| match self.module.parent(node) {
            AstKind::CallExpression(call) if used.kind == UseKind::Call => Some(call),
            _ => None,
        });
        let span = call.map_or(Span::new(used.whole.start, used.whole.end), |call| call.span);
        let place = self.module.place(used.whole.start);
        let (what, reads, change) = match call {
            Some(call) => self.called(import, used, name, call, as_what),
            None => {
                let written = self.module.slice(span);
                let reason = if self.is_native(node) {
                    format!("`{written}.native` has no promise form")
                } else {
                    format!("`{written}` is passed as a value to code that does not await it")
                };
                let suggestion =
                    format!("call `{name}` in a function of the project, which can be async");
                (name.to_owned(), false, Change::Left { reason, suggestion })
            }
        };
        Site {
            line: place.line,
            column: place.column,
            code: one_line(self.module.slice(span)),
            what,
            reads,
            touches: call.map(|call| self.touches(name, call)).unwrap_or_default(),
            within: node.and_then(|it| self.module.function_around(it)).map(Func::span),
            change,
        }
    }

    /// What a call does to which files.
    fn touches(&self, name: &str, call: &CallExpression<'a>) -> Vec<Touch> {
        let (world, path) = (self.planning.world, &**self.path);
        let paths = Paths { world, path, module: self.module, links: self.links };
        let options = self.module.slice(Span::new(call.callee.span().end, call.span.end));
        let touched = table::touches(name, options).iter().filter_map(|&(at, how)| {
            let given = call.arguments.get(at)?.as_expression()?;
            let code = one_line(self.module.slice(given.span()));
            Some(Touch { how, path: paths.of(given), code })
        });
        touched.collect()
    }

    fn is_native(&self, node: Option<NodeId>) -> bool {
        node.is_some_and(|node| {
            matches!(self.module.parent(node),
                AstKind::StaticMemberExpression(member) if member.property.name == "native")
        })
    }

    fn called(
        &self,
        import: &Import,
        used: &Use,
        name: &str,
        call: &'a CallExpression<'a>,
        (family, form): (Family, Form),
    ) -> (String, bool, Change) {
        let written = self.module.slice(call.callee.span());
        let (target, behind) = match form {
            Form::Same(target) => (target, ""),
            Form::Exists => ("access", ".then(() => true, () => false)"),
            Form::None(why) => {
                let reason = format!("`{written}` {why}");
                let suggestion =
                    "open the file with `fs.promises.open`, and use its `FileHandle` throughout"
                        .to_owned();
                return (name.to_owned(), false, Change::Left { reason, suggestion });
            }
        };
        let reads = table::only_reads(target);
        if let Some((reason, suggestion)) = self.refused(import, name, call, written) {
            return (name.to_owned(), reads, Change::Left { reason, suggestion });
        }
        if let Some(taken) = self.taken(import, used, family, target) {
            if let Some((reason, suggestion)) = self.replaced(bare(&taken.named.specifier)) {
                return (name.to_owned(), reads, Change::Left { reason, suggestion });
            }
            let what = format!("`{written}` → `{target}`");
            let edits = vec![Edit::replace(used.whole.start, used.whole.end, taken.text)];
            return (
                what,
                reads,
                Change::Made { edits, behind, import: Some(taken.named), helper: None },
            );
        }
        let member = match family {
            Family::Plain => format!("promises.{target}"),
            Family::Extra => target.to_owned(),
        };
        let edits = vec![Edit::replace(used.name.start, used.name.end, &*member)];
        let what = format!("`{written}` → `{member}`");
        (what, reads, Change::Made { edits, behind, import: None, helper: None })
    }

    /// Why a call cannot be made to wait, whatever stands around it.
    fn refused(
        &self,
        import: &Import,
        name: &str,
        call: &'a CallExpression<'a>,
        written: &str,
    ) -> Option<(String, String)> {
        let said = |reason: String, suggestion: &str| Some((reason, suggestion.to_owned()));
        let first = call.arguments.first().and_then(|it| it.as_expression());
        if first.is_some_and(|it| is_number(it)) {
            let reason = format!(
                "`{written}` is called with a file descriptor, which the promise form does not accept"
            );
            return said(reason, "read from a `FileHandle`, or from a stream");
        }
        let arguments = Span::new(call.callee.span().end, call.span.end);
        if self.module.slice(arguments).contains("throwIfNoEntry") {
            let reason = format!(
                "`{written}` uses `throwIfNoEntry`, which the promise form does not support"
            );
            return said(reason, "handle a missing file with `try` and `catch`, then run again");
        }
        let around = self.module.function_around(call.node_id.get());
        if around.is_some_and(|it| self.descriptors.contains(&it.node())) {
            let reason =
                "the enclosing function also uses file descriptors, which have no promise form"
                    .to_owned();
            return said(
                reason,
                "open the file with `fs.promises.open`, and use its `FileHandle` throughout",
            );
        }
        if let Some(it) = self.replaced(bare(&import.specifier)) {
            return Some(it);
        }
        let world = self.planning.world;
        if let Some(place) = self.doubles.of_fs(world, name, self.path) {
            let reason = format!("`{name}` is mocked at {place}");
            return said(reason, "mock the promise function in the test");
        }
        None
    }

    /// Does a test put something else in the place of a module, and what is said then?
    fn replaced(&self, bare: &str) -> Option<(String, String)> {
        let world = self.planning.world;
        let suggestion = "mock the promise functions in the test, too".to_owned();
        let place = self.doubles.of_module(world, bare, self.path)?;
        Some((format!("`{bare}` is mocked at {place}"), suggestion))
    }
}

fn is_descriptor_name(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower == "fd" || name.ends_with("Fd") || name.ends_with("_fd") || lower.ends_with("descriptor")
}

/// The function of `fs` that is used.
fn name_of<'i>(import: &'i Import, used: &'i Use) -> Option<&'i str> {
    match &import.taken {
        ImportKind::Whole => used.member.as_deref(),
        ImportKind::Name(name) if name == "default" => used.member.as_deref(),
        ImportKind::Name(name) => Some(name),
        _ => None,
    }
}

fn is_number(expression: &Expression<'_>) -> bool {
    match expression.get_inner_expression() {
        Expression::NumericLiteral(_) => true,
        Expression::Identifier(it) => is_descriptor_name(&it.name),
        Expression::StaticMemberExpression(it) => is_descriptor_name(&it.property.name),
        _ => false,
    }
}
