//! Which packages of a repository are React or Next.js projects, and which of their files hold server components.
//!
//! A package is what the nearest `package.json` speaks for. Whether a single symbol is a component is a fact of its
//! file and not decided here.

use rb_lang::Language;

use crate::manifests::{self, Package};
use crate::tree::{FileId, Tree};

/// The React side of a repository.
#[derive(Debug, Default)]
pub struct React {
    /// Sorted by folder. Empty where nothing is a React project.
    pub packages: Vec<ReactPackage>,
    /// By `FileId`. `Some(true)` for a file of server components, `Some(false)` for one of client components; `None`
    /// where it is neither, where nothing leads to it, or where there is no app router to tell them apart.
    pub server_component: Vec<Option<bool>>,
    /// By `FileId`: the React package that the file belongs to, as a place in `packages`.
    pub package_of: Vec<Option<u32>>,
}

/// A package that has `react` or `next` among its dependencies and files that hold components.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReactPackage {
    pub manifest: FileId,
    /// The folder of the manifest; empty for the root.
    pub dir: String,
    /// The versions that the manifest takes. Empty where it leaves them open.
    pub react: Option<String>,
    pub next: Option<String>,
    /// The folder of the app router, of the pages router, or both. Next.js only.
    pub app_router: Option<String>,
    pub pages_router: Option<String>,
    pub react_compiler: bool,
    pub typescript: bool,
    pub component_files: u32,
}

impl React {
    pub fn package_of(&self, file: FileId) -> Option<&ReactPackage> {
        let place = *self.package_of.get(file.0 as usize)?;
        self.packages.get(place? as usize)
    }
}

/// `edges` lead from the importing file to the imported one; imports of types alone should not be among them, since
/// they load nothing.
pub fn react(tree: &Tree, edges: &[(FileId, FileId)]) -> React {
    let manifests =
        manifests::read(tree, |path| path == "package.json" || path.ends_with("/package.json"));
    let nearest = nearest(tree, &manifests);
    let mut found: Vec<Option<ReactPackage>> = manifests.iter().map(candidate).collect();
    for id in tree.ids() {
        if let Some(package) = nearest[id.0 as usize].and_then(|at| found[at].as_mut()) {
            look_at(package, tree, id);
        }
    }
    let mut places = vec![None; found.len()];
    let mut packages = Vec::new();
    for (place, package) in places.iter_mut().zip(found) {
        if let Some(package) = package.filter(|package| package.component_files > 0) {
            *place = Some(u32::try_from(packages.len()).expect("fewer packages than files"));
            packages.push(package);
        }
    }
    let package_of: Vec<Option<u32>> =
        nearest.iter().map(|at| at.and_then(|at| places[at])).collect();
    let server_component = server_components(tree, edges, &packages, &package_of);
    React { packages, server_component, package_of }
}

/// For each file the manifest of its nearest folder. Paths are sorted, yet a folder's files need not follow its
/// manifest, so each file asks its folders from the inside out.
fn nearest(tree: &Tree, manifests: &[Package]) -> Vec<Option<usize>> {
    let by_dir: rustc_hash::FxHashMap<&str, usize> =
        manifests.iter().enumerate().map(|(at, package)| (package.dir, at)).collect();
    let mut known: rustc_hash::FxHashMap<&str, Option<usize>> = rustc_hash::FxHashMap::default();
    tree.files
        .iter()
        .map(|file| {
            let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
            *known
                .entry(folder)
                .or_insert_with(|| folders(folder).find_map(|dir| by_dir.get(dir).copied()))
        })
        .collect()
}

/// The folder, those around it, and the root.
fn folders(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |inner| match inner.rsplit_once('/') {
        Some((outer, _)) => Some(outer),
        None if inner.is_empty() => None,
        None => Some(""),
    })
}

fn candidate(package: &Package) -> Option<ReactPackage> {
    let range = |name: &str| {
        let range = package.dependencies.get(name).or_else(|| package.dev_dependencies.get(name));
        range.cloned()
    };
    let (react, next) = (range("react"), range("next"));
    if react.is_none() && next.is_none() {
        return None;
    }
    Some(ReactPackage {
        manifest: package.file,
        dir: package.dir.to_owned(),
        react,
        next,
        app_router: None,
        pages_router: None,
        react_compiler: package.mentions("babel-plugin-react-compiler"),
        typescript: package.mentions("typescript"),
        component_files: 0,
    })
}

/// What one file tells of its package.
fn look_at(package: &mut ReactPackage, tree: &Tree, id: FileId) {
    let file = tree.get(id);
    package.component_files += u32::from(holds_components(tree, id));
    let Some(inner) = inside(&file.path, &package.dir) else { return };
    package.typescript |= inner == "tsconfig.json";
    if inner.starts_with("next.config.")
        || inner.starts_with("babel.config.")
        || inner == ".babelrc"
    {
        let text = file.manifest.as_deref().unwrap_or("");
        package.react_compiler |= turns_compiler_on(text);
    }
    if package.next.is_some() {
        let app = route_file(inner)
            .filter(|(_, name)| SEGMENT_FILES.contains(name))
            .map(|(root, _)| root);
        if let Some(root) = app.filter(|root| root.ends_with("app")) {
            package.app_router.get_or_insert_with(|| join(&package.dir, root));
        }
        let pages = route_file(inner).filter(|(root, _)| root.ends_with("pages"));
        if let Some((root, _)) = pages {
            package.pages_router.get_or_insert_with(|| join(&package.dir, root));
        }
    }
}

fn turns_compiler_on(text: &str) -> bool {
    let lines = text
        .lines()
        .map(str::trim_start)
        .filter(|line| !line.starts_with("//") && !line.starts_with('*'));
    lines.into_iter().any(|line| match line.split_once("reactCompiler") {
        Some((_, rest)) => !rest.trim_start_matches([':', ' ', '"', '\'']).starts_with("false"),
        None => line.contains("babel-plugin-react-compiler"),
    })
}

/// Files that Next.js renders, by name; everything else in `app/` is only what they import.
const SEGMENT_FILES: &[&str] = &[
    "page",
    "layout",
    "template",
    "loading",
    "error",
    "not-found",
    "default",
    "global-error",
    "forbidden",
    "unauthorized",
];

/// The folder of the router and the bare name of a source file below it.
fn route_file(inner: &str) -> Option<(&str, &str)> {
    let root = ["src/app", "app", "src/pages", "pages"]
        .into_iter()
        .find(|root| inner.strip_prefix(root).is_some_and(|rest| rest.starts_with('/')))?;
    let name = inner.rsplit('/').next()?;
    let (stem, extension) = name.split_once('.')?;
    matches!(extension, "js" | "jsx" | "ts" | "tsx").then_some((&inner[..root.len()], stem))
}

fn holds_components(tree: &Tree, id: FileId) -> bool {
    let file = tree.get(id);
    file.marks.jsx || file.language == Some(Language::Tsx) || file.path.ends_with(".jsx")
}

fn inside<'a>(path: &'a str, dir: &str) -> Option<&'a str> {
    if dir.is_empty() { Some(path) } else { path.strip_prefix(dir)?.strip_prefix('/') }
}

fn join(dir: &str, inner: &str) -> String {
    if dir.is_empty() { inner.to_owned() } else { format!("{dir}/{inner}") }
}

/// Client is whatever a `"use client"` file brings along; server is what the routes reach without passing one.
fn server_components(
    tree: &Tree,
    edges: &[(FileId, FileId)],
    packages: &[ReactPackage],
    package_of: &[Option<u32>],
) -> Vec<Option<bool>> {
    let mut answer = vec![None; tree.files.len()];
    let with_app = |id: FileId| {
        let package = &packages[package_of[id.0 as usize]? as usize];
        package.app_router.as_deref().map(|root| (package, root))
    };
    let routes: Vec<FileId> = tree
        .ids()
        .filter(|&id| with_app(id).is_some_and(|(_, root)| is_route(tree, id, root)))
        .collect();
    if routes.is_empty() {
        return answer;
    }
    let graph = Graph::new(tree.files.len(), edges);
    let reached = graph.reach(routes.iter().copied(), |_| false);
    let is_client_edge = |id: FileId| tree.get(id).marks.use_client;
    let borders = tree
        .ids()
        .filter(|&id| is_client_edge(id) && (reached[id.0 as usize] || with_app(id).is_some()));
    // A server action that client code imports is called over the network, not brought along.
    let client = graph.reach(borders, |id| tree.get(id).marks.use_server);
    let server =
        graph.reach(routes.iter().copied().filter(|&id| !is_client_edge(id)), is_client_edge);
    for id in tree.ids() {
        let at = id.0 as usize;
        if holds_components(tree, id) || routes.binary_search(&id).is_ok() {
            answer[at] = if client[at] { Some(false) } else { server[at].then_some(true) };
        }
    }
    answer
}

fn is_route(tree: &Tree, id: FileId, root: &str) -> bool {
    let Some(inner) = inside(&tree.get(id).path, root) else { return false };
    let name = inner.rsplit('/').next().unwrap_or(inner);
    let Some((stem, extension)) = name.split_once('.') else { return false };
    matches!(extension, "js" | "jsx" | "ts" | "tsx") && SEGMENT_FILES.contains(&stem)
}

/// Whom each file imports.
struct Graph {
    starts: Vec<u32>,
    targets: Vec<FileId>,
}

impl Graph {
    fn new(files: usize, edges: &[(FileId, FileId)]) -> Graph {
        let mut sorted = edges.to_vec();
        sorted.sort_unstable();
        let mut starts = vec![0_u32; files + 1];
        for (from, _) in &sorted {
            starts[from.0 as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        Graph { starts, targets: sorted.into_iter().map(|(_, to)| to).collect() }
    }

    /// All that `from` leads to, itself included, without entering what `is_closed` names.
    fn reach(
        &self,
        from: impl Iterator<Item = FileId>,
        is_closed: impl Fn(FileId) -> bool,
    ) -> Vec<bool> {
        let mut seen = vec![false; self.starts.len() - 1];
        let mut open: Vec<FileId> = from.collect();
        for id in &open {
            seen[id.0 as usize] = true;
        }
        while let Some(id) = open.pop() {
            let at = id.0 as usize;
            for &to in &self.targets[self.starts[at] as usize..self.starts[at + 1] as usize] {
                if !seen[to.0 as usize] && !is_closed(to) {
                    seen[to.0 as usize] = true;
                    open.push(to);
                }
            }
        }
        seen
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use expect_test::{Expect, expect};

    use super::*;
    use crate::fixture::{edges, tree};

    #[expect(clippy::needless_pass_by_value, reason = "an `Expect` is written in place")]
    #[track_caller]
    fn check(files: &str, texts: &[(&str, &str)], imports: &str, expected: Expect) {
        let tree = tree(files, texts);
        let react = react(&tree, &edges(&tree, imports));
        let mut shown = String::new();
        for package in &react.packages {
            let ReactPackage {
                manifest: _,
                dir,
                react,
                next,
                app_router,
                pages_router,
                react_compiler,
                typescript,
                component_files,
            } = package;
            writeln!(shown, "{dir:?}: react {react:?} next {next:?} app {app_router:?} pages {pages_router:?} compiler {react_compiler} typescript {typescript} component files {component_files}").unwrap();
        }
        for id in tree.ids() {
            let side = match react.server_component[id.0 as usize] {
                Some(true) => "server",
                Some(false) => "client",
                None => continue,
            };
            writeln!(shown, "{side} {}", tree.get(id).path).unwrap();
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn ix5_a_react_project_has_the_dependency_and_the_files() {
        check(
            "src/App.tsx src/util.ts",
            &[(
                "package.json",
                r#"{"dependencies": {"react": "^18.2.0"}, "devDependencies": {"typescript": "5"}}"#,
            )],
            "",
            expect![[r#"
                "": react Some("^18.2.0") next None app None pages None compiler false typescript true component files 1
            "#]],
        );
        // The dependency without components, components without the dependency, and JSX in plain JavaScript.
        check(
            "a/index.ts b/App.jsx c/app.js:jsx",
            &[
                ("a/package.json", r#"{"dependencies": {"react": "19"}}"#),
                ("b/package.json", r#"{"dependencies": {"preact": "10"}}"#),
                ("c/package.json", r#"{"peerDependencies": {"react": ">=17"}}"#),
            ],
            "",
            expect![[r#"
                "c": react Some(">=17") next None app None pages None compiler false typescript false component files 1
            "#]],
        );
    }

    #[test]
    fn ix5_a_file_belongs_to_the_nearest_package() {
        check(
            "web/src/app/page.tsx web/src/app/layout.tsx ui/Button.tsx legacy/pages/index.jsx api/main.ts web/tsconfig.json",
            &[
                ("package.json", r#"{"workspaces": ["web", "ui"]}"#),
                ("web/package.json", r#"{"dependencies": {"next": "15.1.0", "react": "19"}}"#),
                (
                    "web/next.config.ts",
                    "export default {\n  experimental: { reactCompiler: true },\n}",
                ),
                (
                    "ui/package.json",
                    r#"{"peerDependencies": {"react": "19"}, "devDependencies": {"babel-plugin-react-compiler": "1"}}"#,
                ),
                ("legacy/package.json", r#"{"dependencies": {"next": "12"}}"#),
                (
                    "legacy/next.config.js",
                    "// reactCompiler: true\nmodule.exports = { reactCompiler: false }",
                ),
            ],
            "",
            expect![[r#"
                "legacy": react None next Some("12") app None pages Some("legacy/pages") compiler false typescript false component files 1
                "ui": react Some("19") next None app None pages None compiler true typescript false component files 1
                "web": react Some("19") next Some("15.1.0") app Some("web/src/app") pages None compiler true typescript true component files 2
                server web/src/app/layout.tsx
                server web/src/app/page.tsx
            "#]],
        );
    }

    #[test]
    fn ix5_server_components_are_told_by_the_way_that_leads_to_them() {
        check(
            "app/layout.tsx app/page.tsx app/error.tsx:client app/Header.tsx app/api/route.ts ui/Menu.tsx:client ui/Item.tsx ui/Both.tsx
             ui/Alone.tsx lib/data.ts app/actions.ts:server lib/Email.tsx app/old/page.js",
            &[("package.json", r#"{"dependencies": {"next": "15", "react": "19"}}"#)],
            "app/layout.tsx>app/Header.tsx app/Header.tsx>ui/Menu.tsx ui/Menu.tsx>ui/Item.tsx ui/Item.tsx>ui/Menu.tsx
             app/page.tsx>ui/Both.tsx ui/Menu.tsx>ui/Both.tsx app/page.tsx>lib/data.ts ui/Menu.tsx>app/actions.ts app/actions.ts>lib/Email.tsx",
            expect![[r#"
                "": react Some("19") next Some("15") app Some("app") pages None compiler false typescript false component files 9
                server app/Header.tsx
                client app/error.tsx
                server app/layout.tsx
                server app/old/page.js
                server app/page.tsx
                client ui/Both.tsx
                client ui/Item.tsx
                client ui/Menu.tsx
            "#]],
        );
    }

    #[test]
    fn ix5_without_an_app_router_nothing_is_said_of_servers() {
        check(
            "pages/index.tsx pages/_app.tsx ui/Menu.tsx:client",
            &[("package.json", r#"{"dependencies": {"next": "13", "react": "18"}}"#)],
            "pages/index.tsx>ui/Menu.tsx",
            expect![[r#"
                "": react Some("18") next Some("13") app None pages Some("pages") compiler false typescript false component files 3
            "#]],
        );
    }
}
