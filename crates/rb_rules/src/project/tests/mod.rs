//! Facts of small repositories that are written as strings, `//- path` before each file.

mod boundary;
mod packages;
mod typescript;
mod versions;

use std::fmt::Write as _;
use std::path::Path;

use expect_test::Expect;
use rb_core::Cancel;
use rb_core::fs::Durability;
use rb_core::progress::Silent;
use rb_index::{Indexed, NoHistory, OnDisk, Options, Request};

use super::{FileFacts, Package, Project, Resolved, TsFacts};
use crate::facts::{FileKind, Realm};

/// Shows what differs from the nothing that is usual, so that a snapshot holds what its case is about.
#[expect(clippy::needless_pass_by_value, reason = "an `Expect` is written in place")]
#[track_caller]
fn check(fixture: &str, expected: Expect) {
    expected.assert_eq(&shown(fixture, true));
}

/// Without the files.
#[expect(clippy::needless_pass_by_value, reason = "an `Expect` is written in place")]
#[track_caller]
fn check_packages(fixture: &str, expected: Expect) {
    expected.assert_eq(&shown(fixture, false));
}

fn shown(fixture: &str, with_files: bool) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("project");
    write_files(&root, fixture);
    let indexed = index(&root, &folder.path().join("store"));
    let view = indexed.view().expect("a view");
    let project = Project::of(&view, Some(&root), &OnDisk { root: &root });
    let mut shown = String::new();
    for package in project.packages() {
        show_package(&mut shown, package);
    }
    for id in view.tree.ids().filter(|_| with_files) {
        let path = &*view.tree.get(id).path;
        show_file(&mut shown, path, *project.file(id));
    }
    shown
}

pub(super) fn write_files(root: &Path, fixture: &str) {
    let write = |path: &str, text: &str| {
        let path = root.join(path);
        rb_core::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("mkdir");
        rb_core::fs::write(&path, text.as_bytes(), Durability::Relaxed).expect("write");
    };
    write(".gitignore", "node_modules\n");
    for file in fixture.split("//- ").skip(1) {
        let (path, text) = file.split_once('\n').expect("a path on a line of its own");
        write(path.trim(), text);
    }
}

fn index(root: &Path, store: &Path) -> Indexed {
    let request = Request {
        root,
        folder: store,
        options: &Options::default(),
        history: &NoHistory,
        progress: &Silent,
        cancel: &Cancel::new(),
    };
    rb_index::update(&request).expect("an index")
}

fn show_package(to: &mut String, package: &Package) {
    let version = |it: Option<Resolved>| it.map(|it| format!("{} {:?}", it.version, it.source));
    let facts = package.facts();
    writeln!(to, "package {:?}", package.dir).expect("a string");
    let mut line = |name: &str, value: Option<String>| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            writeln!(to, "  {name}: {value}").expect("a string");
        }
    };
    line("react", version(package.react).or_else(|| package.has_react.then(|| "unknown".into())));
    let is_same = package.react_floor == package.react.map(|react| react.version);
    let floor = package.react_floor.map_or("unknown".to_owned(), |it| it.to_string());
    line("react floor", (!is_same).then_some(floor));
    line("next", version(package.next).or_else(|| package.has_next.then(|| "unknown".into())));
    let flags = [
        ("compiler", package.compiler),
        ("ssr", package.ssr),
        ("react native", package.react_native),
        ("styled-jsx", package.styled_jsx),
    ];
    line(
        "is",
        Some(
            flags
                .iter()
                .filter(|(_, on)| *on)
                .map(|(name, _)| *name)
                .collect::<Vec<_>>()
                .join(", "),
        ),
    );
    line("app router", package.app_router.clone());
    line("pages router", package.pages_router.clone());
    line("node", package.node.map(|it| it.to_string()));
    line("browsers", package.browserslist.as_ref().map(|it| it.join(", ")));
    line("es", facts.es_year.map(|it| it.to_string()));
    line("styles", Some(package.css_in_js.join(", ")));
    line("queries", package.query_layer.map(str::to_owned));
    line("hooks lint", version(package.eslint_hooks));
    line("formatter", package.formatter.map(|it| format!("{it:?}")));
    if let Some(ts) = &package.ts {
        show_ts(to, ts);
    }
}

fn show_ts(to: &mut String, ts: &TsFacts) {
    let mut words = vec![ts.config.clone()];
    let flags = [
        ("in-part", !ts.is_whole),
        ("strict", ts.strict),
        ("null-checks", ts.strict_null_checks),
        ("indexed-access", ts.no_unchecked_indexed_access),
        ("interop", ts.es_module_interop),
        ("verbatim", ts.verbatim_module_syntax),
        ("isolated", ts.isolated_modules),
        ("check-js", ts.check_js),
        ("extensions", ts.needs_extensions()),
        ("es2023.array", ts.has_lib(2023, "array")),
    ];
    words.extend(flags.iter().filter(|(_, on)| *on).map(|(name, _)| (*name).to_owned()));
    let texts = [
        ("target", ts.target.clone()),
        ("lib", ts.lib.as_ref().map(|it| it.join("+"))),
        ("module", ts.module.clone()),
        ("resolution", ts.module_resolution.clone()),
        ("jsx", ts.jsx.clone()),
        ("base", ts.base_url.clone()),
    ];
    words.extend(texts.into_iter().filter_map(|(name, it)| Some(format!("{name}={}", it?))));
    writeln!(to, "  ts: {}", words.join(" ")).expect("a string");
    for (pattern, targets) in &ts.paths {
        writeln!(to, "    {pattern} > {}", targets.join(" ")).expect("a string");
    }
}

fn show_file(to: &mut String, path: &str, facts: FileFacts) {
    let FileFacts { kind, directive, place, router, realm, is_root, has_loading } = facts;
    let mut words = Vec::new();
    words.extend((kind != FileKind::Source).then(|| format!("{kind:?}")));
    words.extend(directive.map(|it| format!("{it:?}")));
    words.extend(router.map(|it| format!("{it:?}")));
    words.extend(place.map(|it| format!("{it:?}")));
    words.extend((realm != Realm::Unknown).then(|| format!("-> {realm:?}")));
    words.extend(is_root.then(|| "root".to_owned()));
    words.extend(has_loading.then(|| "loading".to_owned()));
    if !words.is_empty() && kind != FileKind::Config {
        writeln!(to, "{path}: {}", words.join(" ")).expect("a string");
    }
}
