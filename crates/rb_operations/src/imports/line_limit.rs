//! How long a line may be: as the project's settings say, or as its files are.

use crate::files::Files;

const SETTINGS: [&str; 6] =
    ["pyproject.toml", "setup.cfg", ".isort.cfg", ".flake8", "tox.ini", "ruff.toml"];
const KEYS: [&str; 4] = ["line_length", "line-length", "max-line-length", "max_line_length"];

/// Import sorters and formatters come first: they decide how imports are wrapped.
pub(crate) fn line_limit(files: &dyn Files, text: &str) -> usize {
    let settings: Vec<_> = SETTINGS.iter().filter_map(|path| files.text(path)).collect();
    for key in KEYS {
        if let Some(limit) = settings.iter().find_map(|text| value(text, key)) {
            return limit;
        }
    }
    let has_black = |text: &&std::sync::Arc<str>| {
        text.contains("profile = \"black\"")
            || text.contains("profile = black")
            || text.contains("[tool.black]")
    };
    if settings.iter().any(|text| has_black(&text)) {
        return 88;
    }
    let longest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    [79, 88, 100].into_iter().find(|limit| longest <= *limit).unwrap_or(120)
}

fn value(text: &str, key: &str) -> Option<usize> {
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix(key));
    let mut values = lines.filter_map(|rest| rest.trim_start().strip_prefix(['=', ':']));
    let limit = values.find_map(|value| value.trim().parse().ok());
    limit.filter(|limit| (60..=200).contains(limit))
}
