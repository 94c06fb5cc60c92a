//! How far a server has come with reading the project, by what it announces.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::error::quoted;
use crate::server::LoadedSign;

/// Work that is announced at the same time; more is no longer told apart.
const MOST: usize = 1000;

/// A server that has announced nothing for so long announces nothing more.
const QUIET: Duration = Duration::from_millis(1500);

#[derive(Debug)]
pub(crate) struct Loading {
    sign: LoadedSign,
    /// Tokens of the work that goes on.
    active: BTreeSet<String>,
    changed: Instant,
    is_ready: bool,
    /// What is wrong with the project, as the server says it with its sign.
    pub(crate) trouble: Option<String>,
}

impl Loading {
    pub(crate) fn new(sign: LoadedSign) -> Self {
        Loading {
            sign,
            active: BTreeSet::new(),
            changed: Instant::now(),
            is_ready: false,
            trouble: None,
        }
    }

    pub(crate) fn hear(&mut self, method: &str, params: &Value) {
        match method {
            "$/progress" => self.progress(params),
            "experimental/serverStatus" => {
                self.is_ready = params["quiescent"] == true;
                let message = params["message"].as_str().filter(|it| !it.trim().is_empty());
                let is_well = params["health"] == "ok" || message.is_some_and(is_of_sysroot);
                self.trouble =
                    (!is_well).then(|| quoted(message.unwrap_or("it does not say what is wrong")));
            }
            "language/status" => match params["type"].as_str() {
                Some("ServiceReady") => self.is_ready = true,
                Some("Error") => {
                    self.trouble = Some(quoted(params["message"].as_str().unwrap_or_default()));
                }
                _ => {}
            },
            _ => {}
        }
    }

    fn progress(&mut self, params: &Value) {
        let token = params["token"].to_string();
        self.changed = Instant::now();
        match params["value"]["kind"].as_str() {
            Some("begin") if self.active.len() < MOST => drop(self.active.insert(token)),
            Some("end") => drop(self.active.remove(&token)),
            _ => {}
        }
    }

    /// From now on, not from when the server was started.
    pub(crate) fn begin(&mut self) {
        self.changed = Instant::now();
    }

    pub(crate) fn is_done(&self) -> bool {
        match self.sign {
            LoadedSign::Status | LoadedSign::ServiceReady => self.is_ready,
            LoadedSign::Progress => self.active.is_empty() && self.changed.elapsed() >= QUIET,
        }
    }
}

/// The standard library is known without the crates that it is made of: an editor downloads them, and here there is no network. What
/// belongs to the project does not depend on them.
fn is_of_sysroot(message: &str) -> bool {
    let is_all = message.matches("Failed to ").count() == 1 && !message.contains("\nWorkspace ");
    is_all && message.starts_with("Failed to read Cargo metadata with dependencies for sysroot")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn st5_a_project_is_loaded_when_all_announced_work_is_done() {
        let mut loading = Loading::new(LoadedSign::Progress);
        let say = |loading: &mut Loading, token: Value, kind: &str| {
            loading.hear("$/progress", &json!({ "token": token, "value": { "kind": kind } }));
            loading.changed = Instant::now().checked_sub(QUIET).unwrap();
        };
        say(&mut loading, json!(1), "begin");
        say(&mut loading, json!("a"), "begin");
        say(&mut loading, json!(1), "end");
        assert!(!loading.is_done());
        say(&mut loading, json!("a"), "report");
        say(&mut loading, json!("a"), "end");
        assert!(loading.is_done());
        loading.begin();
        assert!(!loading.is_done(), "more may come");
    }

    #[test]
    fn st5_a_status_says_when_and_what_is_wrong() {
        let mut loading = Loading::new(LoadedSign::Status);
        let status = "experimental/serverStatus";
        loading.hear(
            status,
            &json!({ "health": "warning", "quiescent": true, "message": "no\nlock" }),
        );
        assert_eq!((loading.is_done(), loading.trouble.as_deref()), (true, Some("no lock")));
        loading.hear(status, &json!({ "health": "ok", "quiescent": false }));
        assert_eq!((loading.is_done(), loading.trouble.as_deref()), (false, None));
        let sysroot = "Failed to read Cargo metadata with dependencies for sysroot of `x`: no";
        let said =
            |message: &str| json!({ "health": "warning", "quiescent": true, "message": message });
        loading.hear(status, &said(sysroot));
        assert_eq!(loading.trouble, None);
        loading.hear(status, &said(&format!("{sysroot}\nFailed to read Cargo metadata of `y`")));
        assert!(loading.trouble.is_some());
    }
}
