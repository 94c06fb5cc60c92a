//! The checks of the doctor. One function gives one line; the list gives their order.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use rb_core::fs;
use rb_core::process::{Cmd, Output, ProcessError};
use rb_language_servers::{SERVERS, Server};
use rb_models::Catalog;
use rb_sandbox::{Choice, Sandbox};

use super::{Line, Status};
use crate::app::App;
use crate::model_settings::ModelSettings;

pub(super) type Check = fn(&App) -> Line;

pub(super) static CHECKS: [Check; 16] = [
    git,
    home,
    disk,
    config,
    sandbox,
    |app| toolchain(app, "node", "--version", "JavaScript and TypeScript"),
    |app| toolchain(app, "npm", "--version", "JavaScript and TypeScript"),
    |app| toolchain(app, "python3", "--version", "Python"),
    |app| toolchain(app, "cargo", "--version", "Rust"),
    |app| toolchain(app, "go", "version", "Go"),
    |app| toolchain(app, "java", "-version", "Java"),
    language_servers,
    |_| Line::new(Status::Ok, "builtin", "recipes and rules, no model needed"),
    claude,
    keys,
    browser,
];

/// Long enough for a cold start on a busy machine, short enough to wait for.
const DEADLINE: Duration = Duration::from_secs(10);

/// Since 2.34 git knows everything that the safe worktree uses.
const OLDEST_GIT: (u32, u32) = (2, 34);

const LOW_DISK: u64 = 2 << 30;

const BROWSERS: [&str; 5] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"];

fn git(app: &App) -> Line {
    let (major, minor) = OLDEST_GIT;
    let advice = format!("install git {major}.{minor} or newer");
    match version(app, "git", "--version") {
        Ok(text) => match git_version(&text) {
            Some(found) if found >= OLDEST_GIT => Line::new(Status::Ok, "git", text),
            Some(_) => Line::new(Status::Fail, "git", format!("{text} is too old")).advice(advice),
            None => {
                Line::new(Status::Fail, "git", format!("no version in `{text}`")).advice(advice)
            }
        },
        Err(problem) => Line::new(Status::Fail, "git", problem.words()).advice(advice),
    }
}

fn git_version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.strip_prefix("git version ")?.split(['.', ' ']);
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

fn home(app: &App) -> Line {
    let home = match app.home() {
        Ok(home) => home.root(),
        Err(error) => {
            return Line::new(Status::Fail, "home", error.message()).advice(error.hints.join("; "));
        }
    };
    let nearest = nearest_existing(home);
    let shown = home.display();
    let elsewhere = "choose another folder with REFACTOR_BOT_HOME or --home";
    if !nearest.is_dir() {
        let what = format!("{} is not a folder", nearest.display());
        Line::new(Status::Fail, "home", what).advice(elsewhere)
    } else if !fs::is_writable(nearest) {
        let what = format!("{} cannot be written to", nearest.display());
        Line::new(Status::Fail, "home", what).advice(elsewhere)
    } else if nearest == home {
        Line::new(Status::Ok, "home", shown.to_string())
    } else {
        Line::new(Status::Ok, "home", format!("{shown} (will be created)"))
    }
}

fn disk(app: &App) -> Line {
    let Ok(home) = app.home() else {
        return Line::new(Status::Warn, "disk", "not checked: no home folder");
    };
    match fs::free_space(nearest_existing(home.root())) {
        Ok(free) => {
            let found = format!("{} MiB free", free >> 20);
            if free >= LOW_DISK {
                Line::new(Status::Ok, "disk", found)
            } else {
                Line::new(Status::Warn, "disk", found)
                    .advice("a run needs space for a backup and a worktree")
            }
        }
        Err(error) => Line::new(Status::Warn, "disk", error.to_string()),
    }
}

fn nearest_existing(path: &Path) -> &Path {
    path.ancestors().find(|folder| folder.exists()).unwrap_or(path)
}

fn config(app: &App) -> Line {
    match (app.config(None, Vec::new()), app.home()) {
        (Ok(_), Ok(home)) if home.config().exists() => {
            Line::new(Status::Ok, "config", home.config().display().to_string())
        }
        (Ok(_), _) => Line::new(Status::Ok, "config", "defaults"),
        (Err(error), _) => {
            let line = Line::new(Status::Fail, "config", error.message());
            if error.hints.is_empty() { line } else { line.advice(error.hints.join("; ")) }
        }
    }
}

/// What a trial shows, not what is installed: many systems have bubblewrap and forbid it.
fn sandbox(app: &App) -> Line {
    let shim = std::env::current_exe().ok();
    match Sandbox::probe(&Choice::Auto, &app.env, shim.as_deref(), &app.cancel) {
        Ok(sandbox) if sandbox.held().confines() => {
            Line::new(Status::Ok, "sandbox", sandbox.held().words())
        }
        Ok(sandbox) => Line::new(Status::Warn, "sandbox", sandbox.held().words())
            .advice("install bubblewrap; without it, repository tests run unconfined"),
        Err(error) => Line::new(Status::Warn, "sandbox", error.to_string()),
    }
}

fn toolchain(app: &App, name: &'static str, arg: &str, languages: &str) -> Line {
    match version(app, name, arg) {
        Ok(text) => Line::new(Status::Ok, name, text),
        Err(Problem::Absent) => {
            Line::new(Status::Absent, name, format!("not found; only needed for {languages}"))
        }
        Err(Problem::Broken(words)) => Line::new(Status::Warn, name, words)
            .advice(format!("repair it before working on {languages}")),
    }
}

/// Which of them answer. One that is there and does not start is not installed: rustup has a stand-in for each of its components.
fn language_servers(app: &App) -> Line {
    let works = |server: &&Server| matches!(server.version(&app.env, &app.cancel), Some(Ok(_)));
    let found = SERVERS.iter().filter(works);
    let found: Vec<String> = found.map(|it| format!("{} ({})", it.name, it.language)).collect();
    if found.is_empty() {
        let languages: Vec<&str> = SERVERS.iter().map(|server| server.language).collect();
        let what =
            format!("no language server found; only needed to rename in {}", languages.join(", "));
        return Line::new(Status::Absent, "lsp", what);
    }
    Line::new(Status::Ok, "lsp", found.join(", "))
}

fn claude(app: &App) -> Line {
    // A broken configuration has its own line.
    let binary = app.config(None, Vec::new()).map(|config| config.settings.claude.binary);
    let binary = binary.unwrap_or_else(|_| "claude".to_owned());
    match version(app, &binary, "--version") {
        Ok(text) => Line::new(Status::Ok, "claude-code", text),
        Err(Problem::Absent) => {
            Line::new(Status::Absent, "claude-code", format!("`{binary}` not found"))
                .advice("only needed for --provider claude-code; set its path with `claude.binary`")
        }
        Err(Problem::Broken(words)) => Line::new(Status::Warn, "claude-code", words)
            .advice("install or repair Claude Code before using it as provider"),
    }
}

/// Which variables with keys are set. Their values are never looked at.
fn keys(app: &App) -> Line {
    let catalog = match ModelSettings::of(app, None) {
        Ok(settings) => settings.catalog().clone(),
        // A broken configuration has its own line.
        Err(_) => Catalog::bundled(),
    };
    let specs = catalog.names().filter_map(|name| catalog.get(name).ok());
    let known: BTreeSet<&str> =
        specs.flat_map(|spec| spec.keys.iter().map(String::as_str)).collect();
    let set: Vec<&str> =
        known.into_iter().filter(|name| app.environment.get(name).is_some()).collect();
    if set.is_empty() {
        Line::new(Status::Absent, "keys", "no API key is set")
            .advice("only needed for models; `refactor-bot models` lists them")
    } else {
        Line::new(Status::Ok, "keys", format!("{} set", set.join(", ")))
    }
}

fn browser(app: &App) -> Line {
    match BROWSERS.iter().find_map(|name| app.env.find(name)) {
        Some(path) => Line::new(Status::Ok, "browser", path.display().to_string()),
        None => Line::new(Status::Absent, "browser", "not found; only needed to check web pages"),
    }
}

enum Problem {
    Absent,
    Broken(String),
}

impl Problem {
    fn words(self) -> String {
        match self {
            Problem::Absent => "not found".to_owned(),
            Problem::Broken(words) => words,
        }
    }
}

/// The first line that the program says about its version, wherever it says it.
fn version(app: &App, program: &str, arg: &str) -> Result<String, Problem> {
    let output = run(app, Cmd::new(program, &app.env).arg(arg))?;
    first_line(&output.stdout)
        .or_else(|| first_line(&output.stderr))
        .ok_or_else(|| Problem::Broken(format!("`{program} {arg}` printed nothing")))
}

/// Runs to success, or says what went wrong.
fn run(app: &App, cmd: Cmd) -> Result<Output, Problem> {
    match cmd.timeout(DEADLINE).limit(64 << 10).run(&app.cancel) {
        Ok(output) if output.success() => Ok(output),
        Ok(output) => {
            let words = first_line(&output.stderr).or_else(|| first_line(&output.stdout));
            Err(Problem::Broken(words.unwrap_or_else(|| format!("ended with {:?}", output.exit))))
        }
        Err(ProcessError::NotFound { .. }) => Err(Problem::Absent),
        Err(error) => Err(Problem::Broken(error.to_string())),
    }
}

fn first_line(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    Some(line.chars().take(120).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ux5_git_versions_are_understood() {
        let check = |text: &str, expected| assert_eq!(git_version(text), expected, "{text}");
        check("git version 2.34.1", Some((2, 34)));
        check("git version 2.39.5 (Apple Git-154)", Some((2, 39)));
        check("git version 2.47.0.windows.1", Some((2, 47)));
        check("git version 3.0-rc1", None);
        check("hub version 2.14", None);
    }
}
