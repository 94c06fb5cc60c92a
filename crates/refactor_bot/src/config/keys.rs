//! The table of configuration keys. Files, variables, `--set`, `config show`, the schema and the page of
//! documentation all come from it; a key is added here and in `settings.rs`.

use serde_json::Value;

/// One setting.
#[derive(Debug)]
pub(crate) struct Key {
    /// As it is written in messages and after `--set`; a dot stands for an object around the key.
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) doc: &'static str,
    pub(crate) untrusted: Untrusted,
}

/// Which values a project may set before the user trusts it: those that make a run stricter, never looser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Untrusted {
    /// None: the value chooses a program, what it may do or where code is sent, or has no strict side.
    Ignored,
    /// Numbers up to the one in force; for a switch, `false`.
    AtMost,
    /// The same where 0 stands for "no limit".
    AtMostOrUnlimited,
    /// Numbers from the one in force on.
    AtLeast,
    /// Items, which are added to the list in force.
    Added,
}

/// The type of a value, with its default.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    Number { min: u32, default: u32 },
    Switch { default: bool },
    Text { default: &'static str },
    Texts { default: &'static [&'static str] },
}

/// More than any of the numbers can sensibly be.
pub(crate) const MAX_NUMBER: u32 = 1_000_000;

pub(crate) static KEYS: [Key; 51] = [
    Key {
        name: "diff_budget_loc",
        kind: Kind::Number { min: 1, default: 300 },
        doc: "Maximum number of changed lines per batch. A larger patch is refused; only a recipe's change that cannot be split may exceed the default.",
        untrusted: Untrusted::AtMost,
    },
    Key {
        name: "max_batches",
        kind: Kind::Number { min: 1, default: 200 },
        doc: "Maximum number of batches per run.",
        untrusted: Untrusted::AtMost,
    },
    Key {
        name: "retry_per_batch",
        kind: Kind::Number { min: 0, default: 2 },
        doc: "Maximum number of retries of a failed batch.",
        untrusted: Untrusted::AtMost,
    },
    Key {
        name: "run_full_verifier_every",
        kind: Kind::Number { min: 1, default: 5 },
        doc: "Number of batches between two runs of the full verifier; it also runs at the end.",
        untrusted: Untrusted::AtMost,
    },
    Key {
        name: "fast_verifier",
        kind: Kind::Texts { default: &[] },
        doc: "Commands that check every batch. If empty, they are detected. `cd FOLDER && …` runs a command in a folder.",
        untrusted: Untrusted::Ignored,
    },
    Key {
        name: "full_verifier",
        kind: Kind::Texts { default: &[] },
        doc: "Commands that check the whole repository. If empty, they are detected.",
        untrusted: Untrusted::Ignored,
    },
    Key {
        name: "scope_excludes",
        kind: Kind::Texts {
            default: &["**/dist/**", "**/build/**", "**/.venv/**", "**/node_modules/**"],
        },
        doc: "Glob patterns of files that are never changed.",
        untrusted: Untrusted::Added,
    },
    Key {
        name: "allow_public_api_changes",
        kind: Kind::Switch { default: false },
        doc: "Whether a batch may change the public interface of a module.",
        untrusted: Untrusted::AtMost,
    },
    Key {
        name: "claude.binary",
        kind: Kind::Text { default: "claude" },
        doc: "Claude Code binary: a name on PATH, or a path.",
        untrusted: Untrusted::Ignored,
    },
    Key {
        name: "claude.allowed_tools",
        kind: Kind::Text { default: "Read,Edit,Bash,Grep,Glob" },
        doc: "Tools that Claude Code may use without asking for permission.",
        untrusted: Untrusted::Ignored,
    },
    Key {
        name: "claude.tools",
        kind: Kind::Text { default: "Read,Edit,Bash,Grep,Glob" },
        doc: "Tools that are available to Claude Code.",
        untrusted: Untrusted::Ignored,
    },
    Key {
        name: "claude.max_turns_patcher",
        kind: Kind::Number { min: 1, default: 10 },
        doc: "Maximum number of turns for Claude Code to write one patch.",
        untrusted: Untrusted::AtMost,
    },
    Key {
        name: "claude.max_turns_planner",
        kind: Kind::Number { min: 1, default: 6 },
        doc: "Maximum number of turns for Claude Code to refine the plan.",
        untrusted: Untrusted::AtMost,
    },
    Key {
        name: "models.provider",
        kind: Kind::Text { default: "builtin" },
        doc: "Model provider for what no recipe can do: `builtin` (recipes only) or one that `refactor-bot models` lists.",
        untrusted: Untrusted::Ignored,
    },
    Key {
        name: "models.model",
        kind: Kind::Text { default: "" },
        doc: "Model name, as the provider spells it. If empty, the provider's default.",
        untrusted: Untrusted::Ignored,
    },
    Key {
        name: "models.for",
        kind: Kind::Texts { default: &[] },
        doc: "Models for single roles: `planner=MODEL` or `planner=PROVIDER:MODEL`.",
        untrusted: Untrusted::Ignored,
    },
    Key {
        name: "models.base_url",
        kind: Kind::Text { default: "" },
        doc: "URL of the provider, if not the default. Without a provider: any server with OpenAI's chat completions API.",
        untrusted: Untrusted::Ignored,
    },
    Key {
        name: "models.api_key_env",
        kind: Kind::Text { default: "" },
        doc: "Environment variable that holds the API key. If empty, the provider's default. The key itself is never stored.",
        untrusted: Untrusted::Ignored,
    },
    Key {
        name: "models.command",
        kind: Kind::Texts { default: &[] },
        doc: "Program and arguments of the provider `command`.",
        untrusted: Untrusted::Ignored,
    },
    Key {
        name: "models.answer_form",
        kind: Kind::Text { default: "auto" },
        doc: "Form in which a model is asked for a patch: `edits` (search/replace edits and whole new files), `diff` (a unified diff), or `auto`: `diff` for `codex` and `command`, `edits` for all others. Both are accepted from every model.",
        untrusted: Untrusted::Ignored,
    },
    Key {
        name: "models.max_cents",
        kind: Kind::Number { min: 0, default: 500 },
        doc: "Maximum amount per run to spend on models, in US cents. A call that might exceed it is not made.",
        untrusted: Untrusted::AtMost,
    },
    Key {
        name: "verify.sandbox",
        kind: Kind::Text { default: "auto" },
        doc: "Sandbox for the repository's commands: `auto`, `bubblewrap`, `landlock`, `docker:IMAGE` or `off`.",
        untrusted: Untrusted::Ignored,
    },
    Key {
        name: "verify.dependencies",
        kind: Kind::Text { default: "link" },
        doc: "How installed dependencies get from the checkout to the worktree: `link`, `copy` or `nothing`.",
        untrusted: Untrusted::Ignored,
    },
    Key {
        name: "verify.carry",
        kind: Kind::Texts { default: &[] },
        doc: "Glob patterns of untracked files that the commands need, such as `.env.test`.",
        untrusted: Untrusted::Ignored,
    },
    Key {
        name: "verify.env",
        kind: Kind::Texts { default: &[] },
        doc: "Additional environment variables for the commands: `NAME` (value from your shell) or `NAME=VALUE`.",
        untrusted: Untrusted::Ignored,
    },
    Key {
        name: "verify.install",
        kind: Kind::Switch { default: false },
        doc: "Whether to install missing dependencies. This uses the network and may run package scripts.",
        untrusted: Untrusted::AtMost,
    },
    Key {
        name: "verify.optional_checks",
        kind: Kind::Switch { default: false },
        doc: "Whether to run checks that the project does not run itself: a linter without a script or CI step, end-to-end tests.",
        untrusted: Untrusted::AtMost,
    },
    Key {
        name: "verify.timeout_s",
        kind: Kind::Number { min: 1, default: 1800 },
        doc: "Maximum time per command in seconds. After the baseline, the limit is five times the time measured there.",
        untrusted: Untrusted::AtMost,
    },
    Key {
        name: "verify.memory_mb",
        kind: Kind::Number { min: 64, default: 8192 },
        doc: "Maximum memory of one command and its processes, in MiB.",
        untrusted: Untrusted::AtMost,
    },
    Key {
        name: "verify.processes",
        kind: Kind::Number { min: 8, default: 2048 },
        doc: "Maximum number of processes of one command at the same time.",
        untrusted: Untrusted::AtMost,
    },
    Key {
        name: "verify.flake_runs",
        kind: Kind::Number { min: 0, default: 0 },
        doc: "Additional runs of all tests in the baseline, to find flaky ones. Failing tests are always rerun.",
        untrusted: Untrusted::Ignored,
    },
    Key {
        name: "verify.confirm_runs",
        kind: Kind::Number { min: 1, default: 4 },
        doc: "Number of reruns before a failure counts: a failing or missing test, a crashed runner. A command that ran out of time or memory is rerun once.",
        untrusted: Untrusted::AtMost,
    },
    Key {
        name: "verify.pass_rate_wanted",
        kind: Kind::Number { min: 0, default: 95 },
        doc: "Percentage of tests that should pass after a change.",
        untrusted: Untrusted::AtLeast,
    },
    Key {
        name: "verify.pass_rate_abort",
        kind: Kind::Number { min: 0, default: 85 },
        doc: "The run is aborted below this percentage of passing tests.",
        untrusted: Untrusted::AtLeast,
    },
    Key {
        name: "verify.broken_unstable",
        kind: Kind::Number { min: 0, default: 10 },
        doc: "A change that breaks more than this percentage of the tests is called unstable.",
        untrusted: Untrusted::AtMost,
    },
    Key {
        name: "verify.allow_failing_baseline",
        kind: Kind::Switch { default: false },
        doc: "Whether to continue if the baseline fails. Then only new failures count.",
        untrusted: Untrusted::AtMost,
    },
    Key {
        name: "verify.max_residue",
        kind: Kind::Number { min: 0, default: 0 },
        doc: "Maximum number of lines of logic that a batch may remove without adding them elsewhere; 0 means no limit.",
        untrusted: Untrusted::AtMostOrUnlimited,
    },
    Key {
        name: "verify.benchmark",
        kind: Kind::Text { default: "" },
        doc: "Command whose running time must not increase. If empty, nothing is measured.",
        untrusted: Untrusted::Ignored,
    },
    Key {
        name: "verify.benchmark_runs",
        kind: Kind::Number { min: 3, default: 10 },
        doc: "Number of benchmark runs, before and after.",
        untrusted: Untrusted::Ignored,
    },
    Key {
        name: "verify.benchmark_threshold",
        kind: Kind::Number { min: 1, default: 10 },
        doc: "Percentage by which the benchmark may get slower.",
        untrusted: Untrusted::AtMost,
    },
    Key {
        name: "search.model",
        kind: Kind::Text { default: "local" },
        doc: "Embedding model for search: `local`, the folder of a model2vec model, or `openai:MODEL`, which sends code to OpenAI (OPENAI_API_KEY).",
        untrusted: Untrusted::Ignored,
    },
    Key {
        name: "search.openai_url",
        kind: Kind::Text { default: "https://api.openai.com/v1" },
        doc: "URL for `openai:MODEL`; any compatible server works.",
        untrusted: Untrusted::Ignored,
    },
    Key {
        name: "search.max_cents",
        kind: Kind::Number { min: 0, default: 100 },
        doc: "Maximum amount per command to spend on embeddings, in US cents.",
        untrusted: Untrusted::AtMost,
    },
    Key {
        name: "search.chroma",
        kind: Kind::Text { default: "" },
        doc: "URL of a ChromaDB server that stores the vectors for several machines (CHROMA_TOKEN). If empty, they are stored locally.",
        untrusted: Untrusted::Ignored,
    },
    Key {
        name: "kata.max_cycles",
        kind: Kind::Number { min: 1, default: 15 },
        doc: "Maximum number of cycles of a kata.",
        untrusted: Untrusted::AtMost,
    },
    Key {
        name: "kata.work_dir",
        kind: Kind::Text { default: "./agentic-tdd-output" },
        doc: "Folder in which katas are developed. A project's own file cannot choose it.",
        untrusted: Untrusted::Ignored,
    },
    Key {
        name: "kata.language",
        kind: Kind::Text { default: "" },
        doc: "Programming language of katas. If empty, what the kata says, or Rust.",
        untrusted: Untrusted::Ignored,
    },
    Key {
        name: "ticket.max_rounds",
        kind: Kind::Number { min: 0, default: 3 },
        doc: "Maximum number of rounds of fixes after the first look at the app.",
        untrusted: Untrusted::AtMost,
    },
    Key {
        name: "ticket.preview",
        kind: Kind::Text { default: "" },
        doc: "Command that starts the app of the repository; `{port}` and `$PORT` are its port. If empty, it is detected.",
        untrusted: Untrusted::Ignored,
    },
    Key {
        name: "ticket.github_url",
        kind: Kind::Text { default: "https://api.github.com" },
        doc: "URL of GitHub's API; for GitHub Enterprise `https://HOST/api/v3` (GITHUB_TOKEN or GH_TOKEN).",
        untrusted: Untrusted::Ignored,
    },
    Key {
        name: "ticket.jira_url",
        kind: Kind::Text { default: "" },
        doc: "URL of the Jira site that keys such as `SHOP-31` belong to (JIRA_EMAIL and JIRA_API_TOKEN).",
        untrusted: Untrusted::Ignored,
    },
];

/// The key of exactly that name.
pub(crate) fn find(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name == name)
}

/// Whether `name` is an object that holds keys, such as `claude`.
pub(crate) fn is_group(name: &str) -> bool {
    KEYS.iter().any(|key| key.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
}

/// The known key that a mistaken `name` most likely meant.
pub(crate) fn nearest(name: &str) -> Option<&'static Key> {
    let last = |name: &'static str| name.rsplit('.').next().unwrap_or(name);
    let likeness = |key: &Key| {
        strsim::jaro_winkler(name, key.name).max(strsim::jaro_winkler(name, last(key.name)))
    };
    KEYS.iter()
        .map(|key| (likeness(key), key))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, key)| key)
}

impl Key {
    /// `REFACTOR_BOT_CLAUDE_BINARY` for `claude.binary`.
    pub(crate) fn variable(&self) -> String {
        format!("{}{}", super::PREFIX, self.name.replace('.', "_").to_uppercase())
    }

    pub(crate) fn default(&self) -> Value {
        match self.kind {
            Kind::Number { default, .. } => default.into(),
            Kind::Switch { default } => default.into(),
            Kind::Text { default } => default.into(),
            Kind::Texts { default } => default.into(),
        }
    }
}

impl Untrusted {
    /// The value that holds when an untrusted project asks for `wanted` where `current` is in force; `None` when it may not.
    pub(crate) fn permit(self, wanted: &Value, current: &Value) -> Option<Value> {
        let permitted = match self {
            Untrusted::Ignored => return None,
            Untrusted::AtMost => rank(wanted) <= rank(current),
            Untrusted::AtMostOrUnlimited => limit(wanted) <= limit(current),
            Untrusted::AtLeast => rank(wanted) >= rank(current),
            Untrusted::Added => return Some(union(current, wanted)),
        };
        permitted.then(|| wanted.clone())
    }
}

/// `false` before `true`, numbers by size.
fn rank(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| u64::from(value.as_bool() == Some(true)))
}

fn limit(value: &Value) -> u64 {
    value.as_u64().filter(|&number| number > 0).unwrap_or(u64::MAX)
}

fn union(current: &Value, added: &Value) -> Value {
    let items = |list: &Value| list.as_array().cloned().unwrap_or_default();
    let mut all = items(current);
    for item in items(added) {
        if !all.contains(&item) {
            all.push(item);
        }
    }
    all.into()
}

impl Kind {
    /// What a value must be, to be read after "must be".
    pub(crate) fn expected(self) -> String {
        match self {
            Kind::Number { min, .. } => format!("a whole number from {min} to {MAX_NUMBER}"),
            Kind::Switch { .. } => "true or false".to_owned(),
            Kind::Text { .. } => "a text".to_owned(),
            Kind::Texts { .. } => "a list of texts".to_owned(),
        }
    }

    pub(crate) fn accepts(self, value: &Value) -> bool {
        match self {
            Kind::Number { min, .. } => value
                .as_u64()
                .is_some_and(|number| (min.into()..=MAX_NUMBER.into()).contains(&number)),
            Kind::Switch { .. } => value.is_boolean(),
            Kind::Text { .. } => value.is_string(),
            Kind::Texts { .. } => {
                value.as_array().is_some_and(|items| items.iter().all(Value::is_string))
            }
        }
    }

    /// Reads a value as it stands in a variable or after `--set`. A list is JSON when it begins with `[`,
    /// otherwise its items are separated by commas.
    pub(crate) fn read(self, text: &str) -> Option<Value> {
        let value = match self {
            Kind::Number { .. } => text.trim().parse::<u32>().ok()?.into(),
            Kind::Switch { .. } => text.trim().parse::<bool>().ok()?.into(),
            Kind::Text { .. } => text.into(),
            Kind::Texts { .. } if text.trim_start().starts_with('[') => {
                serde_json::from_str(text).ok()?
            }
            Kind::Texts { .. } => {
                text.split(',').map(str::trim).filter(|item| !item.is_empty()).collect()
            }
        };
        self.accepts(&value).then_some(value)
    }
}

#[cfg(test)]
mod tests;
