//! One import of an index, written as imports of the modules behind it. What is not found there stays as it is.

use oxc_ast::AstKind;
use oxc_ast::ast::{ImportDeclaration, ImportDeclarationSpecifier};
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::{ImportBinding, Module, Use};

use super::package::Direct;
use super::table::WHOLE;
use super::{binding, is_read_when_run};

/// A name that an import takes.
#[derive(Debug, Clone)]
pub(super) struct Name<'a> {
    pub binding: ImportBinding<'a>,
    /// What it is called in the index.
    pub exported: String,
    /// Used as `X.name` of `import * as X`.
    pub is_member: bool,
}

/// `None` where a namespace would have to stay as well.
pub(super) fn rewritten<'a>(
    module: &Module<'a>,
    declaration: &'a ImportDeclaration<'a>,
    names: &[Name<'a>],
    found: &[Option<Direct>],
) -> Option<Vec<Edit>> {
    let mut edits = Vec::new();
    let mut imports: Vec<Import> = Vec::new();
    for (name, direct) in names.iter().zip(found) {
        let Some(direct) = direct else {
            if name.is_member {
                return None;
            }
            continue;
        };
        let local = if name.is_member {
            let local = module.fresh_name(&name.exported);
            edits.extend(members_renamed(module, name, &local));
            local
        } else {
            name.binding.local.to_owned()
        };
        Import::add(&mut imports, direct, &local);
    }
    let mut lines: Vec<String> = imports.iter().map(|it| it.code(module, declaration)).collect();
    let gone = |it: &ImportBinding<'a>| {
        names
            .iter()
            .zip(found)
            .any(|(name, direct)| name.binding.symbol == it.symbol && direct.is_some())
    };
    if let Some(rest) = rest(module, declaration, gone) {
        lines.insert(0, rest);
    }
    let indent = module.indent_at(declaration.span.start).to_owned();
    let code =
        rb_ecma::join_lines(lines.iter().map(String::as_str), &indent, module.style().line_end);
    edits.push(Edit::replace(declaration.span.start, declaration.span.end, code));
    Some(edits)
}

/// What one module is asked for.
struct Import {
    specifier: String,
    default: Option<String>,
    whole: Option<String>,
    named: Vec<String>,
}

impl Import {
    fn add(imports: &mut Vec<Import>, direct: &Direct, local: &str) {
        let fits = |it: &Import| {
            it.specifier == direct.specifier
                && match direct.name.as_str() {
                    "default" => it.default.is_none() && it.whole.is_none(),
                    WHOLE => false,
                    _ => it.whole.is_none(),
                }
        };
        let at = imports.iter().position(fits).unwrap_or_else(|| {
            let specifier = direct.specifier.clone();
            imports.push(Import { specifier, default: None, whole: None, named: Vec::new() });
            imports.len() - 1
        });
        let import = &mut imports[at];
        match direct.name.as_str() {
            "default" => import.default = Some(local.to_owned()),
            WHOLE => import.whole = Some(local.to_owned()),
            name if name == local => import.named.push(local.to_owned()),
            name => import.named.push(format!("{name} as {local}")),
        }
    }

    fn code(&self, module: &Module<'_>, declaration: &ImportDeclaration<'_>) -> String {
        let mut parts: Vec<String> = self.default.iter().cloned().collect();
        parts.extend(self.whole.iter().map(|it| format!("* as {it}")));
        if !self.named.is_empty() {
            parts.push(module.style().braced(&self.named.join(", ")));
        }
        line(module, declaration, "import", &parts, &self.specifier)
    }
}

fn line(
    module: &Module<'_>,
    declaration: &ImportDeclaration<'_>,
    keyword: &str,
    parts: &[String],
    specifier: &str,
) -> String {
    let quote = &module.slice(declaration.source.span)[..1];
    let end = if module.slice(declaration.span).ends_with(';') { ";" } else { "" };
    format!("{keyword} {} from {quote}{specifier}{quote}{end}", parts.join(", "))
}

/// The import without the names that are gone. Where types alone are left, it says so.
fn rest<'a>(
    module: &Module<'a>,
    declaration: &'a ImportDeclaration<'a>,
    gone: impl Fn(&ImportBinding<'a>) -> bool,
) -> Option<String> {
    let left: Vec<&ImportDeclarationSpecifier<'a>> = declaration
        .specifiers
        .iter()
        .flatten()
        .filter(|it| binding(module, it).is_none_or(|it| !gone(it)))
        .collect();
    if left.is_empty() {
        return None;
    }
    let all_types = module.is_typescript() && left.iter().all(|it| is_type(module, it));
    let mut parts = Vec::new();
    let mut named = Vec::new();
    for specifier in left {
        let text = module.slice(specifier.span());
        match specifier {
            ImportDeclarationSpecifier::ImportSpecifier(it)
                if all_types && it.import_kind.is_type() =>
            {
                let bare = Span::new(it.imported.span().start, it.span.end);
                named.push(module.slice(bare));
            }
            ImportDeclarationSpecifier::ImportSpecifier(_) => named.push(text),
            ImportDeclarationSpecifier::ImportDefaultSpecifier(_)
            | ImportDeclarationSpecifier::ImportNamespaceSpecifier(_) => {
                parts.push(text.to_owned());
            }
        }
    }
    if !named.is_empty() {
        parts.push(module.style().braced(&named.join(", ")));
    }
    let keyword = if all_types { "import type" } else { "import" };
    Some(line(module, declaration, keyword, &parts, declaration.source.value.as_str()))
}

/// Is it used, and nowhere but in types?
fn is_type<'a>(module: &Module<'a>, specifier: &ImportDeclarationSpecifier<'a>) -> bool {
    if !matches!(specifier, ImportDeclarationSpecifier::ImportSpecifier(_)) {
        return false;
    }
    binding(module, specifier).is_some_and(|it| {
        let mut uses = module.uses(it.symbol).peekable();
        it.is_type || (uses.peek().is_some() && uses.all(|it| !is_read_when_run(module, &it)))
    })
}

/// `name` of `X.name`, and where the whole of it stands.
pub(super) fn member<'a>(module: &Module<'a>, it: &Use<'a>) -> Option<(&'a str, Span)> {
    match module.parent(it.node) {
        AstKind::StaticMemberExpression(member)
            if member.object.span() == it.span && !member.optional =>
        {
            let is_written =
                matches!(
                    module.parent(member.node_id.get()),
                    AstKind::AssignmentExpression(_) | AstKind::UpdateExpression(_)
                ) && it.flags.bits() & oxc_semantic::ReferenceFlags::MemberWriteTarget.bits() != 0;
            (!is_written).then_some((member.property.name.as_str(), member.span))
        }
        AstKind::JSXMemberExpression(member) => Some((member.property.name.as_str(), member.span)),
        _ => None,
    }
}

fn members_renamed<'a>(module: &Module<'a>, name: &Name<'a>, local: &str) -> Vec<Edit> {
    module
        .uses(name.binding.symbol)
        .filter_map(|it| member(module, &it))
        .filter(|(member, _)| *member == name.exported)
        .map(|(_, span)| Edit::replace(span.start, span.end, local))
        .collect()
}
