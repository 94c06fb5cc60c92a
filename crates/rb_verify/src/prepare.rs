//! Brings what a repository has installed into the worktree: by links into the user's checkout, by a copy, or by installing it.
//!
//! The checkout is only read. A link farm is made of `node_modules`: the folder itself is real, so that tools can keep their
//! caches in it, and its entries are links. An entry that is a link into the project stays as it is, so that packages of the
//! workspace are those of the worktree and not those of the checkout. Nothing is installed without consent.

use std::path::{Path, PathBuf};

use rb_core::RepoPath;
use rb_core::fs::{self, Durability, FsError};
use rb_sandbox::{Job, Network, SandboxError};
use rb_toolchains::{Detected, Install, Package, Reuse, Toolchain};
use serde::{Deserialize, Serialize};

use crate::local;
use crate::options::FromCheckout;
use crate::record::How;
use crate::site::Site;
use crate::verifier::{OUTPUT, Verifier, VerifyError};

/// What was done and what is missing, in words, and the folders of the checkout that are borrowed.
#[derive(Debug, Default)]
pub struct Prepared {
    pub words: Vec<String>,
    pub borrowed: Vec<PathBuf>,
}

/// Makes each package ready as far as it can be. `checkout` is the user's own, `None` where there is none to borrow from.
pub fn prepare(
    verifier: &mut Verifier,
    detected: &Detected,
    checkout: Option<&Path>,
) -> Result<Prepared, VerifyError> {
    let mut prepared = Prepared::default();
    link_caches(verifier)?;
    prepared.words.extend(verifier.site.passed.unset_words());
    let mut record = Record::of(&verifier.site)?;
    if let Some(checkout) = checkout {
        // Nothing was looked for in this process yet.
        if verifier.site.local.is_none() {
            record.begin_anew(&mut verifier.site)?;
        }
        prepared.words.extend(local::bring(verifier, checkout)?);
    }
    let mut seen: Vec<&str> = Vec::new();
    for package in &detected.packages {
        for installed in &package.dependencies.folders {
            let is_there = verifier.site.root.join(&installed.folder).exists();
            if is_there || seen.contains(&&*installed.folder) {
                continue;
            }
            seen.push(&installed.folder);
            borrow(verifier, package, &installed.folder, checkout, (&mut prepared, &mut record))?;
        }
    }
    verifier.site.python_path = python_path(&verifier.site.root, detected);
    verifier.site.made.extend(seen.iter().map(|folder| (*folder).to_owned()));
    verifier.site.borrowed.extend(prepared.borrowed.iter().cloned());
    verifier.site.borrowed.sort();
    verifier.site.borrowed.dedup();
    verifier.site.made.sort();
    verifier.site.made.dedup();
    record.made.clone_from(&verifier.site.made);
    record.write(&verifier.site)?;
    let missing: Vec<&Package> = detected
        .packages
        .iter()
        .filter(|package| {
            let root = &verifier.site.root;
            package.dependencies.folders.iter().any(|folder| !root.join(&folder.folder).exists())
        })
        .collect();
    let mut ran: Vec<&Install> = Vec::new();
    for package in missing {
        let Some(install) = &package.dependencies.install else { continue };
        if ran.contains(&install) {
            continue;
        }
        ran.push(install);
        install_one(verifier, install, &mut prepared)?;
    }
    Ok(prepared)
}

fn python_path(root: &Path, detected: &Detected) -> Vec<PathBuf> {
    let packages =
        detected.packages.iter().filter(|package| package.toolchain == Toolchain::Python);
    let places = packages.flat_map(|package| {
        let folder = root.join(&package.folder);
        [folder.join("src"), folder]
    });
    places.filter(|place| place.is_dir()).collect()
}

/// Caches of the home that a tool looks for beside those that it writes.
fn link_caches(verifier: &Verifier) -> Result<(), VerifyError> {
    let site = &verifier.site;
    let Some(home) = &site.home else { return Ok(()) };
    site.make()?;
    for (name, folder) in &verifier.caches.links {
        let (link, target) = (site.scratch.join(name), home.join(folder));
        if !target.exists() || link.symlink_metadata().is_ok() {
            continue;
        }
        if let Some(parent) = link.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::symlink(&target, &link)?;
    }
    Ok(())
}

/// What was put into the worktree, for a process that goes on with it: by itself nobody can tell that from what a tool made there.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Record {
    made: Vec<String>,
    /// Of these, folders of the checkout.
    taken: Vec<String>,
}

impl Record {
    fn file(site: &Site) -> PathBuf {
        site.work.join("prepared.json")
    }

    fn of(site: &Site) -> Result<Record, FsError> {
        let text = fs::read_optional(&Record::file(site))?.unwrap_or_default();
        Ok(serde_json::from_slice(&text).unwrap_or_default())
    }

    /// What was taken is taken again: a process that was killed may have left half of it.
    fn begin_anew(&mut self, site: &mut Site) -> Result<(), FsError> {
        for folder in self.taken.drain(..) {
            let Some(place) = inside(&site.root, &folder) else { continue };
            match place.symlink_metadata() {
                Ok(found) if found.is_dir() => fs::remove_dir_all(&place)?,
                Ok(_) => fs::remove_file(&place)?,
                Err(_) => {}
            }
        }
        site.made.append(&mut self.made);
        Ok(())
    }

    fn write(&self, site: &Site) -> Result<(), FsError> {
        if *self == Record::default() {
            return Ok(());
        }
        fs::create_dir_all(&site.work)?;
        let text = serde_json::to_vec(self).expect("a record is plain data");
        fs::write(&Record::file(site), &text, Durability::Relaxed)
    }
}

/// The place of a folder in the worktree. A suite may have put a link on the way, which must not lead us out of it.
fn inside(root: &Path, folder: &str) -> Option<PathBuf> {
    fs::contained(root, &RepoPath::new(folder).ok()?).ok()
}

/// Takes one folder over from the checkout, where that is safe.
fn borrow(
    verifier: &Verifier,
    package: &Package,
    folder: &str,
    checkout: Option<&Path>,
    (prepared, record): (&mut Prepared, &mut Record),
) -> Result<(), VerifyError> {
    let Some(checkout) = checkout else { return Ok(()) };
    let root = &verifier.site.root;
    let from = checkout.join(folder);
    if verifier.options.dependencies == FromCheckout::Nothing || !from.is_dir() {
        return Ok(());
    }
    if matches!(package.dependencies.reuse, Reuse::Never(_) | Reuse::Home(_)) {
        return Ok(());
    }
    for lockfile in &package.lockfiles {
        let Ok(path) = RepoPath::new(lockfile) else { continue };
        let (here, there) = (root, checkout);
        if fs::read_plain(here, &path, u64::MAX)? != fs::read_plain(there, &path, u64::MAX)? {
            let words = format!("{folder} is not linked from your checkout: {lockfile} differs");
            prepared.words.push(words);
            return Ok(());
        }
    }
    let Some(to) = inside(root, folder) else {
        let words =
            format!("{folder} is not linked from your checkout: a symbolic link is in the way");
        prepared.words.push(words);
        return Ok(());
    };
    // Before it is there, so that a kill leaves nothing that nobody knows of.
    if !record.taken.iter().any(|it| it == folder) {
        record.taken.push(folder.to_owned());
    }
    record.write(&verifier.site)?;
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent)?;
    }
    match (package.dependencies.reuse, verifier.options.dependencies) {
        (Reuse::Copy(_), FromCheckout::Copy) | (Reuse::CopyOnly(_), _) => {
            fs::copy_tree(&from, &to)?;
            prepared.words.push(format!("{folder} was copied from your checkout"));
        }
        (Reuse::Copy(_), _) => {
            farm(&from, &to)?;
            prepared.borrowed.push(from);
            prepared.words.push(format!("{folder} is linked from your checkout"));
        }
        _ => {
            fs::symlink(&from, &to)?;
            prepared.borrowed.push(from);
            prepared.words.push(format!("{folder} of your checkout is used directly"));
        }
    }
    Ok(())
}

/// Caches that tools keep among the installed packages; they are not shared.
const OWN: [&str; 9] =
    [".astro", ".c12", ".cache", ".jiti", ".temp", ".tmp", ".vite", ".vite-temp", ".vitest"];

/// A folder of links to the entries of another one. Scopes (`@types`) are folders of links themselves.
fn farm(from: &Path, to: &Path) -> Result<(), FsError> {
    fs::create_dir_all(to)?;
    for name in fs::list(from)? {
        let Some(text) = name.to_str() else { continue };
        if OWN.contains(&text) {
            continue;
        }
        let (source, link) = (from.join(&name), to.join(&name));
        match std::fs::read_link(&source) {
            // Relative links lead to the same place in the worktree: a package of the workspace, or pnpm's store.
            Ok(target) if target.is_relative() => fs::symlink(&target, &link)?,
            _ if text.starts_with('@') && source.is_dir() => farm(&source, &link)?,
            _ => fs::symlink(&source, &link)?,
        }
    }
    Ok(())
}

fn install_one(
    verifier: &Verifier,
    install: &Install,
    prepared: &mut Prepared,
) -> Result<(), VerifyError> {
    if !verifier.options.install {
        let place = if install.folder.is_empty() { "the repository" } else { &install.folder };
        prepared.words.push(format!(
            "dependencies are not installed: run `{}` in {place}, or allow it with --install",
            install.line
        ));
        return Ok(());
    }
    let site = &verifier.site;
    site.make()?;
    let mut env = site.env.clone();
    for (name, value) in &install.env {
        env = env.with(name, value.replace("{scratch}", &site.scratch.display().to_string()));
    }
    let Some((program, args)) = install.argv.split_first() else { return Ok(()) };
    let job = Job {
        program: program.into(),
        args: args.iter().map(Into::into).collect(),
        cwd: site.root.join(&install.folder),
        env,
        writable: site.writable(),
        readable: site.readable(&verifier.caches),
        checkouts: site.checkouts.clone(),
        hidden: Vec::new(),
        network: Network::Open,
        timeout: verifier.options.timeout(),
        limits: verifier.limits(OUTPUT),
        log: site.logs().join(site.claim("install")?),
    };
    let ran = match verifier.sandbox.run(&job, &verifier.cancel) {
        // An installation that sets up hooks does no harm here: they were taken back.
        Err(SandboxError::GitChanged { ran, .. }) => *ran,
        other => other?,
    };
    verifier.remove_pipes()?;
    let how = How::from(&ran.ended);
    if how.is_success() {
        prepared.words.push(format!("dependencies were installed by `{}`", install.line));
    } else {
        let tail = ran.stderr.excerpt(1 << 10);
        prepared.words.push(format!("`{}` {}: {}", install.line, how.words(), tail.trim()));
    }
    Ok(())
}
