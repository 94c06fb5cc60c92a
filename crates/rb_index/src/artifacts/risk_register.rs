//! `RISK_REGISTER.json`: what makes a change dangerous here, each with the numbers behind it.

use std::io::Write;

use serde::Serialize;

use super::{Lines, Source, State, WriteError};
use crate::ids;
use crate::overview::Overview;
use crate::role::Role;
use crate::test_links;
use crate::tree::FileId;

#[derive(Serialize)]
struct Head<'a> {
    version: u32,
    state: State<'a>,
}

#[derive(Serialize)]
struct Risk {
    id: String,
    kind: Kind,
    severity: Severity,
    /// A file, or a symbol by its id.
    subject: String,
    why: String,
}

#[derive(Serialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum Kind {
    /// Changed often, complex, used by many.
    Hotspot,
    ImportCycle,
    /// A function that nobody can hold in mind.
    ComplexFunction,
    /// Used by many, and no test is linked to it.
    UntestedHub,
    /// It could be read only in part, so a change to it is blind.
    SyntaxErrors,
    UnresolvedImport,
}

#[derive(Serialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "snake_case")]
enum Severity {
    High,
    Medium,
    Low,
}

const COMPLEX: u32 = 20;
const VERY_COMPLEX: u32 = 50;
const HUB: u32 = 5;

pub(super) fn write(source: &Source<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
    let mut risks = hotspots(source.indexed.overview()?);
    risks.extend(cycles(source));
    risks.extend(untested_hubs(source));
    risks.extend(files(source)?);
    // Within a severity the order of finding stays: kinds in a row, the worst of each first.
    risks.sort_by_key(|risk| risk.severity);
    let mut lines = Lines::begin(out, &Head { version: 1, state: source.state() }, "risks")?;
    for (number, risk) in (1..).zip(&mut risks) {
        risk.id = format!("RISK-{number:03}");
        lines.line(risk)?;
    }
    lines.end()
}

fn risk(kind: Kind, severity: Severity, subject: impl Into<String>, why: String) -> Risk {
    Risk { id: String::new(), kind, severity, subject: subject.into(), why }
}

fn hotspots(overview: &Overview) -> Vec<Risk> {
    let hot = overview.hotspots.iter().take(20);
    hot.map(|hot| {
        let severity = if hot.score >= 0.5 { Severity::High } else { Severity::Medium };
        let why = format!(
            "{} commits lately, complexity {} (worst function {}), used by {} files",
            hot.commits, hot.complexity, hot.worst_complexity, hot.used_by
        );
        risk(Kind::Hotspot, severity, &hot.path, why)
    })
    .collect()
}

fn cycles(source: &Source<'_>) -> Vec<Risk> {
    let tree = &source.view.tree;
    source
        .view
        .cycles()
        .iter()
        .map(|cycle| {
            let severity = if cycle.files.len() > 10 { Severity::High } else { Severity::Medium };
            let way: Vec<&str> = cycle.example.iter().map(|&id| &*tree.get(id).path).collect();
            let why =
                format!("{} files import each other: {}", cycle.files.len(), way.join(" -> "));
            risk(Kind::ImportCycle, severity, way.first().copied().unwrap_or_default(), why)
        })
        .collect()
}

fn untested_hubs(source: &Source<'_>) -> Vec<Risk> {
    let view = source.view;
    let links = test_links::link(view.tree, &view.edges());
    let mut tested: Vec<FileId> = links.into_iter().map(|link| link.source).collect();
    tested.sort_unstable();
    let untested = view.by_importance().iter().filter(|&&id| {
        let file = view.file(id);
        file.used_by >= HUB
            && file.symbols > 0
            && file.trivial.is_none()
            && Role::of(file.path) == Role::Product
            && tested.binary_search(&id).is_err()
    });
    untested
        .map(|&id| {
            let file = view.file(id);
            let why = format!("used by {} files, and no test is linked to it", file.used_by);
            risk(Kind::UntestedHub, Severity::Medium, file.path, why)
        })
        .collect()
}

/// What is wrong inside single files, in the order of their paths.
fn files(source: &Source<'_>) -> Result<Vec<Risk>, WriteError> {
    let view = source.view;
    let mut risks = Vec::new();
    for id in view.tree.ids() {
        let file = view.file(id);
        if file.syntax_errors > 0 {
            let why = format!("{} places could not be parsed", file.syntax_errors);
            risks.push(risk(Kind::SyntaxErrors, Severity::Low, file.path, why));
        }
        if file.worst_complexity < COMPLEX
            || file.trivial.is_some()
            || Role::of(file.path) != Role::Product
        {
            continue;
        }
        let Some(facts) = view.read_facts(id)? else { continue };
        for (symbol, name) in facts.symbols.iter().zip(ids::ids(file.path, &facts)) {
            if symbol.complexity >= COMPLEX {
                let severity = if symbol.complexity >= VERY_COMPLEX {
                    Severity::Medium
                } else {
                    Severity::Low
                };
                let lines = symbol.span.last_line - symbol.span.first_line + 1;
                let why = format!("complexity {} in {lines} lines", symbol.complexity);
                risks.push(risk(Kind::ComplexFunction, severity, name, why));
            }
        }
    }
    for import in view.unresolved()? {
        let why = format!("`{}` on line {} leads nowhere", import.specifier, import.line);
        risks.push(risk(Kind::UnresolvedImport, Severity::Low, import.path, why));
    }
    Ok(risks)
}
