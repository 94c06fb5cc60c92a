//! What a JavaScript or TypeScript module gives to others: its exports, followed through re-exports to the declarations.
//!
//! Imports and exports are those of the index. A module is parsed once, however many entries lead to it; circles of
//! re-exports are cut open.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use rb_index::FileId;
use rb_index::resolve::Resolution;
use rb_lang::{Facts, Import, ImportKind, Language, SymbolKind};

use super::Declared;
use super::ecma::{Declarations, declarations};
use crate::error::ContractError;
use crate::model::Kind;
use crate::sources::Sources;
use crate::syntax;

/// What stands behind an exported name.
#[derive(Debug, Clone)]
pub(super) struct ExportTarget {
    pub(super) file: FileId,
    pub(super) declared: Rc<Vec<Declared>>,
}

pub(super) type Exports = BTreeMap<String, ExportTarget>;

struct Module {
    facts: Facts,
    declared: Declarations,
}

/// Modules that were read, so that a file behind many entries is parsed once.
pub(super) struct Modules<'s, 'a> {
    sources: &'s Sources<'a>,
    read: RefCell<BTreeMap<FileId, Rc<Module>>>,
    known: RefCell<BTreeMap<FileId, Exports>>,
    /// A circle of re-exports was cut open; what was found on the way is not the whole.
    was_cut: Cell<bool>,
}

/// A chain of re-exports that is longer leads nowhere that a person would follow.
const MAX_CHAIN: usize = 32;
/// Classes upon classes.
const MAX_BASES: usize = 8;

impl<'s, 'a> Modules<'s, 'a> {
    pub(super) fn new(sources: &'s Sources<'a>) -> Modules<'s, 'a> {
        Modules {
            sources,
            read: RefCell::default(),
            known: RefCell::default(),
            was_cut: Cell::new(false),
        }
    }

    /// All names that a file gives.
    pub(super) fn of(&self, file: FileId) -> Result<Exports, ContractError> {
        self.exports(file, &mut Vec::new())
    }

    fn module(&self, file: FileId) -> Result<Rc<Module>, ContractError> {
        if let Some(module) = self.read.borrow().get(&file) {
            return Ok(Rc::clone(module));
        }
        let module = self.sources.reading(file, || self.read_module(file))?;
        self.read.borrow_mut().insert(file, Rc::clone(&module));
        Ok(module)
    }

    fn read_module(&self, file: FileId) -> Result<Module, ContractError> {
        let mut facts = self.sources.facts(file)?;
        // A barrel declares nothing, unless it is made of assignments.
        let requires = facts.imports.iter().any(|import| import.kind == ImportKind::Require);
        let parsed = if facts.marks.only_reexports && !requires {
            None
        } else {
            self.sources.parse(file)?
        };
        let language = self.sources.view.tree.get(file).language;
        let declared = parsed.map(|parsed| {
            let root = parsed.root();
            if root.has_error() {
                piecewise(&parsed.text, &facts, language)
            } else {
                declarations(root)
            }
        });
        // Most of the facts, and nobody asks for them here.
        facts.symbols.clear();
        facts.references.clear();
        Ok(Module { facts, declared: declared.unwrap_or_default() })
    }

    /// All names that a file gives. `chain` holds the files on the way here.
    fn exports(&self, file: FileId, chain: &mut Vec<FileId>) -> Result<Exports, ContractError> {
        if let Some(known) = self.known.borrow().get(&file) {
            return Ok(known.clone());
        }
        if chain.contains(&file) || chain.len() >= MAX_CHAIN {
            self.was_cut.set(true);
            return Ok(Exports::new());
        }
        chain.push(file);
        let out = self.exports_of(file, chain);
        chain.pop();
        if chain.is_empty() {
            self.was_cut.set(false);
        }
        let out = out?;
        if !self.was_cut.get() {
            self.known.borrow_mut().insert(file, out.clone());
        }
        Ok(out)
    }

    fn exports_of(&self, file: FileId, chain: &mut Vec<FileId>) -> Result<Exports, ContractError> {
        let mut out = Exports::new();
        let module = self.module(file)?;
        for export in &module.facts.exports {
            out.extend(self.export(file, &module, &export.name, &export.local, chain)?);
        }
        for (target, name, local) in self.given_on(file, &module) {
            if name == "*" && local.is_empty() {
                let mut all = self.exports(target, chain)?;
                all.remove("default");
                for (name, found) in all {
                    out.entry(name).or_insert(found);
                }
            }
        }
        Ok(out)
    }

    /// The re-exports of a file that lead into the repository: target, name there, name here.
    fn given_on<'m>(&self, file: FileId, module: &'m Module) -> Vec<(FileId, &'m str, &'m str)> {
        let imports = module.facts.imports.iter().zip(self.sources.resolutions(file));
        let mut out = Vec::new();
        for (import, resolution) in imports.filter(|(it, _)| it.kind == ImportKind::ReExport) {
            if let Some(target) = first(resolution) {
                out.extend(import.names.iter().map(|name| (target, &*name.name, &*name.local)));
            }
        }
        out
    }

    fn export(
        &self,
        file: FileId,
        module: &Module,
        name: &str,
        local: &str,
        chain: &mut Vec<FileId>,
    ) -> Result<Exports, ContractError> {
        let given = self.given_on(file, module);
        if let Some(&(target, there, _)) = given.iter().find(|(_, _, here)| *here == name) {
            return self.follow(target, there, name, chain);
        }
        if !module.facts.imports.iter().any(|import| names(import, ImportKind::ReExport, name)) {
            let own = module.declared.get(local).or_else(|| module.declared.get(name));
            if let Some(own) = own.filter(|own| own.iter().any(tells_something)) {
                let mut own = own.clone();
                for one in own.iter_mut().filter(|one| one.kind == Kind::Class) {
                    self.inherit(file, module, one, 0)?;
                }
                let found = ExportTarget { file, declared: Rc::new(own) };
                return Ok(Exports::from([(name.to_owned(), found)]));
            }
            let imported = self.imported_as(file, module, local);
            if let Some((target, there)) = imported.or_else(|| self.required(file, module, own)) {
                return self.follow(target, there, name, chain);
            }
        }
        let own = module.declared.get(local).or_else(|| module.declared.get(name));
        let line = own.and_then(|own| own.first()).map_or(1, |own| own.line);
        let found =
            ExportTarget { file, declared: Rc::new(vec![Declared::new(name, Kind::Value, line)]) };
        Ok(Exports::from([(name.to_owned(), found)]))
    }

    fn imported_as<'m>(
        &self,
        file: FileId,
        module: &'m Module,
        local: &str,
    ) -> Option<(FileId, &'m str)> {
        let mut imports = module.facts.imports.iter().zip(self.sources.resolutions(file));
        imports.find_map(|(import, resolution)| {
            let name = import.names.iter().find(|name| *name.local == *local)?;
            Some((first(resolution)?, &*name.name))
        })
    }

    /// Adds the members that a class has from its bases in the repository: whether it has them itself is nobody's concern.
    fn inherit(
        &self,
        file: FileId,
        module: &Module,
        class: &mut Declared,
        depth: usize,
    ) -> Result<(), ContractError> {
        let base =
            class.signature.bases.first().map(|base| base.split('<').next().unwrap_or_default());
        let Some(base) = base.filter(|_| depth < MAX_BASES).map(str::to_owned) else {
            return Ok(());
        };
        let own = |module: &Module, name: &str| {
            let all = module.declared.get(name).map_or(&[][..], Vec::as_slice);
            all.iter().find(|one| one.kind == Kind::Class).cloned()
        };
        let mut found = own(module, &base);
        if found.is_some() {
            if let Some(found) = &mut found {
                self.inherit(file, module, found, depth + 1)?;
            }
        } else if let Some((target, there)) = self.imported_as(file, module, &base) {
            let other = self.module(target)?;
            let exports = &other.facts.exports;
            let local = exports
                .iter()
                .find(|export| *export.name == *there)
                .map_or(there, |export| &*export.local);
            found = own(&other, local);
            if let Some(found) = &mut found {
                self.inherit(target, &other, found, depth + 1)?;
            }
        }
        for member in found.into_iter().flat_map(|found| found.members) {
            let is_own = class.members.iter().any(|other| other.name == member.name);
            if !is_own {
                class.members.push(member);
            }
        }
        Ok(())
    }

    /// `module.exports = require('./a')`: the module that is loaded where the export is made.
    fn required(
        &self,
        file: FileId,
        module: &Module,
        own: Option<&Vec<Declared>>,
    ) -> Option<(FileId, &'static str)> {
        let line = own?.first()?.line;
        let mut imports = module.facts.imports.iter().zip(self.sources.resolutions(file));
        let (_, resolution) = imports.find(|(import, _)| {
            import.kind == ImportKind::Require && import.line == line && import.names.is_empty()
        })?;
        Some((first(resolution)?, "*"))
    }

    /// The name `there` of another file, given on as `name`. A whole module gives all that it has.
    fn follow(
        &self,
        target: FileId,
        there: &str,
        name: &str,
        chain: &mut Vec<FileId>,
    ) -> Result<Exports, ContractError> {
        let all = self.exports(target, chain)?;
        if there != "*" {
            let found = all.into_iter().find(|(export, _)| export == there);
            let missing = || {
                let declared = Rc::new(vec![Declared::new(name, Kind::Value, 1)]);
                (String::new(), ExportTarget { file: target, declared })
            };
            let (_, found) = found.unwrap_or_else(missing);
            return Ok(Exports::from([(name.to_owned(), found)]));
        }
        let mut out = Exports::new();
        if !all.contains_key("default") {
            let declared = Rc::new(vec![Declared::new(name, Kind::Module, 1)]);
            out.insert(name.to_owned(), ExportTarget { file: target, declared });
        }
        for (export, found) in all {
            let is_default = export == "default";
            // What `require` gives is the default export itself, with the names upon it.
            let full = if is_default {
                name.to_owned()
            } else if name == "default" {
                export
            } else {
                format!("{name}.{export}")
            };
            out.insert(full, found);
        }
        Ok(out)
    }
}

/// More than that there is a value.
fn tells_something(declared: &Declared) -> bool {
    declared.kind != Kind::Value || !declared.members.is_empty()
}

/// Reads each symbol by itself, so that one that the grammar cannot read takes no other with it.
fn piecewise(text: &str, facts: &Facts, language: Option<Language>) -> Declarations {
    let mut out = Declarations::new();
    for symbol in facts.symbols.iter().filter(|symbol| symbol.parent.is_none()) {
        let Some(slice) = text.get(symbol.span.start as usize..symbol.span.end as usize) else {
            continue;
        };
        // The span of a variable begins with its name.
        let start = if slice.starts_with(&*symbol.name) { "const " } else { "" };
        let parsed = language.and_then(|it| syntax::parse(it, format!("{start}{slice}")));
        let is_type = matches!(symbol.kind, SymbolKind::Interface | SymbolKind::Type);
        let mut found = parsed
            .filter(|parsed| !(is_type && parsed.root().has_error()))
            .map(|parsed| declarations(parsed.root()))
            .unwrap_or_default();
        let declared = found.remove(&*symbol.name).or_else(|| found.remove("default"));
        let opaque = || {
            let kind = if is_type { Kind::Type } else { Kind::Value };
            let ty = is_type.then(|| syntax::flat(slice));
            vec![Declared::new(&*symbol.name, kind, 1).typed(ty)]
        };
        let mut declared = declared.unwrap_or_else(opaque);
        let all = declared.iter_mut().flat_map(|one| {
            std::iter::once(&mut one.line)
                .chain(one.members.iter_mut().map(|member| &mut member.line))
        });
        all.for_each(|line| *line += symbol.span.first_line - 1);
        out.entry(symbol.name.to_string()).or_default().extend(declared);
    }
    out
}

fn names(import: &Import, kind: ImportKind, local: &str) -> bool {
    import.kind == kind && import.names.iter().any(|name| *name.local == *local)
}

fn first(resolution: &Resolution) -> Option<FileId> {
    match resolution {
        Resolution::Inside(files) => files.first().copied(),
        Resolution::External(_) | Resolution::Builtin | Resolution::Unresolved => None,
    }
}
