//! Git bundles: made, listed, unpacked.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use crate::git::{Git, GitError};

/// What refs point at, by name; `HEAD` is one of them.
pub(super) type Refs = BTreeMap<String, String>;

/// Bundles all refs but `own`, without what is reachable from `known`. False when nothing is left to bundle.
pub(super) fn create(
    git: &Git,
    bundle: &Path,
    known: &[String],
    own: &str,
) -> Result<bool, GitError> {
    let args = ["bundle", "create", "--quiet"].map(OsString::from);
    let refs = [format!("--exclude={own}"), "--all".to_owned(), "--stdin".to_owned()];
    let args = args.into_iter().chain([bundle.into()]).chain(refs.map(OsString::from));
    match git.feed(args, &lines(known.iter().map(|commit| format!("^{commit}")))) {
        Ok(_) => Ok(true),
        Err(GitError::Failed { message, .. }) if message.contains("create empty bundle") => {
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

/// The refs that a bundle lists. Also the HEADs of other worktrees may be among them.
pub(super) fn list(git: &Git, bundle: &Path) -> Result<Refs, GitError> {
    let out = git.run([OsString::from("bundle"), "list-heads".into(), bundle.into()])?;
    Ok(parse(&out))
}

/// Brings the objects of a bundle in, each checked, and gives the refs that it lists. No ref moves.
///
/// What the bundle builds on must be reachable from a ref: see `hold`.
pub(super) fn unpack(git: &Git, bundle: &Path) -> Result<Refs, GitError> {
    let out = git.run([OsString::from("bundle"), "unbundle".into(), bundle.into()])?;
    Ok(parse(&out))
}

/// The refs of a repository.
pub(super) fn refs(git: &Git) -> Result<Refs, GitError> {
    Ok(parse(&git.run(["for-each-ref", "--format=%(objectname) %(refname)"])?))
}

/// Those of `commits` that the repository has.
pub(super) fn present(git: &Git, commits: Vec<&String>) -> Result<Vec<String>, GitError> {
    let asked = lines(commits.iter().map(ToString::to_string));
    let out = git.feed(["cat-file", "--batch-check"], &asked)?;
    let answers = String::from_utf8_lossy(&out).into_owned();
    let found =
        |(commit, answer): (&String, &str)| (!answer.ends_with(" missing")).then(|| commit.clone());
    Ok(commits.into_iter().zip(answers.lines()).filter_map(found).collect())
}

/// Points refs of our own at `commits`, so that git takes them for part of the history.
pub(super) fn hold(git: &Git, commits: &[String]) -> Result<(), GitError> {
    let numbered = commits.iter().enumerate();
    let lines = lines(numbered.map(|(number, commit)| format!("update {HELD}{number} {commit}")));
    git.feed(["update-ref", "--stdin"], &lines)?;
    Ok(())
}

/// Takes back what `hold` did.
pub(super) fn release(git: &Git) -> Result<(), GitError> {
    let held = git.run(["for-each-ref", "--format=delete %(refname)", HELD])?;
    git.feed(["update-ref", "--stdin"], &held)?;
    Ok(())
}

const HELD: &str = "refs/refactor-bot/held/";

fn lines(texts: impl Iterator<Item = String>) -> Vec<u8> {
    texts.flat_map(|text| text.into_bytes().into_iter().chain([b'\n'])).collect()
}

fn parse(lines: &[u8]) -> Refs {
    let text = String::from_utf8_lossy(lines);
    let pair = |line: &str| {
        line.split_once(' ').map(|(commit, name)| (name.to_owned(), commit.to_owned()))
    };
    text.lines().filter_map(pair).collect()
}
