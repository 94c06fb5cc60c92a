//! From the file of a declaration to every file that the new name reaches.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use oxc_span::Span;
use rb_rules::FileKind;

use super::exports;
use super::file::{File, FileResult, Names, has_word};
use super::holder::HolderKind;
use super::target::{is_declaration, twins};
use super::users::{self, Changed, Source};
use crate::links::links;
use crate::plan::{ApiChange, Chain, Left};
use crate::recipe::{PlanError, Planning};

/// Words by which a file may take a module without an edge that leads there.
const HINTS: &[&str] =
    &["mock", "Mock", "Actual", "importOriginal", "proxyquire", "rewire", "import("];

pub(super) struct Spread<'p> {
    pub(super) planning: &'p Planning<'p>,
    pub(super) names: Names,
    /// What a file is that exports the name, taken as a whole.
    pub(super) whole: HolderKind,
    /// What a value is that has it as a member.
    pub(super) held: HolderKind,
    pub(super) chain: Chain,
    pub(super) left: Vec<Left>,
    /// What has changed in which file, as others see it.
    pub(super) changed: BTreeSet<(String, Changed)>,
    open: Vec<(String, Changed)>,
    speaking: OnceLock<Vec<String>>,
}

impl<'p> Spread<'p> {
    pub(super) fn new(planning: &'p Planning<'p>, names: Names) -> Self {
        Spread {
            planning,
            names,
            whole: HolderKind::Module,
            held: HolderKind::Module,
            chain: Chain::default(),
            left: Vec::new(),
            changed: BTreeSet::new(),
            open: Vec::new(),
            speaking: OnceLock::new(),
        }
    }

    /// Parses a file and takes in what `work` finds there. False where it does not parse.
    pub(super) fn file(
        &mut self,
        path: &str,
        work: impl FnOnce(&File<'_, '_>, &mut FileResult) + Send,
    ) -> bool {
        let (world, names) = (self.planning.world, &self.names);
        let found = world.with_module(path, |module| {
            let file = File { module, path, names, world };
            let mut found = FileResult::default();
            work(&file, &mut found);
            if found.given {
                exports::is_taken(&file, &mut found);
            }
            if let Some(edit) = found.edits.first()
                && let Some(kind) = world.facts(path).map(|it| it.kind)
                && matches!(kind, FileKind::Generated | FileKind::Vendored)
            {
                let reason =
                    format!("`{}` is used here, in a generated or vendored file", names.old);
                let span = Span::empty(edit.start);
                file.stop(&mut found, span, &reason, "change the source of the file first");
            }
            found
        });
        let Some(found) = found else { return false };
        for edit in found.edits {
            self.chain.edit(path, edit);
        }
        self.left.extend(found.left);
        self.chain.notes.extend(found.notes);
        if found.given {
            self.push(path, Changed::Name);
        }
        for name in found.objects {
            self.push(path, Changed::MemberOf(name));
        }
        true
    }

    pub(super) fn push(&mut self, path: &str, changed: Changed) {
        if self.changed.insert((path.to_owned(), changed.clone())) {
            self.promise(path, &changed);
            self.open.push((path.to_owned(), changed));
        }
    }

    /// Who names a symbol asks for the change of its name, even of a public one.
    pub(super) fn promise(&mut self, path: &str, changed: &Changed) {
        let (old, new) = (&self.names.old, &self.names.new);
        let (name, before, after) = match changed {
            Changed::Name => (old.clone(), old.clone(), new.clone()),
            Changed::MemberOf(of) => (of.clone(), format!("{of}.{old}"), format!("{of}.{new}")),
        };
        let is_public = self.planning.promised.has(path, &name);
        self.chain.api.push(ApiChange {
            path: path.to_owned(),
            name: before.clone(),
            before,
            after,
            is_public,
        });
    }

    /// How to keep the old names that other packages may use.
    pub(super) fn aliases(&self) -> Vec<String> {
        let (old, new) = (&self.names.old, &self.names.new);
        let exporting = self.changed.iter().filter(|(_, it)| *it == Changed::Name).count();
        let alias = |change: &ApiChange| {
            let place = if exporting > 1 {
                format!("beside each export of `{new}`")
            } else {
                format!("at the end of {}", change.path)
            };
            let alias = if change.name != *old {
                format!("declare `{old}` beside `{new}`")
            } else if self.is_common(&change.path) {
                format!("add `exports.{old} = exports.{new}` {place}")
            } else if self.whole == HolderKind::Types {
                format!("add `export type {{ {new} as {old} }}` {place}")
            } else {
                format!("add `export {{ {new} as {old} }}` {place}")
            };
            format!(
                "`{}` is public: users outside of this project have to follow. To keep the old name for them, {alias}",
                change.name
            )
        };
        self.chain.api.iter().filter(|change| change.is_public).map(alias).collect()
    }

    /// Reads every file that takes something of what has changed.
    pub(super) fn follow(&mut self) -> Result<(), PlanError> {
        while let Some((path, changed)) = self.open.pop() {
            if self.planning.cancel.is_cancelled() {
                return Err(PlanError::Interrupted);
            }
            let users = self.planning.world.users(&path);
            let mut takers: BTreeSet<String> = users.iter().cloned().collect();
            takers.extend(self.speaking()?.iter().filter(|it| self.has_hint(it)).cloned());
            // A file may import itself.
            takers.insert(path.clone());
            let is_common = self.is_common(&path);
            let held = if changed == Changed::Name { self.whole } else { self.held };
            for taker in takers {
                let source = Source { path: &path, changed: &changed, held, is_common };
                let is_read = self.file(&taker, |file, found| users::read(file, &source, found));
                if !is_read && users.contains(&taker) {
                    self.unread(&taker);
                }
            }
        }
        Ok(())
    }

    /// `CommonJS`, or what is declared of it.
    fn is_common(&self, path: &str) -> bool {
        let world = self.planning.world;
        let is_common = |path: &str| links(world, path).is_some_and(|it| !it.is_esm);
        is_common(path) || is_declaration(path) && twins(world, path).iter().any(|it| is_common(it))
    }

    fn unread(&mut self, path: &str) {
        let text = self.planning.world.text(path).unwrap_or_default();
        if has_word(&text, &self.names.old) {
            let reason = format!("the file contains `{}` and cannot be parsed", self.names.old);
            self.left.push(whole_file(path, &self.names.old, &reason, "fix the file first"));
        }
    }

    /// Scripts with the old name in their text.
    pub(super) fn speaking(&self) -> Result<&[String], PlanError> {
        if self.speaking.get().is_none() {
            let world = self.planning.world;
            let found = self.planning.over(&world.paths(), |path| {
                has_word(&world.text(path)?, &self.names.old).then_some(())
            })?;
            let _ = self.speaking.set(found.into_iter().map(|(path, ())| path).collect());
        }
        Ok(self.speaking.get().map_or(&[], Vec::as_slice))
    }

    fn has_hint(&self, path: &str) -> bool {
        let text = self.planning.world.text(path).unwrap_or_default();
        HINTS.iter().any(|it| text.contains(it))
    }
}

/// A left that concerns a file as a whole.
pub(super) fn whole_file(path: &str, code: &str, reason: &str, suggestion: &str) -> Left {
    Left {
        path: path.to_owned(),
        line: 1,
        column: 1,
        code: code.to_owned(),
        reason: reason.to_owned(),
        suggestion: suggestion.to_owned(),
        through: Vec::new(),
    }
}
