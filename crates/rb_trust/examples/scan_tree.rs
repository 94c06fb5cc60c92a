//! Scans the text files of a folder for instructions to a model and prints what it finds: `scan_tree FOLDER [SCORE]`.
//!
//! Nothing is followed that leads out of the folder; `.git`, `node_modules` and files with a zero byte are left out.
#![expect(clippy::print_stdout, reason = "a tool for people at a terminal")]
#![expect(clippy::cast_precision_loss, reason = "rates for people to read")]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rb_trust::{Kind, TextKind, scan, total};

#[derive(Default)]
struct Sums {
    files: usize,
    bytes: usize,
    spent: Duration,
    kinds: BTreeMap<Kind, usize>,
    findings: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (root, least) = match arguments.as_slice() {
        [root] => (root, 0),
        [root, least] => (root, least.parse()?),
        _ => return Err("usage: scan_tree FOLDER [SCORE]".into()),
    };
    let root = Path::new(root);
    let mut sums = Sums::default();
    for file in files(root)? {
        let bytes = std::fs::read(&file)?;
        if bytes.iter().take(8192).any(|b| *b == 0) {
            continue;
        }
        let path = file.strip_prefix(root).unwrap_or(&file).to_string_lossy().into_owned();
        one(&path, &String::from_utf8_lossy(&bytes), least, &mut sums);
    }
    print(&sums);
    Ok(())
}

fn one(path: &str, text: &str, least: u8, sums: &mut Sums) {
    let began = Instant::now();
    let findings = scan(text, TextKind::of_path(path));
    sums.spent += began.elapsed();
    sums.files += 1;
    sums.bytes += text.len();
    sums.findings += findings.len();
    for it in &findings {
        *sums.kinds.entry(it.kind).or_default() += 1;
        if it.score >= least {
            let how: Vec<String> = it.disguises.iter().map(|d| format!(" +{d:?}")).collect();
            println!(
                "{path}:{}:{}: {} {}{}: {}",
                it.line,
                it.column,
                it.score,
                it.kind.name(),
                how.concat(),
                it.why
            );
            println!("    {}", it.excerpt);
        }
    }
    if findings.len() > 1 {
        println!("    {path}: {} in all", total(&findings));
    }
}

fn print(sums: &Sums) {
    let per = |of: usize| {
        f64::from(u32::try_from(sums.findings).unwrap_or(u32::MAX)) * 1000.0 / of.max(1) as f64
    };
    let speed = sums.bytes as f64 / 1e6 / sums.spent.as_secs_f64().max(1e-9);
    println!(
        "{} files, {} bytes, {} findings, {:.2} in 1,000 files, {speed:.1} MB/s",
        sums.files,
        sums.bytes,
        sums.findings,
        per(sums.files)
    );
    for (kind, count) in &sums.kinds {
        println!("  {}: {count}", kind.name());
    }
}

/// All plain files below `root`, sorted.
fn files(root: &Path) -> Result<Vec<PathBuf>, std::io::Error> {
    let mut out = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            let name = entry.file_name();
            if kind.is_dir() && name != ".git" && name != "node_modules" {
                folders.push(entry.path());
            } else if kind.is_file() {
                out.push(entry.path());
            }
        }
    }
    out.sort();
    Ok(out)
}
