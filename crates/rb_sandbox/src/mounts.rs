//! Other names of a place: a folder that is mounted twice can be reached by both paths, and hiding one hides nothing.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

/// All mounts that this process sees, those on top last.
#[derive(Debug, Default)]
pub(crate) struct Mounts(Vec<Mount>);

#[derive(Debug)]
struct Mount {
    /// The file system, by the number of its device.
    device: Vec<u8>,
    /// Which folder of that file system is mounted.
    root: PathBuf,
    place: PathBuf,
}

impl Mounts {
    /// None are known where the kernel does not tell.
    pub(crate) fn of_this_machine() -> Self {
        Mounts::parse(&fs::read("/proc/self/mountinfo").unwrap_or_default())
    }

    fn parse(text: &[u8]) -> Self {
        let mounts = text.split(|byte| *byte == b'\n').filter_map(|line| {
            let mut fields = line.split(|byte| *byte == b' ').skip(2);
            let device = fields.next()?.to_vec();
            Some(Mount { device, root: unescape(fields.next()?), place: unescape(fields.next()?) })
        });
        Mounts(mounts.collect())
    }

    /// Where else the same files are, if nothing is mounted on top.
    pub(crate) fn aliases(&self, path: &Path) -> Vec<PathBuf> {
        let below = |path: &Path, root: &Path| path.strip_prefix(root).map(Path::to_owned).ok();
        // The innermost mount holds the path, and of several on one place the last.
        let holder = self.0.iter().filter(|mount| path.starts_with(&mount.place));
        let Some(own) = holder.max_by_key(|mount| mount.place.as_os_str().len()) else {
            return Vec::new();
        };
        let Some(rest) = below(path, &own.place) else { return Vec::new() };
        let inside = own.root.join(rest);
        let others = self.0.iter().filter(|mount| mount.device == own.device);
        let mut aliases: Vec<PathBuf> = others
            .filter_map(|mount| Some(mount.place.join(below(&inside, &mount.root)?)))
            .map(|alias| alias.components().collect())
            .filter(|alias: &PathBuf| alias != path)
            .collect();
        aliases.sort();
        aliases.dedup();
        aliases
    }
}

/// Blanks and the like are written as `\040`.
fn unescape(field: &[u8]) -> PathBuf {
    let mut bytes = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((first, others)) = rest.split_first() {
        let digits = others.get(..3).filter(|_| *first == b'\\');
        let code = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        if let Some(code) = code.and_then(|code| u8::from_str_radix(code, 8).ok()) {
            bytes.push(code);
            rest = &others[3..];
        } else {
            bytes.push(*first);
            rest = others;
        }
    }
    PathBuf::from(OsString::from_vec(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"\
21 1 254:0 / / rw,relatime - ext4 /dev/vda rw
22 21 0:5 / /proc rw - proc proc rw
30 21 254:0 /persist/home\\040of\\040all /home rw - ext4 /dev/vda rw
31 21 0:9 /@data /data rw - btrfs /dev/vdb rw
32 21 0:9 / /mnt/whole rw - btrfs /dev/vdb rw
";

    #[test]
    fn sa7_a_folder_that_is_mounted_twice_has_two_names() {
        let mounts = Mounts::parse(TEXT);
        let check = |path: &str, expected: &[&str]| {
            let expected: Vec<&Path> = expected.iter().map(Path::new).collect();
            assert_eq!(mounts.aliases(Path::new(path)), expected, "{path}");
        };
        check("/home/me", &["/persist/home of all/me"]);
        check("/home", &["/persist/home of all"]);
        check("/persist/home of all/me", &["/home/me"]);
        check("/data/me", &["/mnt/whole/@data/me"]);
        check("/mnt/whole/@data/me", &["/data/me"]);
        check("/root", &[]);
        check("/proc/sys", &[]);
        assert!(Mounts::parse(b"").aliases(Path::new("/root")).is_empty());
    }
}
