//! Under whose name commits are made: the person's, or the tool's where git knows none.

use crate::git::{Git, GitError};

pub(crate) fn with_identity(git: &Git) -> Result<Git, GitError> {
    let strict = git.with_setting("user.useConfigOnly", "true");
    if strict.says_yes(["var", "GIT_COMMITTER_IDENT"])?
        && strict.says_yes(["var", "GIT_AUTHOR_IDENT"])?
    {
        return Ok(git.clone());
    }
    Ok(git
        .with_setting("user.name", "refactor-bot")
        .with_setting("user.email", "refactor-bot@localhost"))
}
