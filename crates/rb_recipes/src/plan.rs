//! What a recipe means to do, before anything is done: plain data.
//!
//! All offsets refer to the texts as they are when the plan is made. Every list is sorted by its maker or by `Plan::tidy`, so
//! that the same project gives the same plan, byte for byte.

use std::collections::{BTreeMap, BTreeSet};

use rb_core::{ApiChanges, Edit};
use serde::Serialize;

use crate::recipes::sql_parameters::OPEN_INJECTION;

/// Everything that one recipe found in a project.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Plan {
    pub chains: Vec<Chain>,
    /// What is left as it is, each with a reason that somebody can act on.
    pub left: Vec<Left>,
    /// Places that only look like uses: strings, comments, documents. They are listed and never edited.
    pub mentions: Vec<Mention>,
}

/// Edits that belong together: all are made, or none.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Chain {
    /// What it does, in one line: "`readConfig` reads asynchronously, with 4 callers".
    pub title: String,
    /// The places that the recipe is about; callers and imports that have to follow are not among them.
    pub sites: Vec<Site>,
    /// By path. An edit that another chain makes, too, word for word, is made once.
    pub edits: BTreeMap<String, Vec<Edit>>,
    /// Texts of files that are not there yet, by path.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub created: BTreeMap<String, String>,
    /// Files that are there no longer. None of them is edited as well.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub removed: BTreeSet<String>,
    /// Exported names whose use changes for others.
    pub api: Vec<ApiChange>,
    /// What names become in other signatures that mention them, dotted: `shop.cart` → `shop.basket`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub renames: BTreeMap<String, String>,
    /// What a reviewer has to know.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Site {
    pub path: String,
    pub line: u32,
    /// `fs.readFileSync` → `fs.promises.readFile`, in words.
    pub what: String,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ApiChange {
    pub path: String,
    pub name: String,
    pub before: String,
    pub after: String,
    /// Other packages can import it.
    pub is_public: bool,
}

/// What somebody reads of changed exports that no other package can import.
pub const INTERNAL_EXPORTS: &str = "exported within the project";

/// How many names of one change are listed.
const NAMES: usize = 6;

impl ApiChange {
    /// One line for all exports that change in the same way: `public API: returns its result → returns a promise: a.js#load`.
    pub fn lines(changes: &[ApiChange]) -> Vec<String> {
        let mut groups: BTreeMap<(bool, &str, &str), Vec<String>> = BTreeMap::new();
        for it in changes {
            let (before, after) = (it.before.as_str(), it.after.as_str());
            let names = groups.entry((!it.is_public, before, after)).or_default();
            names.push(format!("{}#{}", it.path, it.name));
        }
        let line = |((is_internal, before, after), names): ((bool, &str, &str), Vec<String>)| {
            let who = if is_internal { INTERNAL_EXPORTS } else { "public API" };
            let more = names.len().saturating_sub(NAMES);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let names: Vec<String> = names.into_iter().take(NAMES).collect();
            format!("{who}: {before} → {after}: {}{more}", names.join(", "))
        };
        groups.into_iter().map(line).collect()
    }
}

/// A site that is left alone.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Left {
    pub path: String,
    pub line: u32,
    pub column: u32,
    /// The code in question, on one line.
    pub code: String,
    /// Why it is left: "`Config` reads it in its constructor, which cannot wait".
    pub reason: String,
    /// What a person or a model could do about it.
    pub suggestion: String,
    /// From the site to what stops it: `a.js:3 load`, `b.js:9 new Config`.
    pub through: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Mention {
    pub path: String,
    pub line: u32,
    /// The line, trimmed.
    pub text: String,
}

impl Plan {
    /// Puts everything into its order.
    pub fn tidy(&mut self) {
        for chain in &mut self.chains {
            chain.sites.sort();
            chain.sites.dedup();
            chain.api.sort();
            chain.api.dedup();
            for edits in chain.edits.values_mut() {
                // Stable: insertions at one place keep the order in which they were given.
                edits.sort_by_key(|edit| (edit.start, edit.end));
                edits.dedup();
            }
            chain.edits.retain(|_, edits| !edits.is_empty());
        }
        self.chains.retain(|chain| chain.paths().next().is_some());
        self.chains.sort_by(|a, b| (&a.sites, &a.title).cmp(&(&b.sites, &b.title)));
        self.left.sort_by(|a, b| (!a.is_open_injection(), a).cmp(&(!b.is_open_injection(), b)));
        self.left.dedup();
        self.mentions.sort();
        self.mentions.dedup();
    }

    pub fn is_empty(&self) -> bool {
        self.chains.is_empty() && self.left.is_empty() && self.mentions.is_empty()
    }

    /// Sites that are edited, and all that were found.
    pub fn share(&self) -> (usize, usize) {
        let edited = self.chains.iter().map(|chain| chain.sites.len()).sum();
        (edited, edited + self.left.len())
    }
}

impl Left {
    /// May an attacker write into a statement here?
    pub fn is_open_injection(&self) -> bool {
        self.reason.starts_with(OPEN_INJECTION)
    }
}

impl Chain {
    pub fn edit(&mut self, path: &str, edit: Edit) {
        self.edits.entry(path.to_owned()).or_default().push(edit);
    }

    /// Every file that it edits, creates or removes, sorted by these.
    pub fn paths(&self) -> impl Iterator<Item = &String> {
        self.edits.keys().chain(self.created.keys()).chain(&self.removed)
    }

    /// What of the public interface it changes, for whoever was asked to do so.
    pub fn api_changes(&self) -> ApiChanges {
        let public = self.api.iter().filter(|change| change.is_public);
        let names = public.map(|change| format!("{}#{}", change.path, change.name)).collect();
        ApiChanges { names, renames: self.renames.clone() }
    }

    /// Takes in all that another chain does.
    pub fn join(&mut self, other: Chain) {
        let Chain { title, sites, edits, created, removed, api, renames, notes } = other;
        if self.title.is_empty() {
            self.title = title;
        }
        self.sites.extend(sites);
        for (path, edits) in edits {
            self.edits.entry(path).or_default().extend(edits);
        }
        self.created.extend(created);
        self.removed.extend(removed);
        self.api.extend(api);
        self.renames.extend(renames);
        self.notes.extend(notes);
    }
}

/// Code on one line, for people.
pub fn one_line(code: &str) -> String {
    const LONGEST: usize = 100;
    let joined = code.split_whitespace().collect::<Vec<_>>().join(" ");
    if joined.chars().count() <= LONGEST {
        return joined;
    }
    let mut cut: String = joined.chars().take(LONGEST - 1).collect();
    cut.push('…');
    cut
}
