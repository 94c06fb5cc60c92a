//! What cannot be moved: code whose meaning depends on its file, and code that does something when it is loaded.

use rb_ecma::links::{ByteRange, UseKind};
use rb_operations::{Place, Refusal};

use super::{Relocation, refusal};
use crate::project::{DeclarationKind, is_declaration_file};

impl Relocation<'_> {
    pub(super) fn check_movable(&self) -> Result<(), Refusal> {
        self.check_modules()?;
        self.check_declarations()?;
        self.check_meaning()?;
        self.check_writes()?;
        self.check_directives()
    }

    /// Both are ES modules, or have no exports at all.
    fn check_modules(&self) -> Result<(), Refusal> {
        for (path, facts) in [(&self.from, &self.source), (&self.to, &self.target)] {
            let common = facts.links.exports.iter().find(|it| {
                use rb_ecma::links::Exporting;
                match it.how {
                    Exporting::Assigned | Exporting::Member | Exporting::Whole => true,
                    Exporting::Declared | Exporting::Listed | Exporting::Default => false,
                }
            });
            if let Some(export) = common {
                let place = self.project.place(path, export.place.start, export.name.clone());
                return Err(refusal(
                    format!("{path} is a CommonJS module"),
                    vec![place],
                    "change its exports to `export` first",
                ));
            }
            let has_require = facts.links.imports.iter().any(|it| it.is_call);
            if !facts.links.is_esm && has_require {
                let reason = format!("{path} is a CommonJS module");
                return Err(Refusal::new(reason, "change it to an ES module first"));
            }
        }
        Ok(())
    }

    fn check_declarations(&self) -> Result<(), Refusal> {
        for name in &self.names {
            let Some(declaration) = self.declaration(name) else { continue };
            for piece in &declaration.pieces {
                let place = || vec![self.place(piece.statement, name.clone())];
                let other = piece.names.iter().find(|it| !self.names.contains(*it));
                if let Some(other) = other {
                    let reason = format!("`{name}` is declared together with `{other}`");
                    let suggestion = "move both, or split the declaration first";
                    return Err(refusal(reason, place(), suggestion));
                }
                if self.is_used_by_rest(name) {
                    self.check_importable(name)?;
                }
                if !piece.is_pure {
                    let reason = match declaration.kind {
                        DeclarationKind::Class => {
                            format!("the class `{name}` runs code when it is loaded")
                        }
                        DeclarationKind::Namespace => format!("`{name}` is a namespace"),
                        DeclarationKind::Function
                        | DeclarationKind::Constant
                        | DeclarationKind::Variable
                        | DeclarationKind::Type
                        | DeclarationKind::Enum => {
                            format!("the initializer of `{name}` may have effects")
                        }
                    };
                    let suggestion = "moving it would change when it runs; move it by hand";
                    return Err(refusal(reason, place(), suggestion));
                }
            }
        }
        Ok(())
    }

    /// `declare const NAME` promises that a global is there: no module has it.
    pub(super) fn check_importable(&self, name: &str) -> Result<(), Refusal> {
        let pieces = self.declaration(name).into_iter().flat_map(|it| &it.pieces);
        let mut ambient = pieces.filter(|it| it.is_ambient && it.keyword.is_none());
        match ambient.next() {
            Some(piece) if !is_declaration_file(&self.from) => Err(refusal(
                format!("`{name}` is only declared: it is a global, and no file can import it"),
                vec![self.place(piece.statement, name)],
                "move all code that uses it together",
            )),
            Some(_) | None => Ok(()),
        }
    }

    fn check_meaning(&self) -> Result<(), Refusal> {
        let hazards = self.source.hazards.iter().filter(|it| self.is_moved(it.range));
        let places: Vec<Place> = hazards.map(|it| self.place(it.range, it.what.clone())).collect();
        if places.is_empty() {
            return Ok(());
        }
        let reason = format!("the code depends on the file that it is in: {}", places[0].what);
        Err(refusal(reason, places, "change that first"))
    }

    /// A name that is imported cannot be assigned to.
    fn check_writes(&self) -> Result<(), Refusal> {
        let is_across = |used: &&crate::project::NameUse| {
            used.kind == UseKind::Write
                && used.binding.is_some()
                && self.names.contains(&used.name) != self.is_moved(used.range)
        };
        let places: Vec<Place> = self
            .source
            .uses
            .iter()
            .filter(is_across)
            .map(|it| self.place(it.range, it.name.clone()))
            .collect();
        match places.first() {
            None => Ok(()),
            Some(first) => {
                let reason = format!("`{}` is assigned to from the other file", first.what);
                Err(refusal(reason, places, "move both sides, or add a function that assigns it"))
            }
        }
    }

    /// `use client` and `use server` decide where code runs.
    fn check_directives(&self) -> Result<(), Refusal> {
        let deciding = |directives: &[String]| -> Vec<String> {
            let kept = directives.iter().filter(|it| it.as_str() != "use strict");
            kept.cloned().collect()
        };
        let (before, after) =
            (deciding(&self.source.directives), deciding(&self.target.directives));
        let has_values = self.names.iter().any(|name| !self.is_type(name));
        if before == after || !has_values {
            return Ok(());
        }
        let reason = format!(
            "{} and {} do not have the same directives (`{}`)",
            self.from,
            self.to,
            before.iter().chain(&after).next().map_or("", String::as_str)
        );
        Err(Refusal::new(reason, "move it to a file with the same directives"))
    }

    /// Where the moved code goes: below everything, or above what uses it when the file is loaded.
    pub(super) fn goes_on_top(&self) -> Result<bool, Refusal> {
        let at_load = self.target.names_at_load(&[]);
        let bound = self.local_names();
        let is_used = self.names.iter().any(|name| {
            bound.iter().any(|(moved, local)| moved == name && at_load.contains(local))
        });
        if !is_used {
            return Ok(false);
        }
        let ranges: Vec<ByteRange> = self.pieces.iter().map(|it| it.statement).collect();
        let needed = self.source.names_at_load_in(&ranges);
        let is_own = |name: &&String| {
            self.target.declaration(name).is_some_and(|it| {
                !matches!(it.kind, DeclarationKind::Function | DeclarationKind::Type)
            })
        };
        match needed.iter().find(is_own) {
            None => Ok(true),
            Some(name) => {
                let start =
                    self.target.declaration(name).map_or(0, crate::project::Declaration::start);
                let place = self.project.place(&self.to, start, name.clone());
                let reason =
                    format!("{} and the moved code need each other when they are loaded", self.to);
                Err(refusal(reason, vec![place], "move more along, or choose another file"))
            }
        }
    }

    /// Moved names and what the target calls them now.
    pub(super) fn local_names(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for statement in &self.target.statements {
            if statement.is_reexport || !self.leads_to_source(&statement.target) {
                continue;
            }
            for name in &statement.names {
                if let Some(moved) = self.moved_name(&name.imported) {
                    found.push((moved, name.local.clone()));
                }
            }
        }
        found
    }

    /// The declaration behind a name that the source exports, if it is moved.
    pub(super) fn moved_name(&self, exported: &str) -> Option<String> {
        self.exports.get(exported)?;
        let local = self.source.links.export(exported)?.local.clone()?;
        self.names.contains(&local).then_some(local)
    }

    pub(super) fn leads_to_source(&self, target: &rb_ecma::links::Target) -> bool {
        matches!(target, rb_ecma::links::Target::File(path) if *path == self.from)
    }
}
