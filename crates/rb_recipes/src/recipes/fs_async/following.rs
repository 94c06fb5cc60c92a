//! Every use of a function that gives a promise now: by its names in the file, by its exports, as a member of an object.

use oxc_ast::AstKind;
use oxc_ast::ast::Expression;
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::{GetSpan, Span};

use super::at::At;
use super::model::{Barrier, Key, Kind, Node};
use crate::links::{Reference, References, UseKind, WHOLE, references};
use crate::plan::ApiChange;

impl At<'_, '_> {
    /// Every use of names of this file, and of what it exports under them.
    pub(super) fn named(
        &self,
        found: &mut Node,
        symbols: &[SymbolId],
        exports: &[String],
        at: Span,
    ) {
        let mut exports = exports.to_vec();
        for &symbol in symbols {
            self.local(found, symbol);
            if self.module.is_top_level(symbol) {
                let names = self.links.names_of(self.module.name(symbol));
                exports.extend(names.map(|it| it.name.clone()));
            }
        }
        if let Some(doubt) = self.links.doubts.iter().find(|it| !it.what.contains("computed")) {
            let place = format!("{}:{}", doubt.path, doubt.line);
            let reason =
                format!("{} in {place} may use it in a way that cannot be traced", doubt.what);
            self.stop(found, at, reason, "remove that, then run again");
        }
        exports.sort();
        exports.dedup();
        for name in &exports {
            self.exported(found, name, at);
        }
        if !exports.is_empty() && found.ups.is_empty() && found.barrier.is_none() {
            found.barrier = Some(self.unused(&exports, at));
        }
    }

    fn local(&self, found: &mut Node, symbol: SymbolId) {
        let name = self.module.name(symbol);
        for used in self.module.uses(symbol) {
            if used.is_type() {
                let reason = format!("its type is used by `typeof {name}`");
                self.stop(found, used.span, reason, "write the type out, then run again");
            } else if used.is_write() {
                let reason = format!("`{name}` is assigned more than once");
                self.stop(found, used.span, reason, "give each function its own name");
            } else if !self.is_export_use(used.node, used.span) {
                found.ups.push(self.key(used.span, Kind::Use));
            }
        }
    }

    /// The name is only given on here: exports are followed by their names.
    pub(super) fn is_export_use(&self, node: NodeId, span: Span) -> bool {
        match self.module.parent(node) {
            AstKind::ExportSpecifier(_) | AstKind::ExportDefaultDeclaration(_) => true,
            AstKind::AssignmentExpression(it) if it.right.span() == span => {
                let left = it.left.span();
                self.is_export(it.span)
                    || self.links.exports.iter().any(|export| {
                        left.start <= export.place.start && export.place.end <= left.end
                    })
            }
            AstKind::ObjectProperty(it) if it.value.span() == span => {
                let object = self.module.nodes().parent_id(it.node_id.get());
                matches!(self.module.parent(object),
                    AstKind::AssignmentExpression(it) if self.is_export(it.span))
            }
            _ => false,
        }
    }

    fn unused(&self, exports: &[String], at: Span) -> Barrier {
        let name = &exports[0];
        let what = if name == WHOLE || name == "default" { self.path.as_ref() } else { name };
        let reason = format!(
            "`{what}` is exported but not called in the project, and external callers may not await it"
        );
        self.barrier(at, reason, "make sure that its callers await it, then change it by hand")
    }

    /// Uses of an export in other files.
    pub(super) fn exported(&self, found: &mut Node, name: &str, at: Span) {
        let world = self.cx.planning.world;
        let mut references = references(world, &self.path, name);
        for beside in self.declarations_beside() {
            // Who imports a script with a declaration beside it is led to the declaration.
            let more = crate::links::references(world, &beside, name);
            references.all.extend(more.all);
            references.doubts.extend(more.doubts);
        }
        self.published(found, &references, at);
        self.doubled(found, name, at);
        if let Some(doubt) = references.doubts.first() {
            let what = shown(&self.path, name);
            let place = format!("{} ({}:{})", doubt.what, doubt.path, doubt.line);
            let reason = format!("not all uses of `{what}` are known: {place}");
            self.stop(found, at, reason, "import the function by its name");
        }
        for it in &references.all {
            self.referred(found, it, name, at);
        }
        self.own_exports(found, name);
    }

    fn stop(&self, found: &mut Node, at: Span, reason: String, suggestion: &str) {
        found.barrier.get_or_insert_with(|| self.barrier(at, reason, suggestion));
    }

    /// Other packages can import it.
    fn is_public(&self, path: &str, name: &str) -> bool {
        let promised = self.cx.planning.promised;
        promised.has(path, name) || (name == WHOLE && promised.has(path, "default"))
    }

    pub(super) fn may_not_change(&self, path: &str, name: &str) -> bool {
        !self.cx.planning.allow_public_api_changes && self.is_public(path, name)
    }

    /// Names that other packages can import.
    fn published(&self, found: &mut Node, references: &References, at: Span) {
        for (path, name) in &references.names {
            let is_public = self.is_public(path, name);
            if self.may_not_change(path, name) {
                let what = shown(path, name);
                let reason =
                    format!("`{what}` is public API: other packages call it synchronously");
                let suggestion = "allow changes of the public API (allow_public_api_changes), or export an async version next to it";
                self.stop(found, at, reason, suggestion);
            }
            found.api.push(ApiChange {
                path: path.clone(),
                name: name.clone(),
                before: "returns its result".to_owned(),
                after: "returns a promise".to_owned(),
                is_public,
            });
        }
    }

    /// Tests that put something else in its place.
    fn doubled(&self, found: &mut Node, name: &str, at: Span) {
        let (world, doubles) = (self.cx.planning.world, self.cx.doubles);
        let suggestion = "make the mock return a promise, then run again";
        if let Some(place) = doubles.of_file(&self.path) {
            let reason = format!("`{}` is mocked at {place}", self.path);
            self.stop(found, at, reason, suggestion);
        }
        if let Some(place) = doubles.of_member(world, name, &self.path) {
            self.stop(found, at, format!("`{name}` is mocked at {place}"), suggestion);
        }
    }

    fn referred(&self, found: &mut Node, it: &Reference, name: &str, at: Span) {
        let span = Span::new(it.used.whole.start, it.used.whole.end);
        let key = Key::new(&it.path.as_str().into(), span, Kind::Use);
        match it.used.kind {
            UseKind::Call | UseKind::Value | UseKind::New | UseKind::Element => {
                found.ups.push(key);
            }
            // Names that are given on are followed by `references`; members of a whole are not.
            UseKind::Export => {
                if name == WHOLE || it.local.is_none() {
                    found.ups.push(key);
                }
            }
            UseKind::Type | UseKind::Write => {
                let text = self.cx.planning.world.text(&it.path);
                let line = text.map_or(0, |text| crate::links::line_of(&text, span.start));
                let is_type = it.used.kind == UseKind::Type;
                let what = if is_type { "its type is used" } else { "it is assigned to" };
                let reason = format!("{what} at {}:{line}", it.path);
                self.stop(found, at, reason, "write the type out, then run again");
            }
        }
    }

    /// `exports.a` and `module.exports.a` in the file itself.
    fn own_exports(&self, found: &mut Node, name: &str) {
        if self.links.is_esm {
            return;
        }
        for node in self.module.nodes().iter() {
            let AstKind::StaticMemberExpression(member) = node.kind() else { continue };
            if member.property.name != name {
                continue;
            }
            let is_exports = self.module.is_global_named(&member.object, "exports")
                || matches!(&member.object, Expression::StaticMemberExpression(it)
                    if it.property.name == "exports" && self.module.is_global_named(&it.object, "module"));
            let is_target = matches!(self.module.parent(node.id()),
                AstKind::AssignmentExpression(it) if it.left.span() == member.span);
            if is_exports && !is_target {
                found.ups.push(self.key(member.span, Kind::Use));
            }
        }
    }

    /// Uses of a member of an object that is written out.
    pub(super) fn held(&self, found: &mut Node, object: NodeId, name: &str) {
        let span = self.module.nodes().kind(object).span();
        self.by_this(found, span, name);
        match self.module.parent(object) {
            AstKind::AssignmentExpression(it) if self.is_export(it.span) => {
                self.exported(found, name, span);
            }
            AstKind::ExportDefaultDeclaration(_) => self.objects(found, "default", name, span),
            AstKind::VariableDeclarator(it) if it.type_annotation.is_none() => {
                let bound = it.id.get_binding_identifier().and_then(|id| id.symbol_id.get());
                match bound.filter(|&symbol| self.module.is_stable(symbol)) {
                    Some(symbol) => self.by_object(found, symbol, name, span),
                    None => self.stop(
                        found,
                        span,
                        format!("`{name}` is part of an object whose uses cannot be traced"),
                        "give the object one name",
                    ),
                }
            }
            _ => self.stop(
                found,
                span,
                format!("`{name}` is part of an object that is passed to other code, which does not await it"),
                "check whether that code awaits promises, then change it by hand",
            ),
        }
        if found.ups.is_empty() && found.barrier.is_none() {
            found.barrier = Some(self.unused(&[name.to_owned()], span));
        }
    }

    /// `this.name` within the object.
    fn by_this(&self, found: &mut Node, span: Span, name: &str) {
        for node in self.nodes_in(span) {
            if let AstKind::StaticMemberExpression(member) = node.kind()
                && member.property.name == name
                && matches!(member.object, Expression::ThisExpression(_))
                && span.start < member.span.start
                && member.span.end < span.end
            {
                found.ups.push(self.key(member.span, Kind::Use));
            }
        }
    }

    /// `object.name`, by the name of the object and by its exports.
    fn by_object(&self, found: &mut Node, symbol: SymbolId, name: &str, at: Span) {
        for used in self.module.uses(symbol) {
            if !self.is_export_use(used.node, used.span) {
                found.ups.push(self.key(used.span, Kind::Object(name.to_owned())));
            }
        }
        if !self.module.is_top_level(symbol) {
            return;
        }
        for export in self.links.names_of(self.module.name(symbol)) {
            if export.name == WHOLE {
                self.exported(found, name, at);
            } else {
                self.objects(found, &export.name, name, at);
            }
        }
    }

    /// Uses of an exported object in other files.
    fn objects(&self, found: &mut Node, export: &str, name: &str, at: Span) {
        let references = references(self.cx.planning.world, &self.path, export);
        let public = references.names.iter().find(|(path, name)| self.may_not_change(path, name));
        if let Some((path, export)) = public {
            let reason = format!(
                "`{name}` of `{}` is public API: other packages call it synchronously",
                shown(path, export)
            );
            found.barrier.get_or_insert(self.barrier(
                at,
                reason,
                "allow changes of the public API (allow_public_api_changes), or add an async version next to it",
            ));
        }
        if let Some(doubt) = references.doubts.first() {
            let reason = format!(
                "not all uses of `{name}` are known: {} ({}:{})",
                doubt.what, doubt.path, doubt.line
            );
            found.barrier.get_or_insert(self.barrier(at, reason, "import the object by its name"));
        }
        for it in &references.all {
            let span = Span::new(it.used.whole.start, it.used.whole.end);
            if it.used.kind != UseKind::Export {
                found.ups.push(Key::new(
                    &it.path.as_str().into(),
                    span,
                    Kind::Object(name.to_owned()),
                ));
            }
        }
    }
}

/// An export, for people.
pub(super) fn shown(path: &str, name: &str) -> String {
    if name == WHOLE || name == "default" { path.to_owned() } else { name.to_owned() }
}
