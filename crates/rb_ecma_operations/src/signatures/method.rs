//! The uses of a method: which classes share it, and which of the accesses by its name are its own.
//!
//! A receiver is known by what is written: `this`, `super`, `new C()`, a name with a type or an initial value. One that is not known is
//! a doubt, unless nothing else in the project has a member of this name and the name is long enough to be nobody else's.

mod receiver;

use std::collections::{BTreeMap, BTreeSet};

use oxc_ast::AstKind;
use oxc_ast::ast::{Class, Expression, TSInterfaceDeclaration, TSTypeName};
use oxc_span::GetSpan;
use rb_ecma::Module;
use rb_ecma::links::{ImportKind, LinkedFiles, Target};
use rb_operations::Place;

use self::receiver::{Receiver, accesses};
use super::callable::{Callable, Places};
use super::declaration::{class_named, declarations, key_is};
use super::signature::Signature;
use super::source::has_word;
use crate::project::{Declaration, Origin, Project, is_script};

/// A class or interface at the top of a file.
pub(super) type ClassId = (String, String);

/// What a file says about members of one name.
struct FileMembers {
    /// Classes and interfaces that declare it.
    declaring: Vec<String>,
    /// Other places that give something a member of this name.
    others: Vec<u32>,
}

pub(super) fn collect(project: &Project<'_>, callable: &mut Callable, class: &str, member: &str) {
    let own = (callable.symbol.path.clone(), class.to_owned());
    let paths = project.files.paths().into_iter().filter(|path| is_script(path));
    let plain = member.trim_start_matches('#');
    let speaks =
        |path: &String| project.files.text(path).is_some_and(|text| has_word(&text, plain));
    let files: Vec<String> = paths.filter(speaks).collect();
    let mut declaring = BTreeSet::from([own.clone()]);
    let mut others = Vec::new();
    for path in &files {
        let Some(found) = project.parsed(path, |module| file_members(module, member)) else {
            let what = "the file does not parse".to_owned();
            callable.doubts.push(Place { path: path.clone(), line: 0, what });
            continue;
        };
        declaring.extend(found.declaring.into_iter().map(|name| (path.clone(), name)));
        others.extend(found.others.into_iter().map(|line| (path.clone(), line)));
    }
    let mut classes = Classes::default();
    let family = classes.family(project, own, &declaring);
    for id in family.iter().filter(|id| classes.has_outside_base(project, id)) {
        let what = format!("`{}` extends a class that is not part of the project", id.1);
        callable.doubts.push(class_place(project, id, what));
    }
    add_declarations(project, callable, &family, member);
    let has_interface = callable.declarations.iter().any(|(_, it)| !it.has_body);
    if has_interface {
        let what = "this may be taken for it";
        let other = others.iter().map(|(path, line)| {
            let (path, what) = (path.clone(), what.to_owned());
            Place { path, line: *line, what }
        });
        let unrelated = declaring.difference(&family).map(|id| class_place(project, id, what));
        callable.look_alikes.extend(other.chain(unrelated));
    }
    let strangers = declaring.difference(&family).next().is_some() || !others.is_empty();
    let is_unique = !strangers && is_specific(member);
    let is_static = callable.main().is_static;
    let mut places = Places::default();
    for path in &files {
        let found = project.parsed(path, |module| accesses(module, member)).unwrap_or_default();
        for access in found {
            let is_own = match &access.receiver {
                Receiver::Instance(name) => {
                    classes.is_of(project, path, name, &family).map(|is_of| is_of && !is_static)
                }
                Receiver::Static(name) => {
                    classes.is_of(project, path, name, &family).map(|is_of| is_of && is_static)
                }
                Receiver::Outside => Some(false),
                Receiver::Unknown => is_unique.then_some(true),
            };
            match is_own {
                Some(true) => drop(places.entry(path.clone()).or_default().insert(access.whole)),
                Some(false) => {}
                None => {
                    let what = "what it is called on is not known".to_owned();
                    callable.doubts.push(Place { path: path.clone(), line: access.line, what });
                }
            }
        }
    }
    callable.read(project, &places);
}

fn class_place(project: &Project<'_>, (path, name): &ClassId, what: impl Into<String>) -> Place {
    let facts = project.module(path);
    let at = facts.and_then(|facts| facts.declaration(name).map(Declaration::start));
    project.place(path, at.unwrap_or(0), what)
}

/// The declarations in the other classes of the family.
fn add_declarations(
    project: &Project<'_>,
    callable: &mut Callable,
    family: &BTreeSet<ClassId>,
    member: &str,
) {
    for (path, class) in family {
        let name = format!("{class}.{member}");
        if (path, &name) == (&callable.symbol.path, &callable.symbol.name) {
            continue;
        }
        let found = project.parsed(path, |module| {
            let all = declarations(module, &name);
            all.iter().map(|it| Signature::read(module, it)).collect::<Vec<_>>()
        });
        let found = found.unwrap_or_default();
        if found.is_empty() {
            let what = format!("`{name}` is declared in a way that is not followed");
            callable.doubts.push(Place { path: path.clone(), line: 0, what });
        }
        callable.declarations.extend(found.into_iter().map(|it| (path.clone(), it)));
    }
}

/// Several words: hardly a name that something from outside has as well.
fn is_specific(member: &str) -> bool {
    member.starts_with('#') || (member.len() >= 8 && member.chars().skip(1).any(char::is_uppercase))
}

fn file_members(module: &Module<'_>, member: &str) -> FileMembers {
    let mut found = FileMembers { declaring: vec![], others: vec![] };
    let is_top = |id: &oxc_ast::ast::BindingIdentifier<'_>| {
        id.symbol_id.get().is_some_and(|symbol| module.is_top_level(symbol))
    };
    for node in module.nodes().iter() {
        let (span, is_named, class) = match node.kind() {
            AstKind::MethodDefinition(it) => {
                (it.span, key_is(&it.key, member), class_of(module, node.id()))
            }
            AstKind::PropertyDefinition(it) => {
                (it.span, key_is(&it.key, member), class_of(module, node.id()))
            }
            AstKind::TSMethodSignature(it) => {
                (it.span, key_is(&it.key, member), class_of(module, node.id()))
            }
            AstKind::TSPropertySignature(it) => (it.span, key_is(&it.key, member), None),
            AstKind::ObjectProperty(it) => (it.span, key_is(&it.key, member), None),
            AstKind::BindingProperty(it) => (it.span, key_is(&it.key, member), None),
            _ => continue,
        };
        if !is_named {
            continue;
        }
        let name = class.and_then(|kind| match kind {
            AstKind::Class(class) => class.id.as_ref().filter(|id| is_top(id)),
            AstKind::TSInterfaceDeclaration(it) => Some(&it.id).filter(|id| is_top(id)),
            _ => None,
        });
        match name {
            Some(id) => found.declaring.push(id.name.to_string()),
            None => found.others.push(module.line(span.start)),
        }
    }
    found
}

/// The class or interface right around a member.
fn class_of<'a>(module: &Module<'a>, node: oxc_semantic::NodeId) -> Option<AstKind<'a>> {
    let mut around = module.ancestors(node);
    around.find(|kind| {
        matches!(
            kind,
            AstKind::Class(_) | AstKind::TSInterfaceDeclaration(_) | AstKind::TSTypeLiteral(_)
        )
    })
}

/// What classes extend and implement, asked once.
#[derive(Default)]
struct Classes {
    bases: BTreeMap<ClassId, Vec<Option<ClassId>>>,
}

impl Classes {
    /// Own bases; `None` for one from outside.
    fn bases(&mut self, project: &Project<'_>, id: &ClassId) -> Vec<Option<ClassId>> {
        if let Some(known) = self.bases.get(id) {
            return known.clone();
        }
        let (path, class) = id;
        let names = project.parsed(path, |module| base_names(module, class)).unwrap_or_default();
        let found: Vec<Option<ClassId>> =
            names.iter().map(|name| named_class(project, path, name.as_deref()?)).collect();
        self.bases.insert(id.clone(), found.clone());
        found
    }

    fn ancestors(&mut self, project: &Project<'_>, id: &ClassId) -> BTreeSet<ClassId> {
        let mut open = self.bases(project, id);
        let mut all = BTreeSet::new();
        while let Some(next) = open.pop() {
            if let Some(next) = next
                && all.insert(next.clone())
            {
                open.extend(self.bases(project, &next));
            }
        }
        all
    }

    /// All that declare the member and are related to the first.
    fn family(
        &mut self,
        project: &Project<'_>,
        own: ClassId,
        declaring: &BTreeSet<ClassId>,
    ) -> BTreeSet<ClassId> {
        let mut family = BTreeSet::from([own]);
        loop {
            let before = family.len();
            for id in declaring {
                let above = self.ancestors(project, id);
                let is_below = above.iter().any(|it| family.contains(it));
                let members: Vec<ClassId> = family.iter().cloned().collect();
                let is_above = members.iter().any(|it| self.ancestors(project, it).contains(id));
                if is_below || is_above {
                    family.insert(id.clone());
                }
            }
            if family.len() == before {
                return family;
            }
        }
    }

    fn has_outside_base(&mut self, project: &Project<'_>, id: &ClassId) -> bool {
        let mut all = self.ancestors(project, id);
        all.insert(id.clone());
        all.iter().any(|it| self.bases(project, it).contains(&None))
    }

    /// Is what a file calls so one of the family, or does it inherit from it? `None` if the text does not tell.
    fn is_of(
        &mut self,
        project: &Project<'_>,
        path: &str,
        name: &str,
        family: &BTreeSet<ClassId>,
    ) -> Option<bool> {
        let Some(id) = named_class(project, path, name) else {
            return is_from_outside(project, path, name).then_some(false);
        };
        let mut above = self.ancestors(project, &id);
        above.insert(id.clone());
        if above.iter().any(|it| family.contains(it)) {
            return Some(true);
        }
        // Anything may have the members of an interface, and an alias may mean anything.
        let is_class = project.parsed(&id.0, |module| class_named(module, &id.1).is_some());
        let is_global = || {
            let facts = project.module(path);
            facts.is_some_and(|facts| facts.globals().any(|used| used.name == name))
        };
        (is_class == Some(true) || is_global()).then_some(false)
    }
}

/// Is it imported from something that is not part of the project?
fn is_from_outside(project: &Project<'_>, path: &str, name: &str) -> bool {
    let first = name.split('.').next().unwrap_or(name);
    let links = project.links(path).unwrap_or_default();
    let mut imports = links.imports.iter();
    let import = imports.find(|it| it.local.as_ref().is_some_and(|(local, _)| local == first));
    import.is_some_and(|it| matches!(it.target, Target::Package(_) | Target::Builtin))
}

/// The class that a file calls so.
fn named_class(project: &Project<'_>, path: &str, name: &str) -> Option<ClassId> {
    let links = project.links(path)?;
    let (first, rest) = name.split_once('.').map_or((name, None), |(a, b)| (a, Some(b)));
    let import =
        links.imports.iter().find(|it| it.local.as_ref().is_some_and(|(local, _)| local == first));
    let Some(import) = import else {
        return rest.is_none().then(|| (path.to_owned(), name.to_owned()));
    };
    let imported = match (&import.taken, rest) {
        (ImportKind::Name(imported), None) => imported.as_str(),
        (ImportKind::Whole, Some(rest)) => rest,
        _ => return None,
    };
    match project.imported_origin(&import.target, imported) {
        Origin::File { path, name } => Some((path, name)),
        Origin::Outside | Origin::Missing => None,
    }
}

/// The names behind `extends` and `implements`; `None` for an expression.
fn base_names(module: &Module<'_>, class: &str) -> Vec<Option<String>> {
    let mut found = Vec::new();
    for node in module.nodes().iter() {
        match node.kind() {
            AstKind::Class(it) if it.id.as_ref().is_some_and(|id| id.name == class) => {
                found.extend(class_bases(module, it));
            }
            AstKind::TSInterfaceDeclaration(it) if it.id.name == class => {
                found.extend(interface_bases(module, it));
            }
            _ => {}
        }
    }
    found
}

fn class_bases(module: &Module<'_>, class: &Class<'_>) -> Vec<Option<String>> {
    let heritage = class.heritage.as_ref().map(|it| plain_name(module, &it.expression));
    let implemented = class.implements.iter().map(|it| type_name(module, &it.expression));
    heritage.into_iter().chain(implemented).collect()
}

fn interface_bases(
    module: &Module<'_>,
    interface: &TSInterfaceDeclaration<'_>,
) -> Vec<Option<String>> {
    interface.extends.iter().map(|it| type_name(module, &it.type_name)).collect()
}

fn type_name(module: &Module<'_>, name: &TSTypeName<'_>) -> Option<String> {
    match name {
        TSTypeName::IdentifierReference(_) | TSTypeName::QualifiedName(_) => {
            Some(module.slice(name.span()).to_owned())
        }
        TSTypeName::ThisExpression(_) => None,
    }
}

/// `A` or `ns.A`.
fn plain_name(module: &Module<'_>, expression: &Expression<'_>) -> Option<String> {
    match expression {
        Expression::Identifier(it) => Some(it.name.to_string()),
        Expression::StaticMemberExpression(it) => {
            matches!(it.object, Expression::Identifier(_)).then(|| module.slice(it.span).to_owned())
        }
        _ => None,
    }
}
