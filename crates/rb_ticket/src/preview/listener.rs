//! Which process listens on a port of this machine, by the kernel's own tables.
//!
//! `/proc/net/tcp` gives the sockets of a port, `/proc/PID/fd` the processes that hold them. The tables are parsed by pure functions;
//! reading follows no more than these files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rb_core::clock::{self, Timestamp};
use rb_core::fs;
use serde::{Deserialize, Serialize};

use super::PreviewError;

/// A process that holds a listening socket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listener {
    pub pid: u32,
    /// The command line, printable and cut.
    pub command: String,
    /// Its working folder.
    pub folder: PathBuf,
}

/// The state of a socket that waits for connections, as the table writes it.
const LISTEN: &str = "0A";

/// The sockets that listen on `port`, from a table such as `/proc/net/tcp`. Lines that are not understood are skipped.
fn sockets(table: &str, port: u16) -> BTreeSet<u64> {
    let socket = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (_, hex) = fields.get(1)?.rsplit_once(':')?;
        let is_ours = u16::from_str_radix(hex, 16).ok()? == port && *fields.get(3)? == LISTEN;
        if is_ours { fields.get(9)?.parse().ok() } else { None }
    };
    table.lines().skip(1).filter_map(socket).collect()
}

/// `socket:[123]` is what a descriptor of a socket links to.
fn inode(link: &str) -> Option<u64> {
    link.strip_prefix("socket:[")?.strip_suffix(']')?.parse().ok()
}

/// Every process that listens on `port`, by process id; nothing where nobody does. `proc` is `/proc`.
pub fn listeners(proc: &Path, port: u16) -> Result<Vec<Listener>, PreviewError> {
    let mut wanted = BTreeSet::new();
    for table in ["net/tcp", "net/tcp6"] {
        if let Some(bytes) = fs::read_optional(&proc.join(table))? {
            wanted.extend(sockets(&String::from_utf8_lossy(&bytes), port));
        }
    }
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let mut holders = BTreeMap::new();
    let mut found = BTreeSet::new();
    for name in fs::list(proc)? {
        let Some(pid) = name.to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        let process = proc.join(&name);
        let held: Vec<u64> =
            descriptors(&process).filter(|socket| wanted.contains(socket)).collect();
        if !held.is_empty()
            && let Some(listener) = describe(&process, pid)
        {
            found.extend(held);
            holders.insert(pid, listener);
        }
    }
    // A socket whose process cannot be seen could be anybody's.
    if found == wanted {
        Ok(holders.into_values().collect())
    } else {
        Err(PreviewError::UnknownProcess { port })
    }
}

/// The sockets of a process. One that has ended or belongs to another user has none that we can see.
fn descriptors(process: &Path) -> impl Iterator<Item = u64> {
    let folder = process.join("fd");
    let names = fs::list(&folder).unwrap_or_default();
    names
        .into_iter()
        .filter_map(move |name| inode(std::fs::read_link(folder.join(name)).ok()?.to_str()?))
}

fn describe(process: &Path, pid: u32) -> Option<Listener> {
    let folder = std::fs::read_link(process.join("cwd")).ok()?;
    let line = fs::read_head(&process.join("cmdline"), 4096).unwrap_or_default();
    let line = String::from_utf8_lossy(&line).replace('\0', " ");
    let command = match line.trim() {
        "" => std::fs::read_link(process.join("exe")).ok()?.display().to_string(),
        line => line.to_owned(),
    };
    Some(Listener { pid, command: rb_http::printable(&command), folder })
}

/// The process that listens on `port`, if all that do work in `worktree`.
pub fn check_listener(proc: &Path, port: u16, worktree: &Path) -> Result<Listener, PreviewError> {
    // A link in the path of the worktree is not in the kernel's name of a working folder.
    let worktree = std::fs::canonicalize(worktree).unwrap_or_else(|_| worktree.to_owned());
    let found = listeners(proc, port)?;
    if let Some(listener) = found.iter().find(|listener| !listener.folder.starts_with(&worktree)) {
        return Err(PreviewError::Foreign { port, listener: listener.clone() });
    }
    found.into_iter().next().ok_or(PreviewError::NotListening { port })
}

/// In `/proc` times are in hundredths of a second on every machine that this program runs on.
const TICKS: i64 = 100;

/// When a process was started; nothing where it is gone. `proc` is `/proc`.
pub fn started(proc: &Path, pid: u32) -> Option<Timestamp> {
    let read = |path: &str| String::from_utf8(fs::read_head(&proc.join(path), 4096).ok()?).ok();
    let (stat, uptime) = (read(&format!("{pid}/stat"))?, read("uptime")?);
    let running = running_ms(&stat, &uptime)?;
    Some(Timestamp::from_unix_ms(clock::now().unix_ms() - running))
}

/// How long a process has been there. Its name may hold anything, so fields are counted from the last `)`.
fn running_ms(stat: &str, uptime: &str) -> Option<i64> {
    let since_boot: i64 = stat.rsplit_once(") ")?.1.split(' ').nth(19)?.parse().ok()?;
    let (seconds, hundredths) = uptime.split_whitespace().next()?.split_once('.')?;
    let uptime = seconds.parse::<i64>().ok()? * TICKS + hundredths.parse::<i64>().ok()?;
    Some((uptime - since_boot).max(0) * 1000 / TICKS)
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    const TABLE: &str = "\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 41 1 0 100 0 0 10 0
   1: 00000000:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 42 1 0 100 0 0 10 0
   2: 0100007F:0BB8 0100007F:D431 01 00000000:00000000 00:00000000 00000000     0        0 43 1 0 100 0 0 10 0
   3: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 44 1 0 100 0 0 10 0
   broken
   4: x:y z 0A
";

    #[test]
    fn tk3_only_sockets_that_listen_on_the_port_are_found() {
        assert_eq!(sockets(TABLE, 3000), BTreeSet::from([41, 42]));
        assert_eq!(sockets(TABLE, 8080), BTreeSet::from([44]));
        assert_eq!(sockets(TABLE, 1), BTreeSet::new());
        assert_eq!(sockets("", 1), BTreeSet::new());
        assert_eq!(
            (inode("socket:[12]"), inode("pipe:[12]"), inode("socket:[x]")),
            (Some(12), None, None)
        );
    }

    #[test]
    fn tk3_a_server_of_another_folder_is_refused_by_name() {
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = server.local_addr().unwrap().port();
        let proc = Path::new("/proc");
        let here = std::env::current_dir().unwrap();
        let listener = check_listener(proc, port, &here).unwrap();
        assert_eq!((listener.pid, &listener.folder), (std::process::id(), &here));

        let other = tempfile::tempdir().unwrap();
        let error = check_listener(proc, port, other.path()).unwrap_err().to_string();
        let expected = format!(
            "port {port} belongs to `{}` (process {}) in {}, not to this worktree",
            listener.command,
            listener.pid,
            here.display()
        );
        assert_eq!(error, expected);

        drop(server);
        let error = check_listener(proc, port, &here).unwrap_err().to_string();
        assert_eq!(
            error,
            format!(
                "nothing listens on port {port}. Start the server, or give a command with `--preview`."
            )
        );
    }

    #[test]
    fn tk3_a_socket_whose_process_cannot_be_seen_is_nobody_s() {
        let proc = tempfile::tempdir().unwrap();
        rb_testkit::write_fixture(
            proc.path(),
            &format!("//- net/tcp\n{TABLE}\n//- 1/cmdline\ninit\n"),
        );
        let error = listeners(proc.path(), 3000).unwrap_err();
        assert!(matches!(error, PreviewError::UnknownProcess { port: 3000 }), "{error}");
    }

    #[test]
    fn tk4_the_age_of_a_process_is_in_the_kernel_s_table() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194560 1 2 0 0 5 6 7 8 20 0 1 0 12050 1000 250 1";
        assert_eq!(running_ms(stat, "130.75 9.00\n"), Some(10_250));
        assert_eq!(running_ms("7 (a) S 1", "130.75 9.00\n"), None);
        let (proc, me) = (Path::new("/proc"), std::process::id());
        let before = started(proc, me).unwrap();
        #[expect(clippy::disallowed_methods, reason = "the process of somebody else")]
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let after = started(proc, child.id()).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        // Both are rounded, and the test may be the first thing that this process does.
        let slack = 100;
        assert!(before.unix_ms() <= after.unix_ms() + slack, "{before} {after}");
        assert!(after <= clock::now(), "{after}");
        assert_eq!(started(proc, child.id()), None);
    }
}
