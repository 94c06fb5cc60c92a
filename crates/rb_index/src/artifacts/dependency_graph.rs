//! `DEPENDENCY_GRAPH.json`: every import of every file and where it leads, then the cycles.

use std::io::Write;

use rb_lang::ImportKind;
use serde::Serialize;

use super::{Lines, Source, State, WriteError};
use crate::calls::FactsSource as _;
use crate::overview::ImportCounts;
use crate::resolve::Resolution;
use crate::tree::FileId;

#[derive(Serialize)]
struct Head<'a> {
    version: u32,
    state: State<'a>,
    imports: ImportCounts,
    cycles: Vec<Group<'a>>,
}

#[derive(Serialize)]
struct Group<'a> {
    files: Vec<&'a str>,
    example: Vec<&'a str>,
}

#[derive(Serialize)]
struct File<'a> {
    path: &'a str,
    language: Option<&'static str>,
    imports: Vec<Import<'a>>,
    /// Files that are used without an import: of the same package.
    siblings: Vec<&'a str>,
}

#[derive(Serialize)]
struct Import<'a> {
    specifier: &'a str,
    kind: ImportKind,
    line: u32,
    /// Files of this repository; none for what comes from elsewhere or was not found.
    resolved: Option<Vec<&'a str>>,
    external: Option<&'a str>,
    builtin: bool,
}

pub(super) fn write(source: &Source<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
    let view = source.view;
    let path = |id: FileId| &*view.tree.get(id).path;
    let paths = |ids: &[FileId]| ids.iter().map(|&id| path(id)).collect();
    let cycles = view
        .cycles()
        .iter()
        .map(|cycle| Group { files: paths(&cycle.files), example: paths(&cycle.example) })
        .collect();
    let imports = source.indexed.counts.imports;
    let head = Head { version: 1, state: source.state(), imports, cycles };
    let mut lines = Lines::begin(out, &head, "files")?;
    for id in view.tree.ids() {
        let Some(facts) = view.read_facts(id)? else { continue };
        let resolutions = view.resolutions(id);
        let mut imported: Vec<FileId> = Vec::new();
        let imports = facts
            .imports
            .iter()
            .zip(resolutions)
            .map(|(import, resolution)| {
                let (mut resolved, mut external) = (None, None);
                match resolution {
                    Resolution::Inside(files) => {
                        imported.extend(files);
                        resolved = Some(paths(files));
                    }
                    Resolution::External(name) => external = Some(&**name),
                    Resolution::Builtin | Resolution::Unresolved => {}
                }
                Import {
                    specifier: &import.specifier,
                    kind: import.kind,
                    line: import.line,
                    resolved,
                    external,
                    builtin: *resolution == Resolution::Builtin,
                }
            })
            .collect();
        imported.sort_unstable();
        let siblings = view
            .graph()
            .targets(id)
            .map(|(to, _)| to)
            .filter(|to| imported.binary_search(to).is_err())
            .map(path)
            .collect();
        let language = view.tree.get(id).language.map(rb_lang::Language::id);
        lines.line(&File { path: path(id), language, imports, siblings })?;
    }
    lines.end()
}
