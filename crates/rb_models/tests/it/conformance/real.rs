//! The real `claude` against the server of the messages API: the cases that tell most about it, as each start of
//! it takes a while. The double answers for the rest.

use std::path::Path;
use std::sync::Arc;

use rb_core::process::Env;
use rb_http::Secret;
use rb_models::Host;
use rb_models::providers::claude_code::{ClaudeCode, ClaudeLogin, ClaudeOptions};
use rb_testkit::stub::{Reply, Stub};
use serde_json::json;

use super::case::Case;
use super::wires::{End, Messages, Wire as _};
use super::{Scene, Stand};
use crate::doubles::{KEY, Place};

pub(super) struct RealClaude;

fn program() -> String {
    let tmp = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let program = tmp.parent().unwrap().join("test-tools/claude-code/node_modules/.bin/claude");
    assert!(program.exists(), "{} is missing: run `cargo xtask setup`", program.display());
    program.display().to_string()
}

impl Stand for RealClaude {
    fn name(&self) -> &'static str {
        "claude-code (real)"
    }

    fn play(&self, case: Case) -> Option<Scene> {
        let words = Messages.words(End::Whole)?;
        let (good, refused) = (Messages.stream(words), Messages.refused(case));
        let refused = refused.header("content-type", "application/json");
        let formed = Messages.value(&json!({ "ok": true }));
        // Its own name for the tool whose input is the value.
        let formed = formed.iter().map(|event| event.replace("\"reply\"", "\"StructuredOutput\""));
        let formed = Messages.stream(formed.collect());
        let reply: Reply = match case {
            Case::Plain | Case::ToolCall => good,
            Case::Structured => formed,
            Case::TooLong | Case::BadKey | Case::NoCredit | Case::NoModel => refused,
            Case::Page => Reply::ok(format!("<!doctype html><title>{KEY}</title>"))
                .header("content-type", "text/html"),
            _ => return None,
        };
        let stub = Stub::always(reply);
        let place = Place::empty();
        let env = Env::default().with("PATH", "/usr/bin:/bin").with("HOME", place.at("home"));
        let options = ClaudeOptions {
            binary: program(),
            base_url: Some(stub.url()),
            login: ClaudeLogin::ApiKey(Secret::new(KEY)),
            retries: 0,
            ..ClaudeOptions::default()
        };
        let provider = ClaudeCode::new(Host::new(&env, [], place.at("scratch")), options);
        Some(Scene::of(Arc::new(provider)).within(place).with(stub))
    }
}
