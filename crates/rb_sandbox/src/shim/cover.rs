//! Covers what belongs to the whole machine, in a mount namespace of the shim's own.

use rustix::io;
use rustix::mount::{MountFlags, mount, mount_bind, mount_remount};

use crate::kernel;

/// The shared memory of all programs becomes one of the command's own.
const SHARED_MEMORY: &str = "/dev/shm";

pub(super) fn cover() -> io::Result<()> {
    for path in kernel::masked() {
        if path.is_dir() {
            mount("tmpfs", path, "tmpfs", MountFlags::RDONLY, None)?;
        } else {
            // Opened by this name, it must not be writable as the null device is.
            mount_bind("/dev/null", path)?;
            mount_remount(path, MountFlags::BIND | MountFlags::RDONLY | MountFlags::NODEV, c"")?;
        }
    }
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    mount("tmpfs", SHARED_MEMORY, "tmpfs", flags, Some(c"mode=1777"))
}
