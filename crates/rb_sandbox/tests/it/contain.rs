//! What a hostile suite tries to reach: files, secrets, the network, and life after its end.

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;

use expect_test::expect;
use rb_sandbox::{Job, Network, SandboxError};

use crate::fixture::{CONFINED, Fixture, With, check, check_files, check_with, same};

const BUBBLEWRAP: [With; 1] = [With::Bubblewrap];
const LANDLOCK: [With; 2] = [With::Landlock, With::LandlockAlone];

/// Says for each path whether it could be written.
const TRY_WRITES: &str = r#"
try() { if (echo hostile > "$1") 2>/dev/null; then echo "written $2"; else echo "refused $2"; fi; }
# Where the root lies below a folder that is private here, this succeeds and nothing comes of it: the files tell.
(echo hostile > "$ROOT/planted") 2>/dev/null
for path in /etc/planted ../r2/kept ../r2/planted /usr/planted ./inside /dev/null; do
  try "$path" "$path"
done
try "$HOME/private" 'to a private home'
try "$TMPDIR/private" 'to a private temporary folder'
mv kept moved && rm moved && mkdir folder && echo "the worktree is ours"
"#;

#[test]
fn sa7_writes_stay_in_the_worktree() {
    check_files(
        &CONFINED,
        TRY_WRITES,
        &expect![[r#"
        Exit(0)
        refused /etc/planted
        refused ../r2/kept
        refused ../r2/planted
        refused /usr/planted
        written ./inside
        written /dev/null
        written to a private home
        written to a private temporary folder
        the worktree is ours
    "#]],
        &expect![[r#"
        home/secret: planted secret
        home/tools/tool: tool
        home/.refactor-bot/config.toml: key
        home/.refactor-bot/worktrees/r2/kept: kept
        home/.refactor-bot/worktrees/r1/.git: gitdir: /elsewhere
        home/.refactor-bot/worktrees/r1/inside: hostile
    "#]],
    );
}

#[test]
fn sa7_the_git_of_a_checkout_cannot_be_turned() {
    let script = r#"
        (echo gitdir: /evil > .git) 2>/dev/null || echo refused to write
        mv .git elsewhere 2>/dev/null || echo refused to move
        rm .git 2>/dev/null || echo refused to remove
        cat .git
    "#;
    check_files(
        &BUBBLEWRAP,
        script,
        &expect![[r#"
        Exit(0)
        refused to write
        refused to move
        refused to remove
        gitdir: /elsewhere
    "#]],
        &expect![[r#"
        home/secret: planted secret
        home/tools/tool: tool
        home/.refactor-bot/config.toml: key
        home/.refactor-bot/worktrees/r2/kept: kept
        home/.refactor-bot/worktrees/r1/.git: gitdir: /elsewhere
        home/.refactor-bot/worktrees/r1/kept: kept
    "#]],
    );
    let script = "rm .git; mkdir .git; echo '[core] fsmonitor = evil' > .git/config";
    check_files(
        &LANDLOCK,
        script,
        &expect![[r#"
        error: the command changed ROOT/home/.refactor-bot/worktrees/r1/.git, ROOT/home/.refactor-bot/worktrees/r1/.git/config, which was restored
    "#]],
        &expect![[r#"
        home/secret: planted secret
        home/tools/tool: tool
        home/.refactor-bot/config.toml: key
        home/.refactor-bot/worktrees/r2/kept: kept
        home/.refactor-bot/worktrees/r1/.git: gitdir: /elsewhere
        home/.refactor-bot/worktrees/r1/kept: kept
    "#]],
    );
    check_files(
        &LANDLOCK,
        "echo gitdir: /evil > .git",
        &expect![[r#"
        error: the command changed ROOT/home/.refactor-bot/worktrees/r1/.git, which was restored
    "#]],
        &expect![[r#"
        home/secret: planted secret
        home/tools/tool: tool
        home/.refactor-bot/config.toml: key
        home/.refactor-bot/worktrees/r2/kept: kept
        home/.refactor-bot/worktrees/r1/.git: gitdir: /elsewhere
        home/.refactor-bot/worktrees/r1/kept: kept
    "#]],
    );
}

#[test]
fn sa7_what_lies_behind_a_link_is_not_taken_for_the_worktrees_git() {
    // The link is removed, and what it leads to stays as it is.
    let script = "rm .git; ln -s \"$ROOT/checkout/.git\" .git; mkfifo .gitmodules";
    for with in LANDLOCK {
        let fixture = Fixture::new();
        let git = fixture.root.join("checkout/.git");
        std::fs::create_dir_all(git.join("hooks")).unwrap();
        std::fs::write(git.join("config"), "precious").unwrap();
        std::fs::write(git.join("hooks/post-commit"), "precious").unwrap();
        let ran = fixture.run(with, &fixture.job(with, script));
        assert!(matches!(ran, Err(SandboxError::GitChanged { .. })), "{ran:?}");
        let read = |path: &Path| std::fs::read_to_string(path).unwrap();
        assert_eq!(read(&git.join("config")), "precious", "{with:?}");
        assert_eq!(read(&git.join("hooks/post-commit")), "precious", "{with:?}");
        assert_eq!(read(&fixture.worktree().join(".git")), "gitdir: /elsewhere\n", "{with:?}");
    }
}

#[test]
fn sa7_secrets_of_the_home_stay_secret() {
    let script = r#"
        home="$ROOT/home"
        for path in "$home/secret" "$home/.refactor-bot/config.toml" ../r2/kept /etc/shadow; do
          if text=$(cat "$path" 2>/dev/null); then echo "read $path: $text"; else echo "hidden $path"; fi
        done
        cat "$home/tools/tool" kept
    "#;
    check(
        &CONFINED,
        script,
        &expect![[r#"
        Exit(0)
        hidden ROOT/home/secret
        hidden ROOT/home/.refactor-bot/config.toml
        hidden ../r2/kept
        hidden /etc/shadow
        tool
        kept
    "#]],
    );
}

#[test]
fn sa7_of_a_checkout_only_what_is_lent_is_visible() {
    let script = r#"
        for path in .env src/.env.local node_modules/package .git/HEAD; do
          if text=$(cat "$ROOT/checkout/$path" 2>/dev/null); then echo "read $path: $text"; else echo "hidden $path"; fi
        done
    "#;
    for with in CONFINED {
        let fixture = Fixture::new();
        let checkout = fixture.root.join("checkout");
        for path in [".env", "src/.env.local", "node_modules/package", ".git/HEAD"] {
            let file = checkout.join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, "content").unwrap();
        }
        let mut job = fixture.job(with, script);
        job.readable.extend([checkout.join("node_modules"), checkout.join(".git")]);
        job.checkouts = vec![checkout];
        expect![[r#"
            Exit(0)
            hidden .env
            hidden src/.env.local
            read node_modules/package: content
            read .git/HEAD: content
        "#]]
        .assert_eq(&fixture.told(&fixture.run(with, &job)));
    }
}

#[test]
fn sa7_what_the_job_hides_is_hidden_inside_the_worktree_too() {
    let hide = |job: &mut Job| job.hidden = vec![job.cwd.join("kept")];
    let script = "cat kept 2>/dev/null || echo hidden; (echo hostile > kept) 2>/dev/null || echo refused; ls";
    check_with(
        &BUBBLEWRAP,
        script,
        hide,
        &expect![[r#"
        Exit(0)
        hidden
        refused
        kept
    "#]],
    );
}

#[test]
fn sa7_the_environment_is_the_jobs() {
    let script = "env | sed -e 's/=.*//' | grep -v -e PWD -e SHLVL -e '^_$' | sort | tr '\\n' ' '";
    check(
        &[With::Bubblewrap, With::Landlock],
        script,
        &expect![[r#"
        Exit(0)
        HOME LANG PATH ROOT TMPDIR "#]],
    );
}

fn python(job: &mut Job, program: &str, arg: &str) {
    job.program = "python3".into();
    job.args = vec!["-c".into(), program.into(), arg.into()];
}

/// A server and a client, both inside.
const LOOPBACK: &str = r#"
import socket
server = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(server.getsockname(), timeout=20)
server.accept()[0].sendall(b"hello over loopback")
print(client.recv(100).decode())
"#;

#[test]
fn sa7_loopback_works_inside() {
    check_with(
        &CONFINED,
        "",
        |job| python(job, LOOPBACK, ""),
        &expect![[r#"
        Exit(0)
        hello over loopback
    "#]],
    );
}

/// Tries to reach a server outside; the port is the argument.
const REACH: &str = r#"
import socket, sys
try:
    print(socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=20).recv(100).decode())
except OSError as error:
    print("refused:", type(error).__name__)
"#;

fn reach(with: With, network: Network) -> String {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port();
    let thread = std::thread::spawn(move || {
        let (mut stream, _) = server.accept().unwrap();
        stream.write_all(b"reached the machine").unwrap();
        let _ = stream.read(&mut [0]);
    });
    let change = |job: &mut Job| {
        python(job, REACH, &port.to_string());
        job.network = network;
    };
    let told = same(&[with], "", change).told;
    // The server waits for one guest, whoever that is.
    drop(TcpStream::connect(("127.0.0.1", port)));
    thread.join().unwrap();
    told
}

#[test]
fn sa7_the_network_is_cut_where_that_is_said() {
    let mut told = String::new();
    for with in CONFINED {
        for network in [Network::Loopback, Network::Open] {
            write!(told, "{with:?} {network:?}: {}", reach(with, network)).unwrap();
        }
    }
    expect![[r#"
        Bubblewrap Loopback: Exit(0)
        refused: ConnectionRefusedError
        Bubblewrap Open: Exit(0)
        reached the machine
        Landlock Loopback: Exit(0)
        refused: ConnectionRefusedError
        Landlock Open: Exit(0)
        reached the machine
        LandlockAlone Loopback: Exit(0)
        reached the machine
        LandlockAlone Open: Exit(0)
        reached the machine
    "#]]
    .assert_eq(&told);
}

/// Leaves a daemon in a session of its own that will not listen. It writes once, so that the files are the same wherever it is ended.
const DAEMON: &str = r#"
setsid sh -c 'trap "" TERM HUP INT; echo alive > beat; while :; do sleep 0.05; done' >/dev/null 2>&1 &
while ! test -s beat; do sleep 0.01; done
echo left one behind
"#;

#[test]
fn sa7_daemons_do_not_outlive_the_call() {
    let mut withs = CONFINED.to_vec();
    withs.push(With::Off);
    check(
        &withs,
        DAEMON,
        &expect![[r#"
        Exit(0)
        left one behind
    "#]],
    );
    // Without a shim only the group is sure to go.
    check(
        &[With::OffAlone],
        "sleep 600 & echo left one behind",
        &expect![[r#"
        Exit(0)
        left one behind
    "#]],
    );
}

#[test]
fn sa7_the_failure_of_a_sandbox_is_none_of_the_command() {
    let named = |name: &'static str| move |job: &mut Job| job.program = name.into();
    check_with(
        &CONFINED,
        "",
        named("no-such-program"),
        &expect![[r#"
        error: `no-such-program` was not found
    "#]],
    );
    // It is there, but not for this job.
    check_with(
        &BUBBLEWRAP,
        "",
        named("../../../secret"),
        &expect![[r#"
        error: the command could not be started in its sandbox (bubblewrap): bwrap: execvp ../../../secret: No such file or directory
    "#]],
    );
    check_with(
        &LANDLOCK,
        "",
        named("../../../secret"),
        &expect![[r#"
        error: the command could not be started in its sandbox (Landlock): `../../../secret` could not be started: Permission denied (os error 13)
    "#]],
    );
    // It is no program.
    check_with(
        &BUBBLEWRAP,
        "",
        named("./kept"),
        &expect![[r#"
        error: the command could not be started in its sandbox (bubblewrap): bwrap: execvp ./kept: Permission denied
    "#]],
    );
    check_with(
        &LANDLOCK,
        "",
        named("./kept"),
        &expect![[r#"
        error: the command could not be started in its sandbox (Landlock): `./kept` could not be started: Permission denied (os error 13)
    "#]],
    );
    check_with(
        &[With::OffAlone],
        "",
        named("./kept"),
        &expect![[r#"
        error: `./kept` could not be started
    "#]],
    );
}
