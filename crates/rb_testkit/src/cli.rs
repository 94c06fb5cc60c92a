//! Runs the built binary with a home of its own and a clean environment.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::repo::git_env;

/// A binary with a home folder; several calls share the home.
pub struct Cli {
    binary: PathBuf,
    temp: TempDir,
    env: Vec<(OsString, OsString)>,
    cwd: Option<PathBuf>,
    stdin: Option<Vec<u8>>,
    hidden: Vec<(String, String)>,
}

/// What a call gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// The exit code; 128 + signal when it was killed.
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Cli {
    /// `binary` is `env!("CARGO_BIN_EXE_refactor-bot")`.
    pub fn new(binary: &str) -> Self {
        let temp = TempDir::with_prefix("rb-cli-").expect("a temporary folder");
        let user = fs::canonicalize(temp.path()).expect("it exists").join("user");
        fs::create_dir(&user).expect("mkdir");
        fs::write(user.join(".gitconfig"), "[user]\n\tname = Test\n\temail = test@example.com\n")
            .expect("write");
        let mut env: Vec<(OsString, OsString)> = git_env(&user)
            .into_iter()
            .filter(|(name, _)| !name.starts_with("GIT_"))
            .map(|(n, v)| (n.into(), v.into()))
            .collect();
        env.push(("REFACTOR_BOT_HOME".into(), user.join("home").into()));
        let hidden = vec![(user.display().to_string(), "[USER]".to_owned())];
        Cli { binary: binary.into(), temp, env, cwd: None, stdin: None, hidden }
    }

    /// The folder behind `REFACTOR_BOT_HOME`.
    pub fn home(&self) -> PathBuf {
        fs::canonicalize(self.temp.path()).expect("it exists").join("user/home")
    }

    /// The folder behind `HOME`.
    pub fn user_dir(&self) -> PathBuf {
        self.home().parent().expect("home is below it").to_owned()
    }

    pub fn env(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.set_env(name, value);
        self
    }

    pub fn set_env(&mut self, name: &str, value: impl Into<OsString>) {
        self.unset_env(name);
        self.env.push((name.into(), value.into()));
    }

    pub fn unset_env(&mut self, name: &str) {
        self.env.retain(|(known, _)| known != name);
    }

    pub fn cwd(mut self, dir: &Path) -> Self {
        self.cwd = Some(dir.to_owned());
        self
    }

    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = Some(bytes.into());
        self
    }

    /// Shows `name` in `Ran::shown` wherever `text` appears in the output.
    pub fn hide(mut self, text: impl Into<String>, name: &str) -> Self {
        self.hidden.insert(0, (text.into(), name.to_owned()));
        self
    }

    pub fn run<A: Into<OsString>>(&self, args: impl IntoIterator<Item = A>) -> Ran {
        let mut command = self.command();
        command.args(args.into_iter().map(Into::into));
        self.finish(command)
    }

    /// The call as it would be made, for tests that wrap or watch it.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.binary);
        self.prepare(&mut command);
        command
    }

    /// Runs the binary below a wrapper, such as `unshare --mount sh -c '… exec "$@"' sh`.
    pub fn run_under<A: Into<OsString>>(
        &self,
        wrapper: &[&str],
        args: impl IntoIterator<Item = A>,
    ) -> Ran {
        let mut command = self.command_under(wrapper);
        command.args(args.into_iter().map(Into::into));
        self.finish(command)
    }

    /// The binary below a wrapper, for who talks with it.
    pub fn command_under(&self, wrapper: &[&str]) -> Command {
        let mut command = Command::new(wrapper[0]);
        command.args(&wrapper[1..]).arg(&self.binary);
        self.prepare(&mut command);
        command
    }

    fn prepare(&self, command: &mut Command) {
        command.env_clear().envs(self.env.iter().map(|(n, v)| (n, v)));
        command.current_dir(self.cwd.clone().unwrap_or_else(|| self.user_dir()));
    }

    fn finish(&self, mut command: Command) -> Ran {
        use std::os::unix::process::ExitStatusExt as _;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary can be run");
        if let Some(mut stdin) = child.stdin.take() {
            let _ = stdin.write_all(self.stdin.as_deref().unwrap_or_default());
        }
        let out = child.wait_with_output().expect("the binary can be waited for");
        Ran {
            code: out.status.code().unwrap_or_else(|| 128 + out.status.signal().unwrap_or(0)),
            stdout: String::from_utf8_lossy(&out.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&out.stderr).into_owned(),
        }
    }

    /// The whole result as one text for a snapshot, with folders, run ids, hashes and times replaced.
    pub fn shown(&self, ran: &Ran) -> String {
        let mut text = format!("exit {}\n", ran.code);
        for (name, stream) in [("stdout", &ran.stdout), ("stderr", &ran.stderr)] {
            if !stream.is_empty() {
                let _ = write!(text, "--- {name}\n{stream}");
                if !stream.ends_with('\n') {
                    text.push_str("[no newline]\n");
                }
            }
        }
        for (secret, name) in &self.hidden {
            text = text.replace(secret, name);
        }
        filter(&text)
    }
}

impl Ran {
    /// Panics with both streams unless the call ended with `code`.
    #[track_caller]
    pub fn expect_code(&self, code: i32) -> &Self {
        assert_eq!(self.code, code, "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// The run id that the output names first.
    #[track_caller]
    pub fn run_id(&self) -> String {
        let both = format!("{}\n{}", self.stdout, self.stderr);
        find_run_id(&both).unwrap_or_else(|| panic!("no run id in:\n{both}")).to_owned()
    }
}

fn find_run_id(text: &str) -> Option<&str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).find(|word| is_run_id(word))
}

fn is_run_id(word: &str) -> bool {
    let (stamp, suffix) = word.split_once('-').unwrap_or((word, "2"));
    stamp.len() == 16
        && stamp.ends_with('Z')
        && stamp.as_bytes()[8] == b'T'
        && stamp.bytes().filter(u8::is_ascii_digit).count() == 14
        && suffix.bytes().all(|b| b.is_ascii_digit())
}

/// Replaces run ids by `[RUN]`, commit ids by `[OID]`, the hash of a project's place by `[HASH]`, and
/// measured times by `[TIME]`.
fn filter(text: &str) -> String {
    let mut shown = String::new();
    let mut word = String::new();
    let flush = |word: &mut String, shown: &mut String| {
        if is_run_id(word) {
            shown.push_str("[RUN]");
        } else if is_hex_id(word) {
            shown.push_str("[OID]");
        } else if let Some(name) = backup_name(word) {
            shown.push_str(name);
            shown.push_str("-[HASH]");
        } else {
            shown.push_str(word);
        }
        word.clear();
    };
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || c == '-' {
            word.push(c);
        } else {
            flush(&mut word, &mut shown);
            shown.push(c);
        }
    }
    flush(&mut word, &mut shown);
    // Ids differ in length, and columns are padded behind them.
    while shown.contains("[RUN]   ") {
        shown = shown.replace("[RUN]   ", "[RUN]  ");
    }
    mask_durations(&without_inherited(&shown))
}

/// Which files were open when the tests were started is the business of whoever did.
fn without_inherited(text: &str) -> String {
    let lines = text.split_inclusive('\n').map(|line| match line.rsplit_once("; ") {
        Some((said, last)) if last.ends_with("of the caller stay open in commands\n") => {
            format!("{said}\n")
        }
        _ => line.to_owned(),
    });
    lines.collect()
}

fn is_hex_id(word: &str) -> bool {
    matches!(word.len(), 10 | 12 | 40 | 64)
        && word.bytes().all(|b| b.is_ascii_hexdigit() && !b.is_ascii_uppercase())
        && word.bytes().any(|b| b.is_ascii_digit())
}

/// The name in `name-0123abcd`: a project's folder of backups, which carries a hash of its place.
fn backup_name(word: &str) -> Option<&str> {
    let (name, hash) = word.rsplit_once('-')?;
    let is_hash =
        hash.len() == 8 && hash.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
    is_hash.then_some(name)
}

/// `0.1 s` and `12 ms` become `[TIME]`.
fn mask_durations(text: &str) -> String {
    let words: Vec<&str> = text.split_inclusive([' ', '\n']).collect();
    let mut shown = String::new();
    let mut at = 0;
    while at < words.len() {
        let number = words[at].trim_end_matches(' ').trim_start_matches('(');
        let is_number = !number.is_empty()
            && number.bytes().all(|b| b.is_ascii_digit() || b == b'.')
            && number.bytes().any(|b| b.is_ascii_digit());
        let unit = words.get(at + 1).map(|w| w.trim_end_matches([' ', '\n', ')', ',', '.', ';']));
        if is_number && matches!(unit, Some("s" | "ms")) {
            let open = if words[at].starts_with('(') { "(" } else { "" };
            let tail = &words[at + 1][unit.map_or(0, str::len)..];
            let _ = write!(shown, "{open}[TIME]{tail}");
            at += 2;
        } else {
            shown.push_str(words[at]);
            at += 1;
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_changing_parts_are_masked() {
        assert_eq!(
            filter("run 20260131T235959Z-2 took 1.5 s (12 ms), at 0123456789ab\n"),
            "run [RUN] took [TIME] ([TIME]), at [OID]\n"
        );
        assert_eq!(find_run_id("accept 20260131T235959Z now"), Some("20260131T235959Z"));
    }
}
