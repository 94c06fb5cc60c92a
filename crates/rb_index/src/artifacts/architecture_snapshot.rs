//! `ARCHITECTURE_SNAPSHOT.md`: the overview as a document.

use std::io::Write;

use super::{Source, WriteError, section};
use crate::architecture::{Confidence, Layering};

pub(super) fn write(source: &Source<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
    let overview = source.indexed.overview()?;
    let what = &overview.architecture.what;
    writeln!(out, "# {}\n", what.name.as_deref().unwrap_or("Architecture"))?;
    if let Some(description) = &what.description {
        writeln!(out, "{description}\n")?;
    }
    source.write_state(out)?;
    let totals = overview.totals;
    writeln!(
        out,
        "{} files, {} of them source; {} lines, {} symbols.\n",
        totals.files, totals.source_files, totals.lines, totals.symbols
    )?;
    section(
        out,
        "Languages",
        overview.languages.iter().map(|share| {
            format!("{}: {} files, {} lines", share.language.name(), share.files, share.lines)
        }),
    )?;
    section(
        out,
        "Architecture",
        overview.architecture.patterns.iter().map(|finding| {
            let sure = match finding.confidence {
                Confidence::Sure => "sure",
                Confidence::Likely => "likely",
            };
            let evidence: Vec<&str> =
                finding.evidence.iter().map(|clue| clue.text.as_str()).collect();
            format!("**{}** ({sure}): {}", finding.pattern.name(), evidence.join("; "))
        }),
    )?;
    for layering in &overview.architecture.layers {
        layers(out, layering)?;
    }
    section(
        out,
        "Entry points",
        overview
            .architecture
            .entry_points
            .iter()
            .map(|point| format!("`{}`: {}", point.path, point.reasons.join("; "))),
    )?;
    section(
        out,
        "Most important files",
        overview.top.iter().take(20).map(|file| {
            let parts = file.importance;
            format!(
                "`{}` {:.2} (central {:.2}, name {:.2}, size {:.2}, active {:.2})",
                file.path, parts.score, parts.centrality, parts.naming, parts.size, parts.activity
            )
        }),
    )?;
    section(
        out,
        "Hotspots",
        overview.hotspots.iter().take(10).map(|hot| {
            format!(
                "`{}`: {} commits, complexity {}, used by {}",
                hot.path, hot.commits, hot.complexity, hot.used_by
            )
        }),
    )?;
    section(
        out,
        "Import cycles",
        overview
            .cycles
            .largest
            .iter()
            .take(10)
            .map(|group| format!("{} files: `{}`", group.files, group.example.join("` -> `"))),
    )
}

fn layers(out: &mut dyn Write, layering: &Layering) -> Result<(), WriteError> {
    let whose = layering.pattern.map_or("by imports", |pattern| pattern.name());
    let title = format!("Layers, {whose}, top layer first");
    section(
        out,
        &title,
        layering.layers.iter().map(|layer| {
            let folders: Vec<String> = layer
                .folders
                .iter()
                .map(|folder| format!("`{}` ({})", folder.path, folder.files))
                .collect();
            format!("{}: {}", layer.name, folders.join(", "))
        }),
    )?;
    let against = layering.against.iter().map(|against| {
        let (from, to) = &against.example;
        format!(
            "{} -> {}: {} imports, as `{from}` of `{to}`",
            against.from, against.to, against.imports
        )
    });
    section(out, "Imports against the order", against)
}
