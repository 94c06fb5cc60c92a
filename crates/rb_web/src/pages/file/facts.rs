//! What is known about a file, beside its source: every list is cut, and says how much it leaves out.

use std::collections::BTreeSet;

use rb_core::clock::Timestamp;
use rb_html::Page;
use rb_index::test_links::{self, Why};
use rb_index::{FileId, IndexError};
use rb_lang::Symbol;
use rb_rules::Finding;
use rb_tools::{FileCall, FileCallers, Repository, ToolError, callers_of_file};
use rb_workspace::history::FileCommit;

use super::On;
use crate::clock_words::moment;
use crate::pages::code::address;
use crate::pages::code::numbers::{count, percent, plural};
use crate::pages::code::prose::prose;
use crate::reply::Problem;
use crate::site::Site;

const MOST: usize = 30;
const CALLS: usize = 60;
const COMMITS: u32 = 20;
const SYMBOLS: usize = 300;

pub(super) struct Facts {
    symbols: Vec<Symbol>,
    importers: Vec<FileId>,
    callers: FileCallers,
    /// Tests of this file, or for a test what it tests.
    tests: Vec<(FileId, Why)>,
    history: Vec<FileCommit>,
}

impl Facts {
    pub(super) fn of(site: &Site, on: &On<'_>) -> Result<Result<Facts, Problem>, IndexError> {
        let (view, id) = (on.view, on.id);
        let edges = view.edges();
        let using: BTreeSet<FileId> =
            edges.iter().filter(|(_, to)| *to == id).map(|(from, _)| *from).collect();
        let importers = view.by_importance().iter().copied().filter(|file| using.contains(file));
        let tests = test_links::link(view.tree, &edges).into_iter().filter_map(|link| {
            let other = if link.source == id {
                Some(link.test)
            } else {
                (link.test == id).then_some(link.source)
            };
            other.map(|other| (other, link.why))
        });
        let history = match on.repo.file_history(on.path, COMMITS) {
            Ok(history) => history,
            Err(error) => return Ok(Err(Problem::failed(error))),
        };
        let repository = Repository {
            repo: on.repo,
            indexed: on.indexed,
            search: &site.host.search,
            cancel: &site.host.cancel,
        };
        let callers = match callers_of_file(repository, view, id) {
            Ok(callers) => callers,
            Err(ToolError::Index(error)) => return Err(error),
            Err(error @ (ToolError::Call(_) | ToolError::Interrupted)) => {
                return Ok(Err(Problem::failed(error)));
            }
        };
        Ok(Ok(Facts {
            symbols: view.read_symbols(id)?,
            importers: importers.collect(),
            callers,
            tests: tests.collect(),
            history,
        }))
    }

    pub(super) fn write(&self, body: &mut Page, on: &On<'_>, findings: &[Finding]) {
        importance(body, on);
        rules(body, findings, on);
        self.outline(body, on);
        self.imports(body, on);
        self.calls(body, on);
        self.tests(body, on);
        self.history(body);
    }

    fn outline(&self, body: &mut Page, on: &On<'_>) {
        section(body, "Symbols", self.symbols.len(), true);
        if self.symbols.is_empty() {
            body.element("p", "soft", "None.");
        }
        body.raw("<ul class=\"outline\">\n");
        let mut depths: Vec<usize> = Vec::with_capacity(self.symbols.len());
        for symbol in &self.symbols {
            depths.push(symbol.parent.map_or(0, |parent| depths[parent as usize] + 1));
        }
        for (symbol, &depth) in self.symbols.iter().zip(&depths).take(SYMBOLS) {
            let class = ["depth-0", "depth-1", "depth-2", "depth-3"][depth.min(3)];
            body.open("li", &[("class", class)]);
            body.element("span", "kind", symbol.kind.name());
            body.raw(" ");
            let (first, last) = (symbol.span.first_line, symbol.span.last_line);
            body.link(&address::lines(on.file().path, first, last), &symbol.name);
            body.raw(" ");
            body.element("span", "soft", &format!("{first}"));
            body.raw("</li>\n");
        }
        body.raw("</ul>\n");
        more(body, self.symbols.len(), SYMBOLS);
        body.raw("</details>\n");
    }

    fn imports(&self, body: &mut Page, on: &On<'_>) {
        section(body, "Imported by", self.importers.len(), true);
        let path = |id: &FileId| &*on.view.tree.get(*id).path;
        paths(body, self.importers.iter().map(path));
        body.raw("</details>\n");
        let (inside, outside) = on.view.uses(on.id);
        section(body, "Imports", inside.len() + outside.len(), true);
        paths(body, inside.iter().copied());
        if !outside.is_empty() {
            let packages = outside.iter().map(|&name| name.to_owned());
            body.element(
                "p",
                "soft",
                &format!("Packages: {}", rb_core::at_most(MOST, packages).join(", ")),
            );
        }
        body.raw("</details>\n");
    }

    fn calls(&self, body: &mut Page, on: &On<'_>) {
        let FileCallers { calls, left_out } = &self.callers;
        section(body, "Callers", calls.len(), false);
        if calls.is_empty() {
            body.element("p", "soft", "No call from another file was found.");
        }
        for group in calls[..calls.len().min(CALLS)].chunk_by(|a, b| a.callee == b.callee) {
            body.element("h3", "", &group[0].name);
            body.raw("<ul class=\"plain\">\n");
            for call in group {
                one_call(body, call, &on.view.tree.get(call.from).path);
            }
            body.raw("</ul>\n");
        }
        more(body, calls.len(), CALLS);
        if *left_out > 0 {
            let words = format!(
                "{} that import this one were not looked at.",
                plural(*left_out as u64, "more file")
            );
            body.element("p", "soft", &words);
        }
        body.raw("</details>\n");
    }

    fn tests(&self, body: &mut Page, on: &On<'_>) {
        let is_test = test_links::is_test_path(on.file().path);
        section(body, if is_test { "Tests these files" } else { "Tests" }, self.tests.len(), true);
        if self.tests.is_empty() {
            body.element(
                "p",
                "soft",
                if is_test { "It is not known what it tests." } else { "No test is known." },
            );
        }
        body.raw("<ul class=\"plain\">\n");
        for (id, why) in self.tests.iter().take(MOST) {
            let path = &on.view.tree.get(*id).path;
            body.raw("<li>");
            body.link(&address::file(path), path);
            body.raw(" ");
            body.element("span", "soft", why.reason());
            body.raw("</li>\n");
        }
        body.raw("</ul>\n");
        more(body, self.tests.len(), MOST);
        body.raw("</details>\n");
    }

    fn history(&self, body: &mut Page) {
        section(body, "History", self.history.len(), false);
        if self.history.is_empty() {
            body.element("p", "soft", "No commit is known.");
        }
        body.raw("<ul class=\"plain\">\n");
        for commit in &self.history {
            body.raw("<li>");
            body.element("code", "", &commit.hash);
            body.raw(" ");
            body.text(&commit.subject);
            body.raw(" ");
            let at = Timestamp::from_unix_ms(commit.time.saturating_mul(1000));
            body.element("span", "soft", &moment(at)[..10]);
            body.raw("</li>\n");
        }
        body.raw("</ul>\n");
        if self.history.len() == COMMITS as usize {
            body.element("p", "soft", &format!("The latest {COMMITS} commits."));
        }
        body.raw("</details>\n");
    }
}

fn importance(body: &mut Page, on: &On<'_>) {
    let file = on.file();
    let score = file.importance;
    body.raw("<section class=\"importance\"><h2>Importance</h2>\n<dl>\n");
    let parts = [
        ("Score", score.score, "weighted sum of the four parts"),
        ("Centrality", score.centrality, "40 %: how much other files depend on it"),
        ("Naming", score.naming, "25 %: what its path says"),
        ("Size", score.size, "20 %: its length"),
        ("Activity", score.activity, "15 %: recent commits"),
    ];
    for (name, value, words) in parts {
        body.open("dt", &[("title", words)]);
        body.text(name);
        body.raw("</dt><dd class=\"meter\">");
        body.bar(percent(value));
        body.raw("</dd>\n");
    }
    body.raw("</dl>\n");
    let words = format!(
        "Used by {} · {} · complexity {}, worst function {}",
        plural(file.used_by.into(), "file"),
        plural(file.commits.into(), "commit"),
        count(file.complexity.into()),
        count(file.worst_complexity.into())
    );
    body.element("p", "soft", &words);
    body.raw("</section>\n");
}

fn rules(body: &mut Page, findings: &[Finding], on: &On<'_>) {
    if findings.is_empty() {
        return;
    }
    section(body, "Rule findings", findings.len(), true);
    body.raw("<ul class=\"plain\">\n");
    for finding in findings.iter().take(MOST) {
        body.raw("<li>");
        let place = address::lines(on.file().path, finding.line, finding.end_line);
        body.link(&place, &format!("Line {}", finding.line));
        body.raw(" ");
        prose(body, &finding.message);
        body.raw(" ");
        body.link(&Page::path("/rules/", &finding.rule), &finding.rule);
        body.raw("</li>\n");
    }
    body.raw("</ul>\n");
    more(body, findings.len(), MOST);
    body.raw("</details>\n");
}

fn one_call(body: &mut Page, call: &FileCall, path: &str) {
    body.raw("<li>");
    body.link(&address::lines(path, call.line, call.line), &format!("{path}:{}", call.line));
    if let Some(caller) = &call.caller {
        body.raw(" <span class=\"soft\">in</span> ");
        body.element("code", "", caller);
    }
    let mut notes = Vec::new();
    if call.count > 1 {
        notes.push(format!("{} times", count(call.count.into())));
    }
    if call.is_guess {
        notes.push("likely".to_owned());
    }
    if !notes.is_empty() {
        body.raw(" ");
        body.element("span", "soft", &notes.join(", "));
    }
    body.raw("</li>\n");
}

/// Begins a part that can be folded; the caller ends it.
fn section(body: &mut Page, title: &'static str, number: usize, is_open: bool) {
    body.raw(if is_open { "<details open>\n<summary>" } else { "<details>\n<summary>" });
    body.element("h2", "", title);
    body.raw(" ");
    body.element("span", "soft", &count(number as u64));
    body.raw("</summary>\n");
}

fn paths<'p>(body: &mut Page, paths: impl ExactSizeIterator<Item = &'p str>) {
    let total = paths.len();
    if total == 0 {
        body.element("p", "soft", "No file.");
        return;
    }
    body.raw("<ul class=\"plain\">\n");
    for path in paths.take(MOST) {
        body.raw("<li>");
        body.link(&address::file(path), path);
        body.raw("</li>\n");
    }
    body.raw("</ul>\n");
    more(body, total, MOST);
}

fn more(body: &mut Page, total: usize, shown: usize) {
    if total > shown {
        body.element("p", "soft", &format!("And {} more.", count((total - shown) as u64)));
    }
}
