//! The overview on one screen. Every section is left out where there is nothing to say.

use std::fmt::Write as _;

use rb_index::architecture::{Confidence, Layering};
use rb_index::{Overview, TopFile, Update};

use super::super::index;
use crate::color::Palette;
use crate::numbers::{count, plural};
use crate::ui::{Ui, printable};

const EVIDENCE: usize = 2;
const ENTRY_POINTS: usize = 8;
const LAYERS: usize = 8;
const HOTSPOTS: usize = 5;
const CYCLES: usize = 3;
const PACKAGES: usize = 10;

pub(super) fn text(ui: &Ui, overview: &Overview, update: &Update) -> String {
    let mut screen = Screen { text: String::new(), palette: ui.out };
    screen.head(overview);
    screen.architecture(overview);
    screen.entry_points(overview);
    screen.top(overview);
    screen.hotspots(overview);
    screen.cycles(overview);
    screen.rest(overview);
    let _ = writeln!(screen.text, "\n{}", screen.palette.dim(&index::state_words(update)));
    screen.text
}

struct Screen {
    text: String,
    palette: Palette,
}

impl Screen {
    fn section(&mut self, name: &str, note: &str) {
        let note =
            if note.is_empty() { String::new() } else { format!("  {}", self.palette.dim(note)) };
        let _ = writeln!(self.text, "\n{}{note}", self.palette.cyan(name));
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "  {}", printable(line).trim_end());
    }

    fn head(&mut self, overview: &Overview) {
        let what = &overview.architecture.what;
        let name = what.name.as_deref().unwrap_or("this folder");
        let kinds: Vec<&str> = what.kinds.iter().map(|kind| kind.name()).collect();
        let kinds =
            if kinds.is_empty() { String::new() } else { format!(": {}", kinds.join(", ")) };
        let _ =
            writeln!(self.text, "{}{}", self.palette.green(&printable(name)), printable(&kinds));
        if let Some(description) = &what.description {
            self.line(description);
        }
        let totals = overview.totals;
        self.line(&format!(
            "{} · {} · {} · {}",
            plural(totals.files, "file"),
            plural(totals.lines, "line"),
            plural(totals.symbols, "symbol"),
            index::languages(&overview.languages)
        ));
    }

    fn architecture(&mut self, overview: &Overview) {
        let found = &overview.architecture.patterns;
        if !found.is_empty() {
            self.section("Architecture", "");
        }
        for finding in found {
            let sure = match finding.confidence {
                Confidence::Sure => "",
                Confidence::Likely => " (likely)",
            };
            let evidence: Vec<&str> =
                finding.evidence.iter().take(EVIDENCE).map(|clue| clue.text.as_str()).collect();
            self.line(&format!("{}{sure}: {}", finding.pattern.name(), evidence.join("; ")));
        }
        for layering in &overview.architecture.layers {
            self.layers(layering);
        }
    }

    fn layers(&mut self, layering: &Layering) {
        let whose = layering.pattern.map_or("by imports", |pattern| pattern.name());
        self.section("Layers", &format!("{whose}, top layer first"));
        for layer in layering.layers.iter().take(LAYERS) {
            let folders: Vec<String> = layer
                .folders
                .iter()
                .take(4)
                .map(|folder| format!("{} ({})", folder.path, count(folder.files.into())))
                .collect();
            let more = layer.folders.len().saturating_sub(4);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            self.line(&format!("{}{more}", folders.join("  ")));
        }
        if layering.layers.len() > LAYERS {
            self.line(&format!("… {} more below", layering.layers.len() - LAYERS));
        }
        for against in layering.against.iter().take(3) {
            self.line(&format!(
                "against the order: {} -> {}, {}, such as {}",
                against.from,
                against.to,
                plural(against.imports.into(), "import"),
                against.example.0
            ));
        }
    }

    fn entry_points(&mut self, overview: &Overview) {
        let points = &overview.architecture.entry_points;
        if points.is_empty() {
            return;
        }
        self.section("Entry points", "");
        let shown = &points[..points.len().min(ENTRY_POINTS)];
        let width = shown.iter().map(|point| point.path.len()).max().unwrap_or(0).min(48);
        for point in shown {
            self.line(&format!("{:width$}  {}", point.path, point.reasons.join("; ")));
        }
        if points.len() > shown.len() {
            self.line(&format!("… {} more", points.len() - shown.len()));
        }
    }

    fn top(&mut self, overview: &Overview) {
        if overview.top.is_empty() {
            return;
        }
        self.section("Top files", "score = 0.4 central + 0.25 name + 0.2 size + 0.15 active");
        let shown = &overview.top;
        let width = shown.iter().map(|file| file.path.len()).max().unwrap_or(0).min(60);
        for TopFile { path, lines, used_by, importance } in shown {
            self.line(&format!(
                "{:.2}  {path:width$}  {:.2} {:.2} {:.2} {:.2}  {}, used by {}",
                importance.score,
                importance.centrality,
                importance.naming,
                importance.size,
                importance.activity,
                plural((*lines).into(), "line"),
                count((*used_by).into()),
            ));
        }
    }

    fn hotspots(&mut self, overview: &Overview) {
        if overview.hotspots.is_empty() {
            return;
        }
        self.section("Hotspots", "changed often, complex, used by many");
        for hot in overview.hotspots.iter().take(HOTSPOTS) {
            self.line(&format!(
                "{:.2}  {}  {}, complexity {} (worst {}), used by {}",
                hot.score,
                hot.path,
                plural(hot.commits.into(), "commit"),
                hot.complexity,
                hot.worst_complexity,
                hot.used_by
            ));
        }
    }

    fn cycles(&mut self, overview: &Overview) {
        let cycles = &overview.cycles;
        if cycles.groups == 0 {
            return;
        }
        self.section(
            "Cycles",
            &format!("{} of {}", plural(cycles.groups, "group"), plural(cycles.files, "file")),
        );
        for group in cycles.largest.iter().take(CYCLES) {
            let mut way = group.example.clone();
            way.extend(group.example.first().cloned());
            if way.len() > 6 {
                way.splice(3..way.len() - 2, ["…".to_owned()]);
            }
            self.line(&format!("{}: {}", plural(group.files, "file"), way.join(" -> ")));
        }
    }

    fn rest(&mut self, overview: &Overview) {
        self.section("Also", "");
        for react in overview.react.iter().take(3) {
            let folder = if react.folder.is_empty() { "." } else { &react.folder };
            let next =
                react.next.as_ref().map_or(String::new(), |next| format!(", Next.js {next}"));
            let version = react.react.as_deref().unwrap_or("");
            self.line(&format!(
                "react      {folder}: React {version}{next}, {}",
                plural(react.component_files.into(), "component file")
            ));
        }
        self.line(&format!("imports    {}", index::imports(overview.imports)));
        let packages: Vec<String> = overview
            .packages
            .iter()
            .take(PACKAGES)
            .map(|package| format!("{} {}", package.name, package.files))
            .collect();
        if !packages.is_empty() {
            self.line(&format!("packages   {}", packages.join(" · ")));
        }
        let tests = overview.tests;
        if tests.files > 0 {
            self.line(&format!(
                "tests      {} for {} of {}",
                plural(tests.files, "file"),
                count(tests.tested),
                plural(tests.source_files, "source file")
            ));
        }
        let aside: Vec<String> = overview
            .set_aside
            .iter()
            .map(|aside| format!("{} {}", count(aside.files), aside.reason))
            .collect();
        if !aside.is_empty() {
            self.line(&format!("skipped    {} (refactor-bot index --skipped)", aside.join(" · ")));
        }
        if !overview.broken.is_empty() {
            self.line(&format!(
                "broken     {} with syntax errors, {} first",
                overview.broken.len(),
                overview.broken[0]
            ));
        }
    }
}
