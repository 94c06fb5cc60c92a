//! The tools, one file each: what a client is told about a tool, and what it does.
//!
//! To add one: its file with `TOOL`, and its line in `ALL`. The files `arguments`, `default_exports`, `nearest`, `page`, `paths`,
//! `scope`, `source`, `symbols` and `words` are what tools share; `file_callers` is for pages.

mod arguments;
mod callees;
mod callers;
mod default_exports;
mod file_callers;
mod file_history;
mod importers;
mod imports;
mod list_files;
mod nearest;
mod outline;
mod overview;
mod page;
mod paths;
mod read_file;
mod references;
mod scope;
mod search;
mod source;
mod symbols;
mod tests_of;
mod words;

pub(crate) use self::arguments::Arguments;
pub use self::file_callers::{FileCall, FileCallers, callers_of_file};
use self::nearest::{did_you_mean, nearest};
use crate::read_cache::ReadCache;
use crate::toolbox::{Output, Repository, ToolError, ToolSpec};

/// Something that can be asked of a repository.
pub(crate) struct Tool {
    pub(crate) spec: fn() -> ToolSpec,
    pub(crate) run: fn(Repository<'_>, &mut ReadCache, &Arguments) -> Result<Output, ToolError>,
}

/// In the order in which a newcomer would use them.
pub(crate) const ALL: &[Tool] = &[
    overview::TOOL,
    list_files::TOOL,
    search::TOOL,
    read_file::TOOL,
    outline::TOOL,
    references::TOOL,
    callers::TOOL,
    callees::TOOL,
    imports::TOOL,
    importers::TOOL,
    tests_of::TOOL,
    file_history::TOOL,
];

pub(crate) fn named(name: &str) -> Result<&'static Tool, ToolError> {
    ALL.iter().find(|tool| (tool.spec)().name == name).ok_or_else(|| {
        let names: Vec<&str> = ALL.iter().map(|tool| (tool.spec)().name).collect();
        let near = nearest(name, names.iter().copied(), 2);
        let hint = match did_you_mean(&near) {
            hint if hint.is_empty() => format!(" The tools are {}.", names.join(", ")),
            hint => hint,
        };
        ToolError::Call(format!("There is no tool `{}`.{hint}", words::one_line(name, 60)))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    const SHARED: &[&str] = &[
        "arguments",
        "default_exports",
        "file_callers",
        "mod",
        "nearest",
        "page",
        "paths",
        "scope",
        "source",
        "symbols",
        "words",
    ];

    #[test]
    fn as2_every_tool_file_is_listed_under_its_name() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tools");
        let files: BTreeSet<String> = rb_core::fs::list(&folder)
            .unwrap()
            .iter()
            .map(|name| name.to_string_lossy().trim_end_matches(".rs").to_owned())
            .filter(|name| !SHARED.contains(&name.as_str()))
            .collect();
        let tools = ALL.iter().map(|tool| (tool.spec)().name.to_owned()).collect();
        assert_eq!(files, tools);
    }

    #[test]
    fn as2_every_spec_is_a_closed_schema_with_described_arguments() {
        for tool in ALL {
            let spec = (tool.spec)();
            assert_eq!(spec.input["type"], "object", "{}", spec.name);
            assert_eq!(spec.input["additionalProperties"], false, "{}", spec.name);
            let properties = spec.input["properties"].as_object().unwrap();
            for (key, property) in properties {
                assert!(property["description"].is_string(), "{}: {key}", spec.name);
                assert!(
                    matches!(property["type"].as_str(), Some("string" | "integer" | "boolean")),
                    "{}: {key}",
                    spec.name
                );
            }
            for required in spec.input["required"].as_array().unwrap() {
                assert!(properties.contains_key(required.as_str().unwrap()), "{}", spec.name);
            }
            assert!(spec.title.len() < 60 && spec.description.ends_with('.'), "{}", spec.name);
        }
    }
}
