//! Everything that a hostile suite could reach outside of its sandbox, tried from inside, as the superuser and as a plain user.
//!
//! The attempts are in `escape/inside.py`. What a sandbox cannot hold is listed in `OPEN`, with the words by which it must say so.

use std::fmt::Write as _;
use std::fs;
use std::io::Read as _;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use rb_core::Cancel;
use rb_core::process::{Cmd, Env, Group, Running, Streams};
use rb_sandbox::Job;

use crate::fixture::{CONFINED, Fixture, With};

const OUTSIDE: &str = include_str!("escape/outside.py");
const INSIDE: &str = include_str!("escape/inside.py");

/// Nobody's own number: no file of the machine belongs to it.
const PLAIN_USER: &str = "65534";

/// Who runs the sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum User {
    Root,
    Plain,
}

/// Attempts that succeed: the beginning of their names, in which sandboxes, for whom, and what the sandbox says about it.
const OPEN: &[(&str, &[With], &[User], &str)] = &[
    ("a key of the session", &LANDLOCK, &BOTH, "keys in the session keyring and sockets"),
    ("a socket of a virtual machine", &LANDLOCK, &BOTH, "keys in the session keyring and sockets"),
    ("a socket elsewhere", &LANDLOCK, &BOTH, "named sockets stay reachable"),
    ("a socket in the home", &LANDLOCK, &BOTH, "named sockets stay reachable"),
    ("of a file outside: chmod", &LANDLOCK, &BOTH, "modes, owners and times of files outside"),
    ("of a file outside: utime", &LANDLOCK, &BOTH, "modes, owners and times of files outside"),
    ("of a file outside: chown", &LANDLOCK, &BOTH, "modes, owners and times of files outside"),
    ("a file of the home to be seen", &LANDLOCK, &BOTH, "files of the home can be seen to exist"),
    ("a server of the machine", &ALONE, &BOTH, "network open"),
    ("a network card", &ALONE, &BOTH, "network open"),
    ("namespace shared", &ALONE, &BOTH, "no namespaces"),
    ("a file of the shared memory", &ALONE, &BOTH, "shared memory is shared"),
    ("a segment of shared memory", &ALONE, &BOTH, "shared memory is shared"),
    (
        "a process outside to be seen",
        &ALONE,
        &BOTH,
        "other processes of the user can be seen and limited",
    ),
    (
        "priority of a process outside",
        &ALONE,
        &BOTH,
        "other processes of the user can be seen and limited",
    ),
    (
        "processors of a process outside",
        &ALONE,
        &BOTH,
        "other processes of the user can be seen and limited",
    ),
    (
        "limits of a process outside",
        &ALONE,
        &BOTH,
        "other processes of the user can be seen and limited",
    ),
    ("names of keys", &ALONE, &BOTH, "keys in the session keyring and sockets"),
    ("read /proc/key-users", &ALONE, &BOTH, "keys in the session keyring and sockets"),
    ("read /proc/", &ALONE, &[User::Root], "kernel tables that only root may read"),
    ("list /sys/firmware", &ALONE, &BOTH, "no namespaces"),
    ("the name of the superuser", &ALONE, &[User::Root], "commands run as root"),
];

const BOTH: [User; 2] = [User::Root, User::Plain];
const LANDLOCK: [With; 2] = [With::Landlock, With::LandlockAlone];
const ALONE: [With; 1] = [With::LandlockAlone];

#[test]
fn sa7_a_suite_reaches_only_what_its_sandbox_says() {
    if rustix::process::getuid().is_root() {
        check_as(User::Root);
    }
    check_as(User::Plain);
}

#[expect(clippy::print_stdout, reason = "how much held, for those who look")]
/// Runs `attempt` below as this user, in a fixture of that user.
fn check_as(user: User) {
    let base = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let dir = tempfile::tempdir_in(base).unwrap();
    let root = dir.path().canonicalize().unwrap();
    fs::write(root.join("outside.py"), OUTSIDE).unwrap();
    let mut line: Vec<&str> = Vec::new();
    if user == User::Plain && rustix::process::getuid().is_root() {
        let number = PLAIN_USER.parse().unwrap();
        std::os::unix::fs::chown(&root, Some(number), Some(number)).unwrap();
        line.extend(["setpriv", "--reuid", PLAIN_USER, "--regid", PLAIN_USER, "--clear-groups"]);
    }
    line.extend(["python3", "outside.py"]);
    let env = Env::default().with("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
    let ran = Cmd::new(line[0], &env)
        .args(&line[1..])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "escape::attempt", "--ignored", "--nocapture"])
        .cwd(&root)
        .run(&Cancel::new())
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    let error = String::from_utf8_lossy(&ran.stderr);
    println!("{said}");
    assert!(ran.success() && said.contains("1 passed"), "{user:?}\n{said}{error}");
}

#[test]
#[ignore = "started by the test above, in a folder of its user"]
fn attempt() {
    let user = if rustix::process::getuid().is_root() { User::Root } else { User::Plain };
    let mut wrong = String::new();
    for with in CONFINED {
        // Each begins from nothing: a file that one left open to harm is not there for the next.
        let root = Path::new(".").canonicalize().unwrap().join(format!("{with:?}"));
        let fixture = Fixture::planted(root);
        let outside = Outside::plant(&fixture, with);
        let mut job = fixture.job(with, "");
        job.program = "python3".into();
        job.args = vec!["-c".into(), INSIDE.into()];
        outside.tell(&mut job);
        let sandbox = fixture.sandbox(with);
        let ran = sandbox.run(&job, &Cancel::new()).unwrap();
        let said = ran.stdout.excerpt(1 << 20);
        assert!(said.lines().count() > 100, "{with:?} {said}{}", ran.stderr.excerpt(4000));
        compare(with, user, &said, &sandbox.held().words(), &mut wrong);
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[expect(clippy::print_stdout, reason = "how much held, for those who look")]
/// Adds what does not agree with the table.
fn compare(with: With, user: User, said: &str, words: &str, wrong: &mut String) {
    let mut counts = [("held", 0), ("open", 0), ("absent", 0)];
    for line in said.lines() {
        let mut fields = line.split('\t');
        let mut field = || fields.next().unwrap_or_default();
        let (result, name, why) = (field(), field(), field());
        counts.iter_mut().filter(|count| count.0 == result).for_each(|count| count.1 += 1);
        let declared = OPEN.iter().find(|(start, withs, users, _)| {
            name.starts_with(start) && withs.contains(&with) && users.contains(&user)
        });
        let agrees = match (result, declared) {
            ("open", Some((_, _, _, sentence))) => words.contains(sentence),
            // A newer kernel may hold more.
            ("held" | "absent", _) => true,
            _ => false,
        };
        if !agrees {
            writeln!(wrong, "{user:?} {with:?} {result}: {name} {why} (declared: {declared:?})")
                .unwrap();
        }
    }
    println!("{user:?} {with:?} {counts:?}");
}

/// What is there to be reached.
struct Outside {
    victim: Running,
    _sockets: Vec<UnixListener>,
    server: std::net::TcpListener,
    home: PathBuf,
    shared: PathBuf,
    name: String,
}

impl Outside {
    fn plant(fixture: &Fixture, with: With) -> Self {
        fs::write(fixture.root.join("outside"), "outside").unwrap();
        fs::write(fixture.root.join("outside-too"), "outside").unwrap();
        let env = Env::default().with("PATH", "/usr/bin:/bin").with("PLANTED", "secret");
        let streams =
            Streams { stdin: Stdio::null(), stdout: Stdio::null(), stderr: Stdio::null() };
        let victim = Cmd::new("sleep", &env).args(["600"]).start(streams, Group::Own).unwrap();
        let name = format!("rb-{with:?}-{}", std::process::id());
        let abstract_name = SocketAddr::from_abstract_name(&name).unwrap();
        let sockets = vec![
            UnixListener::bind(fixture.root.join("socket")).unwrap(),
            UnixListener::bind(fixture.home().join("socket")).unwrap(),
            UnixListener::bind_addr(&abstract_name).unwrap(),
        ];
        let shared = Path::new("/dev/shm").join(&name);
        fs::write(&shared, "planted").unwrap();
        let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        Outside { victim, _sockets: sockets, server, home: fixture.home(), shared, name }
    }

    fn tell(&self, job: &mut Job) {
        let pid = self.victim.pid().as_raw_nonzero().get();
        let mut maps = String::new();
        fs::File::open(format!("/proc/{pid}/maps")).unwrap().read_to_string(&mut maps).unwrap();
        let address = maps.split('-').next().unwrap_or_default().to_owned();
        let root = self.home.parent().unwrap();
        let mut env = job
            .env
            .clone()
            .with("VICTIM", pid.to_string())
            .with("VICTIM_ADDRESS", address)
            .with("PLANTED_HOME", &self.home)
            .with("PLANTED_DEV_SHM", &self.shared)
            .with("PLANTED_PORT", self.server.local_addr().unwrap().port().to_string())
            .with("PLANTED_ABSTRACT", &self.name)
            .with("PLANTED_SOCKET", root.join("socket"))
            .with("PLANTED_HOME_SOCKET", self.home.join("socket"));
        for (name, value) in std::env::vars_os() {
            let text = name.to_string_lossy().into_owned();
            if text.starts_with("PLANTED_") || text.starts_with("OUTER_") {
                env = env.with(name, value);
            }
        }
        job.env = env;
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.shared);
    }
}
