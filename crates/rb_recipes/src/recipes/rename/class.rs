//! A member of a class or an interface: every place of the project that has its name is looked at, and each must be told.

use oxc_ast::AstKind;
use oxc_ast::ast::{ClassElement, PropertyKey, TSAccessibility, TSSignature, TSType};
use oxc_span::{GetSpan, Span};

use super::file::{File, FileResult, has_word};
use super::look::Look;
use super::private;
use super::spread::Spread;
use super::target::Symbol;
use super::users::Changed;
use super::who::{Decl, Reader, above, class_start};
use crate::recipe::PlanError;

/// The member that gets another name.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) decl: Decl,
    pub(super) owner: String,
    pub(super) is_static: bool,
    pub(super) is_interface: bool,
    /// `private` of TypeScript: nobody else may use it.
    pub(super) is_private: bool,
}

/// True where the owner has such a member.
pub(super) fn rename(
    spread: &mut Spread<'_>,
    symbol: &Symbol,
    member: &str,
) -> Result<bool, PlanError> {
    if let Some(name) = member.strip_prefix('#') {
        return Ok(private::rename(spread, symbol, name));
    }
    let mut found = None;
    spread.file(&symbol.path, |file, lost| found = declared(file, symbol, lost));
    let Some(member) = found else { return Ok(false) };
    if !member.is_private {
        for name in exported_names(spread, symbol) {
            spread.promise(&symbol.path, &Changed::MemberOf(name));
        }
    }
    upwards(spread, &member);
    let (names, world) = (spread.names.clone(), spread.planning.world);
    let mut files = world.paths();
    files.retain(|path| {
        let text = world.text(path).unwrap_or_default();
        has_word(&text, &names.old) || has_word(&text, &names.new)
    });
    let all = spread.planning.over_modules(&files, |path, module| {
        let file = File { module, path, names: &names, world };
        let mut found = FileResult::default();
        let look = Look { file: &file, member: &member, reader: Reader { module, path, world } };
        for node in module.nodes().iter() {
            look.node(node.id(), node.kind(), &mut found);
        }
        found
    })?;
    for (path, found) in all {
        spread.file(&path, |_, own| own.take(found));
    }
    Ok(true)
}

fn exported_names(spread: &Spread<'_>, symbol: &Symbol) -> Vec<String> {
    let links = crate::links::links(spread.planning.world, &symbol.path);
    links.iter().flat_map(|it| it.names_of(&symbol.name)).map(|it| it.name.clone()).collect()
}

/// The member in the class or interface of that name.
fn declared(file: &File<'_, '_>, symbol: &Symbol, found: &mut FileResult) -> Option<Member> {
    let module = file.module;
    let id = file.bound(module.scoping().root_scope_id(), &symbol.name)?;
    let base = |start: u32| Member {
        decl: Decl { path: file.path.to_owned(), start },
        owner: symbol.name.clone(),
        is_static: false,
        is_interface: false,
        is_private: false,
    };
    let is_it = |key: &PropertyKey<'_>| key.static_name().as_deref() == Some(file.old());
    match module.declaration(id) {
        AstKind::Class(class) => {
            let mut own = class.body.body.iter().filter(|it| it.property_key().is_some_and(is_it));
            let first = own.next()?;
            for element in class.body.body.iter().filter(|it| it.property_key().is_some_and(is_it))
            {
                if has_decorators(element) || !class.decorators.is_empty() {
                    let reason = format!("a decorator may read the name of `{}`", file.old());
                    file.stop(found, element.span(), &reason, "rename it by hand");
                }
            }
            let is_private = first.accessibility() == Some(TSAccessibility::Private);
            Some(Member { is_static: first.r#static(), is_private, ..base(class_start(class)) })
        }
        AstKind::TSInterfaceDeclaration(it) => {
            let has = it.body.body.iter().any(|it| signature_key(it).is_some_and(is_it));
            has.then(|| Member { is_interface: true, ..base(it.id.span.start) })
        }
        AstKind::TSTypeAliasDeclaration(it) => {
            let TSType::TSTypeLiteral(literal) = &it.type_annotation else { return None };
            let has = literal.members.iter().any(|it| signature_key(it).is_some_and(is_it));
            has.then(|| Member { is_interface: true, ..base(it.id.span.start) })
        }
        _ => None,
    }
}

pub(super) fn signature_key<'n, 'a>(it: &'n TSSignature<'a>) -> Option<&'n PropertyKey<'a>> {
    match it {
        TSSignature::TSPropertySignature(it) => Some(&it.key),
        TSSignature::TSMethodSignature(it) => Some(&it.key),
        _ => None,
    }
}

fn has_decorators(element: &ClassElement<'_>) -> bool {
    match element {
        ClassElement::MethodDefinition(it) => !it.decorators.is_empty(),
        ClassElement::PropertyDefinition(it) => !it.decorators.is_empty(),
        ClassElement::AccessorProperty(it) => !it.decorators.is_empty(),
        ClassElement::StaticBlock(_) | ClassElement::TSIndexSignature(_) => false,
    }
}

/// What the owner is built upon may have the member, too: then it is not its own.
fn upwards(spread: &mut Spread<'_>, member: &Member) {
    let world = spread.planning.world;
    let mut open = vec![member.decl.clone()];
    for _ in 0..64 {
        let Some(next) = open.pop() else { return };
        let mut stop = Vec::new();
        let above = above(world, &next).unwrap_or_default();
        if !member.is_private {
            stop.extend(
                above.outside.iter().map(|it| {
                    format!("its base type `{it}` may also have a `{}`", spread.names.old)
                }),
            );
        }
        if above.is_unsure {
            stop.push("its base type is unknown".to_owned());
        }
        let is_first = next == member.decl;
        let names = spread.names.clone();
        spread.file(&next.path.clone(), |file, found| {
            let span = Span::empty(next.start);
            for reason in &stop {
                file.stop(found, span, reason, "rename it by hand");
            }
            if !is_first && has_member(file, next.start, &names.old) {
                let reason = format!("`{}` is first declared here", names.old);
                file.stop(found, span, &reason, "rename it here");
            }
        });
        open.extend(above.decls);
    }
}

fn has_member(file: &File<'_, '_>, start: u32, name: &str) -> bool {
    let is_it = |key: &PropertyKey<'_>| key.static_name().as_deref() == Some(name);
    file.module.nodes().iter().any(|node| match node.kind() {
        AstKind::Class(it) if class_start(it) == start => {
            it.body.body.iter().any(|it| it.property_key().is_some_and(is_it))
        }
        AstKind::TSInterfaceDeclaration(it) if it.id.span.start == start => {
            it.body.body.iter().any(|it| signature_key(it).is_some_and(is_it))
        }
        _ => false,
    })
}
