//! `list_files`: the files of a folder or of a glob, the most important first or by path.

use std::collections::BTreeMap;

use rb_core::{at_most, plural};
use rb_index::walk::{Globs, WalkError};
use rb_index::{FileId, IndexError, View};
use rb_lang::Language;
use serde_json::json;

use super::arguments::{Arguments, schema};
use super::page::{Block, Page};
use super::{Tool, paths, words};
use crate::read_cache::ReadCache;
use crate::toolbox::{Output, Repository, ToolError, ToolSpec};

pub(crate) const TOOL: Tool = Tool { spec, run };

const DEFAULT: usize = 60;
const SUBFOLDERS: usize = 20;

fn spec() -> ToolSpec {
    let properties = json!({
        "folder": {
            "type": "string",
            "description": "List the files below this folder, such as \"src/api\". The whole repository by default."
        },
        "glob": {
            "type": "string",
            "description": "List the files that match, such as \"*.py\" or \"src/**/*.test.ts\"."
        },
        "sort": {
            "type": "string",
            "enum": ["importance", "path"],
            "description": "The order: \"importance\" (default) or \"path\"."
        },
        "limit": {
            "type": "integer",
            "minimum": 1,
            "maximum": 200,
            "description": "The most files to list; 60 by default."
        }
    });
    ToolSpec {
        name: "list_files",
        title: "List files",
        description: "Lists the indexed files of a folder or of a glob with language, length and how many files use each. Trivial \
                      and generated files are marked with the reason.",
        input: schema(&properties, &[]),
    }
}

fn run(
    on: Repository<'_>,
    _cache: &mut ReadCache,
    arguments: &Arguments,
) -> Result<Output, ToolError> {
    let view = on.indexed.view()?;
    let folder = arguments.text("folder").map(|asked| paths::folder(on, &view, asked));
    let folder = folder.transpose()?.unwrap_or_default();
    let globs: Vec<String> = arguments.text("glob").map(str::to_owned).into_iter().collect();
    let globs = Globs::new(&globs).map_err(|bad| IndexError::from(WalkError::from(bad)))?;
    let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    let is_wanted = |file: &FileId| {
        let path = &*view.tree.get(*file).path;
        path.starts_with(&prefix) && (globs.is_empty() || globs.covers(path.as_bytes()))
    };
    let files: Vec<FileId> = match arguments.text("sort") {
        Some("path") => view.tree.ids().filter(is_wanted).collect(),
        Some(_) | None => view.by_importance().iter().copied().filter(is_wanted).collect(),
    };
    let place = if folder.is_empty() { "the repository" } else { &folder };
    if files.is_empty() {
        let place = words::path(place);
        return Err(ToolError::Call(match arguments.text("glob") {
            Some(glob) => format!(
                "No file in {place} matches `{}`. List the folder without `glob`, or use `search`.",
                words::one_line(glob, 100)
            ),
            None => format!("There are no files in {place}."),
        }));
    }
    let mut page = Page::new();
    page.line(&format!("{} in {}:", plural(files.len(), "file"), words::path(place)));
    let left =
        page.each(&files, arguments.limit("limit", DEFAULT), |file| Ok(entry(&view, *file)))?;
    if left > 0 {
        let more = plural(left, "more file");
        page.line(&format!("({more} left out. Narrow the list with `folder` or `glob`.)"));
        subfolders(&mut page, &view, &files, &prefix);
    }
    Ok(page.finish())
}

fn entry(view: &View<'_>, id: FileId) -> Block {
    let file = view.file(id);
    let mut block = Block::about(file.path);
    let language = file.language.map_or("other", Language::name);
    let aside = match (file.skipped, file.trivial) {
        (Some(reason), _) => format!(" [not read: {}]", reason.words()),
        (None, Some(trivial)) => format!(" [{}]", trivial.words()),
        (None, None) => String::new(),
    };
    block.line(&format!(
        "  {} ({language}, {}, used by {}){aside}",
        words::path(file.path),
        plural(file.lines as usize, "line"),
        file.used_by
    ));
    block
}

/// Where the rest is: the folders directly below, by how many of the files they hold.
fn subfolders(page: &mut Page, view: &View<'_>, files: &[FileId], prefix: &str) {
    let paths = files.iter().map(|&file| &*view.tree.get(file).path);
    let below = paths.filter_map(|path| path.strip_prefix(prefix));
    let mut folders: BTreeMap<&str, usize> = BTreeMap::new();
    for (folder, _) in below.filter_map(|path| path.split_once('/')) {
        *folders.entry(folder).or_default() += 1;
    }
    let mut folders: Vec<(&str, usize)> = folders.into_iter().collect();
    folders.sort_by_key(|(_, files)| std::cmp::Reverse(*files));
    let in_words =
        |(folder, files): &(&str, usize)| format!("{} ({files})", words::one_line(folder, 40));
    let shown = at_most(SUBFOLDERS, folders.iter().map(in_words));
    if !shown.is_empty() {
        page.line(&format!("Folders below, with the number of these files: {}", shown.join(", ")));
    }
}
