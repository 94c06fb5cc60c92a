//! Prints what `detect` says of a folder: `cargo run -p rb_toolchains --example detect -- FOLDER < list-of-files`.
//!
//! The list of files is read from standard input, one path a line, as `git ls-files` prints it.

use std::io::{Read as _, Write as _};
use std::path::Path;

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let mut list = String::new();
    std::io::stdin().read_to_string(&mut list)?;
    let files: Vec<String> = list.lines().map(str::to_owned).collect();
    let folders = ["/usr/local/bin", "/usr/bin", "/bin"];
    let have =
        |program: &str| folders.iter().any(|folder| Path::new(folder).join(program).is_file());
    let detected = rb_toolchains::detect(Path::new(&folder), &files, &have);
    std::io::stdout().write_all(detected.to_string().as_bytes())
}
