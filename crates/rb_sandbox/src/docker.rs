//! The words that run a job in a container, for those who choose it. The image brings the toolchain.
//!
//! Nothing of the machine is visible in there but what the job names.

use std::ffi::OsString;
use std::path::Path;

use crate::job::{Job, Network};
use crate::places::{Place, Places};

/// Docker's own failure, which no command should use.
pub(crate) const FAILED: i32 = 125;

/// The whole command line, with `name` for the container so that it can be ended.
pub(crate) fn argv(docker: &Path, image: &str, name: &str, job: &Job) -> Vec<OsString> {
    let mut line: Vec<OsString> = vec![docker.into()];
    let mut words = |words: &[&str]| line.extend(words.iter().map(OsString::from));
    words(&["run", "--rm", "--init", "--pull", "never", "--name", name]);
    words(&["--network", if job.network == Network::Open { "bridge" } else { "none" }]);
    words(&["--read-only", "--tmpfs", "/tmp:exec", "--cap-drop", "ALL"]);
    words(&["--security-opt", "no-new-privileges", "--ulimit", "core=0"]);
    words(&["--pids-limit", &job.limits.processes.to_string()]);
    if let Some(memory) = job.limits.memory {
        words(&["--memory", &memory.to_string(), "--memory-swap", &memory.to_string()]);
    }
    let (user, group) = (rustix::process::getuid(), rustix::process::getgid());
    words(&["--user", &format!("{}:{}", user.as_raw(), group.as_raw())]);
    mounts(&mut line, job);
    let env = job.env.clone().with("HOME", "/tmp").with("TMPDIR", "/tmp");
    // The image knows where its own programs are.
    for (variable, value) in env.iter().filter(|(variable, _)| *variable != "PATH") {
        let mut pair = variable.to_owned();
        pair.push("=");
        pair.push(value);
        line.extend(["--env".into(), pair]);
    }
    line.extend(["--workdir".into(), job.cwd.clone().into_os_string(), image.into()]);
    line.push(job.program.clone());
    line.extend(job.args.iter().cloned());
    line
}

fn mounts(line: &mut Vec<OsString>, job: &Job) {
    let places = Places::of(job, Path::new("/tmp"));
    for (path, place) in &places.all {
        let mode = match place {
            Place::Writable => "",
            Place::Readable | Place::Protected => ",readonly",
            Place::Masked if path.is_dir() => {
                let mut spec = OsString::from("type=tmpfs,destination=");
                spec.push(path);
                line.extend(["--mount".into(), spec]);
                continue;
            }
            Place::Masked => {
                let mut spec = OsString::from("type=bind,source=/dev/null,readonly,destination=");
                spec.push(path);
                line.extend(["--mount".into(), spec]);
                continue;
            }
            Place::Hidden | Place::Scratch | Place::Link(_) => continue,
        };
        // What is readable here for the sake of the machine's own programs is of no use in an image.
        if path.starts_with("/run") {
            continue;
        }
        let mut spec = OsString::from("type=bind,source=");
        spec.push(path);
        spec.push(",destination=");
        spec.push(path);
        spec.push(mode);
        line.extend(["--mount".into(), spec]);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use expect_test::{Expect, expect};
    use rb_core::process::Env;

    use super::*;
    use crate::job::Limits;

    fn check(change: impl FnOnce(&mut Job), expected: &Expect) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for folder in ["home/tools", "work/.git", "work/private"] {
            rb_core::fs::create_dir_all(&root.join(folder)).unwrap();
        }
        let mut job = Job {
            program: "npm".into(),
            args: vec!["test".into(), "--".into(), "--ci".into()],
            cwd: root.join("work"),
            env: Env::default()
                .with("PATH", "/bin")
                .with("HOME", root.join("home"))
                .with("CI", "1"),
            writable: vec![root.join("work")],
            readable: vec![root.join("home/tools")],
            checkouts: Vec::new(),
            hidden: vec![root.join("work/private")],
            network: Network::Loopback,
            timeout: Duration::from_secs(1),
            limits: Limits { memory: Some(1 << 30), processes: 64, ..Limits::default() },
            log: root.join("log"),
        };
        change(&mut job);
        let line = argv(Path::new("docker"), "node:22", "refactor-bot-1-2", &job);
        let words: Vec<&str> = line.iter().map(|word| word.to_str().unwrap()).collect();
        let user = rustix::process::getuid().as_raw();
        let group = rustix::process::getgid().as_raw();
        let text = words
            .join(" ")
            .replace(root.to_str().unwrap(), "ROOT")
            .replace(&format!("--user {user}:{group}"), "--user USER")
            .replace(" --", "\n--");
        expected.assert_eq(&format!("{text}\n"));
    }

    #[test]
    fn sa7_a_container_gets_the_job_and_nothing_else() {
        check(
            |_| {},
            &expect![[r#"
            docker run
            --rm
            --init
            --pull never
            --name refactor-bot-1-2
            --network none
            --read-only
            --tmpfs /tmp:exec
            --cap-drop ALL
            --security-opt no-new-privileges
            --ulimit core=0
            --pids-limit 64
            --memory 1073741824
            --memory-swap 1073741824
            --user USER
            --mount type=bind,source=ROOT/home/tools,destination=ROOT/home/tools,readonly
            --mount type=bind,source=ROOT/work,destination=ROOT/work
            --mount type=bind,source=ROOT/work/.git,destination=ROOT/work/.git,readonly
            --mount type=tmpfs,destination=ROOT/work/private
            --env CI=1
            --env HOME=/tmp
            --env TMPDIR=/tmp
            --workdir ROOT/work node:22 npm test
            --
            --ci
        "#]],
        );
        let installs = |job: &mut Job| {
            job.network = Network::Open;
            job.limits.memory = None;
        };
        check(
            installs,
            &expect![[r#"
            docker run
            --rm
            --init
            --pull never
            --name refactor-bot-1-2
            --network bridge
            --read-only
            --tmpfs /tmp:exec
            --cap-drop ALL
            --security-opt no-new-privileges
            --ulimit core=0
            --pids-limit 64
            --user USER
            --mount type=bind,source=ROOT/home/tools,destination=ROOT/home/tools,readonly
            --mount type=bind,source=ROOT/work,destination=ROOT/work
            --mount type=bind,source=ROOT/work/.git,destination=ROOT/work/.git,readonly
            --mount type=tmpfs,destination=ROOT/work/private
            --env CI=1
            --env HOME=/tmp
            --env TMPDIR=/tmp
            --workdir ROOT/work node:22 npm test
            --
            --ci
        "#]],
        );
    }
}
