//! Puts routes below the prefixes that their routers are mounted under, within a file and across files.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rb_index::FileId;

use super::path::{joined, normal};
use super::{FileRoutes, Imports};
use crate::model::Route;
use crate::sources::Sources;

/// A router: a variable of a file. All routers of a file that exports only one are meant by its name elsewhere.
type Router = (FileId, String);

#[derive(Debug, Default)]
pub(super) struct Mounts {
    files: BTreeMap<FileId, (Rc<FileRoutes>, Imports)>,
}

/// A router together with the prefix that it has of itself, as opposed to the bare router.
pub(super) const AS_MOUNTED: &str = " with its prefix";

/// Prefixes upon prefixes; more are a circle.
const MAX_DEPTH: usize = 8;
/// One router is rarely mounted twice, and never this often.
const MAX_PREFIXES: usize = 64;

impl Mounts {
    pub(super) fn add(&mut self, file: FileId, found: Rc<FileRoutes>, imports: Imports) {
        self.files.insert(file, (found, imports));
    }

    pub(super) fn finish(self, sources: &Sources<'_>) -> Vec<Route> {
        let parents = self.parents();
        let mut routes = Vec::new();
        for (&file, (found, _)) in &self.files {
            for local in &found.routes {
                let mut prefixes = BTreeSet::new();
                collect(&parents, &(file, local.router.clone()), String::new(), 0, &mut prefixes);
                for prefix in prefixes {
                    routes.push(Route {
                        method: local.method.to_uppercase(),
                        path: normal(&joined(&prefix, &local.path)),
                        framework: local.framework.to_owned(),
                        handler: local.handler.clone(),
                        file: sources.path(file).to_owned(),
                        line: local.line,
                    });
                }
            }
        }
        routes
    }

    /// For each router, where it is mounted: on which router, under which prefix.
    fn parents(&self) -> BTreeMap<Router, Vec<(Router, String)>> {
        let mut parents: BTreeMap<Router, Vec<(Router, String)>> = BTreeMap::new();
        for (&file, (found, imports)) in &self.files {
            for mount in &found.mounts {
                let on = (file, mount.on.clone());
                for router in self.targets(file, &mount.router, found, imports) {
                    if router != on {
                        parents.entry(router).or_default().push((on.clone(), mount.prefix.clone()));
                    }
                }
            }
        }
        parents
    }

    /// The routers that a name means: one of this file, or those of the file that it is imported from.
    fn targets(
        &self,
        file: FileId,
        name: &str,
        found: &FileRoutes,
        imports: &Imports,
    ) -> Vec<Router> {
        let (name, whole) =
            name.strip_suffix(AS_MOUNTED).map_or((name, false), |name| (name, true));
        let (first, member) = name.split_once('.').unwrap_or((name, ""));
        let prefixed = format!("{name}{AS_MOUNTED}");
        let here = routers(found);
        if whole && here.contains(&prefixed) {
            return vec![(file, prefixed)];
        }
        if here.contains(name) {
            return vec![(file, name.to_owned())];
        }
        let mut out = Vec::new();
        for (local, there, target) in imports {
            if local != first && local != name {
                continue;
            }
            let wanted = if member.is_empty() { there.as_str() } else { member };
            let Some((other, _)) = self.files.get(target) else { continue };
            let there = routers(other);
            let prefixed = format!("{wanted}{AS_MOUNTED}");
            if whole && there.contains(&prefixed) {
                out.push((*target, prefixed));
            } else if there.contains(wanted) {
                out.push((*target, wanted.to_owned()));
            } else {
                out.extend(there.into_iter().map(|router| (*target, router)));
            }
        }
        out
    }
}

/// The routers that a file speaks of.
fn routers(found: &FileRoutes) -> BTreeSet<String> {
    let of_routes = found.routes.iter().map(|route| route.router.clone());
    of_routes.chain(found.mounts.iter().map(|mount| mount.on.clone())).collect()
}

fn collect(
    parents: &BTreeMap<Router, Vec<(Router, String)>>,
    router: &Router,
    below: String,
    depth: usize,
    out: &mut BTreeSet<String>,
) {
    let above = parents.get(router).map_or(&[][..], Vec::as_slice);
    // Its own prefix does not count where it was registered under another.
    let counts = |(parent, _): &&(Router, String)| {
        above.len() == 1 || !parent.1.ends_with(AS_MOUNTED) || parents.contains_key(parent)
    };
    let above: Vec<&(Router, String)> = above.iter().filter(counts).collect();
    if above.is_empty() || depth >= MAX_DEPTH {
        out.insert(below);
        return;
    }
    for (parent, prefix) in above {
        if out.len() >= MAX_PREFIXES {
            return;
        }
        collect(parents, parent, joined(prefix, &below), depth + 1, out);
    }
}
