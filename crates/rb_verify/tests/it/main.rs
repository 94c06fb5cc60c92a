//! The verifier on small projects with node's own test runner, unconfined: what confines is `rb_sandbox`'s to show.
#![expect(clippy::unwrap_used, reason = "a failed step is a failed test")]

mod affected;
mod borrowed;
mod built;
mod flaky;
mod suites;

use std::path::Path;
use std::sync::Arc;

use rb_core::Cancel;
use rb_core::process::Env;
use rb_core::progress::Silent;
use rb_sandbox::{Choice, Sandbox};
use rb_testkit::write_fixture;
use rb_toolchains::{Command, Detected, detect};
use rb_verify::{
    Baseline, Effort, Options, Request, Shell, Site, Verification, Verifier, caches, commands,
};
use tempfile::TempDir;

/// A project in a folder of its own.
struct Project {
    temp: TempDir,
    options: Options,
}

/// A program that is not there was found in the project: one that a person chose would end it all.
fn fast(detected: &Detected, verifier: &Verifier) -> Vec<Command> {
    let mut commands = commands(detected, Effort::Fast, &verifier.options);
    for command in commands.iter_mut().filter(|it| it.line == "no-such-program") {
        command.found.file.push_str("package.json");
    }
    commands
}

impl Project {
    fn new(fixture: &str) -> Self {
        let temp = TempDir::with_prefix("rb-verify-").unwrap();
        write_fixture(&temp.path().join("project"), fixture);
        Project { temp, options: Options { sandbox: Choice::Off, ..Options::default() } }
    }

    fn root(&self) -> std::path::PathBuf {
        self.temp.path().join("project").canonicalize().unwrap()
    }

    fn write(&self, path: &str, text: &str) {
        rb_core::fs::write(
            &self.root().join(path),
            text.as_bytes(),
            rb_core::fs::Durability::Relaxed,
        )
        .unwrap();
    }

    fn detected(&self, files: &[&str]) -> Detected {
        let files: Vec<String> = files.iter().map(ToString::to_string).collect();
        let env = env();
        detect(&self.root(), &files, &|program: &str| env.find(program).is_some())
    }

    fn verifier(&self, detected: &Detected) -> Verifier {
        let (env, cancel) = (env(), Cancel::new());
        let sandbox = Sandbox::probe(&self.options.sandbox, &env, None, &cancel).unwrap();
        let site = Site {
            worktree: self.root(),
            root: self.root(),
            checkouts: Vec::new(),
            borrowed: Vec::new(),
            made: Vec::new(),
            local: None,
            python_path: Vec::new(),
            scratch: self.temp.path().join("scratch"),
            work: self.temp.path().join("work"),
            home: None,
            env,
            passed: Shell::default().pass(&self.options.env),
        };
        let (options, caches) = (self.options.clone(), caches(detected));
        Verifier { site, sandbox, options, caches, cancel, progress: Arc::new(Silent) }
    }

    fn baseline(&self, detected: &Detected) -> Baseline {
        let verifier = self.verifier(detected);
        let commands = fast(detected, &verifier);
        rb_verify::baseline(&verifier, detected, &commands, Vec::new(), &Silent).unwrap()
    }

    fn verify(&self, detected: &Detected, baseline: &Baseline, affected: &[&str]) -> Verification {
        let verifier = self.verifier(detected);
        let commands = fast(detected, &verifier);
        let affected: Vec<String> = affected.iter().map(ToString::to_string).collect();
        rb_verify::verify(&Request {
            verifier: &verifier,
            baseline,
            detected,
            commands: &commands,
            effort: Effort::Fast,
            name: "task",
            affected: &affected,
            known: &[],
            progress: &Silent,
        })
        .unwrap()
    }

    /// The outputs that were kept, by name.
    fn outputs(&self) -> Vec<String> {
        let logs = rb_core::fs::list(&self.temp.path().join("work/logs")).unwrap();
        let names = logs.iter().filter_map(|name| name.to_str()?.strip_suffix(".stdout"));
        let mut names: Vec<String> = names.map(str::to_owned).collect();
        names.sort();
        names
    }
}

#[expect(clippy::disallowed_methods, reason = "the tests are where the programs are")]
fn env() -> Env {
    Env::passed_on(std::env::vars_os()).with("HOME", Path::new("/nonexistent"))
}
