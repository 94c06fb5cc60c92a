//! The backup, restored once to see that it works, and the fingerprint of the checkout.

use rb_core::clock;
use rb_core::fs::{self, Durability};
use rb_flow::graph::Node;
use rb_workspace::backup;
use rb_workspace::fingerprint::{Depth, Fingerprint};
use rb_workspace::preflight::Dirty;

use crate::change_files::ChangeFiles as _;
use crate::changes::Changes;
use crate::error::ChangeError;
use crate::event::ChangeEvent;
use crate::host::Host;
use crate::world::ChangeWorld;

pub struct BackUp;

impl BackUp {
    pub const NAME: &'static str = "backup";
}

impl<W: Changes> Node<W> for BackUp {
    const NAME: &'static str = BackUp::NAME;
    const DOES: &'static str = "backs up everything, and restores the backup once as a test";
    type Reads<'s> = ();
    type Writes = ();

    fn run((): (), world: &mut W::World) -> Result<(), W::Error> {
        Ok(back_up(world.as_mut())?)
    }
}

fn back_up(world: &mut ChangeWorld) -> Result<(), ChangeError> {
    let started = clock::now();
    // What the run works on is committed already: whatever else has come into the checkout since is saved, too.
    let target = world.target(Dirty::Carry)?;
    let dir = world.host.home.backup(&world.repo.backup_name(), &world.run.id);
    // One that was never announced may be of an older state of the checkout.
    fs::remove_dir_all(&dir)?;
    world.write(ChangeEvent::BackupStarted { dir: dir.clone() })?;
    let mut fingerprint = Fingerprint::of_listing(&world.repo, &target.listing, Depth::Quick)?;
    let Host { progress, cancel, .. } = &world.host;
    let made = backup::create(&target, &world.run.id, dir, &**progress, cancel)?;
    for file in &made.manifest.files {
        if let Some(mark) = fingerprint.files.get_mut(&file.path) {
            mark.sha256 = Some(file.sha256);
        }
    }
    let text = serde_json::to_vec(&fingerprint).expect("a fingerprint is plain data");
    fs::write(&world.run.dir.fingerprint(), &text, Durability::Synced)?;
    world.watched = Some(fingerprint);
    let bytes = made.manifest.files.iter().map(|file| file.size).sum();
    let ms = u64::try_from(clock::now().since(started).as_millis()).unwrap_or(u64::MAX);
    let files = made.manifest.files.len();
    world.fresh = Some(target);
    world.write(ChangeEvent::BackupMade { dir: made.dir, files, bytes, ms })
}
