//! A whole file that goes into another: everything moves, and every specifier that led to it leads to the other.

use rb_ecma::links::{ByteRange, Target, line_of};
use rb_operations::{Place, Refusal};

use super::needs::Needs;
use super::{Relocation, rebased, refusal};
use crate::edits::number;
use crate::import_edits::{Added, ImportEdits, TypeKind};
use crate::project::{ImportStatement, ModuleFacts, Piece, Shape, SpecifierKind, is_typescript};

impl Relocation<'_> {
    /// Makes all edits of a merge; the source itself is removed by the caller.
    pub(crate) fn merge(&mut self) -> Result<(), Refusal> {
        self.check_effects()?;
        self.take_rest()?;
        self.take_reexports()?;
        self.check_exports()?;
        self.check_movable()?;
        let needs = Needs::of(self)?;
        self.change_target(&needs)?;
        self.retarget_users()
    }

    fn check_effects(&self) -> Result<(), Refusal> {
        let places: Vec<Place> = self
            .source
            .effects
            .iter()
            .map(|it| self.place(*it, "runs when the file is loaded"))
            .collect();
        if places.is_empty() {
            return Ok(());
        }
        let reason = format!("{} does something when it is loaded", self.from);
        Err(refusal(reason, places, "move that code into a function first"))
    }

    /// `export default …` and declarations of modules; `export { … }` of imported names.
    fn take_rest(&mut self) -> Result<(), Refusal> {
        let source = std::sync::Arc::clone(&self.source);
        for range in &source.rest {
            let list = source.statements.iter().find(|it| it.range == *range);
            match list {
                Some(list) => self.take_list(list),
                None => self.pieces.push(whole_piece(*range)),
            }
        }
        self.pieces.sort_by_key(|it| it.statement);
        if source.links.export("default").is_some() {
            if let Some(theirs) = self.target.links.export("default") {
                let place = self.project.place(&self.to, theirs.place.start, "export default");
                let reason = format!("{} and {} both have a default export", self.from, self.to);
                return Err(refusal(reason, vec![place], "name one of them first"));
            }
            self.exports.insert("default".to_owned(), "default".to_owned());
        }
        Ok(())
    }

    fn take_list(&mut self, list: &ImportStatement) {
        let source = std::sync::Arc::clone(&self.source);
        let kept = list
            .names
            .iter()
            .filter(|it| !self.names.contains(&it.imported) || it.local == "default");
        let names: Vec<&str> = kept.map(|it| source.slice(it.range)).collect();
        if names.is_empty() {
            return;
        }
        let word = if list.is_type { "export type" } else { "export" };
        let style = &source.style;
        let text = format!("{word} {}{}", style.braced(&names.join(", ")), style.semicolon());
        self.extra_code.push(text);
        for name in &list.names {
            self.exports.entry(name.local.clone()).or_insert_with(|| name.local.clone());
        }
    }

    /// `export … from` and `import "…"`.
    fn take_reexports(&mut self) -> Result<(), Refusal> {
        let source = std::sync::Arc::clone(&self.source);
        for statement in source.statements.iter().filter(|it| !it.is_list) {
            let is_effect = !statement.is_reexport && statement.names.is_empty();
            if !statement.is_reexport && !is_effect {
                continue;
            }
            let (specifier, file) = self.named_from_target(statement);
            if file.as_ref() == Some(&self.to) {
                let is_star = statement.names.iter().any(|it| it.shape == Shape::Namespace);
                if !is_effect
                    && (is_star || statement.names.iter().any(|it| it.imported != it.local))
                {
                    let place = self.place(statement.range, statement.source.clone());
                    let reason = format!("{} re-exports {}", self.from, self.to);
                    return Err(refusal(reason, vec![place], "remove the re-export first"));
                }
                continue;
            }
            let base = Added {
                specifier,
                file,
                imported: String::new(),
                local: String::new(),
                kind: TypeKind::Value,
                is_reexport: statement.is_reexport,
                anchor: None,
            };
            if is_effect {
                self.extra_imports.push(base);
                continue;
            }
            for name in &statement.names {
                self.extra_imports.push(Added {
                    imported: name.imported.clone(),
                    local: name.local.clone(),
                    kind: TypeKind::of(statement, name, is_typescript(&self.to)),
                    ..base.clone()
                });
                if !name.local.is_empty() {
                    self.exports.insert(name.local.clone(), name.local.clone());
                }
            }
        }
        Ok(())
    }

    /// Comments that belong to no declaration stay behind.
    pub(crate) fn lost_comments(&self) -> Option<String> {
        let source = &self.source;
        let statements = source.statements.iter().map(|it| it.range);
        let mut known: Vec<ByteRange> =
            statements.chain(self.pieces.iter().map(|it| it.full)).collect();
        known.sort();
        let mut start = source.prologue_end;
        let mut lines = Vec::new();
        let end = ByteRange { start: number(source.text.len()), end: number(source.text.len()) };
        for range in known.into_iter().chain([end]) {
            let gap = source.slice(ByteRange { start, end: range.start });
            if let Some(at) = gap.find(|it: char| !it.is_whitespace() && !";\u{feff}".contains(it))
            {
                lines.push(line_of(&source.text, start + number(at)).to_string());
            }
            start = start.max(range.end);
        }
        let s = if lines.len() == 1 { "line" } else { "lines" };
        (!lines.is_empty())
            .then(|| format!("comments of {} were not moved: {s} {}", self.from, lines.join(", ")))
    }

    /// How the target names the module of a statement, and the file that it is.
    fn named_from_target(&self, statement: &ImportStatement) -> (String, Option<String>) {
        let plain = rebased(&self.from, &self.to, &statement.source);
        match &statement.target {
            Target::File(path) if *path == self.to => (String::new(), Some(path.clone())),
            Target::File(path) => {
                let style = (statement.source.as_str(), path.as_str());
                let specifier = self.project.specifier(&self.to, path, style);
                (specifier.unwrap_or(plain), Some(path.clone()))
            }
            Target::Package(_) | Target::Builtin | Target::Unknown => (plain, None),
        }
    }

    /// Both may not export one name.
    fn check_exports(&self) -> Result<(), Refusal> {
        for name in self.exports.keys().filter(|it| *it != "default") {
            let ours = self.project.origin(&self.from, name);
            let theirs = self.project.origin(&self.to, name);
            let is_same = theirs == crate::project::Origin::Missing || theirs == ours;
            if !is_same {
                let place = self.project.place(&self.to, 0, name.clone());
                let reason = format!("{} and {} both export `{name}`", self.from, self.to);
                return Err(refusal(reason, vec![place], "rename one of them first"));
            }
        }
        Ok(())
    }

    fn retarget_users(&mut self) -> Result<(), Refusal> {
        let hidden = self.project.unreadable_users(&self.from);
        if !hidden.is_empty() {
            let reason = format!("{} is imported by a file that cannot be read", self.from);
            return Err(refusal(reason, hidden, "change that file by hand first"));
        }
        for user in self.project.users_of(&self.from).to_vec() {
            if user == self.from || user == self.to {
                continue;
            }
            let Some(facts) = self.project.module(&user) else { continue };
            self.check_target_effects(&user, &facts)?;
            self.retarget(&user, &facts)?;
        }
        Ok(())
    }

    fn retarget(&mut self, user: &str, facts: &ModuleFacts) -> Result<(), Refusal> {
        let mut imports = ImportEdits::new(facts);
        for (index, statement) in facts.statements.iter().enumerate() {
            if !self.leads_to_source(&statement.target) {
                continue;
            }
            let specifier = self.target_specifier(user, &statement.source)?;
            let is_named = statement.names.iter().all(|it| it.shape == Shape::Named);
            let is_star = statement.is_reexport
                && statement.names.iter().any(|it| it.imported == "*" && it.local.is_empty());
            if is_star {
                imports.remove(index, 0);
                self.change_star(&mut imports, user, facts, (index, statement), &specifier);
            } else if is_named && !statement.names.is_empty() {
                for (at, name) in statement.names.iter().enumerate() {
                    imports.remove(index, at);
                    let same = name.imported.clone();
                    imports.add(self.follower(user, statement, name, &same, &specifier, index));
                }
            } else {
                self.edits.replace(user, statement.source_range, specifier);
            }
        }
        for specifier in &facts.specifiers {
            if !self.leads_to_source(&specifier.target) {
                continue;
            }
            match specifier.kind {
                SpecifierKind::Import | SpecifierKind::Reexport => {}
                SpecifierKind::Dynamic
                | SpecifierKind::Require
                | SpecifierKind::Type { .. }
                | SpecifierKind::Comment { .. }
                | SpecifierKind::Reference
                | SpecifierKind::Url => {
                    let new = self.target_specifier(user, &specifier.value)?;
                    self.edits.replace(user, specifier.range, new);
                }
                SpecifierKind::Mock { .. } | SpecifierKind::Augmentation => {
                    let place =
                        self.project.place(user, specifier.range.start, specifier.value.clone());
                    let reason = format!("{} is replaced or augmented as a whole", self.from);
                    return Err(refusal(reason, vec![place], "change that by hand first"));
                }
            }
        }
        self.finish(user, imports)
    }
}

/// A statement that is moved as it is.
fn whole_piece(range: ByteRange) -> Piece {
    Piece {
        full: range,
        statement: range,
        keyword: None,
        is_default: false,
        export_at: None,
        names: Vec::new(),
        is_pure: true,
        is_ambient: false,
    }
}
