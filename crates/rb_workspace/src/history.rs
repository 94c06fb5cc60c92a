//! The history of a checkout, read: where it stands, where it came from, and which files changed lately.
//!
//! For the index, which works with less where there is no history: every question may go unanswered.

use std::ffi::OsString;
use std::path::Path;

use rb_core::process::Env;
use rb_core::{Cancel, RepoPath};

use crate::git::{Git, GitError, fields};

/// The history of a folder: of the files below it, if it is a part of a repository.
pub struct History {
    git: Git,
}

/// A commit, as far as it concerns the folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Seconds since 1970, by the committer's clock.
    pub time: i64,
    /// The files that it touched, relative to the folder.
    pub paths: Vec<RepoPath>,
}

/// A commit of one file, without its author.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileCommit {
    /// The first digits of its hash.
    pub hash: String,
    /// Seconds since 1970, by the committer's clock.
    pub time: i64,
    /// The first paragraph of its message on one line. Foreign text.
    pub subject: String,
}

impl History {
    pub fn of(folder: &Path, env: &Env, cancel: &Cancel) -> Self {
        History { git: Git::new(folder, env, cancel) }
    }

    /// The commit that the checkout stands on; none outside git, and before the first commit.
    pub fn head(&self) -> Result<Option<String>, GitError> {
        match self.git.line(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]) {
            Err(GitError::Failed { exit: 1, .. }) => Ok(None),
            Err(GitError::Failed { message, .. }) if message.contains("not a git repository") => {
                Ok(None)
            }
            answer => answer.map(Some),
        }
    }

    /// Where the folder lies in its repository; empty at the root.
    pub fn prefix(&self) -> Option<String> {
        self.git.line(["rev-parse", "--show-prefix"]).ok()
    }

    /// The address that the repository was cloned from.
    pub fn origin(&self) -> Option<String> {
        self.git.optional_line(["config", "--get", "remote.origin.url"]).ok()?
    }

    /// What all clones and worktrees of a repository have in common: a name, and where it came from. `root` stands for a
    /// repository that came from nowhere.
    pub fn identity(&self, root: &Path) -> (String, String) {
        let identity = self.origin().unwrap_or_else(|| root.display().to_string());
        let name = identity.trim_end_matches('/').trim_end_matches(".git");
        (name.rsplit(['/', ':']).next().unwrap_or_default().to_owned(), identity)
    }

    /// The files that git has in these places below the folder, or that are one of them.
    pub fn tracked(&self, places: &[RepoPath]) -> Result<Vec<RepoPath>, GitError> {
        /// A command line can hold so many bytes of paths and far more.
        const MAX_BYTES: usize = 64 << 10;
        let mut args = vec![OsString::from("ls-files"), "-z".into()];
        if places.iter().map(|place| place.as_bytes().len() + 1).sum::<usize>() <= MAX_BYTES {
            args.push("--".into());
            args.extend(places.iter().map(|place| place.as_path().into()));
        } else {
            args.extend(["--cached", "--ignored", "--exclude-standard"].map(Into::into));
        }
        let out = self.git.run(args)?;
        let paths = out.split(|&byte| byte == 0).filter(|path| !path.is_empty());
        Ok(paths.filter_map(|path| RepoPath::new(path).ok()).collect())
    }

    /// The latest commits that touch the folder, newest first, merges left out.
    pub fn changes(&self, from: &str, limit: u32) -> Result<Vec<Change>, GitError> {
        let out = self.git.run([
            "log",
            "-z",
            "--name-only",
            "--relative",
            "--no-renames",
            "--no-merges",
            "--no-show-signature",
            "--no-ext-diff",
            "--format=%x01%ct",
            &format!("--max-count={limit}"),
            from,
            "--",
            ".",
        ])?;
        Ok(parse(&out))
    }

    /// The latest commits that touch a file, newest first. What the file was called before a rename is not followed.
    pub fn of_file(
        &self,
        from: &str,
        path: &RepoPath,
        limit: u32,
    ) -> Result<Vec<FileCommit>, GitError> {
        // A person may have asked git to follow renames always.
        let git = self.git.with_setting("log.follow", "false");
        let out = git.run([
            OsString::from("log"),
            "-z".into(),
            "--no-show-signature".into(),
            "--no-ext-diff".into(),
            "--no-patch".into(),
            "--no-color".into(),
            "--encoding=UTF-8".into(),
            "--abbrev=10".into(),
            "--format=%h %ct %s".into(),
            format!("--max-count={limit}").into(),
            from.into(),
            "--".into(),
            path.as_path().into(),
        ])?;
        Ok(fields(&out).filter_map(parse_commit).collect())
    }

    /// The commit where the work since a revision began: the last one that both have.
    pub fn begin_of(&self, revision: &str) -> Result<String, GitError> {
        let spec = format!("{revision}^{{commit}}");
        let commit = self.git.line(["rev-parse", "--verify", "--end-of-options", spec.as_str()])?;
        let base = self.git.optional_line(["merge-base", commit.as_str(), "HEAD"])?;
        Ok(base.unwrap_or(commit))
    }

    /// The files of the folder that are not what they were at a commit, untracked ones among them, sorted.
    pub fn changed_since(&self, commit: &str) -> Result<Vec<RepoPath>, GitError> {
        let mut out = self.git.run([
            "diff",
            "-z",
            "--name-only",
            "--relative",
            "--no-renames",
            "--no-ext-diff",
            commit,
            "--",
            ".",
        ])?;
        out.extend(self.git.run(["ls-files", "-z", "--others", "--exclude-standard"])?);
        let paths = out.split(|&byte| byte == 0).filter(|path| !path.is_empty());
        let mut paths: Vec<RepoPath> = paths.filter_map(|it| RepoPath::new(it).ok()).collect();
        paths.sort();
        paths.dedup();
        Ok(paths)
    }

    /// The text of a file at a commit; `None` where it was not there, or was no text.
    pub fn text_at(&self, commit: &str, path: &RepoPath) -> Result<Option<String>, GitError> {
        let spec = format!("{commit}:./{path}");
        match self.git.run(["cat-file", "blob", spec.as_str()]) {
            Ok(bytes) => Ok(String::from_utf8(bytes).ok()),
            Err(GitError::Failed { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Each commit is `\x01`, its time and a NUL, then a line end and its paths with a NUL after each.
fn parse(out: &[u8]) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    for field in out.split(|&byte| byte == 0) {
        let field = field.strip_prefix(b"\n").unwrap_or(field);
        if let Some(time) = field.strip_prefix(b"\x01") {
            let time = std::str::from_utf8(time).ok().and_then(|time| time.trim().parse().ok());
            changes.push(Change { time: time.unwrap_or(0), paths: Vec::new() });
        } else if let (Some(change), Ok(path)) = (changes.last_mut(), RepoPath::new(field)) {
            change.paths.push(path);
        }
    }
    changes
}

/// Hash, time and subject with a blank between each. `None` for what git does not write.
fn parse_commit(line: &[u8]) -> Option<FileCommit> {
    let line = String::from_utf8_lossy(line);
    let mut parts = line.trim_start_matches('\n').splitn(3, ' ');
    let (hash, time) = (parts.next()?, parts.next()?.parse().ok()?);
    let subject = parts.next().unwrap_or_default().trim_end().to_owned();
    Some(FileCommit { hash: hash.to_owned(), time, subject })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ix10_commits_of_a_file_are_read_whatever_their_subject_is() {
        let check = |line: &[u8], expected: Option<(&str, i64, &str)>| {
            let expected = expected.map(|(hash, time, subject)| FileCommit {
                hash: hash.to_owned(),
                time,
                subject: subject.to_owned(),
            });
            assert_eq!(parse_commit(line), expected);
        };
        check(b"abc 20 fix: a  b", Some(("abc", 20, "fix: a  b")));
        check(b"\nabc 20 ", Some(("abc", 20, "")));
        check(b"abc 20", Some(("abc", 20, "")));
        check(b"abc -5 na\xefve", Some(("abc", -5, "na\u{fffd}ve")));
        check(b"abc soon x", None);
        check(b"", None);
    }

    #[test]
    fn ix10_commits_and_their_files_are_told_apart() {
        let out = b"\x0120\0\na.txt\0b/c d.txt\0\x0110\0\x015\0\n\xff.txt\0";
        let path = |name: &[u8]| RepoPath::new(name).unwrap();
        assert_eq!(
            parse(out),
            [
                Change { time: 20, paths: vec![path(b"a.txt"), path(b"b/c d.txt")] },
                Change { time: 10, paths: vec![] },
                Change { time: 5, paths: vec![path(b"\xff.txt")] },
            ]
        );
        assert_eq!(parse(b""), []);
    }
}
