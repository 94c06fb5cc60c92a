//! What a probe says of this machine, and of machines that have less.

use std::path::Path;

use expect_test::{Expect, expect};
use rb_core::Cancel;
use rb_core::process::{Cmd, Env};
use rb_sandbox::{Choice, Sandbox, SandboxError};

use crate::fixture::{CONFINED, Fixture, SHIM, With};

/// One line for each thing that is said.
fn words(sandbox: &Sandbox) -> String {
    // What depends on the kernel.
    let words = without_caller(&sandbox.held().words());
    let words = lines(&words).replace("\nservices on named sockets stay reachable;", "");
    (0..20).fold(words, |words, abi| words.replace(&format!("ABI {abi})"), "ABI N)"))
}

/// Without what depends on who started the test.
fn without_caller(words: &str) -> String {
    let said = |part: &&str| {
        !part.ends_with("of the caller stay open in commands")
            && !part.starts_with("commands run as root")
    };
    words.split("; ").filter(said).collect::<Vec<_>>().join("; ")
}

fn lines(words: &str) -> String {
    [": ", ", ", "; ", ". "]
        .iter()
        .fold(format!("{words}\n"), |words, end| words.replace(end, &format!("{}\n", end.trim())))
}

#[test]
fn sa7_what_holds_is_said() {
    let check = |with: With, expected: Expect| {
        let fixture = Fixture::new();
        expected.assert_eq(&words(&fixture.sandbox(with)));
    };
    check(
        With::Bubblewrap,
        expect![[r#"
        bubblewrap:
        no network except loopback,
        writes only where allowed,
        home hidden,
        no process outlives its command
    "#]],
    );
    check(
        With::Landlock,
        expect![[r#"
            Landlock (ABI N):
            no network except loopback,
            writes only where allowed,
            home hidden,
            no process outlives its command;
            files of the home can be seen to exist;
            modes,
            owners and times of files outside can be changed;
            a change of .git is undone and not prevented;
            keys in the session keyring and sockets between virtual machines stay reachable
        "#]],
    );
    check(
        With::LandlockAlone,
        expect![[r#"
            Landlock (ABI N):
            network open,
            writes only where allowed,
            home hidden,
            processes found and ended by descent;
            files of the home can be seen to exist;
            modes,
            owners and times of files outside can be changed;
            a change of .git is undone and not prevented;
            keys in the session keyring and sockets between virtual machines stay reachable;
            no namespaces (unshare failed:
            not permitted):
            shared memory is shared,
            other processes of the user can be seen and limited
        "#]],
    );
    check(
        With::Off,
        expect![[r#"
        no sandbox:
        network open,
        writes anywhere,
        home readable,
        processes found and ended by descent;
        switched off by choice
    "#]],
    );
    check(
        With::OffAlone,
        expect![[r#"
        no sandbox:
        network open,
        writes anywhere,
        home readable,
        a daemon may survive;
        switched off by choice
    "#]],
    );
}

#[test]
fn sa7_files_that_the_caller_left_open_are_reported() {
    let env = Env::default().with("PATH", "/usr/bin:/bin");
    let ran = Cmd::new("sh", &env)
        .args(["-c", "exec 7</dev/null; exec \"$@\"", "sh"])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "probe::inherits", "--ignored", "--nocapture"])
        .run(&Cancel::new())
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.success() && said.contains("1 passed"), "{said}{ran:?}");
}

#[test]
#[ignore = "started by the test above, with a file left open"]
fn inherits() {
    let fixture = Fixture::new();
    for with in CONFINED {
        let words = fixture.sandbox(with).held().words();
        assert!(words.contains("of the caller stay"), "{with:?} {words}");
    }
}

/// A folder for `PATH` with programs of our own making.
fn path_with(dir: &Path, programs: &[(&str, &str)]) -> Env {
    use std::os::unix::fs::PermissionsExt as _;
    let bin = dir.join("bin");
    std::fs::create_dir_all(&bin).unwrap();
    for (name, script) in programs {
        let file = bin.join(name);
        std::fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    Env::default().with("PATH", bin).with("HOME", dir)
}

/// As many systems have it.
const BROKEN: &str = "
    case $1 in
        --help) echo '--size BYTES' ;;
        *) echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1 ;;
    esac";

#[test]
fn sa7_the_strongest_kind_that_works_is_taken_and_the_rest_explained() {
    let check = |programs: &[(&str, &str)], shim: Option<&Path>, expected: Expect| {
        let dir = tempfile::tempdir().unwrap();
        let env = path_with(dir.path(), programs);
        let sandbox = Sandbox::probe(&Choice::Auto, &env, shim, &Cancel::new()).unwrap();
        expected.assert_eq(&words(&sandbox));
    };
    let shim = Some(Path::new(SHIM));
    check(
        &[("bwrap", "exec /usr/bin/bwrap \"$@\"")],
        shim,
        expect![[r#"
        bubblewrap:
        no network except loopback,
        writes only where allowed,
        home hidden,
        no process outlives its command
    "#]],
    );
    check(
        &[("bwrap", BROKEN)],
        shim,
        expect![[r#"
            Landlock (ABI N):
            network open,
            writes only where allowed,
            home hidden,
            processes found and ended by descent;
            bubblewrap does not work here (bwrap:
            setting up uid map:
            Permission denied);
            files of the home can be seen to exist;
            modes,
            owners and times of files outside can be changed;
            a change of .git is undone and not prevented;
            keys in the session keyring and sockets between virtual machines stay reachable;
            no namespaces (`unshare` was not found):
            shared memory is shared,
            other processes of the user can be seen and limited
        "#]],
    );
    let forbidden =
        ("unshare", "echo 'unshare: unshare failed: Operation not permitted' >&2; exit 1");
    check(
        &[("bwrap", BROKEN), forbidden],
        shim,
        expect![[r#"
            Landlock (ABI N):
            network open,
            writes only where allowed,
            home hidden,
            processes found and ended by descent;
            bubblewrap does not work here (bwrap:
            setting up uid map:
            Permission denied);
            files of the home can be seen to exist;
            modes,
            owners and times of files outside can be changed;
            a change of .git is undone and not prevented;
            keys in the session keyring and sockets between virtual machines stay reachable;
            no namespaces (unshare:
            unshare failed:
            Operation not permitted):
            shared memory is shared,
            other processes of the user can be seen and limited
        "#]],
    );
    check(
        &[("bwrap", BROKEN)],
        None,
        expect![[r#"
            no sandbox:
            network open,
            writes anywhere,
            home readable,
            a daemon may survive;
            bubblewrap does not work here (the program that confines itself was not given);
            Landlock does not work here (the program that confines itself was not given)
        "#]],
    );
    check(
        &[],
        None,
        expect![[r#"
        no sandbox:
        network open,
        writes anywhere,
        home readable,
        a daemon may survive;
        bubblewrap does not work here (`bwrap` was not found);
        Landlock does not work here (the program that confines itself was not given)
    "#]],
    );
}

#[test]
fn sa7_a_choice_that_does_not_work_is_an_error_that_says_what_to_do() {
    let check = |choice: Choice, programs: &[(&str, &str)], expected: Expect| {
        let dir = tempfile::tempdir().unwrap();
        let env = path_with(dir.path(), programs);
        // Landlock works here, but for what it is started by.
        let shim = Some(Path::new(SHIM)).filter(|_| choice != Choice::Landlock);
        let error = Sandbox::probe(&choice, &env, shim, &Cancel::new()).unwrap_err();
        expected.assert_eq(&lines(&error.to_string()));
    };
    check(
        Choice::Bubblewrap,
        &[],
        expect![[r#"
        bubblewrap was asked for and does not work here (`bwrap` was not found).
        Install the package `bubblewrap` and allow user namespaces,
        or choose another sandbox.
    "#]],
    );
    check(
        Choice::Bubblewrap,
        &[("bwrap", BROKEN)],
        expect![[r#"
        bubblewrap was asked for and does not work here (bwrap:
        setting up uid map:
        Permission denied).
        Install the package `bubblewrap` and allow user namespaces,
        or choose another sandbox.
    "#]],
    );
    check(
        Choice::Landlock,
        &[],
        expect![[r#"
        Landlock was asked for and does not work here (the program that confines itself was not given).
        It needs a kernel of 5.13 or newer with `landlock` in `lsm=`;
        or choose another sandbox.
    "#]],
    );
    let docker = || Choice::Docker { image: "node:22".to_owned() };
    check(
        docker(),
        &[],
        expect![[r#"
        Docker was asked for and does not work here (`docker` was not found).
        Start the engine and fetch the image,
        or choose another sandbox.
    "#]],
    );
    let no_engine =
        "echo 'Cannot connect to the Docker daemon. Is the docker daemon running?' >&2; exit 1";
    check(
        docker(),
        &[("docker", no_engine)],
        expect![[r#"
        Docker was asked for and does not work here (Cannot connect to the Docker daemon.
        Is the docker daemon running?).
        Start the engine and fetch the image,
        or choose another sandbox.
    "#]],
    );
    let no_image = "
        case $1 in
            version) echo 27.0 ;;
            *) echo 'Error: No such image: node:22' >&2; exit 1 ;;
        esac";
    check(
        docker(),
        &[("docker", no_image)],
        expect![[r#"
        Docker was asked for and does not work here (Error:
        No such image:
        node:22).
        Start the engine and fetch the image,
        or choose another sandbox.
    "#]],
    );
}

/// Plays the engine: whatever follows the image is run.
const ENGINE: &str = "
    case $1 in
        version) echo 27.0 ;;
        run) shift; while ! test \"$1\" = image; do shift; done; shift; exec \"$@\" ;;
    esac";

#[test]
fn sa7_a_failure_of_docker_is_none_of_the_command() {
    let check = |script: &str, expected: Expect| {
        let fixture = Fixture::new();
        let env = path_with(&fixture.root, &[("docker", ENGINE)]);
        let choice = Choice::Docker { image: "image".to_owned() };
        let sandbox = Sandbox::probe(&choice, &env, None, &Cancel::new()).unwrap();
        let mut job = fixture.job(With::OffAlone, script);
        job.program = "/bin/sh".into();
        expected.assert_eq(&fixture.told(&sandbox.run(&job, &Cancel::new())));
    };
    check(
        "echo out; exit 3",
        expect![[r#"
        Exit(3)
        out
    "#]],
    );
    check(
        "exit 137",
        expect![[r#"
        Signal(9)
    "#]],
    );
    check(
        "echo 'docker: invalid mount' >&2; exit 125",
        expect![[r#"
        error: the command could not be started in its sandbox (Docker): docker: invalid mount
    "#]],
    );
}

#[test]
fn sa7_a_cancelled_probe_says_so() {
    let fixture = Fixture::new();
    let cancel = Cancel::new();
    cancel.cancel();
    let env = fixture.env(With::Bubblewrap);
    let shim = Some(Path::new(SHIM));
    let error = Sandbox::probe(&Choice::Auto, &env, shim, &cancel).unwrap_err();
    assert!(matches!(error, SandboxError::Cancelled(_)), "{error}");
}
