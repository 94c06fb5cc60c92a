//! Where a name of an index is declared, through every file that gives it on.

use std::collections::BTreeSet;

use oxc_ast::ast::Statement;
use rb_ecma::Module;
use rb_rules::{Target, World};

use crate::cleaning::loads::is_script;
use crate::cleaning::package_of;
use crate::links::{Export, Import, ImportKind, links};

/// The most files searched for one name.
const MOST: usize = 512;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    /// `default` for the default export.
    Name { path: String, name: String },
    /// All of a file, as one object.
    Whole { path: String },
}

impl Origin {
    pub(super) fn path(&self) -> &str {
        match self {
            Origin::Name { path, .. } | Origin::Whole { path } => path,
        }
    }
}

/// Why the origin of a name is of no use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Lost {
    /// It comes from outside of the package: the index is no way round.
    Outside(String),
    Unknown(String),
}

impl Lost {
    pub(super) fn words(self) -> String {
        match self {
            Lost::Outside(words) | Lost::Unknown(words) => words,
        }
    }
}

/// Does a file do nothing but give on what others declare? `Some(true)` where it has a directive.
pub(super) fn is_barrel(world: &dyn World, path: &str) -> Option<bool> {
    if !is_script(path) || path.ends_with(".d.ts") {
        return None;
    }
    world.ask("is it a barrel", path, "", |module| {
        let gives = |it: &Statement<'_>| {
            matches!(it, Statement::ExportFromDeclaration(_) | Statement::ExportAllDeclaration(_))
                || matches!(it, Statement::ExportNamedDeclaration(it) if !it.specifiers.is_empty())
        };
        let body = &module.program().body;
        let is_one = body.iter().any(gives) && body.iter().all(|it| is_given_on(module, it));
        is_one.then(|| !module.program().directives.is_empty())
    })?
}

fn is_given_on(module: &Module<'_>, statement: &Statement<'_>) -> bool {
    match statement {
        Statement::ImportDeclaration(it) => it.specifiers.as_ref().is_some_and(|it| !it.is_empty()),
        Statement::ExportFromDeclaration(_)
        | Statement::ExportAllDeclaration(_)
        | Statement::EmptyStatement(_) => true,
        Statement::ExportNamedDeclaration(it) => it
            .specifiers
            .iter()
            .all(|it| module.imports().values().any(|import| it.local.name() == import.local)),
        _ => false,
    }
}

/// Is it another name for one file, as `each.js` with `export { forEach as each } from './forEach.js'`? Nothing less is
/// loaded without it, and it is named for what it gives; an index of one file is not.
pub(super) fn is_alias(world: &dyn World, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let targets = links(world, path).map_or_else(BTreeSet::new, |it| {
        it.imports.iter().map(|it| it.specifier.clone()).collect()
    });
    !name.starts_with("index.") && targets.len() < 2
}

/// How many files an index gives on, through others of its kind, too.
pub(super) fn behind(world: &dyn World, barrel: &str) -> usize {
    let mut seen: BTreeSet<String> = BTreeSet::from([barrel.to_owned()]);
    let mut open = vec![barrel.to_owned()];
    let mut count = 0;
    while let Some(path) = open.pop() {
        let Some(links) = links(world, &path).filter(|_| seen.len() <= MOST) else { continue };
        for import in &links.imports {
            let Target::File(next) = &import.target else { continue };
            if !seen.insert(next.clone()) {
                continue;
            }
            if is_barrel(world, next).is_some() {
                open.push(next.clone());
            } else {
                count += 1;
            }
        }
    }
    count
}

/// `Err` says why it cannot be told.
pub(super) fn origin(world: &dyn World, barrel: &str, name: &str) -> Result<Origin, Lost> {
    let mut walk = Walk {
        world,
        package: package_of(world, barrel),
        seen: BTreeSet::new(),
        found: BTreeSet::new(),
        has_packages: false,
    };
    walk.follow(barrel, name)?;
    let mut found = std::mem::take(&mut walk.found).into_iter();
    match (found.next(), found.next()) {
        (Some(origin), None) if origin.path() != barrel => Ok(origin),
        (Some(_), None) => Err(Lost::Unknown(format!("`{name}` is declared in `{barrel}` itself"))),
        (Some(_), Some(_)) => {
            Err(Lost::Unknown(format!("`{barrel}` re-exports `{name}` from more than one file")))
        }
        (None, _) if walk.has_packages => {
            Err(Lost::Outside(format!("`{barrel}` re-exports `{name}` from a package")))
        }
        (None, _) => Err(Lost::Unknown(format!("the origin of `{name}` in `{barrel}` is unknown"))),
    }
}

struct Walk<'w> {
    world: &'w dyn World,
    package: Option<String>,
    seen: BTreeSet<(String, String)>,
    found: BTreeSet<Origin>,
    /// All that some package exports is given on.
    has_packages: bool,
}

impl Walk<'_> {
    fn follow(&mut self, path: &str, name: &str) -> Result<(), Lost> {
        if !self.seen.insert((path.to_owned(), name.to_owned())) || self.seen.len() > MOST {
            return Ok(());
        }
        if package_of(self.world, path) != self.package {
            return Err(Lost::Outside(format!(
                "`{name}` comes from another package, through `{path}`"
            )));
        }
        let Some(links) = links(self.world, path).filter(|_| is_script(path)) else {
            return Err(Lost::Unknown(format!(
                "`{path}`, which provides `{name}`, cannot be read"
            )));
        };
        if !links.is_esm {
            return Err(Lost::Unknown(format!(
                "`{path}`, which provides `{name}`, is not an ES module"
            )));
        }
        for import in &links.imports {
            match &import.taken {
                ImportKind::GivenOn { name: inner, given } if given == name => {
                    return self.step(import, inner);
                }
                ImportKind::WholeGivenOn { given } if given == name => {
                    return self.whole(import, name);
                }
                _ => {}
            }
        }
        if let Some(export) = links.export(name) {
            return self.declared(path, export, &links.imports);
        }
        if name == "default" {
            return Ok(());
        }
        for import in links.imports.iter().filter(|it| it.taken == ImportKind::AllGivenOn) {
            match &import.target {
                Target::File(next) if is_script(next) => self.follow(next, name)?,
                // Whether a package has it is not asked: another file that has it is as good an answer.
                _ => self.has_packages = true,
            }
        }
        Ok(())
    }

    fn step(&mut self, import: &Import, inner: &str) -> Result<(), Lost> {
        match &import.target {
            Target::File(next) => self.follow(next, inner),
            _ => {
                let why = format!(
                    "`{inner}` comes from `{}`, which is not a file of the project",
                    import.specifier
                );
                Err(Lost::Outside(why))
            }
        }
    }

    fn whole(&mut self, import: &Import, name: &str) -> Result<(), Lost> {
        match &import.target {
            Target::File(next) if package_of(self.world, next) == self.package => {
                self.found.insert(Origin::Whole { path: next.clone() });
                Ok(())
            }
            _ => {
                let why = format!(
                    "`{name}` is the namespace of `{}`, which is not a file of the package",
                    import.specifier
                );
                Err(Lost::Outside(why))
            }
        }
    }

    /// It is declared here, or imported and listed.
    fn declared(&mut self, path: &str, export: &Export, imports: &[Import]) -> Result<(), Lost> {
        let local = export.local.as_deref();
        let imported = imports
            .iter()
            .find(|it| it.local.as_ref().map(|(name, _)| name.as_str()) == local && !it.is_call);
        match imported.filter(|_| local.is_some() && export.how == crate::links::Exporting::Listed)
        {
            Some(import) => match &import.taken {
                ImportKind::Name(inner) => self.step(import, inner),
                ImportKind::Whole => self.whole(import, &export.name),
                _ => Err(Lost::Unknown(format!(
                    "it is unknown how `{path}` provides `{}`",
                    export.name
                ))),
            },
            None => {
                let (path, name) = (path.to_owned(), export.name.clone());
                self.found.insert(Origin::Name { path, name });
                Ok(())
            }
        }
    }
}
