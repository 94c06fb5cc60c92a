//! Processes that an agent leaves behind when it ends. The sandbox ends them; this is only about saying so.
//!
//! A shell starts the agent and, when that has ended, looks in `/proc` for processes with a variable that all children of the agent
//! inherit. The agent could hide a process or write the answer itself, so that nothing but a message may depend on it.

use std::ffi::OsString;

use rb_core::{RepoPath, fs};

use crate::invocation::{Folders, Invocation};

/// The file in the agent's folder that names a process on each line.
const LIST: &str = "left-running";

/// The variable is no setting of this program, which may be among those children. Helpers that end with the agent have half a second to
/// do so. Whoever is killed by a signal has 128 more than its number as exit code.
const SCRIPT: &str = r#"list=$0; mark=$1; shift
CODING_AGENT_FOLDER=$mark "$@"
code=$?
exec 2> /dev/null
for pause in 0.1 0.2 0.2 0; do
    grep -l -s -a -F -e "CODING_AGENT_FOLDER=$mark" /proc/[0-9]*/environ > "$list"
    [ -s "$list" ] || break
    sleep "$pause"
done
[ "$code" -gt 128 ] && kill "-$((code - 128))" "$$"
exit "$code"
"#;

/// The invocation, started by a shell that looks for processes afterwards.
pub(crate) fn watched(folders: &Folders, invocation: Invocation) -> Invocation {
    // No other agent works in this folder, so that its path marks this one.
    let (list, mark) = (folders.work.join(LIST), folders.work.clone().into_os_string());
    let mut args: Vec<OsString> = vec!["-c".into(), SCRIPT.into(), list.into(), mark];
    args.push(invocation.program);
    args.extend(invocation.args);
    Invocation { program: "/bin/sh".into(), args, ..invocation }
}

/// Whether processes were left. Not known, and so not said, if the agent was stopped.
pub(crate) fn is_any(folders: &Folders) -> bool {
    let list = RepoPath::new(LIST).expect("a plain path");
    fs::read_plain(&folders.work, &list, 1).is_ok_and(|read| read.is_some_and(|it| !it.is_empty()))
}
