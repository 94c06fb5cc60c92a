//! Where a name is declared that a file exports, through re-exports and `export *`.

use std::collections::BTreeSet;

use rb_ecma::links::{ImportKind, Target};

use super::{Project, is_script};

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Origin {
    /// A name of a file: of its top level, or one that it exports in a way that is not followed.
    File { path: String, name: String },
    /// It comes from a package, or from a file that is not read.
    Outside,
    /// The file does not export it.
    Missing,
}

impl Project<'_> {
    /// Where the name is declared that others import from `path`.
    pub(crate) fn origin(&self, path: &str, name: &str) -> Origin {
        self.follow(path, name, &mut BTreeSet::new())
    }

    fn follow(&self, path: &str, name: &str, seen: &mut BTreeSet<(String, String)>) -> Origin {
        let own = |name: &str| Origin::File { path: path.to_owned(), name: name.to_owned() };
        if !seen.insert((path.to_owned(), name.to_owned())) {
            return Origin::Missing;
        }
        if !is_script(path) {
            return Origin::Outside;
        }
        let Some(facts) = self.module(path) else { return Origin::Outside };
        let links = &facts.links;
        if name == "*" {
            return own("*");
        }
        if let Some(export) = links.export(name) {
            let Some(local) = &export.local else { return own(name) };
            let imported = links
                .imports
                .iter()
                .find(|it| it.local.as_ref().is_some_and(|(bound, _)| bound == local));
            return match imported.map(|it| (&it.target, &it.taken)) {
                Some((Target::File(target), ImportKind::Name(inner))) => {
                    self.follow(target, inner, seen)
                }
                Some((Target::Package(_) | Target::Builtin | Target::Unknown, _)) => {
                    Origin::Outside
                }
                Some(_) | None => own(local),
            };
        }
        for import in &links.imports {
            match (&import.taken, &import.target) {
                (ImportKind::GivenOn { name: inner, given }, Target::File(target))
                    if given == name =>
                {
                    return self.follow(target, inner, seen);
                }
                (ImportKind::GivenOn { given, .. }, _) if given == name => return Origin::Outside,
                (ImportKind::WholeGivenOn { given }, _) if given == name => return own(name),
                _ => {}
            }
        }
        if !links.is_esm && !facts.text.trim().is_empty() {
            return own(name);
        }
        self.starred(path, name, seen)
    }

    /// By `export *`, which does not give the default on.
    fn starred(&self, path: &str, name: &str, seen: &mut BTreeSet<(String, String)>) -> Origin {
        let Some(facts) = self.module(path).filter(|_| name != "default") else {
            return Origin::Missing;
        };
        let mut found = BTreeSet::new();
        let mut is_outside = false;
        for import in facts.links.imports.iter().filter(|it| it.taken == ImportKind::AllGivenOn) {
            match &import.target {
                Target::File(target) => match self.follow(target, name, seen) {
                    Origin::Missing => {}
                    Origin::Outside => is_outside = true,
                    origin @ Origin::File { .. } => drop(found.insert(origin)),
                },
                Target::Package(_) | Target::Builtin | Target::Unknown => is_outside = true,
            }
        }
        // Two of one name hide each other.
        match (found.len(), is_outside) {
            (1, _) => found.pop_first().unwrap_or(Origin::Missing),
            (0, true) => Origin::Outside,
            _ => Origin::Missing,
        }
    }

    /// Where the name is declared that a file binds by an import.
    pub(crate) fn imported_origin(&self, target: &Target, imported: &str) -> Origin {
        match target {
            Target::File(path) => self.origin(path, imported),
            Target::Package(_) | Target::Builtin | Target::Unknown => Origin::Outside,
        }
    }
}
