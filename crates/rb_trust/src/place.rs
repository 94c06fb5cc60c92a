//! What kind of text is looked at. The same words weigh differently in a ticket, in code and in a guide written for agents.

/// The kind of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextKind {
    /// A ticket, a comment on one, a web page: written by anyone, read by the model as it is.
    Message,
    /// Documentation.
    Prose,
    /// Source code; what talks to models is full of their markers.
    Code,
    /// Tables, lockfiles, translations.
    Data,
    /// A file that is meant for agents: it gives them instructions by its nature.
    Guide,
}

const GUIDES: [&str; 15] = [
    "agents.md",
    "agent.md",
    "claude.md",
    "claude.local.md",
    "gemini.md",
    "skill.md",
    "copilot-instructions.md",
    ".cursorrules",
    ".windsurfrules",
    ".clinerules",
    "llms.txt",
    "llms-full.txt",
    "warp.md",
    "conventions.md",
    "codex.md",
];
const GUIDE_FOLDERS: [&str; 10] = [
    ".cursor",
    ".claude",
    ".codex",
    ".agents",
    ".agent",
    ".windsurf",
    ".clinerules",
    ".roo",
    ".gemini",
    "skills",
];
const PROSE: [&str; 9] = ["md", "mdx", "markdown", "rst", "adoc", "txt", "html", "htm", "org"];
const DATA: [&str; 19] = [
    "json",
    "jsonl",
    "json5",
    "lock",
    "csv",
    "tsv",
    "yaml",
    "yml",
    "toml",
    "xml",
    "po",
    "pot",
    "svg",
    "snap",
    "map",
    "properties",
    "xliff",
    "arb",
    "ini",
];

impl TextKind {
    /// The kind of a file by its path in the repository.
    pub fn of_path(path: &str) -> TextKind {
        let path = path.to_ascii_lowercase();
        let name = path.rsplit('/').next().unwrap_or(&path);
        let in_folder = |folder: &str| path.split('/').rev().skip(1).any(|part| part == folder);
        let end = name.rsplit_once('.').map_or("", |split| split.1);
        let is_text = PROSE.contains(&end) || end == "mdc";
        if GUIDES.contains(&name) || is_text && GUIDE_FOLDERS.iter().any(|folder| in_folder(folder))
        {
            TextKind::Guide
        } else if PROSE.contains(&end) || !name.contains('.') {
            TextKind::Prose
        } else if DATA.contains(&end) {
            TextKind::Data
        } else {
            TextKind::Code
        }
    }
}
