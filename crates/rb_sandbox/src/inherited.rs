//! Files that were open when this program was started. A command inherits them past every sandbox.
//!
//! Shells leave none open; a build tool may. Only the caller can close them, so they are counted and reported.

use std::fs;

/// As `open(2)` has it, in the octal numbers of `fdinfo`.
const CLOSE_ON_EXEC: u64 = 0o2_000_000;

/// None where there are none.
pub(crate) fn words() -> Option<String> {
    let names = fs::read_dir("/proc/self/fd").ok()?.flatten();
    let numbers = names.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    match numbers.filter(|number| *number > 2 && is_inherited(*number)).count() {
        0 => None,
        count => Some(format!("{count} files of the caller stay open in commands")),
    }
}

/// Everything that this program opens itself is closed for what it starts.
fn is_inherited(number: u32) -> bool {
    let info = fs::read_to_string(format!("/proc/self/fdinfo/{number}")).unwrap_or_default();
    let flags = info.lines().find_map(|line| line.strip_prefix("flags:"));
    let flags = flags.and_then(|flags| u64::from_str_radix(flags.trim(), 8).ok());
    flags.is_some_and(|flags| flags & CLOSE_ON_EXEC == 0)
}
