//! What a newcomer needs to know before the first change: which files change most, and which are made by a program.

use rb_index::{FileId, Overview};
use rb_tools::ToolError;

use crate::extract::evidence_lines::cite_file;
use crate::extract::page::Page;
use crate::extract::sources::Sources;
use crate::extract::symbols::{cite_name, key_symbols};

/// The most files of each kind.
const MOST: usize = 5;

/// The files that change often and are hard to read.
pub(super) fn say_hotspots(
    page: &mut Page,
    sources: &mut Sources<'_, '_>,
    overview: &Overview,
) -> Result<(), ToolError> {
    for hot in overview.hotspots.iter().take(MOST) {
        let Some(file) = sources.find(&hot.path) else { continue };
        let keys = key_symbols(sources, file, 1)?;
        let Some(symbol) = keys.first() else { continue };
        if let Some(citation) = cite_name(sources, file, symbol) {
            let text = format!(
                "`{}`, which declares `{}`, is among the files that change most and are hardest to read.",
                hot.path, symbol.name
            );
            page.say(sources, &text, &[citation]);
        }
    }
    Ok(())
}

/// Files that a program made, or that come from elsewhere: one of each folder.
pub(super) fn say_generated(page: &mut Page, sources: &mut Sources<'_, '_>) {
    let mut folders: Vec<String> = Vec::new();
    let mut files: Vec<(FileId, &'static str)> = Vec::new();
    for file in sources.view.tree.ids() {
        let known = sources.view.file(file);
        let Some(kind) = known.trivial.map(rb_index::trivial::Trivial::kind) else { continue };
        let folder = known.path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        if kind != "trivial" && files.len() < MOST && !folders.contains(&folder) {
            folders.push(folder);
            files.push((file, kind));
        }
    }
    for (file, kind) in files {
        if let Some((line, citation)) = cite_file(sources, file) {
            let path = sources.path(file);
            let text = format!("Leave `{path}` alone: it is {kind}, and it has `{line}`.");
            page.say(sources, &text, &[citation]);
        }
    }
}
