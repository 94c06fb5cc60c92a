//! A copy of a repository in which changes are made, tested and undone. The repository itself is only read.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rb_core::Cancel;
use rb_core::fs::{Durability, remove_dir_all, remove_file};
use rb_core::process::{Cmd, Env, Output};
use rb_operations::testing::MemoryFiles;
use rb_operations::{FileChange, Files};

const TIME_LIMIT: Duration = Duration::from_mins(1);

/// Parses each file named as an argument.
const PARSE: &str = "import ast, sys
for path in sys.argv[1:]:
    ast.parse(open(path, 'rb').read(), path)
";

/// Removed when dropped, unless it is to be kept.
pub(crate) struct Scratch {
    repository: PathBuf,
    folder: PathBuf,
    is_kept: bool,
    env: Env,
}

pub(crate) enum TestResult {
    Passed,
    Failed(String),
}

type Changes = BTreeMap<String, FileChange>;

impl Scratch {
    pub(crate) fn copy(repository: &Path, kept: Option<PathBuf>) -> Result<Self, Box<dyn Error>> {
        let is_kept = kept.is_some();
        let name = format!("refactorbench-{}", std::process::id());
        let folder = kept.unwrap_or_else(|| std::env::temp_dir().join(name));
        if folder.exists() {
            return Err(format!("{} exists already", folder.display()).into());
        }
        let scratch = Scratch {
            repository: std::path::absolute(repository)?,
            folder: std::path::absolute(folder)?,
            is_kept,
            env: env().with("PYTHONDONTWRITEBYTECODE", "1"),
        };
        rb_core::fs::create_dir_all(scratch.folder.parent().ok_or("no parent folder")?)?;
        let cp = scratch.command("cp").arg("-a").arg(&scratch.repository).arg(&scratch.folder);
        succeed(&cp.run(&Cancel::new())?)?;
        Ok(scratch)
    }

    pub(crate) fn is_of(&self, repository: &Path) -> bool {
        std::path::absolute(repository).is_ok_and(|path| path == self.repository)
    }

    pub(crate) fn apply(&self, changes: &Changes) -> Result<(), Box<dyn Error>> {
        for (path, change) in changes {
            match change {
                FileChange::Created(text) | FileChange::Edited(text) => self.write(path, text)?,
                FileChange::Removed => remove_file(&self.folder.join(path))?,
            }
        }
        Ok(())
    }

    pub(crate) fn undo(
        &self,
        changes: &Changes,
        files: &MemoryFiles,
    ) -> Result<(), Box<dyn Error>> {
        for path in changes.keys() {
            match files.text(path) {
                Some(text) => self.write(path, &text)?,
                None => remove_file(&self.folder.join(path))?,
            }
        }
        Ok(())
    }

    pub(crate) fn diff(&self, changes: &Changes) -> Result<String, Box<dyn Error>> {
        let mut diff = String::new();
        for path in changes.keys() {
            let cmd = self.command("diff").args(["-uN", "--label", path, "--label", path]);
            let cmd = cmd.arg(self.repository.join(path)).arg(self.folder.join(path));
            diff.push_str(&String::from_utf8_lossy(&cmd.run(&Cancel::new())?.stdout));
        }
        Ok(diff)
    }

    /// Parses the Python files that changed, then runs the test with the copy as its folder.
    pub(crate) fn test(
        &self,
        test: &Path,
        changes: &Changes,
    ) -> Result<TestResult, Box<dyn Error>> {
        let python_files = changes.iter().filter(|(path, change)| {
            **change != FileChange::Removed
                && Path::new(path).extension().is_some_and(|e| e == "py")
        });
        let parse = self.command("python3").cwd(&self.folder).args(["-c", PARSE]);
        let parsed = parse.args(python_files.map(|(path, _)| path)).run(&Cancel::new())?;
        if !parsed.success() {
            return Ok(TestResult::Failed(format!("does not parse: {}", last_lines(&parsed, 3))));
        }
        let tested = self.command("python3").cwd(&self.folder).arg(test).run(&Cancel::new())?;
        let is_passed = tested.success();
        Ok(if is_passed { TestResult::Passed } else { TestResult::Failed(failures(&tested)) })
    }

    fn write(&self, path: &str, text: &str) -> Result<(), Box<dyn Error>> {
        let path = self.folder.join(path);
        rb_core::fs::create_dir_all(path.parent().ok_or("no parent folder")?)?;
        Ok(rb_core::fs::write(&path, text.as_bytes(), Durability::Relaxed)?)
    }

    fn command(&self, program: &str) -> Cmd {
        Cmd::new(program, &self.env).timeout(TIME_LIMIT)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !self.is_kept {
            // A folder that stays in the temporary folder does no harm.
            let _ = remove_dir_all(&self.folder);
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "an example finds its tools where the person has them"
)]
fn env() -> Env {
    Env::passed_on(std::env::vars_os())
}

fn succeed(output: &Output) -> Result<(), Box<dyn Error>> {
    if output.success() { Ok(()) } else { Err(last_lines(output, 3).into()) }
}

/// The names of the tests that failed and what they said: `FAIL: name` and the last line of each traceback.
fn failures(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let is_told = |line: &&str| {
        let is_title = line.starts_with("FAIL:") || line.starts_with("ERROR:");
        let is_message = line.split_once(": ").is_some_and(|(kind, _)| {
            kind.ends_with("Error") || kind.ends_with("Exception") || kind.ends_with("Warning")
        });
        is_title || is_message
    };
    let told: Vec<String> = text.lines().filter(is_told).map(shorten).collect();
    if told.is_empty() { last_lines(output, 3) } else { format!("\n   {}", told.join("\n   ")) }
}

fn last_lines(output: &Output, count: usize) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(count)..].join(" | ")
}

/// Some messages quote a whole file; what matters is at the ends.
fn shorten(line: &str) -> String {
    const END: usize = 120;
    let chars: Vec<char> = line.chars().collect();
    if chars.len() <= 2 * END {
        return line.to_owned();
    }
    let (head, tail) = (&chars[..END], &chars[chars.len() - END..]);
    format!("{} … {}", String::from_iter(head), String::from_iter(tail))
}
