//! Which function of the repository a call means, where names alone leave no doubt.
//!
//! Methods of a value whose type would have to be guessed are never resolved.

use rb_index::FileId;
use rb_index::resolve::Resolution;
use rb_lang::details::{Call, CallForm, Details, Function};
use rb_lang::{ImportKind, Language};

use crate::comparison::{Side, folder_of, is_ecma};
use crate::provided::{Provided, module, provided};

/// A function, or all functions of one name where a language has overloads.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Callee {
    pub(crate) file: FileId,
    pub(crate) owner: Option<Box<str>>,
    pub(crate) name: Box<str>,
    /// The receiver stands before the call, so that the first parameter is taken.
    pub(crate) has_receiver: bool,
}

impl Callee {
    fn new(file: FileId, owner: Option<&str>, name: &str) -> Self {
        Callee { file, owner: owner.map(Into::into), name: name.into(), has_receiver: false }
    }

    /// All that it may be, in the order of the text.
    pub(crate) fn functions(&self, side: &Side<'_>) -> Vec<Function> {
        let Some(details) = side.details(self.file) else { return Vec::new() };
        let is_it = |it: &&Function| it.name == self.name && it.owner == self.owner;
        details.functions.iter().filter(is_it).cloned().collect()
    }
}

/// What a call in a file means; `None` where it is not known for sure.
pub(crate) fn callee(side: &Side<'_>, file: FileId, call: &Call) -> Option<Callee> {
    let details = side.details(file)?;
    let found = match side.language(file) {
        language if is_ecma(language) => in_ecma(side, file, &details, call),
        Some(Language::Python) => in_python(side, file, &details, call),
        Some(Language::Go) => in_go(side, file, &details, call),
        Some(Language::Rust) => in_rust(side, file, &details, call),
        Some(Language::Java) => in_java(side, file, &details, call),
        _ => None,
    }?;
    (!found.functions(side).is_empty()).then_some(found)
}

/// The file and the name behind an imported name.
fn imported(side: &Side<'_>, file: FileId, local: &str) -> Option<(FileId, Box<str>)> {
    for (import, resolution) in side.imports(file).iter() {
        if import.kind == ImportKind::ReExport {
            continue;
        }
        let Some(named) = import.names.iter().find(|named| &*named.local == local) else {
            continue;
        };
        let Resolution::Inside(files) = resolution else { return None };
        return match provided(side, files, &named.name) {
            Provided::Yes(file, name) => Some((file, name)),
            Provided::Elsewhere | Provided::No | Provided::Unknown => None,
        };
    }
    None
}

fn member(side: &Side<'_>, files: &[FileId], name: &str) -> Option<Callee> {
    match provided(side, files, name) {
        Provided::Yes(file, local) => Some(Callee::new(file, None, &local)),
        Provided::Elsewhere | Provided::No | Provided::Unknown => None,
    }
}

/// The one class of a file that declares a method of this name.
fn only_owner<'d>(details: &'d Details, name: &str) -> Option<&'d str> {
    let mut owners =
        details.functions.iter().filter(|it| &*it.name == name).map(|it| it.owner.as_deref());
    let first = owners.next()?;
    owners.all(|owner| owner == first).then_some(first?)
}

fn is_class(details: &Details, name: &str) -> bool {
    details.functions.iter().any(|it| it.owner.as_deref() == Some(name))
}

fn in_ecma(side: &Side<'_>, file: FileId, details: &Details, call: &Call) -> Option<Callee> {
    let (file, name) = match &*call.qualifier {
        "" => match imported(side, file, &call.name) {
            Some(found) => found,
            None if details.top.contains(&call.name) => (file, call.name.clone()),
            None => return None,
        },
        "this" if call.form == CallForm::Call => {
            let owner = only_owner(details, &call.name)?;
            return Some(Callee::new(file, Some(owner), &call.name));
        }
        path if !path.contains(['.', '?']) && call.form == CallForm::Call => {
            if let Some(files) = module(side, file, path) {
                return member(side, &files, &call.name);
            }
            return None;
        }
        _ => return None,
    };
    match call.form {
        CallForm::New => Some(Callee::new(file, Some(&name), "constructor")),
        CallForm::Call | CallForm::Element => Some(Callee::new(file, None, &name)),
    }
}

fn in_python(side: &Side<'_>, file: FileId, details: &Details, call: &Call) -> Option<Callee> {
    let (file, name) = match &*call.qualifier {
        "" if details.locals.contains(&call.name) => return None,
        "" => match imported(side, file, &call.name) {
            Some(found) => found,
            None if details.top.contains(&call.name) => (file, call.name.clone()),
            None => return None,
        },
        "self" | "cls" => {
            let owner = only_owner(details, &call.name)?;
            return Some(Callee::new(file, Some(owner), &call.name));
        }
        path if !path.contains(['.', '?']) && !details.locals.contains(path) => {
            return member(side, &module(side, file, path)?, &call.name);
        }
        _ => return None,
    };
    let target = side.details(file)?;
    if is_class(&target, &name) {
        // What makes the object may be elsewhere: a metaclass, `__new__`, a decorator of the class.
        let is_plain = !target
            .functions
            .iter()
            .any(|it| &*it.name == "__new__" && it.owner.as_deref() == Some(&name));
        return is_plain.then(|| Callee::new(file, Some(&name), "__init__"));
    }
    Some(Callee::new(file, None, &name))
}

fn in_go(side: &Side<'_>, file: FileId, details: &Details, call: &Call) -> Option<Callee> {
    let declared = |files: &[FileId]| {
        let mut all = files.iter().copied().filter(|&file| {
            side.details(file).is_some_and(|details| {
                details.functions.iter().any(|it| it.owner.is_none() && it.name == call.name)
            })
        });
        // Several of one name are for several platforms.
        let first = all.next()?;
        all.next().is_none().then(|| Callee::new(first, None, &call.name))
    };
    match &*call.qualifier {
        "" if details.locals.contains(&call.name) => None,
        "" => declared(&side.package(file)),
        path if !path.contains('?') && !details.locals.contains(path) => {
            declared(&module(side, file, path)?)
        }
        _ => None,
    }
}

fn in_rust(side: &Side<'_>, file: FileId, details: &Details, call: &Call) -> Option<Callee> {
    match &*call.qualifier {
        "" if details.locals.contains(&call.name) => None,
        "" => match imported(side, file, &call.name) {
            Some((file, name)) => Some(Callee::new(file, None, &name)),
            None => Some(Callee::new(file, None, &call.name)),
        },
        "self." => {
            let owner = only_owner(details, &call.name)?;
            Some(Callee { has_receiver: true, ..Callee::new(file, Some(owner), &call.name) })
        }
        "Self" => Some(Callee::new(file, Some(only_owner(details, &call.name)?), &call.name)),
        path if path.contains(['<', '?', '(']) => None,
        path => {
            if !path.contains("::") && is_class(details, path) {
                return Some(Callee::new(file, Some(path), &call.name));
            }
            // A type by its name, or a module by its path.
            let head_is_type = path.rsplit("::").next()?.starts_with(char::is_uppercase);
            if head_is_type {
                let (at, name) = imported(side, file, path)?;
                return Some(Callee::new(at, Some(&name), &call.name));
            }
            let imports = side.imports(file);
            let found = imports.iter().find_map(|(import, resolution)| {
                let named = import.names.iter().any(|named| named.name == call.name);
                match resolution {
                    Resolution::Inside(files) if named && &*import.specifier == path => {
                        Some(files.clone())
                    }
                    _ => None,
                }
            });
            member(side, &found?, &call.name)
        }
    }
}

fn in_java(side: &Side<'_>, file: FileId, details: &Details, call: &Call) -> Option<Callee> {
    if call.form == CallForm::New {
        let (at, name) = class(side, file, details, &call.name)?;
        return Some(Callee::new(at, Some(&name), "constructor"));
    }
    match &*call.qualifier {
        "" | "this" => {
            let owner = only_owner(details, &call.name)?;
            // Others may come from a class that is extended.
            (!side.inherits(file)).then(|| Callee::new(file, Some(owner), &call.name))
        }
        path if path.starts_with(char::is_uppercase) => {
            let (at, name) = class(side, file, details, path)?;
            Some(Callee::new(at, Some(&name), &call.name))
        }
        _ => None,
    }
}

/// The file of a class: this one, an imported one, or one beside it.
fn class(
    side: &Side<'_>,
    file: FileId,
    details: &Details,
    name: &str,
) -> Option<(FileId, Box<str>)> {
    if is_class(details, name) {
        return Some((file, name.into()));
    }
    if let Some(found) = imported(side, file, name) {
        return Some(found);
    }
    let folder = folder_of(side.path(file));
    let path =
        if folder.is_empty() { format!("{name}.java") } else { format!("{folder}/{name}.java") };
    Some((side.find(&path)?, name.into()))
}
