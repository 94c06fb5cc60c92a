//! Every place of a file that has the name of a member: is it that member, another one, or can it not be told?

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument, BindingPattern, CallExpression, Expression, PropertyKey, TSLiteral, TSType,
};
use oxc_semantic::NodeId;
use oxc_span::{GetSpan, Span};

use super::class::{Member, signature_key};
use super::exports::key;
use super::file::{File, FileResult};
use super::who::{Decl, Reader, Who, class_start, descends};

/// So deep into an expression.
const DEPTH: u32 = 8;

pub(super) struct Look<'l, 'f, 'a> {
    pub(super) file: &'l File<'f, 'a>,
    pub(super) member: &'l Member,
    pub(super) reader: Reader<'l, 'a>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Ours,
    Other,
    Unsure,
}

impl<'a> Look<'_, '_, 'a> {
    pub(super) fn node(&self, id: NodeId, kind: AstKind<'a>, found: &mut FileResult) {
        let file = self.file;
        let is_old = |key: &PropertyKey<'a>| key.static_name().as_deref() == Some(file.old());
        match kind {
            AstKind::Class(class) => self.class(class, found),
            AstKind::TSInterfaceDeclaration(it) => {
                self.signatures(it.id.span.start, &it.body.body, found);
            }
            AstKind::TSTypeAliasDeclaration(it) => {
                if let TSType::TSTypeLiteral(literal) = &it.type_annotation {
                    self.signatures(it.id.span.start, &literal.members, found);
                }
            }
            AstKind::ObjectProperty(it) if !it.computed && is_old(&it.key) => {
                self.literal(id, it, found);
            }
            AstKind::BindingProperty(it) if !it.computed && is_old(&it.key) => {
                let verdict = self.pattern(id);
                self.judge(verdict, it.span, found, |found| {
                    self.key(&it.key, it.shorthand, found);
                });
            }
            AstKind::AssignmentTargetPropertyIdentifier(it) if it.binding.name == file.old() => {
                self.judge(Verdict::Unsure, it.span, found, |_| {});
            }
            AstKind::JSXAttribute(it)
                if self.member.is_interface && it.is_identifier(file.old()) =>
            {
                self.judge(Verdict::Unsure, it.span, found, |_| {});
            }
            AstKind::CallExpression(it) => self.spied(it, found),
            kind => self.access(kind, found),
        }
    }

    /// `value.name`, `value['name']`, `Type['name']`
    fn access(&self, kind: AstKind<'a>, found: &mut FileResult) {
        let file = self.file;
        match kind {
            AstKind::StaticMemberExpression(it) if it.property.name == file.old() => {
                let verdict = self.verdict(&self.reader.of(&it.object, DEPTH));
                let span = it.property.span;
                self.judge(verdict, span, found, |found| file.put_new(found, span));
            }
            AstKind::ComputedMemberExpression(it) => {
                if let Expression::StringLiteral(name) = &it.expression
                    && name.value == file.old()
                {
                    let verdict = self.verdict(&self.reader.of(&it.object, DEPTH));
                    self.judge(verdict, it.span, found, |found| file.put_string(found, name));
                }
            }
            AstKind::TSIndexedAccessType(it) => {
                if let TSType::TSLiteralType(literal) = &it.index_type
                    && let TSLiteral::StringLiteral(name) = &literal.literal
                    && name.value == file.old()
                {
                    let verdict = self.verdict(&self.reader.of_type(&it.object_type));
                    self.judge(verdict, it.span, found, |found| file.put_string(found, name));
                }
            }
            _ => {}
        }
    }

    /// A key of a literal or a pattern; what it is bound to keeps its name.
    fn key(&self, own: &PropertyKey<'a>, is_shorthand: bool, found: &mut FileResult) {
        if is_shorthand {
            let text = format!("{}: {}", self.file.fresh(), self.file.old());
            self.file.put(found, own.span(), text);
        } else {
            key(self.file, own, found);
        }
    }

    fn judge(
        &self,
        verdict: Verdict,
        span: Span,
        found: &mut FileResult,
        edit: impl FnOnce(&mut FileResult),
    ) {
        match verdict {
            Verdict::Ours => edit(found),
            Verdict::Other => {}
            // Nobody else may use it, and the class is in its own file.
            Verdict::Unsure
                if self.member.is_private && self.file.path != self.member.decl.path => {}
            Verdict::Unsure => {
                let reason = format!(
                    "it is unclear whether this `{}` is that of `{}`",
                    self.file.old(),
                    self.member.owner
                );
                self.file.stop(
                    found,
                    span,
                    &reason,
                    "declare the type of the value, or rename by hand",
                );
            }
        }
    }

    fn verdict(&self, who: &Who) -> Verdict {
        let (decl, is_static) = match who {
            Who::Instance(decl) => (decl, false),
            Who::Static(decl) => (decl, true),
            Who::Outside => return Verdict::Other,
            Who::Unsure => return Verdict::Unsure,
        };
        match descends(self.file.world, decl, &self.member.decl) {
            Some(true) if is_static == self.member.is_static => Verdict::Ours,
            None => Verdict::Unsure,
            // A value of another type of that shape may still be one of the class.
            Some(false) if self.is_shape(decl) => Verdict::Unsure,
            Some(true | false) => Verdict::Other,
        }
    }

    /// An interface or a type with such a member takes any value that has one.
    fn is_shape(&self, decl: &Decl) -> bool {
        let asked =
            self.file.world.ask("rename-shape", &decl.path, &decl.start.to_string(), |module| {
                let start = decl.start;
                module.nodes().iter().any(|node| match node.kind() {
                    AstKind::TSInterfaceDeclaration(it) => it.id.span.start == start,
                    AstKind::TSTypeAliasDeclaration(it) => it.id.span.start == start,
                    _ => false,
                })
            });
        asked.unwrap_or(true)
    }

    fn class(&self, class: &oxc_ast::ast::Class<'a>, found: &mut FileResult) {
        let file = self.file;
        let decl = self.reader.decl(class_start(class));
        for element in &class.body.body {
            let Some(own) = element.property_key() else { continue };
            let name = own.static_name();
            let is_old = name.as_deref() == Some(file.old());
            let is_new = name.as_deref() == Some(file.fresh());
            if element.computed()
                || element.r#static() != self.member.is_static
                || !(is_old || is_new)
            {
                continue;
            }
            match descends(file.world, &decl, &self.member.decl) {
                Some(true) if is_old => {
                    key(file, own, found);
                }
                Some(true) => {
                    let reason = format!("`{}` already exists", file.fresh());
                    file.stop(found, own.span(), &reason, "choose another name");
                }
                None if is_old => self.judge(Verdict::Unsure, own.span(), found, |_| {}),
                _ => {}
            }
        }
    }

    fn signatures(
        &self,
        start: u32,
        members: &[oxc_ast::ast::TSSignature<'a>],
        found: &mut FileResult,
    ) {
        let file = self.file;
        let decl = self.reader.decl(start);
        for own in members.iter().filter_map(signature_key) {
            let name = own.static_name();
            let is_old = name.as_deref() == Some(file.old());
            let is_new = name.as_deref() == Some(file.fresh());
            if !is_old && !is_new || descends(file.world, &decl, &self.member.decl) != Some(true) {
                continue;
            }
            if is_old {
                key(file, own, found);
            } else {
                let reason = format!("`{}` already exists", file.fresh());
                file.stop(found, own.span(), &reason, "choose another name");
            }
        }
    }

    /// The value that a pattern takes apart.
    fn pattern(&self, property: NodeId) -> Verdict {
        let nodes = self.file.module.nodes();
        let pattern = nodes.parent_id(property);
        match nodes.parent_kind(pattern) {
            AstKind::VariableDeclarator(it) if it.id.span() == nodes.kind(pattern).span() => {
                match (&it.type_annotation, &it.init) {
                    (Some(written), _) => {
                        self.verdict(&self.reader.of_type(&written.type_annotation))
                    }
                    (None, Some(init)) => self.verdict(&self.reader.of(init, DEPTH)),
                    (None, None) => Verdict::Unsure,
                }
            }
            AstKind::FormalParameter(it)
                if matches!(it.pattern, BindingPattern::ObjectPattern(_)) =>
            {
                match &it.type_annotation {
                    Some(written) => self.verdict(&self.reader.of_type(&written.type_annotation)),
                    None => Verdict::Unsure,
                }
            }
            _ => Verdict::Unsure,
        }
    }

    /// A literal of the type; of a class, one that has it written.
    fn literal(&self, id: NodeId, it: &oxc_ast::ast::ObjectProperty<'a>, found: &mut FileResult) {
        let file = self.file;
        let nodes = file.module.nodes();
        let mut written = None;
        for around in nodes.ancestor_ids(nodes.parent_id(id)) {
            match nodes.kind(around) {
                AstKind::TSAsExpression(it) => written = Some(&it.type_annotation),
                AstKind::TSSatisfiesExpression(it) => written = Some(&it.type_annotation),
                AstKind::VariableDeclarator(it) => {
                    written = it.type_annotation.as_ref().map(|it| &it.type_annotation).or(written);
                    break;
                }
                _ => break,
            }
        }
        let verdict = match written {
            Some(written) => self.verdict(&self.reader.of_type(written)),
            None if self.member.is_interface => Verdict::Unsure,
            None => Verdict::Other,
        };
        self.judge(verdict, it.span, found, |found| self.key(&it.key, it.shorthand, found));
    }

    /// `spyOn(value, 'name')`
    fn spied(&self, call: &CallExpression<'a>, found: &mut FileResult) {
        let [first, Argument::StringLiteral(name), ..] = call.arguments.as_slice() else { return };
        let called = self.file.module.slice(call.callee.span());
        let is_spy = ["spyOn", "stub", "replace"].iter().any(|it| called.ends_with(it));
        if !is_spy || name.value != self.file.old() {
            return;
        }
        let Some(value) = first.as_expression() else { return };
        let verdict = self.verdict(&self.reader.of(value, DEPTH));
        self.judge(verdict, call.span, found, |found| self.file.put_string(found, name));
    }
}
