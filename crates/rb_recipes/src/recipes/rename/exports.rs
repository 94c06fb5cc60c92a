//! What a file exports under the old name: from now on it is the new one.

use oxc_ast::AstKind;
use oxc_ast::ast::{AssignmentTarget, Expression, PropertyKey};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_rules::Target;

use super::file::{File, FileResult};
use crate::links::{Exporting, ImportKind, links};

/// The export of a binding follows it. `is_renamed`: the binding has the new name by now; else it keeps the old one.
pub(super) fn follow(
    file: &File<'_, '_>,
    symbol: SymbolId,
    is_renamed: bool,
    found: &mut FileResult,
) {
    let module = file.module;
    let scoping = module.scoping();
    if scoping.symbol_scope_id(symbol) != scoping.root_scope_id() {
        return;
    }
    for used in module.uses(symbol) {
        match module.parent(used.node) {
            AstKind::ExportSpecifier(it) if it.local.span() == it.exported.span() => {
                let text = if is_renamed { file.fresh().to_owned() } else { file.as_new() };
                file.put(found, used.span, text);
                found.given = true;
            }
            AstKind::ObjectProperty(it) if it.shorthand => {
                let object = module.nodes().parent_id(module.nodes().parent_id(used.node));
                if file.is_exported_object(object) {
                    let kept = format!("{}: {}", file.fresh(), file.old());
                    let text = if is_renamed { file.fresh().to_owned() } else { kept };
                    file.put(found, used.span, text);
                    found.given = true;
                }
            }
            _ => {}
        }
    }
    let Some(links) = links(file.world, file.path) else { return };
    let mut by_this = links.names_of(file.old()).filter(|it| it.name == file.old());
    match by_this.next().map(|it| it.how) {
        Some(Exporting::Declared) => found.given |= is_renamed,
        Some(Exporting::Assigned | Exporting::Member) => common(file, found),
        Some(Exporting::Listed | Exporting::Default | Exporting::Whole) | None => {}
    }
}

/// The name as a key of `module.exports` and `exports`, all over the file.
pub(super) fn common(file: &File<'_, '_>, found: &mut FileResult) {
    let module = file.module;
    let links = links(file.world, file.path);
    for doubt in links.iter().flat_map(|it| &it.doubts).filter(|it| it.what.contains("exports`")) {
        let line = (1..doubt.line)
            .fold(0, |at, _| at + module.text()[at..].find('\n').map_or(0, |it| it + 1));
        let span = Span::empty(u32::try_from(line).unwrap_or(0));
        file.stop(
            found,
            span,
            &format!("{} here", doubt.what),
            "export the names in a plain object first",
        );
    }
    for node in module.nodes().iter() {
        match node.kind() {
            AstKind::StaticMemberExpression(it)
                if it.property.name == file.old() && file.is_exports(&it.object) =>
            {
                file.put_new(found, it.property.span);
                found.given = true;
            }
            AstKind::ComputedMemberExpression(it) if file.is_exports(&it.object) => {
                match &it.expression {
                    Expression::StringLiteral(key) if key.value == file.old() => {
                        file.put_string(found, key);
                        found.given = true;
                    }
                    Expression::StringLiteral(_) => {}
                    _ => {
                        let reason = "computed names are exported here";
                        file.stop(found, it.span, reason, "export each name separately first");
                    }
                }
            }
            AstKind::ObjectProperty(it) if !it.shorthand && !it.computed => {
                let object = module.nodes().parent_id(node.id());
                if file.is_exported_object(object) && key(file, &it.key, found) {
                    found.given = true;
                }
            }
            AstKind::AssignmentExpression(it) => handed_on(file, &it.left, &it.right, found),
            _ => {}
        }
    }
}

/// `module.exports = name` beside `exports.a`: what is exported cannot be told.
fn handed_on<'a>(
    file: &File<'_, 'a>,
    left: &AssignmentTarget<'a>,
    right: &Expression<'a>,
    found: &mut FileResult,
) {
    let AssignmentTarget::StaticMemberExpression(left) = left else { return };
    let is_whole =
        left.property.name == "exports" && file.module.is_global_named(&left.object, "module");
    let is_plain = matches!(
        right.get_inner_expression(),
        Expression::ObjectExpression(_)
            | Expression::AssignmentExpression(_)
            | Expression::FunctionExpression(_)
            | Expression::ClassExpression(_)
            | Expression::ArrowFunctionExpression(_)
    );
    if is_whole && !is_plain && !matches!(right, Expression::Identifier(_)) {
        let reason = "the exports of the module are created by other code";
        file.stop(found, right.span(), reason, "export the names in a plain object first");
    }
}

/// A key of an object or a pattern; true where it is the name.
pub(super) fn key(file: &File<'_, '_>, key: &PropertyKey<'_>, found: &mut FileResult) -> bool {
    match key {
        PropertyKey::StaticIdentifier(it) if it.name == file.old() => {
            file.put_new(found, it.span);
            true
        }
        PropertyKey::StringLiteral(it) if it.value == file.old() => {
            file.put_string(found, it);
            true
        }
        _ => false,
    }
}

/// Does the file give the new name to others already?
pub(super) fn is_taken(file: &File<'_, '_>, found: &mut FileResult) {
    let Some(links) = links(file.world, file.path) else { return };
    let mut taken: Vec<u32> = Vec::new();
    taken
        .extend(links.exports.iter().filter(|it| it.name == file.fresh()).map(|it| it.place.start));
    for import in &links.imports {
        let gives = match &import.taken {
            ImportKind::GivenOn { given, .. } | ImportKind::WholeGivenOn { given } => {
                given == file.fresh()
            }
            ImportKind::AllGivenOn => match &import.target {
                Target::File(target) => file.world.origin(target, file.fresh()).is_some(),
                Target::Package(_) | Target::Builtin | Target::Unknown => false,
            },
            ImportKind::Name(_) | ImportKind::Whole | ImportKind::Nothing => false,
        };
        taken.extend(gives.then_some(import.place.start));
    }
    for start in taken {
        let reason = format!("`{}` is already exported from here", file.fresh());
        file.stop(found, Span::empty(start), &reason, "choose another name");
    }
}

impl File<'_, '_> {
    pub(super) fn as_new(&self) -> String {
        format!("{} as {}", self.old(), self.fresh())
    }

    /// A name in a list of imports or exports, and the one it is given: only the first one changes.
    pub(super) fn first_of_two(
        &self,
        found: &mut FileResult,
        first: Span,
        second: Span,
        given: &str,
    ) {
        if given == self.fresh() {
            found.edits.push(Edit::replace(first.start, second.end, self.fresh()));
        } else if self.module.slice(first) == self.old() {
            self.put_new(found, first);
        } else {
            self.put_new(found, Span::new(first.start + 1, first.end - 1));
        }
    }
}
