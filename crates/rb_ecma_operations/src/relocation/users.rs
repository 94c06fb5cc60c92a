//! The files that import what is moved.

use rb_ecma::links::{ByteRange, Import, ImportKind, Target};
use rb_operations::{Place, Refusal};

use super::{Relocation, refusal};
use crate::import_edits::{Added, ImportEdits, TypeKind};
use crate::project::{ImportStatement, ModuleFacts, SpecifierKind, StatementName, is_typescript};

impl Relocation<'_> {
    pub(crate) fn follow_users(&mut self) -> Result<(), Refusal> {
        let hidden = self.project.unreadable_users(&self.from);
        if !hidden.is_empty() && !self.exports.is_empty() {
            let reason = format!("{} is imported by a file that cannot be read", self.from);
            return Err(refusal(reason, hidden, "change that file by hand first"));
        }
        self.check_target_effects(&self.from, &self.source)?;
        for user in self.project.users_of(&self.from).to_vec() {
            if user == self.from || user == self.to {
                continue;
            }
            let Some(facts) = self.project.module(&user) else { continue };
            self.change_user(&user, &facts)?;
        }
        Ok(())
    }

    fn change_user(&mut self, user: &str, facts: &ModuleFacts) -> Result<(), Refusal> {
        let mut imports = ImportEdits::new(facts);
        let mut is_changed = false;
        for (index, statement) in facts.statements.iter().enumerate() {
            if !self.leads_to_source(&statement.target) || statement.is_list {
                continue;
            }
            is_changed |= self.change_statement(&mut imports, user, facts, (index, statement))?;
        }
        is_changed |= self.change_members(&mut imports, user, facts)?;
        self.change_calls(user, facts)?;
        self.change_other_specifiers(user, facts)?;
        if !is_changed {
            return Ok(());
        }
        self.check_target_effects(user, facts)?;
        self.finish(user, imports)
    }

    /// The target's own effects must not begin to run because of the move.
    pub(super) fn check_target_effects(
        &self,
        user: &str,
        facts: &ModuleFacts,
    ) -> Result<(), Refusal> {
        let Some(effect) = self.target.effects.first() else { return Ok(()) };
        if user == self.from && !self.names.iter().any(|it| self.is_used_by_rest(it)) {
            return Ok(());
        }
        let has_values = self.names.iter().any(|name| !self.is_type(name));
        let loads = |it: &&ImportStatement| {
            matches!(&it.target, Target::File(path) if *path == self.to) && !it.is_type
        };
        if !has_values || facts.statements.iter().any(|it| loads(&it)) {
            return Ok(());
        }
        let place = self.project.place(&self.to, effect.start, "runs when the file is loaded");
        let reason =
            format!("{} does something when it is loaded, and {user} would load it", self.to);
        Err(refusal(reason, vec![place], "choose a file that only declares"))
    }

    /// How a file names the target, in the style in which it named the source.
    pub(super) fn target_specifier(&self, user: &str, source: &str) -> Result<String, Refusal> {
        self.project
            .specifier(user, &self.to, (source, &self.from))
            .ok_or_else(|| Self::unnameable(user, &self.to))
    }

    fn change_statement(
        &mut self,
        imports: &mut ImportEdits<'_>,
        user: &str,
        facts: &ModuleFacts,
        (index, statement): (usize, &ImportStatement),
    ) -> Result<bool, Refusal> {
        let specifier = self.target_specifier(user, &statement.source)?;
        let mut gone = 0;
        for (at, name) in statement.names.iter().enumerate() {
            if statement.is_reexport && name.imported == "*" && name.local.is_empty() {
                return Ok(self.change_star(imports, user, facts, (index, statement), &specifier));
            }
            let Some(new) = self.exports.get(&name.imported) else { continue };
            gone += 1;
            imports.remove(index, at);
            imports.add(self.follower(user, statement, name, new, &specifier, index));
        }
        let loses_source = gone > 0 && gone == statement.names.len() && !statement.is_type;
        if loses_source && self.stops_loading(facts, index) {
            self.keep_effects(imports, user, statement, index);
        }
        Ok(gone > 0)
    }

    pub(super) fn follower(
        &self,
        user: &str,
        statement: &ImportStatement,
        name: &StatementName,
        new: &str,
        specifier: &str,
        anchor: usize,
    ) -> Added {
        Added {
            specifier: specifier.to_owned(),
            file: Some(self.to.clone()),
            imported: new.to_owned(),
            local: name.local.clone(),
            kind: TypeKind::of(statement, name, is_typescript(user)),
            is_reexport: statement.is_reexport,
            anchor: Some(anchor),
        }
    }

    /// `export * from` goes on giving the moved names on.
    pub(super) fn change_star(
        &self,
        imports: &mut ImportEdits<'_>,
        user: &str,
        facts: &ModuleFacts,
        (index, statement): (usize, &ImportStatement),
        specifier: &str,
    ) -> bool {
        let has_star = facts.statements.iter().any(|it| {
            matches!(&it.target, Target::File(path) if *path == self.to)
                && it.is_reexport
                && it.is_type == statement.is_type
                && it.names.iter().any(|name| name.imported == "*" && name.local.is_empty())
        });
        let mut is_changed = false;
        for (exported, new) in self.exports.iter().filter(|(exported, _)| *exported != "default") {
            let own = facts.links.export(exported).is_some()
                || facts.links.imports.iter().any(|it| {
                    matches!(&it.taken, ImportKind::GivenOn { given, .. } if given == exported)
                });
            if has_star || own {
                continue;
            }
            let name = self.moved_name(exported).unwrap_or_default();
            is_changed = true;
            imports.add(Added {
                specifier: specifier.to_owned(),
                file: Some(self.to.clone()),
                imported: new.clone(),
                local: exported.clone(),
                kind: TypeKind::new(statement.is_type || self.is_type(&name), is_typescript(user)),
                is_reexport: true,
                anchor: Some(index),
            });
        }
        is_changed
    }

    /// `ns.name`, and modules that are handed on as a whole.
    fn change_members(
        &mut self,
        imports: &mut ImportEdits<'_>,
        user: &str,
        facts: &ModuleFacts,
    ) -> Result<bool, Refusal> {
        let mut is_changed = false;
        let wholes = facts.links.imports.iter().filter(|it| {
            self.leads_to_source(&it.target)
                && !matches!(it.taken, ImportKind::Name(_))
                && !it.is_call
        });
        for import in wholes.cloned().collect::<Vec<_>>() {
            match &import.taken {
                ImportKind::Whole => {
                    is_changed |= self.change_namespace(imports, user, facts, &import)?;
                }
                ImportKind::WholeGivenOn { .. } => {
                    return Err(self.lost(
                        user,
                        import.place,
                        "its module is re-exported as one value",
                    ));
                }
                ImportKind::Name(_)
                | ImportKind::GivenOn { .. }
                | ImportKind::AllGivenOn
                | ImportKind::Nothing => {}
            }
        }
        Ok(is_changed)
    }

    fn lost(&self, user: &str, at: ByteRange, what: &str) -> Refusal {
        let place = self.project.place(user, at.start, what);
        let reason = format!("not every use of what is moved from {} can be followed", self.from);
        refusal(reason, vec![place], "import the names in braces there first")
    }

    fn change_namespace(
        &mut self,
        imports: &mut ImportEdits<'_>,
        user: &str,
        facts: &ModuleFacts,
        import: &Import,
    ) -> Result<bool, Refusal> {
        let mut replaced = 0;
        let at = facts.statements.iter().enumerate().find_map(|(index, it)| {
            let (local, _) = import.local.as_ref()?;
            let name = it.names.iter().position(|name| name.local == *local)?;
            (!it.is_reexport && it.range == import.place).then_some((index, name))
        });
        for used in &import.uses {
            let Some(member) = &used.member else {
                return Err(self.lost(user, used.whole, "its module is passed on as one value"));
            };
            let Some(new) = self.exports.get(member).cloned() else { continue };
            let Some((index, name)) = at else {
                return Err(self.lost(
                    user,
                    used.whole,
                    "its module is taken by `import = require()`",
                ));
            };
            let statement = &facts.statements[index];
            if facts.names.contains(&new) {
                let what = format!("`{new}` is another thing in this file");
                return Err(self.lost(user, used.whole, &what));
            }
            replaced += 1;
            let specifier = self.target_specifier(user, &statement.source)?;
            let mut added =
                self.follower(user, statement, &statement.names[name], &new, &specifier, index);
            added.local.clone_from(&new);
            let is_type = self.moved_name(member).is_some_and(|it| self.is_type(&it));
            added.kind = added.kind.max(TypeKind::new(is_type, is_typescript(user)));
            imports.add(added);
            self.edits.replace(user, used.whole, new);
        }
        if let Some((index, name)) = at
            && replaced > 0
            && replaced == import.uses.len()
        {
            imports.remove(index, name);
            if self.stops_loading(facts, index) {
                self.keep_effects(imports, user, &facts.statements[index], index);
            }
        }
        Ok(replaced > 0)
    }

    /// `const { a } = require()` and `await import()`: they follow if all that they take is moved.
    fn change_calls(&mut self, user: &str, facts: &ModuleFacts) -> Result<(), Refusal> {
        let calls: Vec<&Import> = facts
            .links
            .imports
            .iter()
            .filter(|it| it.is_call && self.leads_to_source(&it.target))
            .collect();
        for import in &calls {
            let here: Vec<&&Import> = calls.iter().filter(|it| it.place == import.place).collect();
            let is_moved = |it: &Import| match &it.taken {
                ImportKind::Name(name) => self.exports.get(name) == Some(name),
                _ => false,
            };
            let is_kept = |it: &Import| match &it.taken {
                ImportKind::Name(name) => !self.exports.contains_key(name),
                ImportKind::Whole => it.uses.iter().all(|used| {
                    used.member.as_ref().is_some_and(|member| !self.exports.contains_key(member))
                }),
                _ => true,
            };
            if here.iter().all(|it| is_kept(it)) {
                continue;
            }
            if !here.iter().all(|it| is_moved(it)) {
                return Err(self.lost(
                    user,
                    import.place,
                    "it is taken by a call of `require` or `import`",
                ));
            }
            let inside = facts.specifiers.iter().find(|it| {
                crate::project::facts::contains(import.place, it.range)
                    && self.leads_to_source(&it.target)
            });
            let Some(specifier) = inside else { continue };
            let new = self.target_specifier(user, &specifier.value)?;
            self.edits.replace(user, specifier.range, new);
        }
        Ok(())
    }

    /// `import("./a").T`, and mocks of the source.
    fn change_other_specifiers(&mut self, user: &str, facts: &ModuleFacts) -> Result<(), Refusal> {
        for specifier in &facts.specifiers {
            if !self.leads_to_source(&specifier.target) {
                continue;
            }
            match &specifier.kind {
                SpecifierKind::Type { member } | SpecifierKind::Comment { member } => {
                    let Some(member) = member else {
                        if matches!(specifier.kind, SpecifierKind::Comment { .. }) {
                            continue;
                        }
                        return Err(self.lost(
                            user,
                            specifier.range,
                            "the type of the whole module is taken",
                        ));
                    };
                    match self.exports.get(member) {
                        Some(new) if new == member => {
                            let new = self.target_specifier(user, &specifier.value)?;
                            self.edits.replace(user, specifier.range, new);
                        }
                        Some(_) => {
                            return Err(self.lost(
                                user,
                                specifier.range,
                                "its type is taken by `import()`",
                            ));
                        }
                        None => {}
                    }
                }
                SpecifierKind::Mock { is_factory, call } => {
                    let text = facts.slice(*call);
                    let is_meant =
                        !is_factory || self.exports.keys().any(|name| text.contains(name.as_str()));
                    if is_meant && self.exports.keys().any(|it| !self.is_type(it)) {
                        let place: Place = self.project.place(
                            user,
                            specifier.range.start,
                            specifier.value.clone(),
                        );
                        let reason = format!("a test replaces {} as a whole", self.from);
                        return Err(refusal(reason, vec![place], "change the mock by hand first"));
                    }
                }
                SpecifierKind::Augmentation => {
                    return Err(self.lost(user, specifier.range, "the module is augmented"));
                }
                SpecifierKind::Import
                | SpecifierKind::Reexport
                | SpecifierKind::Dynamic
                | SpecifierKind::Require
                | SpecifierKind::Reference
                | SpecifierKind::Url => {}
            }
        }
        Ok(())
    }
}
