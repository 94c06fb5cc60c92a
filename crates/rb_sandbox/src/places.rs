//! What of this machine a command may see and write: one plan that each kind of sandbox carries out.
//!
//! Everything can be read but homes, sockets of the system and its secrets. Links are resolved first, and
//! what does not exist is passed over. The innermost place decides.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::git_guard::git_entries;
use crate::job::{Job, Network};
use crate::mounts::Mounts;

/// What happens to a path and to all below it. Of two for one path the later one here counts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    Hidden,
    /// Empty, private, writable, and gone afterwards.
    Scratch,
    /// A name in a hidden place for what is visible elsewhere.
    Link(PathBuf),
    Readable,
    Writable,
    /// Readable inside what is writable.
    Protected,
    /// Asked for by the job: nothing can bring it back.
    Masked,
}

/// Homes, and where services listen on sockets that a mount does not make harmless.
const HOMES: [&str; 3] = ["/home", "/root", "/run"];

/// What even the superuser's tests have no business with. Others cannot read it anyway.
const SECRETS: [&str; 8] = [
    "/etc/shadow",
    "/etc/shadow-",
    "/etc/gshadow",
    "/etc/gshadow-",
    "/etc/sudoers",
    "/etc/ssh",
    "/etc/ssl/private",
    "/etc/kubernetes",
];

/// Parts of `/run` that are no sockets, and without which programs are not found on some systems.
const SYSTEM: [&str; 3] = ["/run/current-system", "/run/booted-system", "/run/opengl-driver"];

/// Where the names of servers are looked up; only of use with a network.
const RESOLVERS: [&str; 3] =
    ["/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager/resolv.conf"];

/// The plan for a job, parents before what is in them.
#[derive(Debug)]
pub(crate) struct Places {
    pub(crate) all: BTreeMap<PathBuf, Place>,
    /// The home inside: the user's own path, so that what is bound back into it is where it was.
    pub(crate) home: Option<PathBuf>,
}

impl Places {
    pub(crate) fn of(job: &Job, temp: &Path) -> Self {
        let home =
            job.env.get("HOME").map(Path::new).and_then(real).filter(|home| home != Path::new("/"));
        let mut places = Places { all: BTreeMap::new(), home: home.clone() };
        let mounts = Mounts::of_this_machine();
        for path in HOMES.iter().chain(&SECRETS).map(Path::new).filter_map(real) {
            places.hide(&mounts, path, &Place::Hidden);
        }
        let checkouts = job.checkouts.iter().filter_map(|path| real(path));
        // One that holds the whole system cannot be hidden from it.
        for path in checkouts.filter(|path| path != Path::new("/")) {
            places.hide(&mounts, path, &Place::Hidden);
        }
        for path in real(temp).into_iter().chain(home) {
            places.hide(&mounts, path, &Place::Scratch);
        }
        let resolvers: &[&str] = if job.network == Network::Open { &RESOLVERS } else { &[] };
        for path in SYSTEM.iter().chain(resolvers) {
            places.put(real(Path::new(path)), &Place::Readable);
        }
        for path in &job.readable {
            places.put_named(path, &Place::Readable);
        }
        let writable: Vec<PathBuf> = job.writable.iter().filter_map(|path| real(path)).collect();
        for path in &job.writable {
            places.put_named(path, &Place::Writable);
        }
        for entry in git_entries(&writable) {
            places.put(real(&entry), &Place::Protected);
        }
        for path in &job.hidden {
            places.put(real(path), &Place::Masked);
        }
        places
    }

    /// Under every name that it has.
    fn hide(&mut self, mounts: &Mounts, path: PathBuf, place: &Place) {
        for alias in mounts.aliases(&path).iter().filter_map(|alias| real(alias)) {
            self.put(Some(alias), &Place::Hidden);
        }
        self.put(Some(path), place);
    }

    fn put(&mut self, path: Option<PathBuf>, place: &Place) {
        if let Some(path) = path {
            let known = self.all.entry(path).or_insert_with(|| place.clone());
            if *known < *place {
                *known = place.clone();
            }
        }
    }

    /// As `put`; a path that leads through a link into a hidden place keeps its name.
    fn put_named(&mut self, path: &Path, place: &Place) {
        let Some(target) = real(path) else { return };
        if target != path && self.is_hidden(path) {
            self.put(Some(path.to_owned()), &Place::Link(target.clone()));
        }
        self.put(Some(target), place);
    }

    /// Neither hidden nor the command's own.
    pub(crate) fn is_visible(&self, path: &Path) -> bool {
        let innermost = path.ancestors().find_map(|ancestor| self.all.get(ancestor));
        matches!(innermost, None | Some(Place::Readable | Place::Protected))
    }

    pub(crate) fn is_hidden(&self, path: &Path) -> bool {
        let innermost = path.ancestors().find_map(|ancestor| self.all.get(ancestor));
        matches!(innermost, Some(Place::Hidden | Place::Scratch | Place::Masked))
    }
}

fn real(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::time::Duration;

    use expect_test::{Expect, expect};
    use rb_core::fs::{self, Durability};
    use rb_core::process::Env;

    use super::*;
    use crate::job::Limits;

    fn job(root: &Path) -> Job {
        Job {
            program: "true".into(),
            args: Vec::new(),
            cwd: root.join("home/.refactor-bot/worktrees/r1"),
            env: Env::default().with("HOME", root.join("home")),
            writable: vec![root.join("home/.refactor-bot/worktrees/r1")],
            readable: ["home/.cargo", "home/missing", "checkout/node_modules"]
                .map(|path| root.join(path))
                .to_vec(),
            checkouts: vec![root.join("checkout"), "/".into()],
            hidden: vec![root.join("home/.refactor-bot/worktrees/r1/.env")],
            network: Network::Loopback,
            timeout: Duration::from_secs(1),
            limits: Limits::default(),
            log: root.join("log"),
        }
    }

    fn check(change: impl FnOnce(&mut Job), expected: &Expect) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let worktree = root.join("home/.refactor-bot/worktrees/r1");
        for folder in ["sub/.git", "src"] {
            fs::create_dir_all(&worktree.join(folder)).unwrap();
        }
        for folder in ["tools", "checkout/node_modules", "checkout/.git"] {
            fs::create_dir_all(&root.join(folder)).unwrap();
        }
        fs::symlink(&root.join("tools"), &root.join("home/.cargo")).unwrap();
        for (file, text) in [
            (".git", "gitdir: x"),
            (".env", ""),
            (".gitmodules", "[submodule \"s\"]\n\tpath = sub\n\tpath = ../..\n"),
        ] {
            fs::write(&worktree.join(file), text.as_bytes(), Durability::Relaxed).unwrap();
        }
        let mut job = job(&root);
        change(&mut job);
        let places = Places::of(&job, &root);
        let mut text = String::new();
        for (path, place) in places.all.iter().filter(|(path, _)| path.starts_with(&root)) {
            writeln!(text, "{place:?} {}", path.display()).unwrap();
        }
        expected.assert_eq(&text.replace(root.to_str().unwrap(), "ROOT"));
    }

    #[test]
    fn sa7_a_home_is_hidden_but_for_what_the_job_needs() {
        check(
            |_| {},
            &expect![[r#"
                Scratch ROOT
                Hidden ROOT/checkout
                Readable ROOT/checkout/node_modules
                Scratch ROOT/home
                Link("ROOT/tools") ROOT/home/.cargo
                Writable ROOT/home/.refactor-bot/worktrees/r1
                Masked ROOT/home/.refactor-bot/worktrees/r1/.env
                Protected ROOT/home/.refactor-bot/worktrees/r1/.git
                Protected ROOT/home/.refactor-bot/worktrees/r1/sub/.git
                Readable ROOT/tools
            "#]],
        );
    }

    #[test]
    fn sa7_the_stricter_word_counts_for_one_path() {
        check(
            |job| {
                job.readable.push(job.cwd.clone());
                job.readable.push(job.cwd.join(".env"));
                job.writable.push(job.cwd.join("sub/.git"));
            },
            &expect![[r#"
                Scratch ROOT
                Hidden ROOT/checkout
                Readable ROOT/checkout/node_modules
                Scratch ROOT/home
                Link("ROOT/tools") ROOT/home/.cargo
                Writable ROOT/home/.refactor-bot/worktrees/r1
                Masked ROOT/home/.refactor-bot/worktrees/r1/.env
                Protected ROOT/home/.refactor-bot/worktrees/r1/.git
                Protected ROOT/home/.refactor-bot/worktrees/r1/sub/.git
                Readable ROOT/tools
            "#]],
        );
    }
}
