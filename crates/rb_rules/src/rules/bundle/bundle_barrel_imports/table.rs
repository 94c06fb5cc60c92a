//! What a module exports and where it has it from, for files of the project and of installed packages alike.
//!
//! Only ES modules are read; a file in the manner of `CommonJS` has an empty table, and nothing is found through it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use oxc_ast::ast::{Declaration, Statement};
use rb_ecma::{Imported, Module};

/// The name under which the whole of a module goes.
pub(super) const WHOLE: &str = "*";
/// Names are followed through so many files.
const STEPS: usize = 8;
/// No index of a package gives on more modules; a larger one is looked at in part.
const MAX_STARS: usize = 4_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry {
    Here,
    /// `name` of another module; `WHOLE` for its namespace.
    From {
        specifier: String,
        name: String,
    },
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Table {
    pub names: BTreeMap<String, Entry>,
    /// `export * from …`
    pub stars: Vec<String>,
    /// There is more in it than imports and exports of what is elsewhere.
    pub has_code: bool,
}

/// Files that lead to each other.
pub(super) trait Files {
    fn table(&self, file: &str) -> Option<Arc<Table>>;
    /// `None` for what is not among the files.
    fn resolve(&self, from: &str, specifier: &str) -> Option<String>;
}

impl Table {
    pub(super) fn of(module: &Module<'_>) -> Table {
        let mut table = Table::default();
        for statement in &module.program().body {
            table.read(module, statement);
        }
        table
    }

    /// The modules that it gives on.
    pub(super) fn sources(&self) -> BTreeSet<&str> {
        let named = self.names.values().filter_map(|entry| match entry {
            Entry::Here => None,
            Entry::From { specifier, .. } => Some(specifier.as_str()),
        });
        named.chain(self.stars.iter().map(String::as_str)).collect()
    }

    fn read(&mut self, module: &Module<'_>, statement: &Statement<'_>) {
        match statement {
            Statement::ImportDeclaration(it) => self.has_code |= it.specifiers.is_none(),
            Statement::ExportAllDeclaration(it) if it.export_kind.is_type() => {}
            Statement::ExportAllDeclaration(it) => {
                let specifier = it.source.value.to_string();
                match &it.exported {
                    Some(name) => self.add(name.name().as_str(), from(specifier, WHOLE)),
                    None => self.stars.push(specifier),
                }
            }
            Statement::ExportFromDeclaration(it) => {
                for specifier in it.specifiers.iter().filter(|it| !it.export_kind.is_type()) {
                    let entry = from(it.source.value.to_string(), specifier.local.name().as_str());
                    self.add(specifier.exported.name().as_str(), entry);
                }
            }
            Statement::ExportNamedDeclaration(it) => {
                for specifier in it.specifiers.iter().filter(|it| !it.export_kind.is_type()) {
                    let entry = local(module, specifier.local.name().as_str());
                    self.add(specifier.exported.name().as_str(), entry);
                }
            }
            Statement::ExportDefaultDeclaration(it) => {
                let name =
                    it.declaration.as_expression().and_then(|it| it.get_identifier_reference());
                let entry = name.map_or(Entry::Here, |it| local(module, it.name.as_str()));
                self.has_code |= entry == Entry::Here;
                self.add("default", entry);
            }
            Statement::TSExportAssignment(_) => {
                self.has_code = true;
                self.add("default", Entry::Here);
            }
            Statement::ExportDeclaration(it) => self.declare(&it.declaration),
            Statement::TSTypeAliasDeclaration(_)
            | Statement::TSInterfaceDeclaration(_)
            | Statement::EmptyStatement(_) => {}
            _ => self.has_code = true,
        }
    }

    fn declare(&mut self, declaration: &Declaration<'_>) {
        match declaration {
            Declaration::TSTypeAliasDeclaration(_) | Declaration::TSInterfaceDeclaration(_) => {
                return;
            }
            Declaration::VariableDeclaration(it) => {
                let ids = it.declarations.iter().flat_map(|it| it.id.get_binding_identifiers());
                for id in ids {
                    self.add(id.name.as_str(), Entry::Here);
                }
            }
            other => {
                if let Some(id) = other.id() {
                    self.add(id.name.as_str(), Entry::Here);
                }
            }
        }
        self.has_code = true;
    }

    fn add(&mut self, name: &str, entry: Entry) {
        self.names.insert(name.to_owned(), entry);
    }
}

fn from(specifier: String, name: &str) -> Entry {
    Entry::From { specifier, name: name.to_owned() }
}

fn local(module: &Module<'_>, name: &str) -> Entry {
    let import = module.imports().values().find(|it| it.local == name);
    import.map_or(Entry::Here, |import| {
        let name = match import.imported {
            Imported::Default => "default",
            Imported::Named(name) => name,
            Imported::Namespace => WHOLE,
        };
        from(import.source.to_owned(), name)
    })
}

/// The files that a name comes through, with its name in each; the last one is where it is made, or where it comes from
/// outside of the files.
pub(super) fn follow(files: &dyn Files, file: &str, name: &str) -> Option<Vec<(String, String)>> {
    let mut chain = vec![(file.to_owned(), name.to_owned())];
    for _ in 0..STEPS {
        let (file, name) = chain.last()?;
        if name == WHOLE {
            return Some(chain);
        }
        let table = files.table(file)?;
        let next = match table.names.get(name) {
            Some(Entry::Here) => return Some(chain),
            Some(Entry::From { specifier, name }) => {
                match files.resolve(file, specifier) {
                    Some(next) => (next, name.clone()),
                    // It is there, but not ours to look into.
                    None if !specifier.starts_with('.') => return Some(chain),
                    None => return None,
                }
            }
            None => (star(files, file, &table, name)?, name.clone()),
        };
        chain.push(next);
    }
    None
}

/// The module among `export * from …` that has the name. One of that very name is looked at first.
fn star(files: &dyn Files, file: &str, table: &Table, name: &str) -> Option<String> {
    if name == "default" {
        return None;
    }
    let mut stars: Vec<&String> = table.stars.iter().take(MAX_STARS).collect();
    stars.sort_by_key(|it| stem(it) != name);
    stars.into_iter().find_map(|specifier| {
        let next = files.resolve(file, specifier)?;
        gives(files, &next, name, STEPS).then_some(next)
    })
}

pub(super) fn gives(files: &dyn Files, file: &str, name: &str, steps: usize) -> bool {
    let Some(table) = (steps > 0).then(|| files.table(file)).flatten() else { return false };
    table.names.contains_key(name)
        || table.stars.iter().take(MAX_STARS).any(|specifier| {
            let next = files.resolve(file, specifier).filter(|_| name != "default");
            next.is_some_and(|next| gives(files, &next, name, steps - 1))
        })
}

/// How many modules are loaded by an index, through indexes in it that have no code of their own.
pub(super) fn modules_behind(files: &dyn Files, file: &str) -> usize {
    modules(files, file, 3)
}

fn modules(files: &dyn Files, file: &str, steps: usize) -> usize {
    let Some(table) = files.table(file) else { return 0 };
    let sources = table.sources();
    // An index of indexes is seldom a long one.
    if steps == 0 || sources.len() > 200 {
        return sources.len();
    }
    let inner = |specifier: &str| {
        let next = files.resolve(file, specifier)?;
        let is_index = files.table(&next).is_some_and(|it| !it.has_code);
        is_index.then(|| modules(files, &next, steps - 1))
    };
    sources.into_iter().map(|specifier| inner(specifier).unwrap_or(0).max(1)).sum()
}

fn stem(specifier: &str) -> &str {
    let name = specifier.rsplit('/').next().unwrap_or(specifier);
    name.split('.').next().unwrap_or(name)
}
