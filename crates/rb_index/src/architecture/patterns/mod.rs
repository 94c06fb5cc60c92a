//! The patterns that are looked for, one rule each.
//!
//! A rule gives the clues that it found, and none where the pattern is not there. How sure that is, is not the rule's
//! to say: it follows from the clues.

mod app;
mod framework;
mod library;
mod product;
mod shape;
mod site;
mod structure;

use serde::{Deserialize, Serialize};

pub(super) use self::library::is_library;
use super::clue::Clue;
use super::scene::ArchitectureInput;
use super::{Confidence, Finding};

/// What sort of thing a pattern says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// What is made: a library, a program.
    Product,
    /// What it is made with.
    Framework,
    /// How the repository is cut into packages.
    Shape,
    /// How the code is cut into folders.
    Structure,
}

macro_rules! patterns {
    ($($variant:ident $family:ident $name:literal $rule:path;)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Pattern { $(#[serde(rename = $name)] $variant,)* }

        impl Pattern {
            pub const ALL: &[Pattern] = &[$(Pattern::$variant,)*];

            /// As a reader would call it.
            pub fn name(self) -> &'static str {
                match self { $(Pattern::$variant => $name,)* }
            }

            pub fn family(self) -> Family {
                match self { $(Pattern::$variant => Family::$family,)* }
            }

            fn rule(self) -> fn(&ArchitectureInput) -> Vec<Clue> {
                match self { $(Pattern::$variant => $rule,)* }
            }
        }
    };
}

// In the order of the listing.
patterns! {
    CommandLine Product "command-line tool" product::command_line;
    WebService Product "web service" product::web_service;
    WebApp Product "web app" app::web_app;
    SinglePageApp Product "frontend SPA" app::single_page_app;
    Serverless Product "serverless" product::serverless;
    DesktopApp Product "desktop app" app::desktop_app;
    MobileApp Product "mobile app" app::mobile_app;
    BrowserExtension Product "browser extension" app::browser_extension;
    EditorExtension Product "editor extension" app::editor_extension;
    Library Product "library" library::library;
    DocumentationSite Product "documentation site" site::documentation_site;
    StaticSite Product "static site" site::static_site;
    Infrastructure Product "infrastructure as code" site::infrastructure;
    NextAppRouter Framework "Next.js app router" framework::next_app_router;
    NextPagesRouter Framework "Next.js pages router" framework::next_pages_router;
    Nuxt Framework "Nuxt" framework::nuxt;
    SvelteKit Framework "SvelteKit" framework::svelte_kit;
    Remix Framework "Remix" framework::remix;
    Angular Framework "Angular" framework::angular;
    Django Framework "Django project (MTV)" framework::django;
    Rails Framework "Ruby on Rails" framework::rails;
    Laravel Framework "Laravel" framework::laravel;
    Symfony Framework "Symfony" framework::symfony;
    Phoenix Framework "Phoenix" framework::phoenix;
    Spring Framework "Spring" framework::spring;
    AspNet Framework "ASP.NET Core" framework::asp_net;
    Nest Framework "NestJS" framework::nest;
    Monorepo Shape "monorepo" shape::monorepo;
    CargoWorkspace Shape "Cargo workspace" shape::cargo_workspace;
    MultiModule Shape "multi-module build" shape::multi_module;
    GoLayout Shape "Go standard layout" shape::go_layout;
    Microservices Shape "microservices" shape::microservices;
    Mvc Structure "MVC" structure::mvc;
    Clean Structure "clean/hexagonal" structure::clean;
    Layered Structure "layered" structure::layered;
    Commands Structure "commands folder" structure::commands;
    Plugins Structure "plugin system" structure::plugins;
    EventDriven Structure "event-driven, queue workers" structure::event_driven;
    Pipeline Structure "compiler pipeline" structure::pipeline;
}

pub(super) fn find(scene: &ArchitectureInput) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Pattern::ALL
        .iter()
        .filter_map(|&pattern| {
            let evidence = pattern.rule()(scene);
            let confidence = confidence(&evidence)?;
            Some(Finding { pattern, confidence, evidence })
        })
        .collect();
    findings.sort_by_key(|finding| (finding.confidence, finding.pattern));
    findings
}

fn confidence(evidence: &[Clue]) -> Option<Confidence> {
    let first = evidence.first()?;
    let agree = evidence.iter().any(|clue| clue.kind != first.kind);
    Some(if agree { Confidence::Sure } else { Confidence::Likely })
}

/// The clues that were found, if the first was: without it the others mean something else.
fn with_first<const N: usize>(clues: [Option<Clue>; N]) -> Vec<Clue> {
    if clues.first().is_some_and(Option::is_some) {
        clues.into_iter().flatten().collect()
    } else {
        Vec::new()
    }
}

/// The clues that were found, if they are of different kinds.
fn agreeing<const N: usize>(clues: [Option<Clue>; N]) -> Vec<Clue> {
    let found: Vec<Clue> = clues.into_iter().flatten().collect();
    if confidence(&found) == Some(Confidence::Sure) { found } else { Vec::new() }
}
