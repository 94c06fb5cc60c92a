//! Where the code of a file runs: on the server, in the browser, or in both.
//!
//! `"use client"` is passed on over imports, so this is a question to the whole graph. Code that nothing leads to is
//! unknown where there are server components. Without them all of a React package is client code, and runs on both sides
//! where a server renders it first.

mod graph;

use rb_index::calls::FactsSource as _;
use rb_index::resolve::Resolution;
use rb_index::{FileId, View};

use self::graph::Graph;
use super::files::{FileFacts, NextFile, Router};
use super::package::Package;
use super::paths::{file_name, source_stem};
use crate::facts::{Directive, FileKind, Realm, Route};

/// What is known of the files when realms are worked out.
pub(super) struct RealmInput<'a> {
    pub(super) view: &'a View<'a>,
    pub(super) files: &'a [FileFacts],
    pub(super) packages: &'a [Package],
    pub(super) package_of: &'a [Option<u32>],
}

/// What a file is by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    /// Client code does not bring it along: it calls it, or may not import it.
    Server,
    /// Server code does not bring it along: it only hands it to the browser.
    Client,
    /// A route: server code begins here.
    Route,
    /// A page of the pages router: both begin here.
    Page,
    Open,
}

/// By `FileId`.
pub(super) fn realms(scene: &RealmInput<'_>) -> Vec<Realm> {
    let ids = || scene.view.tree.ids();
    let sides: Vec<Side> = ids().map(|id| scene.side(id)).collect();
    let side = |id: FileId| sides[id.0 as usize];
    if !scene.packages.iter().any(has_router) {
        return ids().map(|id| scene.alone(id, side(id))).collect();
    }
    let graph = Graph::new(scene.view);
    let starts = |id| matches!(side(id), Side::Route | Side::Page);
    let apart = scene.apart(&graph.reach(ids().filter(|&id| starts(id)), |_| false));
    let package_of = |id: FileId| scene.package_of[id.0 as usize].map(|at| at as usize);
    let is_apart = |id| package_of(id).is_some_and(|at| apart[at]);
    // Of an application without server components every file is a start.
    let also = |id: FileId| {
        let is_shipped = scene.files[id.0 as usize].kind == FileKind::Source;
        if is_shipped && is_apart(id) { scene.alone(id, side(id)) } else { Realm::Unknown }
    };
    let server = graph.reach(
        ids().filter(|&id| starts(id) || side(id) == Side::Server || also(id) == Realm::Both),
        |id| side(id) == Side::Client,
    );
    let is_client = |id| matches!(side(id), Side::Client | Side::Page);
    let client = graph.reach(
        ids().filter(|&id| is_client(id) || matches!(also(id), Realm::Client | Realm::Both)),
        |id| side(id) == Side::Server,
    );
    let realm = |id: FileId| match (server[id.0 as usize], client[id.0 as usize]) {
        (true, true) => Realm::Both,
        (true, false) => Realm::Server,
        (false, true) => Realm::Client,
        (false, false) if is_apart(id) => scene.alone(id, side(id)),
        (false, false) => Realm::Unknown,
    };
    ids().map(realm).collect()
}

fn has_router(package: &Package) -> bool {
    package.app_router.is_some() || package.pages_router.is_some()
}

fn side_of_route(route: Route, router: Option<Router>) -> Side {
    match route {
        Route::Handler
        | Route::Api
        | Route::Middleware
        | Route::Instrumentation
        | Route::Document => Side::Server,
        Route::Page
        | Route::Layout
        | Route::Template
        | Route::Loading
        | Route::Error
        | Route::NotFound
        | Route::App => match router {
            Some(Router::Pages) => Side::Page,
            Some(Router::App) | None => Side::Route,
        },
    }
}

impl<'a> RealmInput<'a> {
    fn package(&self, id: FileId) -> Option<&'a Package> {
        self.package_of[id.0 as usize].map(|at| &self.packages[at as usize])
    }

    /// Where nothing has to do with server components.
    fn alone(&self, id: FileId, side: Side) -> Realm {
        match side {
            Side::Server => return Realm::Server,
            Side::Client => return Realm::Client,
            Side::Route | Side::Page | Side::Open => {}
        }
        let kind = self.files[id.0 as usize].kind;
        let is_built = matches!(kind, FileKind::Source | FileKind::Story | FileKind::Test);
        match self.package(id).filter(|package| package.has_react && is_built) {
            Some(package) if package.ssr => Realm::Both,
            Some(_) => Realm::Client,
            None => Realm::Unknown,
        }
    }

    fn side(&self, id: FileId) -> Side {
        let facts = &self.files[id.0 as usize];
        match facts.directive {
            Some(Directive::UseClient) => return Side::Client,
            Some(Directive::UseServer) => return Side::Server,
            None => {}
        }
        if let Some(side) = self.declared(id) {
            return side;
        }
        match facts.place {
            None => Side::Open,
            Some(NextFile::ClientStart) => Side::Client,
            Some(NextFile::Metadata) => Side::Server,
            Some(NextFile::Default) => Side::Route,
            Some(NextFile::Route(route)) => side_of_route(route, facts.router),
        }
    }

    /// By a marker package, or by the name where a framework goes by names.
    fn declared(&self, id: FileId) -> Option<Side> {
        let imports = |name: &str| {
            let is =
                |it: &Resolution| matches!(it, Resolution::External(package) if **package == *name);
            self.view.resolutions(id).iter().any(is)
        };
        if imports("server-only") {
            return Some(Side::Server);
        }
        if imports("client-only") {
            return Some(Side::Client);
        }
        let package = self.package(id)?;
        let by_name = ["@remix-run/react", "@react-router/dev", "vike"];
        if !by_name.iter().any(|name| package.depends_on(name)) {
            return None;
        }
        let (stem, _) = source_stem(file_name(&self.view.tree.get(id).path))?;
        match stem.rsplit_once('.').map(|(_, end)| end) {
            Some("server") => Some(Side::Server),
            Some("client") => Some(Side::Client),
            Some(_) | None => None,
        }
    }

    /// React packages without routers that no route leads to: applications beside those of Next.js.
    fn apart(&self, touched: &[bool]) -> Vec<bool> {
        let mut apart: Vec<bool> =
            self.packages.iter().map(|it| it.has_react && !has_router(it)).collect();
        for (package, touched) in self.package_of.iter().zip(touched) {
            if let Some(package) = package.filter(|_| *touched) {
                apart[package as usize] = false;
            }
        }
        apart
    }
}
