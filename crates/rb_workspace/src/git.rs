//! Git, run so that neither the repository nor the machine can steer it.
//!
//! Hooks, filters, external diff and merge programs, pagers and editors that a repository's own
//! configuration names are switched off; nothing asks; nothing is fetched; no lock is taken for a mere
//! look. Settings of the person (`~/.gitconfig`) stay: names, line ends, ignore rules.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rb_core::process::{Cmd, Env, Exit, Output, ProcessError};
use rb_core::{Cancel, RepoPath};
use thiserror::Error;

/// The oldest git whose behaviour the tests cover.
pub const MIN_VERSION: (u32, u32) = (2, 34);

/// Git in one working folder. Cloning is cheap and shares nothing mutable.
#[derive(Debug, Clone)]
pub struct Git {
    dir: PathBuf,
    env: Env,
    cancel: Cancel,
    settings: Vec<(String, String)>,
    extra: Vec<(&'static str, OsString)>,
    silenced: Vec<String>,
}

#[derive(Debug, Error)]
pub enum GitError {
    #[error("git {command} failed: {message}")]
    Failed { command: String, exit: i32, message: String },
    #[error("git {command} was killed by signal {signal}")]
    Signal { command: String, signal: i32 },
    #[error("git {command} gave more output than can be held")]
    TooMuch { command: String },
    #[error("git {command} gave something unexpected: {message}")]
    Unexpected { command: String, message: String },
    #[error("the repository's configuration holds a setting that is not UTF-8: {0}")]
    OddSetting(String),
    #[error(transparent)]
    Process(#[from] ProcessError),
}

/// A path is a path, even if it begins with `:` or holds a `*`. The few commands that cannot be told so
/// are run without this variable.
pub(crate) const LITERAL_PATHSPECS: &str = "GIT_LITERAL_PATHSPECS";

/// Git looks at the records of all worktrees before it begins, and gives up where another git has not finished writing one:
/// another run may be making its worktree in this moment.
fn met_half_made_worktree(stderr: &[u8]) -> bool {
    let text = String::from_utf8_lossy(stderr);
    text.contains("failed to read") && text.contains("/worktrees/") && text.contains("/commondir")
}

/// Longer than any git command on a healthy repository; shorter than a lost night.
const TIMEOUT: Duration = Duration::from_hours(1);

/// What holds for every call, whatever the repository says.
const ALWAYS: [(&str, &str); 32] = [
    ("core.hooksPath", "/dev/null"),
    ("core.fsmonitor", "false"),
    ("core.untrackedCache", "keep"),
    ("core.pager", "cat"),
    ("core.editor", "false"),
    ("core.askPass", ""),
    ("core.sshCommand", "false"),
    ("core.quotePath", "false"),
    ("core.safecrlf", "false"),
    ("credential.helper", ""),
    ("protocol.ext.allow", "never"),
    ("commit.gpgSign", "false"),
    ("tag.gpgSign", "false"),
    ("merge.verifySignatures", "false"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    ("diff.external", ""),
    ("submodule.recurse", "false"),
    ("worktree.useRelativePaths", "false"),
    ("advice.detachedHead", "false"),
    ("core.ignoreStat", "false"),
    ("rerere.enabled", "false"),
    ("safe.bareRepository", "all"),
    ("diff.noprefix", "false"),
    ("diff.mnemonicPrefix", "false"),
    ("diff.srcPrefix", "a/"),
    ("diff.dstPrefix", "b/"),
    ("diff.context", "3"),
    ("diff.interHunkContext", "0"),
    ("diff.orderFile", "/dev/null"),
    ("diff.relative", "false"),
    ("core.alternateRefsCommand", "true"),
];

impl Git {
    pub fn new(dir: &Path, env: &Env, cancel: &Cancel) -> Self {
        let settings = ALWAYS.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec();
        Git {
            dir: dir.to_owned(),
            env: env.clone(),
            cancel: cancel.clone(),
            settings,
            extra: vec![(LITERAL_PATHSPECS, "1".into())],
            silenced: Vec::new(),
        }
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The same, in another working folder.
    pub fn at(&self, dir: &Path) -> Self {
        Git { dir: dir.to_owned(), ..self.clone() }
    }

    /// The same with one more variable, such as `GIT_INDEX_FILE`.
    pub fn with_env(&self, name: &'static str, value: impl Into<OsString>) -> Self {
        let mut git = self.clone();
        git.extra.retain(|(known, _)| *known != name);
        git.extra.push((name, value.into()));
        git
    }

    /// The same without that variable.
    pub fn without_env(&self, name: &'static str) -> Self {
        let mut git = self.clone();
        git.extra.retain(|(known, _)| *known != name);
        git
    }

    /// The same with one more setting that outranks the repository's own.
    pub fn with_setting(&self, key: impl Into<String>, value: impl Into<String>) -> Self {
        let mut git = self.clone();
        git.settings.push((key.into(), value.into()));
        git
    }

    /// The same, deaf to the programs that the repository's own configuration names.
    pub fn distrusting(&self) -> Result<Self, GitError> {
        let listed = self.run(["config", "--list", "--show-scope", "-z"])?;
        let mut git = self.clone();
        let mut parts = listed.split(|&byte| byte == 0);
        while let (Some(scope), Some(setting)) = (parts.next(), parts.next()) {
            if !matches!(scope, b"local" | b"worktree") {
                continue;
            }
            let end = setting.iter().position(|&byte| byte == b'\n').unwrap_or(setting.len());
            let Ok(key) = std::str::from_utf8(&setting[..end]) else {
                // It could not be given back to git under its name, so it could not be switched off.
                let name = String::from_utf8_lossy(&setting[..end]).into_owned();
                return Err(GitError::OddSetting(name));
            };
            let value = String::from_utf8_lossy(setting.get(end + 1..).unwrap_or_default());
            let value = value.as_ref();
            let off = switched_off(key, value);
            if !off.is_empty() && !git.silenced.iter().any(|known| known == key) {
                git.silenced.push(key.to_owned());
            }
            git.settings.extend(off);
        }
        Ok(git)
    }

    /// The same, not cut off when the run is cancelled: for short commands that hold a lock of the user's.
    pub fn uninterruptible(&self) -> Self {
        Git { cancel: Cancel::new(), ..self.clone() }
    }

    /// The settings of the repository that named a program, and are not followed.
    pub fn silenced(&self) -> &[String] {
        &self.silenced
    }

    /// Whether the filter of that name is one of them.
    pub(crate) fn silences_filter(&self, name: &str) -> bool {
        let prefix = format!("filter.{name}.");
        self.silenced.iter().any(|key| key.starts_with(&prefix))
    }

    /// The same, taking pointers of git-lfs for plain files.
    pub fn without_lfs(&self) -> Self {
        ["clean", "smudge", "process"]
            .iter()
            .fold(self.clone(), |git, part| git.with_setting(format!("filter.lfs.{part}"), ""))
            .with_setting("filter.lfs.required", "false")
    }

    /// Runs git and returns its standard output; anything but success is an error.
    pub fn run<A: Into<OsString>>(
        &self,
        args: impl IntoIterator<Item = A>,
    ) -> Result<Vec<u8>, GitError> {
        self.feed(args, &[])
    }

    /// As `run`, with something on standard input.
    pub fn feed<A: Into<OsString>>(
        &self,
        args: impl IntoIterator<Item = A>,
        stdin: &[u8],
    ) -> Result<Vec<u8>, GitError> {
        let args: Vec<OsString> = args.into_iter().map(Into::into).collect();
        let command = shown(&args);
        let out = self.output(&args, stdin)?;
        match out.exit {
            Exit::Code(0) if out.cut => Err(GitError::TooMuch { command }),
            Exit::Code(0) => Ok(out.stdout),
            Exit::Code(exit) => Err(GitError::Failed { command, exit, message: message(&out) }),
            Exit::Signal(signal) => Err(GitError::Signal { command, signal }),
        }
    }

    /// As `run`, for one line of text.
    pub fn line<A: Into<OsString>>(
        &self,
        args: impl IntoIterator<Item = A>,
    ) -> Result<String, GitError> {
        let out = self.run(args)?;
        Ok(String::from_utf8_lossy(&out).trim_end_matches('\n').to_owned())
    }

    /// One line of text, or nothing where git answers with exit code 1 ("no such thing").
    pub fn optional_line<A: Into<OsString>>(
        &self,
        args: impl IntoIterator<Item = A>,
    ) -> Result<Option<String>, GitError> {
        match self.line(args) {
            Ok(line) => Ok(Some(line)),
            Err(GitError::Failed { exit: 1, .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Whether git answers yes (exit code 0).
    pub fn says_yes<A: Into<OsString>>(
        &self,
        args: impl IntoIterator<Item = A>,
    ) -> Result<bool, GitError> {
        let args: Vec<OsString> = args.into_iter().map(Into::into).collect();
        Ok(self.output(&args, &[])?.success())
    }

    fn output(&self, args: &[OsString], stdin: &[u8]) -> Result<Output, GitError> {
        let mut tries_left = 100;
        loop {
            let out = self.output_once(args.to_vec(), stdin.to_vec())?;
            tries_left -= 1;
            if out.success() || tries_left == 0 || !met_half_made_worktree(&out.stderr) {
                return Ok(out);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn output_once(&self, args: Vec<OsString>, stdin: Vec<u8>) -> Result<Output, GitError> {
        let mut cmd =
            Cmd::new("git", &self.env).cwd(&self.dir).args(args).stdin(stdin).timeout(TIMEOUT);
        for (name, value) in [
            ("LC_ALL", "C"),
            ("GIT_TERMINAL_PROMPT", "0"),
            ("GIT_OPTIONAL_LOCKS", "0"),
            ("GIT_NO_LAZY_FETCH", "1"),
        ] {
            cmd = cmd.env(name, value);
        }
        for (name, value) in &self.extra {
            cmd = cmd.env(name, value.clone());
        }
        for (at, (key, value)) in self.settings.iter().enumerate() {
            cmd = cmd
                .env(&format!("GIT_CONFIG_KEY_{at}"), key)
                .env(&format!("GIT_CONFIG_VALUE_{at}"), value);
        }
        cmd = cmd.env("GIT_CONFIG_COUNT", self.settings.len().to_string());
        Ok(cmd.run(&self.cancel)?)
    }
}

/// The settings that keep git from running what `key` names; none where it names no program.
fn switched_off(key: &str, value: &str) -> Vec<(String, String)> {
    let lower = key.to_ascii_lowercase();
    let Some((group, rest)) = lower.split_once('.') else { return Vec::new() };
    let Some((_, variable)) = rest.rsplit_once('.') else { return Vec::new() };
    // The name keeps its case.
    let name = &key[group.len() + 1..key.len() - variable.len() - 1];
    let set = |key: String, value: &str| (key, value.to_owned());
    let without_filter = |name: &str| {
        // An empty filter that is required would fail every checkout.
        let parts =
            ["clean", "smudge", "process"].map(|part| set(format!("filter.{name}.{part}"), ""));
        parts.into_iter().chain([set(format!("filter.{name}.required"), "false")]).collect()
    };
    match (group, variable) {
        ("filter", "clean" | "smudge" | "process") if !is_plain_lfs(name, value) => {
            without_filter(name)
        }
        // A plain git-lfs runs what these name.
        ("lfs", _)
            if lower.starts_with("lfs.extension.") || lower.starts_with("lfs.customtransfer.") =>
        {
            without_filter("lfs")
        }
        ("diff", "command" | "textconv") | ("credential", "helper") => {
            vec![set(key.to_owned(), "")]
        }
        // An empty merge driver would be run and fail; git's own merge takes its place.
        ("merge", "driver") => {
            vec![set(key.to_owned(), "git merge-file --quiet --marker-size=%L %A %O %B")]
        }
        ("hook", _) => vec![set(format!("hook.{name}.enabled"), "false")],
        _ => Vec::new(),
    }
}

/// What `git lfs install --local` writes: the person's own program under its usual name.
fn is_plain_lfs(name: &str, value: &str) -> bool {
    name == "lfs"
        && matches!(
            value,
            "git-lfs clean -- %f"
                | "git-lfs smudge -- %f"
                | "git-lfs smudge --skip -- %f"
                | "git-lfs filter-process"
                | "git-lfs filter-process --skip"
        )
}

fn shown(args: &[OsString]) -> String {
    let words: Vec<_> = args.iter().take(6).map(|arg| arg.to_string_lossy()).collect();
    words.join(" ")
}

fn message(out: &Output) -> String {
    let text = String::from_utf8_lossy(&out.stderr);
    let text = text.trim();
    let plain =
        text.strip_prefix("fatal: ").or_else(|| text.strip_prefix("error: ")).unwrap_or(text);
    if plain.is_empty() { "it gave no reason".to_owned() } else { plain.to_owned() }
}

/// Reads `git version 2.47.3 (…)`.
pub fn parse_version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.strip_prefix("git version ")?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

/// Splits NUL-terminated output.
pub(crate) fn fields(output: &[u8]) -> impl Iterator<Item = &[u8]> {
    output.split(|&byte| byte == 0).filter(|field| !field.is_empty())
}

/// Paths as git reads them with `-z`.
pub(crate) fn nul_separated<'a>(paths: impl Iterator<Item = &'a RepoPath>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for path in paths {
        bytes.extend_from_slice(path.as_bytes());
        bytes.push(0);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions() {
        assert_eq!(parse_version("git version 2.47.3"), Some((2, 47)));
        assert_eq!(parse_version("git version 2.39.2 (Apple Git-143)"), Some((2, 39)));
        assert_eq!(parse_version("hg 1.0"), None);
    }

    /// A git that meets a half-made worktree at its first two calls.
    #[test]
    fn sa1_a_worktree_that_is_just_being_made_is_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let git = dir.path().join("git");
        let script = "#!/bin/sh\necho x >> calls\n[ $(wc -l < calls) -gt 2 ] && exit 0\n\
                      echo 'fatal: failed to read .git/worktrees/a/commondir: Success' >&2\nexit 128\n";
        let relaxed = rb_core::fs::Durability::Relaxed;
        rb_core::fs::write_with_mode(&git, script.as_bytes(), 0o755, relaxed).unwrap();
        let path = format!("{}:/usr/bin:/bin", dir.path().display());
        let env = Env::default().with("PATH", path);
        Git::new(dir.path(), &env, &Cancel::new()).run(["worktree", "list"]).unwrap();
        assert_eq!(rb_core::fs::read(&dir.path().join("calls")).unwrap(), b"x\nx\nx\n");
        assert!(!met_half_made_worktree(b"fatal: not a git repository"));
    }

    #[test]
    fn trust_programs_of_the_repository_are_switched_off() {
        let off = |key: &str, value: &str| {
            switched_off(key, value).into_iter().map(|(key, _)| key).collect::<Vec<_>>()
        };
        let filter = |name: &str| {
            ["clean", "smudge", "process", "required"]
                .map(|part| format!("filter.{name}.{part}"))
                .to_vec()
        };
        assert_eq!(off("filter.Evil.clean", "sh"), filter("Evil"));
        assert_eq!(off("lfs.extension.evil.clean", "sh"), filter("lfs"));
        assert_eq!(off("hook.Evil.command", "sh"), ["hook.Evil.enabled"]);
        assert_eq!(off("filter.lfs.process", "sh"), filter("lfs"));
        assert_eq!(off("diff.y.textconv", "sh"), ["diff.y.textconv"]);
        assert_eq!(off("merge.z.driver", "sh"), ["merge.z.driver"]);
        for (key, value) in [
            ("filter.lfs.process", "git-lfs filter-process"),
            ("filter.x.required", "true"),
            ("filter.clean", "cat"),
            ("core.autocrlf", "input"),
            ("merge.conflictstyle", "diff3"),
        ] {
            assert!(off(key, value).is_empty(), "{key}");
        }
    }
}
