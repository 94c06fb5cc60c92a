//! `file_history`: the latest commits of a file. Authors are left out: nothing about the code follows from them.

use rb_core::clock::Timestamp;
use rb_core::{RepoPath, plural};
use serde_json::json;

use super::arguments::{Arguments, schema};
use super::page::{Block, Page};
use super::{Tool, paths, words};
use crate::read_cache::ReadCache;
use crate::toolbox::{Output, Repository, ToolError, ToolSpec};

pub(crate) const TOOL: Tool = Tool { spec, run };

const DEFAULT: usize = 15;
const LONGEST_SUBJECT: usize = 160;

fn spec() -> ToolSpec {
    let properties = json!({
        "path": {
            "type": "string",
            "description": "The path of the file, relative to the root of the repository."
        },
        "limit": {
            "type": "integer",
            "minimum": 1,
            "maximum": 50,
            "description": "The most commits to list; 15 by default."
        }
    });
    ToolSpec {
        name: "file_history",
        title: "History of a file",
        description: "Lists the latest commits that changed a file: date, hash and subject, newest first. Renames are not followed.",
        input: schema(&properties, &["path"]),
    }
}

fn run(
    on: Repository<'_>,
    _cache: &mut ReadCache,
    arguments: &Arguments,
) -> Result<Output, ToolError> {
    let view = on.indexed.view()?;
    let id = paths::find(on, &view, arguments.required("path"))?;
    let path = &*view.tree.get(id).path;
    let limit = arguments.limit("limit", DEFAULT);
    let place = RepoPath::new(path).map_err(|error| ToolError::Call(error.to_string()))?;
    // One more, to know whether something is left out.
    let asked = u32::try_from(limit + 1).unwrap_or(u32::MAX);
    let commits = on.repo.file_history(&place, asked).map_err(|error| {
        if on.cancel.is_cancelled() {
            return ToolError::Interrupted;
        }
        ToolError::Call(format!("Git could not read the history: {error}. Go on without it."))
    })?;
    let mut page = Page::new();
    page.file(path);
    let shown = words::path(path);
    if commits.is_empty() {
        page.line(&format!("Git has no commits of {shown}: it is new, or there is no history."));
        return Ok(page.finish());
    }
    let count = plural(commits.len().min(limit), "commit");
    page.line(&format!("Latest {count} of {shown}, newest first:"));
    let left = page.each(&commits, limit, |commit| {
        let mut block = Block::default();
        let date = Timestamp::from_unix_ms(commit.time.saturating_mul(1000)).to_string();
        let date = date.get(..10).unwrap_or_default();
        let subject = words::one_line(&commit.subject, LONGEST_SUBJECT);
        block.line(&format!("  {date} {} {subject}", commit.hash));
        Ok(block)
    })?;
    if left > 0 {
        page.line("(Older commits are left out. Raise `limit` to see more.)");
    }
    Ok(page.finish())
}
