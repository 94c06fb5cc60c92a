//! What the project says of a file: computed once, handed to every rule.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::version::Version;

/// One file, as the rules know it before they look into it.
#[derive(Debug, Clone)]
pub struct Facts {
    pub path: Box<str>,
    pub kind: FileKind,
    pub route: Option<Route>,
    pub directive: Option<Directive>,
    pub realm: Realm,
    /// A root layout, `_app`, or the file that mounts the application.
    pub is_root: bool,
    pub package: Arc<PackageFacts>,
}

/// What is true of the package that a file belongs to.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct PackageFacts {
    /// The folder of its manifest; empty for the root.
    pub dir: Box<str>,
    /// Resolved versions; `None` where there is none or it cannot be told. `uses_react` tells the two apart.
    pub react: Option<Version>,
    pub uses_react: bool,
    pub next: Option<Version>,
    pub uses_next: bool,
    /// React Compiler is switched on.
    pub compiler: bool,
    pub app_router: bool,
    pub pages_router: bool,
    /// Pages are rendered on a server first, and hydrated.
    pub ssr: bool,
    pub react_native: bool,
    /// `strict` or `strictNullChecks` of the compiler.
    pub strict: bool,
    /// The year of the ECMAScript library that code may count on, by `lib`, `target`, engines and browsers: 2023 has
    /// `toSorted`. `None` where nothing says.
    pub es_year: Option<u32>,
    /// The library that fetches data for components: `swr`, `@tanstack/react-query` …
    pub query_layer: Option<Box<str>>,
    pub eslint_hooks: Option<Version>,
    /// Styles that are bound to the component they are written in.
    pub styled_jsx: bool,
    pub dependencies: BTreeSet<Box<str>>,
}

impl PackageFacts {
    /// Surely this version of React, or a newer one.
    pub fn react_at_least(&self, major: u32, minor: u32) -> bool {
        self.react.is_some_and(|it| it.at_least(major, minor))
    }

    pub fn next_at_least(&self, major: u32, minor: u32) -> bool {
        self.next.is_some_and(|it| it.at_least(major, minor))
    }

    pub fn depends_on(&self, name: &str) -> bool {
        self.dependencies.contains(name)
    }
}

impl Facts {
    /// May the file run on a server, as part of a page, a handler or an action?
    pub fn is_server(&self) -> bool {
        matches!(self.realm, Realm::Server | Realm::Both)
    }

    pub fn is_client(&self) -> bool {
        matches!(self.realm, Realm::Client | Realm::Both)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    Source,
    Test,
    Story,
    Config,
    Declaration,
    Generated,
    /// A program for developers: build scripts, seeds, benchmarks.
    Script,
    Vendored,
}

/// What a router makes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    Page,
    Layout,
    Template,
    Loading,
    Error,
    NotFound,
    /// `app/**/route.*`
    Handler,
    /// `pages/api/**`
    Api,
    Middleware,
    Document,
    /// `pages/_app`
    App,
    Instrumentation,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Directive {
    UseClient,
    UseServer,
}

/// Where the code of a file runs, by the import graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Realm {
    Server,
    Client,
    /// Reached from both, or rendered on the server and hydrated.
    Both,
    Unknown,
}
