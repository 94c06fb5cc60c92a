//! Texts that speak of the past on purpose: changelogs, release notes, migrations, notices of deprecation.

/// Beginnings of file names, in lower case.
const FILES: &[&str] = &[
    "authors",
    "breaking",
    "change",
    "contributors",
    "copying",
    "deprecat",
    "history",
    "license",
    "licence",
    "migrat",
    "news",
    "notice",
    "release",
    "roadmap",
    "security",
    "thanks",
    "upgrad",
    "what",
    "version",
];

const FOLDERS: &[&str] = &[
    "__snapshots__",
    "_posts",
    "adr",
    "advisories",
    "archive",
    "blog",
    "changelog",
    "changelogs",
    "changes",
    "i18n",
    "locale",
    "locales",
    "migrations",
    "news",
    "newsfragments",
    "posts",
    "proposals",
    "release",
    "release-notes",
    "release_notes",
    "releases",
    "rfcs",
    "snapshots",
    "versions",
    "whatsnew",
    ".changeset",
    ".changes",
    "cassettes",
    "recordings",
];

const ENDINGS: &[&str] = &[
    ".diff",
    ".ipynb",
    ".lock",
    ".log",
    ".map",
    ".patch",
    ".po",
    ".pot",
    ".snap",
    ".svg",
    ".sum",
    ".csv",
    ".tsv",
    ".jsonl",
    "-lock.json",
    "-lock.yaml",
    ".mailmap",
    ".git-blame-ignore-revs",
];

/// Words, in lower case, of a sentence that names what is gone because it is gone.
const WORDS: &[&str] = &[
    "deprecat",
    "renamed",
    "formerly",
    "previously",
    "removed",
    "versionchanged",
    "versionadded",
    "legacy",
    "backward",
    "back-compat",
    "used to ",
    "no longer",
    "changed in",
    "old name",
    "obsolete",
    "originally",
    "historical",
    "before v",
    "prior to",
    "migrat",
];

/// The same, where they stand on the line before the name.
const WORDS_BEFORE: &[&str] = &["instead of", "replace", "alias"];

/// Lines around a name that may say that it is spoken of as gone.
const AROUND: usize = 2;

/// Is the file a record of what was, or data that a program wrote?
pub(crate) fn is_record(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let (folders, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let is_prose = !name.contains('.')
        || [".md", ".rst", ".txt", ".mdx", ".markdown", ".adoc"]
            .iter()
            .any(|it| name.ends_with(it));
    is_prose && FILES.iter().any(|it| name.starts_with(it))
        || folders.split('/').any(|folder| FOLDERS.contains(&folder))
        || ENDINGS.iter().any(|it| name.ends_with(it))
        || is_prose
            && name.starts_with(|c: char| c.is_ascii_digit() || c == 'v')
            && name.contains(|c: char| c.is_ascii_digit())
}

/// Does the text around an offset say that the name there is one of the past?
pub(crate) fn is_about_the_past(text: &str, at: usize) -> bool {
    let start = text[..at].rmatch_indices('\n').nth(AROUND).map_or(0, |(at, _)| at);
    let end = text[at..].match_indices('\n').nth(1).map_or(text.len(), |(end, _)| at + end);
    let near = text[start..end].to_lowercase();
    let line = text[..at].rsplit('\n').next().unwrap_or_default().to_lowercase();
    WORDS.iter().any(|word| near.contains(word))
        || WORDS_BEFORE.iter().any(|word| line.contains(word))
}
