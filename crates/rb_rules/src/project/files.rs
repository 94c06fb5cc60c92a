//! What is true of a file before it is read: what it is there for, and its place among the routes of Next.js.

use rb_index::role::Role;
use rb_index::trivial::Trivial;
use rb_index::{FileId, View};

use super::package::Package;
use super::paths::{below, file_name, parent, source_stem};
use crate::facts::{Directive, FileKind, Realm, Route};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileFacts {
    pub kind: FileKind,
    pub directive: Option<Directive>,
    pub place: Option<NextFile>,
    /// The router that the file lies below, a route or not.
    pub router: Option<Router>,
    pub realm: Realm,
    /// The outermost layout, `_app`, or a file that mounts the application.
    pub is_root: bool,
    /// A `loading` file shows something while this one is waited for. App router only.
    pub has_loading: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Router {
    App,
    Pages,
}

/// What Next.js takes a file for. Finer than `Route`, which has only what rules ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextFile {
    Route(Route),
    /// What a slot shows when nothing fits it.
    Default,
    /// `sitemap`, `robots`, `opengraph-image` and their like, as code.
    Metadata,
    /// `instrumentation-client`
    ClientStart,
}

impl FileFacts {
    pub fn route(&self) -> Option<Route> {
        match self.place? {
            NextFile::Route(route) => Some(route),
            NextFile::Default | NextFile::Metadata | NextFile::ClientStart => None,
        }
    }
}

/// All but what needs other files.
pub(super) fn facts(view: &View<'_>, id: FileId, package: Option<&Package>) -> FileFacts {
    let path = &*view.tree.get(id).path;
    let router = package.and_then(|package| router(path, package));
    let mut kind = kind(view, id);
    let place = package.and_then(|package| place(path, package, router));
    // A route is what its name says, in a folder of whatever name: `app/stories/page.tsx`.
    if router == Some(Router::App)
        && place.is_some()
        && matches!(kind, FileKind::Test | FileKind::Story | FileKind::Script)
    {
        kind = FileKind::Source;
    }
    let place = place.filter(|_| kind == FileKind::Source);
    let is_root = match place {
        Some(NextFile::Route(route)) => matches!(route, Route::App | Route::Document),
        Some(NextFile::Default | NextFile::Metadata | NextFile::ClientStart) => false,
        None => package.is_some_and(|package| is_framework_root(path, package)),
    };
    let directive = directive(view, id);
    let realm = Realm::Unknown;
    FileFacts { kind, directive, place, router, realm, is_root, has_loading: false }
}

/// `root.tsx` and `entry.client.tsx` of Remix and its successor.
fn is_framework_root(path: &str, package: &Package) -> bool {
    let is_known =
        package.depends_on("@remix-run/react") || package.depends_on("@react-router/dev");
    let inner = below(path, &package.dir).and_then(|inner| inner.strip_prefix("app/"));
    is_known
        && matches!(inner, Some("root.tsx" | "root.jsx" | "entry.client.tsx" | "entry.client.jsx"))
}

fn kind(view: &View<'_>, id: FileId) -> FileKind {
    let file = view.tree.get(id);
    let name = file_name(&file.path);
    let role = Role::of(&file.path);
    match view.file(id).trivial {
        Some(Trivial::Generated(_) | Trivial::LockFile) => return FileKind::Generated,
        Some(Trivial::Vendored(_) | Trivial::SaidVendored | Trivial::Minified) => {
            return FileKind::Vendored;
        }
        Some(Trivial::Empty | Trivial::ShortInit { .. } | Trivial::ReExports) | None => {}
    }
    if role == Role::Vendored {
        FileKind::Vendored
    } else if [".d.ts", ".d.mts", ".d.cts"].iter().any(|end| name.ends_with(end)) {
        FileKind::Declaration
    } else if role == Role::Test || file.marks.tests || is_test_helper(&file.path, name) {
        FileKind::Test
    } else if is_story(&file.path, name) {
        FileKind::Story
    } else if is_config(&file.path, name) {
        FileKind::Config
    } else if role == Role::Tooling || file.marks.main || is_seed(&file.path, name) {
        FileKind::Script
    } else {
        FileKind::Source
    }
}

fn is_test_helper(path: &str, name: &str) -> bool {
    let is_setup = ["jest.setup.", "vitest.setup.", "setupTests.", "setup-tests.", "test-setup."]
        .iter()
        .any(|start| name.starts_with(start));
    is_setup || parent(path).split('/').any(|folder| matches!(folder, "testing" | "__testing__"))
}

/// Fills a database for developers.
fn is_seed(path: &str, name: &str) -> bool {
    let is_seed = |word: &str| matches!(word, "seed" | "seeds" | "seeders" | "migrations");
    parent(path).split('/').any(is_seed) || name.split('.').next().is_some_and(is_seed)
}

fn is_story(path: &str, name: &str) -> bool {
    let is_named = name.contains(".stories.") || name.contains(".story.");
    is_named || parent(path).split('/').any(|it| matches!(it, "stories" | "__stories__"))
}

fn is_config(path: &str, name: &str) -> bool {
    let is_hidden = name.starts_with('.');
    is_hidden
        || name.contains(".config.")
        || path.split('/').any(|folder| folder == ".storybook")
        || matches!(name, "Gruntfile.js" | "gulpfile.js" | "config-overrides.js")
}

fn directive(view: &View<'_>, id: FileId) -> Option<Directive> {
    let marks = view.tree.get(id).marks;
    match (marks.use_client, marks.use_server) {
        (true, _) => Some(Directive::UseClient),
        (false, true) => Some(Directive::UseServer),
        (false, false) => None,
    }
}

fn router(path: &str, package: &Package) -> Option<Router> {
    let is_below =
        |root: &Option<String>| root.as_deref().is_some_and(|root| below(path, root).is_some());
    if is_below(&package.app_router) {
        Some(Router::App)
    } else {
        is_below(&package.pages_router).then_some(Router::Pages)
    }
}

fn place(path: &str, package: &Package, router: Option<Router>) -> Option<NextFile> {
    let (stem, _) = source_stem(file_name(path))?;
    match router {
        Some(Router::App) => in_app(stem),
        Some(Router::Pages) => in_pages(path, package, stem).map(NextFile::Route),
        None => at_the_top(path, package, stem),
    }
}

fn in_app(stem: &str) -> Option<NextFile> {
    // Metadata may come with a number: `icon1.tsx`.
    let bare = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    Some(NextFile::Route(match stem {
        "page" => Route::Page,
        "layout" => Route::Layout,
        "template" => Route::Template,
        "loading" => Route::Loading,
        "error" | "global-error" => Route::Error,
        "not-found" | "forbidden" | "unauthorized" | "global-not-found" => Route::NotFound,
        "default" => return Some(NextFile::Default),
        "route" => Route::Handler,
        "sitemap" | "robots" | "manifest" => return Some(NextFile::Metadata),
        _ if matches!(bare, "icon" | "apple-icon" | "opengraph-image" | "twitter-image") => {
            return Some(NextFile::Metadata);
        }
        _ => return None,
    }))
}

fn in_pages(path: &str, package: &Package, stem: &str) -> Option<Route> {
    let inner = below(path, package.pages_router.as_deref()?)?;
    let is_outermost = !inner.contains('/');
    Some(match stem {
        _ if inner.starts_with("api/") => Route::Api,
        "_app" if is_outermost => Route::App,
        "_document" if is_outermost => Route::Document,
        "_error" | "404" | "500" if is_outermost => Route::Error,
        "_middleware" => Route::Middleware,
        _ => Route::Page,
    })
}

/// Files beside the routers, in the package or in its `src`.
fn at_the_top(path: &str, package: &Package, stem: &str) -> Option<NextFile> {
    let inner = below(parent(path), &package.dir)?;
    if !package.has_next || !matches!(inner, "" | "src") {
        return None;
    }
    match stem {
        "middleware" | "proxy" => Some(NextFile::Route(Route::Middleware)),
        "instrumentation" => Some(NextFile::Route(Route::Instrumentation)),
        "instrumentation-client" => Some(NextFile::ClientStart),
        _ => None,
    }
}
