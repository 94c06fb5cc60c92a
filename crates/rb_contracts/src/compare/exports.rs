//! Changes of public names. A name that is gone from where it was may still be kept by an alias or by a base class.

use std::collections::{BTreeMap, BTreeSet};

use rb_lang::Language;

use super::groups::{Group, differing};
use super::{Change, ContractChange, Difference, What, signature};
use crate::model::{Alias, ExportedName, Kind, Snapshot};

type Key<'a> = (&'a str, &'a str, &'a str);

pub(super) fn compare(before: &Snapshot, after: &Snapshot) -> Vec<ContractChange> {
    let now = Names::of(after);
    let old = Names::of(before);
    let promised = before.exports.iter().filter(|one| !one.hidden);
    let groups = differing(promised, &after.exports, key, |a, b| {
        a.kind == b.kind && a.signature == b.signature
    });
    let mut out = Vec::new();
    for (key, group) in groups {
        out.extend(of_group(key, group, &old, &now));
    }
    once(out)
}

fn of_group(
    (package, entry, name): Key<'_>,
    group: Group<'_, ExportedName>,
    old: &Names<'_>,
    now: &Names<'_>,
) -> Vec<ContractChange> {
    let Group { before: gone, after: came, is_kept } = group;
    let mut out = Vec::new();
    // All overloads of a name come and go as one.
    let count = if gone.is_empty() && !is_kept { 1 } else { usize::MAX };
    let mut came = came.into_iter();
    let mut is_told = false;
    for one in gone {
        let stand_in = || now.stand_in(package, entry, name).filter(|_| !is_kept);
        match came.next().or_else(stand_in) {
            Some(next) => out.extend(differences(one, next)),
            None if is_kept => out.push(lost_overload(one)),
            None if is_told || now.owner_is_gone(package, entry, name) => {}
            None => {
                is_told = true;
                out.push(removed(one));
            }
        }
    }
    for one in came.filter(|one| !one.hidden).take(count) {
        let was = old.stand_in(package, entry, name);
        if was.is_none_or(|was| was.signature != one.signature) {
            out.extend(added(one, old, now));
        }
    }
    out
}

fn lost_overload(one: &ExportedName) -> ContractChange {
    let words = format!("lost the overload `{}`", one.signature);
    change(one, Difference::breaking(Change::Removed, words))
}

fn key(one: &ExportedName) -> Key<'_> {
    (&one.package, &one.entry, &one.name)
}

struct Names<'a> {
    by_key: BTreeMap<Key<'a>, &'a ExportedName>,
    aliases: BTreeMap<Key<'a>, &'a Alias>,
    /// Classes by their plain name, for base classes.
    classes: BTreeMap<(&'a str, &'a str), Vec<&'a ExportedName>>,
}

/// Aliases of aliases, bases of bases.
const MAX_STEPS: usize = 8;

impl<'a> Names<'a> {
    fn of(snapshot: &'a Snapshot) -> Names<'a> {
        let mut by_key = BTreeMap::new();
        let mut classes: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for one in &snapshot.exports {
            by_key.entry(key(one)).or_insert(one);
            if matches!(one.kind, Kind::Class | Kind::Interface) {
                classes.entry((&*one.package, &*one.name)).or_default().push(one);
            }
        }
        let aliases = snapshot
            .aliases
            .iter()
            .map(|alias| ((&*alias.package, &*alias.entry, &*alias.name), alias));
        Names { by_key, aliases: aliases.collect(), classes }
    }

    /// What answers to the name although nothing is exported under it.
    fn stand_in(&self, package: &str, entry: &str, name: &str) -> Option<&'a ExportedName> {
        self.aliased(package, entry, name).or_else(|| self.inherited(package, entry, name, 0))
    }

    fn aliased(&self, package: &str, entry: &str, name: &str) -> Option<&'a ExportedName> {
        let (owner, member) =
            name.split_once('.').map_or((name, None), |(owner, member)| (owner, Some(member)));
        let mut alias = self.aliases.get(&(package, entry, owner))?;
        for _ in 0..MAX_STEPS {
            let full = member.map_or_else(
                || alias.to_name.clone(),
                |member| format!("{}.{member}", alias.to_name),
            );
            if let Some(found) = self.by_key.get(&(package, &*alias.to_entry, &*full)) {
                return Some(found);
            }
            alias = self.aliases.get(&(package, &*alias.to_entry, &*alias.to_name))?;
        }
        None
    }

    fn inherited(
        &self,
        package: &str,
        entry: &str,
        name: &str,
        depth: usize,
    ) -> Option<&'a ExportedName> {
        let (owner, member) = name.rsplit_once('.')?;
        let owner = self
            .by_key
            .get(&(package, entry, owner))
            .copied()
            .or_else(|| self.aliased(package, entry, owner))?;
        if depth >= MAX_STEPS {
            return None;
        }
        owner.signature.bases.iter().find_map(|base| {
            let plain = base
                .split(['<', '['])
                .next()
                .unwrap_or_default()
                .rsplit('.')
                .next()
                .unwrap_or_default();
            let classes = self.classes.get(&(package, plain)).map_or(&[][..], Vec::as_slice);
            classes.iter().find_map(|class| {
                let full = format!("{}.{member}", class.name);
                let own = self.by_key.get(&(package, &*class.entry, &*full)).copied();
                own.or_else(|| self.inherited(package, &class.entry, &full, depth + 1))
            })
        })
    }

    /// The members of what is gone are gone with it.
    fn owner_is_gone(&self, package: &str, entry: &str, name: &str) -> bool {
        name.rsplit_once('.').is_some_and(|(owner, _)| {
            !self.by_key.contains_key(&(package, entry, owner))
                && self.aliased(package, entry, owner).is_none()
        })
    }
}

fn differences(before: &ExportedName, after: &ExportedName) -> Vec<ContractChange> {
    let mut out = Vec::new();
    // An inherited attribute may be given by an instance; what the text does not tell is not compared.
    let is_known = before.kind != Kind::Value && after.kind != Kind::Value;
    if is_known && family(before.kind) != family(after.kind) {
        let words = format!("is a {} instead of a {}", after.kind.name(), before.kind.name());
        out.push(Difference::breaking(Change::Changed, words));
    } else if is_known {
        out.extend(signature::compare(&before.signature, &after.signature));
    }
    out.into_iter().map(|difference| change(after, difference)).collect()
}

/// Kinds that are used in the same way.
fn family(kind: Kind) -> u8 {
    match kind {
        Kind::Function | Kind::Method => 0,
        Kind::Class => 1,
        Kind::Struct => 2,
        Kind::Interface | Kind::Type => 3,
        Kind::Trait => 4,
        Kind::Enum => 5,
        Kind::Constant | Kind::Variable | Kind::Field => 6,
        Kind::Macro => 7,
        Kind::Module => 8,
        Kind::Variant => 9,
        Kind::Implementation => 10,
        Kind::Value => 11,
    }
}

fn removed(one: &ExportedName) -> ContractChange {
    change(one, Difference::breaking(Change::Removed, "was removed"))
}

fn added(one: &ExportedName, before: &Names<'_>, now: &Names<'_>) -> Option<ContractChange> {
    let owner_name = one.name.rsplit_once('.').map(|(owner, _)| owner);
    let owner = owner_name.and_then(|owner| now.by_key.get(&(&*one.package, &*one.entry, owner)));
    let Some(owner) = owner else {
        return Some(change(one, plainly_added(one)));
    };
    // The members of a new type come with it.
    let owner_was = before.by_key.get(&key(owner)).filter(|was| !was.hidden)?;
    let closes = |words: &str| Difference::breaking(Change::Narrowed, words);
    let asks = match (owner.kind, one.kind) {
        (Kind::Enum, Kind::Variant) if !owner_was.signature.open && is_rust(one) => {
            Some(closes("was added to an enum that others match exhaustively"))
        }
        (Kind::Struct, Kind::Field) if !owner_was.signature.open => {
            Some(closes("was added to a struct that others construct"))
        }
        (Kind::Trait, _) if !one.signature.optional => {
            Some(closes("was added to a trait without a default"))
        }
        (Kind::Interface, _) | (Kind::Type, Kind::Field | Kind::Method)
            if !one.signature.optional && !owner_was.signature.open =>
        {
            Some(closes("was added to an interface and is required"))
        }
        _ => None,
    };
    Some(change(one, asks.unwrap_or_else(|| plainly_added(one))))
}

fn plainly_added(one: &ExportedName) -> Difference {
    let (kind, signature) = (one.kind.name(), one.signature.to_string());
    let signature = signature.trim();
    let shown = if signature.is_empty() { String::new() } else { format!(" `{signature}`") };
    Difference::harmless(Change::Added, format!("was added: {kind}{shown}"))
}

fn is_rust(one: &ExportedName) -> bool {
    Language::of_path(one.file.as_bytes()) == Some(Language::Rust)
}

fn change(one: &ExportedName, difference: Difference) -> ContractChange {
    let Difference { change, breaking, words } = difference;
    let words = format!("`{}` of `{}` {words}", one.name, place(one));
    let (file, line) = (one.file.clone(), one.line);
    ContractChange {
        what: What::Export,
        change,
        breaking,
        name: one.name.clone(),
        file,
        line,
        words,
    }
}

/// `package`, or `package/sub`, or the module.
fn place(one: &ExportedName) -> String {
    match one.entry.as_str() {
        "." | "crate" => one.package.clone(),
        entry => match (entry.strip_prefix("./"), entry.strip_prefix("crate")) {
            (Some(sub), _) => format!("{}/{sub}", one.package),
            (_, Some(sub)) => format!("{}{sub}", one.package),
            _ => entry.to_owned(),
        },
    }
}

/// The same declaration under several entries changes once; the shortest way to it is named.
fn once(mut changes: Vec<ContractChange>) -> Vec<ContractChange> {
    changes.sort_by_key(|change| (change.words.len(), change.words.clone()));
    let mut seen = BTreeSet::new();
    changes.retain(|change| {
        let of = change.words.rsplit_once("` ").map_or("", |(_, rest)| rest);
        let last = change.name.rsplit('.').next().unwrap_or_default();
        seen.insert((
            change.file.clone(),
            change.line,
            last.to_owned(),
            change.change,
            of.to_owned(),
        ))
    });
    changes
}
