//! A pager: the one program that shares the terminal with us. It is read by a person, so it has no deadline.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use super::{Env, ProcessError};
use crate::fault;

/// Shows `text` in the pager that `line` names, and returns when the person has left it. The line is given to a shell, as git does.
#[expect(clippy::disallowed_methods, reason = "the one door to other programs")]
pub fn page(line: &str, env: &Env, text: &[u8]) -> Result<(), ProcessError> {
    // There is nothing to be cut off half-way: a pager only reads.
    let _ = fault::point("spawn", Path::new(line));
    let program = || line.to_owned();
    let mut command = Command::new("/bin/sh");
    command.args(["-c", line]).env_clear().envs(env.iter()).stdin(Stdio::piped());
    let mut child =
        command.spawn().map_err(|source| ProcessError::Start { program: program(), source })?;
    if let Some(mut stdin) = child.stdin.take() {
        // Whoever leaves the pager early has read enough.
        match stdin.write_all(text) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                let _ = child.kill();
            }
            _ => {}
        }
    }
    child.wait().map_err(|source| ProcessError::Wait { program: program(), source })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ux1_a_pager_reads_the_text_and_may_leave_early() {
        let dir = tempfile::tempdir().unwrap();
        let env = Env::default().with("PATH", "/usr/bin:/bin").with("OUT", dir.path().join("read"));
        page("cat > \"$OUT\"", &env, b"one\ntwo\n").unwrap();
        assert_eq!(std::fs::read(dir.path().join("read")).unwrap(), b"one\ntwo\n");
        page("exit 0", &env, "x".repeat(1 << 20).as_bytes()).unwrap();
        page("no-such-pager 2> /dev/null", &env, b"one\n").unwrap();
    }
}
