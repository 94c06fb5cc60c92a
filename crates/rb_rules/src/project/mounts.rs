//! Where applications are mounted, and which packages are rendered on a server, as far as the code itself says so.

use rb_index::calls::FactsSource as _;
use rb_index::resolve::Resolution;
use rb_index::{FileId, View};
use rustc_hash::FxHashMap;

use super::files::FileFacts;
use super::manifest::Manifests;
use super::package::Package;
use crate::facts::FileKind;

/// Finds the files that mount an application, the packages that render on a server by their own hand, and those that
/// use React without saying so.
pub(super) fn find(
    view: &View<'_>,
    files: &mut [FileFacts],
    packages: &mut [Package],
    package_of: &[Option<u32>],
) {
    for id in view.tree.ids() {
        let facts = &mut files[id.0 as usize];
        if facts.kind != FileKind::Source {
            continue;
        }
        let package = package_of[id.0 as usize].map(|at| &mut packages[at as usize]);
        let mount = if imports(view, id, "react-dom") { mount(view, id) } else { Mount::default() };
        facts.is_root |= mount.is_root;
        let Some(package) = package else { continue };
        package.ssr |= mount.is_served;
        if !package.has_react {
            let has_jsx = view.tree.get(id).marks.jsx && package.depends_on("react");
            package.has_react = has_jsx || imports(view, id, "react");
        }
    }
}

fn imports(view: &View<'_>, id: FileId, name: &str) -> bool {
    let is = |it: &Resolution| matches!(it, Resolution::External(from) if **from == *name);
    view.resolutions(id).iter().any(is)
}

#[derive(Default)]
struct Mount {
    is_root: bool,
    is_served: bool,
}

/// By the calls of a file that imports `react-dom`.
fn mount(view: &View<'_>, id: FileId) -> Mount {
    let mut mount = Mount::default();
    let Some(facts) = view.facts(id) else { return mount };
    for reference in &facts.references {
        match &*reference.name {
            "createRoot" => mount.is_root = true,
            "render" => mount.is_root |= &*reference.qualifier == "ReactDOM",
            "hydrateRoot" | "hydrate" => mount = Mount { is_root: true, is_served: true },
            "renderToString" | "renderToPipeableStream" | "renderToReadableStream" => {
                mount.is_served = true;
            }
            _ => {}
        }
    }
    mount
}

/// What a package that renders on a server is made of is rendered there too.
pub(super) fn spread_ssr(packages: &mut [Package], manifests: &Manifests) {
    let by_name: FxHashMap<String, usize> =
        packages.iter().enumerate().filter_map(|(at, it)| Some((it.name.clone()?, at))).collect();
    let mut open: Vec<usize> = (0..packages.len()).filter(|&at| packages[at].ssr).collect();
    while let Some(at) = open.pop() {
        let Some(manifest) = manifests.all.get(&packages[at].dir) else { continue };
        for to in manifest.ranges.keys().filter_map(|name| by_name.get(name).copied()) {
            if !packages[to].ssr && packages[to].has_react {
                packages[to].ssr = true;
                open.push(to);
            }
        }
    }
}
