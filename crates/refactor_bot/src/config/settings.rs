//! The configuration as the rest of the program reads it: one typed field a key.
//!
//! The table in `keys.rs` is the authority on names, types and defaults; a test holds the two together.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Entry;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    pub(crate) diff_budget_loc: u32,
    pub(crate) max_batches: u32,
    pub(crate) retry_per_batch: u32,
    pub(crate) run_full_verifier_every: u32,
    pub(crate) fast_verifier: Vec<String>,
    pub(crate) full_verifier: Vec<String>,
    pub(crate) scope_excludes: Vec<String>,
    pub(crate) allow_public_api_changes: bool,
    pub(crate) claude: Claude,
    pub(crate) models: Models,
    pub(crate) verify: Verify,
    pub(crate) search: Search,
    pub(crate) kata: Kata,
    pub(crate) ticket: Ticket,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Claude {
    pub(crate) binary: String,
    pub(crate) allowed_tools: String,
    pub(crate) tools: String,
    pub(crate) max_turns_patcher: u32,
    pub(crate) max_turns_planner: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Models {
    pub(crate) provider: String,
    pub(crate) model: String,
    #[serde(rename = "for")]
    pub(crate) roles: Vec<String>,
    pub(crate) base_url: String,
    pub(crate) api_key_env: String,
    pub(crate) command: Vec<String>,
    pub(crate) answer_form: String,
    pub(crate) max_cents: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Verify {
    pub(crate) sandbox: String,
    pub(crate) dependencies: String,
    pub(crate) carry: Vec<String>,
    pub(crate) env: Vec<String>,
    pub(crate) install: bool,
    pub(crate) optional_checks: bool,
    pub(crate) timeout_s: u32,
    pub(crate) memory_mb: u32,
    pub(crate) processes: u32,
    pub(crate) flake_runs: u32,
    pub(crate) confirm_runs: u32,
    pub(crate) pass_rate_wanted: u32,
    pub(crate) pass_rate_abort: u32,
    pub(crate) broken_unstable: u32,
    pub(crate) allow_failing_baseline: bool,
    pub(crate) max_residue: u32,
    pub(crate) benchmark: String,
    pub(crate) benchmark_runs: u32,
    pub(crate) benchmark_threshold: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Search {
    pub(crate) model: String,
    pub(crate) openai_url: String,
    pub(crate) max_cents: u32,
    pub(crate) chroma: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Kata {
    pub(crate) max_cycles: u32,
    pub(crate) work_dir: String,
    pub(crate) language: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ticket {
    pub(crate) max_rounds: u32,
    pub(crate) preview: String,
    pub(crate) github_url: String,
    pub(crate) jira_url: String,
}

impl Settings {
    /// `entries` holds each key of the table once, with a value of its kind.
    pub(crate) fn new(entries: &[Entry]) -> Self {
        let pairs = entries.iter().map(|entry| (entry.key.name, entry.value.clone()));
        serde_json::from_value(nested(pairs)).expect("the fields are the keys of the table")
    }
}

/// Puts dotted names into objects, as the file has them.
pub(crate) fn nested(pairs: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    let mut root = Map::new();
    for (name, value) in pairs {
        let mut parts: Vec<&str> = name.split('.').collect();
        let last = parts.pop().unwrap_or(name);
        let mut object = &mut root;
        for part in parts {
            let inner = object.entry(part).or_insert_with(|| Value::Object(Map::new()));
            object = inner.as_object_mut().expect("no key is the group of another");
        }
        object.insert(last.to_owned(), value);
    }
    Value::Object(root)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::keys::KEYS;

    #[test]
    fn ux3_the_fields_are_the_keys_of_the_table() {
        let defaults = nested(KEYS.iter().map(|key| (key.name, key.default())));
        let settings: Settings = serde_json::from_value(defaults.clone()).unwrap();
        assert_eq!(serde_json::to_value(settings).unwrap(), defaults);
    }
}
