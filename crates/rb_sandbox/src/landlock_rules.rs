//! Landlock: which paths may be read and written, and the restriction itself.
//!
//! Landlock only allows, so what is hidden is left out: of a folder that holds something hidden, every
//! other entry is allowed by itself. A part of an allowed folder cannot be taken out again.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, CompatLevel, Compatible, LandlockStatus, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreatedAttr, RulesetStatus, Scope,
};

use crate::job::Job;
use crate::places::{Place, Places};

/// The paths below which a command may read, and those below which it may also write.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Rules {
    pub(crate) read: Vec<PathBuf>,
    pub(crate) write: Vec<PathBuf>,
}

/// Terminals are not among them: the person's own is one.
const DEVICES: [&str; 6] =
    ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/shm"];

impl Rules {
    /// `scratch` is the private folder of this job, `temp` the one that all programs share.
    pub(crate) fn of(job: &Job, temp: &Path, scratch: &Path) -> Self {
        let mut places = Places::of(job, temp);
        places.all.insert(PathBuf::from("/dev"), Place::Hidden);
        let mut rules = Rules::default();
        allow_but_hidden(Path::new("/"), &places, &mut rules.read);
        for (path, place) in &places.all {
            match place {
                Place::Readable => rules.read.push(path.clone()),
                Place::Writable => rules.write.push(path.clone()),
                Place::Hidden
                | Place::Scratch
                | Place::Link(_)
                | Place::Protected
                | Place::Masked => {}
            }
        }
        rules.write.extend(DEVICES.map(PathBuf::from));
        rules.write.push(scratch.to_owned());
        rules
    }
}

fn allow_but_hidden(folder: &Path, places: &Places, allowed: &mut Vec<PathBuf>) {
    let names = rb_core::fs::list(folder).unwrap_or_default();
    for path in names.into_iter().map(|name| folder.join(name)) {
        // A link counts as what it leads to, which is allowed or hidden by its own name.
        if path.is_symlink() || places.is_hidden(&path) {
            continue;
        }
        let holds_hidden = places
            .all
            .keys()
            .any(|other| other != &path && other.starts_with(&path) && places.is_hidden(other));
        // Not deeper than the deepest hidden path.
        if holds_hidden {
            allow_but_hidden(&path, places, allowed);
        } else {
            allowed.push(path);
        }
    }
}

/// Restricts the calling thread and all that it starts. Returns the version of the kernel's interface.
pub(crate) fn restrict(rules: &Rules) -> Result<u32, String> {
    let abi = ABI::V9;
    let words = |error: landlock::RulesetError| error.to_string();
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(abi))
        .and_then(|ruleset| ruleset.scope(Scope::AbstractUnixSocket))
        .and_then(|ruleset| ruleset.scope(Scope::Signal))
        .and_then(Ruleset::create)
        .map_err(words)?;
    let read = AccessFs::Execute | AccessFs::ReadFile | AccessFs::ReadDir;
    let write = AccessFs::from_all(abi);
    for (paths, access) in [(&rules.read, read), (&rules.write, write)] {
        for path in paths {
            // What went since the rules were made needs none.
            let Ok(fd) = PathFd::new(path) else { continue };
            let access = if path.is_dir() { access } else { access & AccessFs::from_file(abi) };
            ruleset = ruleset.add_rule(PathBeneath::new(fd, access)).map_err(words)?;
        }
    }
    let status = ruleset.restrict_self().map_err(words)?;
    match (status.ruleset, status.landlock) {
        (RulesetStatus::NotEnforced, LandlockStatus::NotEnabled) => {
            Err("the kernel has Landlock, but it is not switched on (`lsm=` at boot)".to_owned())
        }
        (RulesetStatus::NotEnforced, _) => Err("the kernel has no Landlock".to_owned()),
        (_, LandlockStatus::Available { effective_abi, kernel_abi }) => {
            let known = effective_abi as i32;
            Ok(u32::try_from(kernel_abi.unwrap_or(known)).unwrap_or_default())
        }
        (_, other) => Err(format!("Landlock says {other:?}")),
    }
}
