//! Strings and patches that name a member of the old module: which of them follow the move.
//!
//! A path that leads to the symbol follows. A patch (`mock.patch("a.b.x")`) replaces a name where it is looked up: it follows if the code that
//! looks the name up has moved, stays if that code stays, and is listed if both happen.

use rb_core::Edit;
use rb_python::{Source, TextRange};

use super::origin::Remains;
use super::specifier::module_name;
use super::timing::Timing;
use super::uses::{FileUses, StringPath};
use super::{Relocation, Report};
use crate::outcome::Mention;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Follow {
    Yes,
    No,
    /// It cannot be known.
    Listed,
}

pub(super) fn follows(
    relocation: &Relocation<'_, '_>,
    remains: &Remains,
    member: Option<&str>,
    is_patch: bool,
) -> Follow {
    let Some(member) = member else {
        return if relocation.is_whole() { Follow::Yes } else { Follow::No };
    };
    if relocation.is_whole() || (relocation.is_moved(member) && !is_patch) {
        return Follow::Yes;
    }
    if !is_patch {
        return Follow::No;
    }
    let is_looked_up = relocation.is_moved(member)
        || relocation.needs.iter().any(|need| {
            need.name == member && need.uses.iter().any(|(_, timing)| *timing != Timing::Type)
        });
    let is_used_by_moved = relocation.is_used_by_moved(member);
    let stays = remains.bound.contains(member) && remains.used.contains(member);
    match (is_looked_up, stays) {
        (true, false) => Follow::Yes,
        (true, true) if is_used_by_moved => Follow::Listed,
        (false, _) | (true, true) => Follow::No,
    }
}

impl Relocation<'_, '_> {
    /// Does the moved code look the name up in its module?
    fn is_used_by_moved(&self, name: &str) -> bool {
        let Some(variable) = self.old.scopes().global(name) else { return false };
        let names = self.old.scopes().names_of(variable);
        names
            .filter(|name| name.role == rb_python::NameRole::Use)
            .any(|name| self.selection.contains(name.range))
    }
}

/// The edits of the strings of one file.
pub(super) fn edits(
    relocation: &Relocation<'_, '_>,
    uses: &FileUses,
    remains: &Remains,
    report: &mut Report,
) -> Vec<Edit> {
    let mut edits = Vec::new();
    for string in &uses.strings {
        let member = string.member.as_deref();
        // `mock.patch("a.b.json.dumps")` changes `json`, by whatever way it is reached.
        let is_bound = member
            .is_some_and(|member| remains.bound.contains(member) && !relocation.is_moved(member));
        if string.is_patch && string.is_deeper && is_bound {
            continue;
        }
        match follows(relocation, remains, member, string.is_patch) {
            Follow::Yes => edits.extend(edit(relocation, &uses.source, string)),
            Follow::No => {}
            Follow::Listed => report.mentions.push(mention(&uses.source, string.range)),
        }
    }
    edits
}

fn edit(relocation: &Relocation<'_, '_>, source: &Source, string: &StringPath) -> Vec<Edit> {
    let module = module_name(relocation.project, &relocation.to);
    let mut edits =
        vec![Edit::replace(string.range.start().to_u32(), string.range.end().to_u32(), module)];
    let renamed = string.member.as_deref().filter(|member| relocation.is_moved(member));
    if let Some(member) = renamed.filter(|member| relocation.new_name(member) != *member) {
        let start = string.range.end().to_u32() + 1;
        let end = start + crate::layout::offset(member.len());
        if source.text().get(start as usize..end as usize) == Some(member) {
            edits.push(Edit::replace(start, end, relocation.new_name(member)));
        }
    }
    edits
}

pub(super) fn mention(source: &Source, range: TextRange) -> Mention {
    Mention::at(source.path(), source.text(), range.start().to_usize())
}
