//! What a rule is: plain data and one function, so that a rule is one file and one line in the list.

use serde::Serialize;

use crate::cx::Cx;
use crate::facts::{Facts, Realm, Route};

pub struct Rule {
    pub id: &'static str,
    /// One line, without a full stop.
    pub title: &'static str,
    pub category: Category,
    pub impact: Impact,
    pub fix: FixKind,
    pub level: Level,
    /// An automatic edit changes what is seen, because what was seen was wrong.
    pub repairs: bool,
    pub doc: Doc,
    /// A file that holds none of these words has nothing for the rule. Empty: every file is looked at.
    pub wants: &'static [&'static str],
    /// Does the rule speak to such a file at all? Asked before it is parsed.
    pub applies: fn(&Facts) -> bool,
    pub check: for<'c, 'a> fn(&mut Cx<'c, 'a>),
}

/// What `rules explain` prints. Markdown.
pub struct Doc {
    /// What is found, in two or three sentences.
    pub what: &'static str,
    /// What it costs, and whom.
    pub why: &'static str,
    /// Found by the rule, as it stands here.
    pub wrong: &'static str,
    /// Not found by the rule.
    pub right: &'static str,
    /// When it is fixed automatically, or what to check in the draft, or why there is no fix.
    pub safe: &'static str,
    /// When not to follow the advice.
    pub leave: &'static str,
    /// What must be so for the examples to be what they are; a plain React project otherwise.
    pub given: &'static [Given],
}

/// A fact that an example needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Given {
    /// The path of the example; `src/example.tsx` otherwise.
    Path(&'static str),
    React(u32, u32),
    Next(u32, u32),
    Ssr,
    Realm(Realm),
    Route(Route),
    UseServer,
    Root,
    EsYear(u32),
    Depends(&'static str),
    /// Another file of the project: path and text.
    File(&'static str, &'static str),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    Waterfalls,
    Bundle,
    Server,
    Client,
    Rerender,
    Rendering,
    JavaScript,
    Advanced,
}

impl Category {
    pub const ALL: [Category; 8] = [
        Category::Waterfalls,
        Category::Bundle,
        Category::Server,
        Category::Client,
        Category::Rerender,
        Category::Rendering,
        Category::JavaScript,
        Category::Advanced,
    ];

    pub fn title(self) -> &'static str {
        match self {
            Category::Waterfalls => "Eliminating Waterfalls",
            Category::Bundle => "Bundle Size Optimization",
            Category::Server => "Server-Side Performance",
            Category::Client => "Client-Side Data Fetching",
            Category::Rerender => "Re-render Optimization",
            Category::Rendering => "Rendering Performance",
            Category::JavaScript => "JavaScript Performance",
            Category::Advanced => "Advanced Patterns",
        }
    }

    /// How the ids of its rules begin.
    pub fn prefix(self) -> &'static str {
        match self {
            Category::Waterfalls => "async",
            Category::Bundle => "bundle",
            Category::Server => "server",
            Category::Client => "client",
            Category::Rerender => "rerender",
            Category::Rendering => "rendering",
            Category::JavaScript => "js",
            Category::Advanced => "advanced",
        }
    }

    pub fn impact(self) -> Impact {
        match self {
            Category::Waterfalls | Category::Bundle => Impact::Critical,
            Category::Server => Impact::High,
            Category::Client => Impact::MediumHigh,
            Category::Rerender | Category::Rendering => Impact::Medium,
            Category::JavaScript => Impact::LowMedium,
            Category::Advanced => Impact::Low,
        }
    }
}

/// Sorted from the greatest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Impact {
    #[serde(rename = "CRITICAL")]
    Critical,
    #[serde(rename = "HIGH")]
    High,
    #[serde(rename = "MEDIUM-HIGH")]
    MediumHigh,
    #[serde(rename = "MEDIUM")]
    Medium,
    #[serde(rename = "LOW-MEDIUM")]
    LowMedium,
    #[serde(rename = "LOW")]
    Low,
}

impl Impact {
    pub fn name(self) -> &'static str {
        match self {
            Impact::Critical => "CRITICAL",
            Impact::High => "HIGH",
            Impact::MediumHigh => "MEDIUM-HIGH",
            Impact::Medium => "MEDIUM",
            Impact::LowMedium => "LOW-MEDIUM",
            Impact::Low => "LOW",
        }
    }
}

/// What the rule does about its findings, at best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FixKind {
    /// An edit that is proved to keep behaviour; a draft where the proof is missing.
    Auto,
    /// A draft that tests or a person must judge; a narrow part of them is proved.
    AssistWithAuto,
    Assist,
    /// Only reported: the cure is a decision.
    Detect,
}

impl FixKind {
    pub fn name(self) -> &'static str {
        match self {
            FixKind::Auto => "auto",
            FixKind::AssistWithAuto => "assist, in part auto",
            FixKind::Assist => "assist",
            FixKind::Detect => "detect",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    Default,
    /// Pays in few places, and which these are takes a look: looked for when somebody asks for everything.
    Audit,
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}
