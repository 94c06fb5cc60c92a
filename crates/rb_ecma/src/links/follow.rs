//! All uses of an exported name, through every file that takes it or gives it on.

use std::collections::BTreeSet;

use super::{ByteRange, Doubt, Import, ImportKind, LinkedFiles, Target, Use, UseKind, WHOLE};

/// The most files followed for one name; beyond that, it counts as used everywhere.
const MOST: usize = 4096;

/// Where an exported name is used, outside of the file that declares it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct References {
    /// By file and place.
    pub all: Vec<Reference>,
    /// Every name that it is given on as: file and name, the first one among them.
    pub names: BTreeSet<(String, String)>,
    /// Where sight of it is lost. Empty: `all` is all there is.
    pub doubts: Vec<Doubt>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reference {
    pub path: String,
    pub used: Use,
    /// The declaration or call by which it comes into the file.
    pub import: ByteRange,
    /// The name it has in this file; `None` where it is taken from a whole module.
    pub local: Option<String>,
}

/// Follows a name from the file that exports it.
pub fn references(files: &dyn LinkedFiles, path: &str, name: &str) -> References {
    let mut found = References::default();
    let mut open = vec![(path.to_owned(), name.to_owned())];
    while let Some((path, name)) = open.pop() {
        if !found.names.insert((path.clone(), name.clone())) {
            continue;
        }
        if found.names.len() > MOST {
            found.doubts.push(Doubt {
                path,
                line: 0,
                what: "it is re-exported too often".to_owned(),
            });
            break;
        }
        let gives_whole = files.links(&path).is_some_and(|it| !it.is_esm);
        // A file may import itself, too.
        let users = std::iter::once(path.clone()).chain(files.users(&path));
        for user in users.collect::<BTreeSet<_>>() {
            let Some(theirs) = files.links(&user) else {
                let what = "the file does not parse".to_owned();
                found.doubts.push(Doubt { path: user, line: 0, what });
                continue;
            };
            for import in theirs.imports.iter().filter(|it| leads_to(it, &path)) {
                let taking = Taking { user: &user, name: &name, gives_whole };
                open.extend(take(files, &mut found, import, &taking));
            }
        }
    }
    found.all.sort();
    found.all.dedup();
    found.doubts.sort();
    found.doubts.dedup();
    found
}

struct Taking<'t> {
    user: &'t str,
    name: &'t str,
    /// The file has no `export`: its default is all that it exports.
    gives_whole: bool,
}

fn leads_to(import: &Import, path: &str) -> bool {
    matches!(&import.target, Target::File(target) if target == path)
}

/// Notes the uses of a name by one import; gives the names that it is given on as.
fn take(
    files: &dyn LinkedFiles,
    found: &mut References,
    import: &Import,
    taking: &Taking<'_>,
) -> Vec<(String, String)> {
    let given = |name: &str| (taking.user.to_owned(), name.to_owned());
    match &import.taken {
        ImportKind::GivenOn { name, given: as_name } if name == taking.name => vec![given(as_name)],
        ImportKind::GivenOn { name, given: as_name } if name == "default" && taking.gives_whole => {
            if taking.name == WHOLE {
                return vec![given(as_name)];
            }
            lost(files, found, taking.user, import.place, "its module is re-exported as one value");
            Vec::new()
        }
        ImportKind::AllGivenOn if taking.name != "default" && taking.name != WHOLE => {
            vec![given(taking.name)]
        }
        ImportKind::WholeGivenOn { .. } => {
            lost(files, found, taking.user, import.place, "its module is re-exported as one value");
            Vec::new()
        }
        ImportKind::Name(name) if name == taking.name => plain(files, found, import, taking),
        ImportKind::Name(name) if name == "default" && taking.gives_whole => {
            whole(files, found, import, taking)
        }
        ImportKind::Whole => whole(files, found, import, taking),
        ImportKind::GivenOn { .. }
        | ImportKind::AllGivenOn
        | ImportKind::Name(_)
        | ImportKind::Nothing => Vec::new(),
    }
}

/// The name itself is bound here.
fn plain(
    files: &dyn LinkedFiles,
    found: &mut References,
    import: &Import,
    taking: &Taking<'_>,
) -> Vec<(String, String)> {
    let local = import.local.as_ref().map(|(name, _)| name.clone());
    let mut given = Vec::new();
    for used in &import.uses {
        // A member of the value is no concern here.
        let used = Use { member: None, ..bare(used, import) };
        given.extend(exported_as(files, found, taking.user, &used));
        let path = taking.user.to_owned();
        found.all.push(Reference { path, used, import: import.place, local: local.clone() });
    }
    given
}

/// A default import is read as if it could be a whole module; here it is the value, and `value.a` a use of it.
fn bare(used: &Use, import: &Import) -> Use {
    if used.member.is_none() || import.local.is_none() {
        return used.clone();
    }
    let length = import.local.as_ref().map_or(0, |(name, _)| name.len());
    let end = used.whole.start + u32::try_from(length).unwrap_or(0);
    let place = ByteRange { start: used.whole.start, end };
    Use { name: place, whole: place, member: None, kind: UseKind::Value }
}

/// The module as one object is bound here.
fn whole(
    files: &dyn LinkedFiles,
    found: &mut References,
    import: &Import,
    taking: &Taking<'_>,
) -> Vec<(String, String)> {
    let mut given = Vec::new();
    for used in &import.uses {
        let path = taking.user.to_owned();
        match &used.member {
            Some(_) if taking.name == WHOLE => {
                let used = bare(used, import);
                found.all.push(Reference { path, used, import: import.place, local: None });
            }
            Some(member) if member == taking.name => {
                let used = used.clone();
                given.extend(exported_as(files, found, taking.user, &used));
                found.all.push(Reference { path, used, import: import.place, local: None });
            }
            Some(_) => {}
            None if taking.name == WHOLE => {
                let local = import.local.as_ref().map(|(name, _)| name.clone());
                let used = used.clone();
                given.extend(exported_as(files, found, taking.user, &used));
                found.all.push(Reference { path, used, import: import.place, local });
            }
            None => {
                let what = "its module is passed on as one value";
                lost(files, found, taking.user, used.whole, what);
            }
        }
    }
    given
}

/// The names under which a use gives it on.
fn exported_as(
    files: &dyn LinkedFiles,
    found: &mut References,
    path: &str,
    used: &Use,
) -> Vec<(String, String)> {
    if used.kind != UseKind::Export {
        return Vec::new();
    }
    let links = files.links(path).unwrap_or_default();
    let names: Vec<_> =
        links.names_at(used.whole).map(|it| (path.to_owned(), it.name.clone())).collect();
    if names.is_empty() {
        lost(files, found, path, used.whole, "it is re-exported under an unknown name");
    }
    names
}

fn lost(files: &dyn LinkedFiles, found: &mut References, path: &str, at: ByteRange, what: &str) {
    let line = files.text(path).map_or(0, |text| line_of(&text, at.start));
    found.doubts.push(Doubt { path: path.to_owned(), line, what: what.to_owned() });
}

/// The line of an offset, counted from 1.
pub fn line_of(text: &str, offset: u32) -> u32 {
    let ends = text.bytes().take(offset as usize).filter(|byte| *byte == b'\n');
    u32::try_from(ends.count()).map_or(u32::MAX, |it| it + 1)
}
