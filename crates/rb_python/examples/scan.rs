//! Parses every Python file below a folder and checks what must hold for each: `cargo run --release --example scan -- FOLDER`.
//!
//! With `--names` it writes a line for each name and what it means, to compare with another tool.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rb_python::{Name, Source};

#[derive(Default)]
struct Totals {
    files: usize,
    bytes: usize,
    names: usize,
    unresolved: usize,
    imports: usize,
    strings: usize,
    wrong: usize,
    time: Duration,
}

fn main() -> std::io::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut totals = Totals::default();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let lists_names = arguments.iter().any(|argument| argument == "--names");
    let folders = arguments.iter().filter(|argument| !argument.starts_with("--"));
    for path in folders.flat_map(|folder| python_files(Path::new(folder))) {
        let Ok(text) = std::fs::read_to_string(&path) else {
            writeln!(out, "{}: not UTF-8", path.display())?;
            continue;
        };
        let text: Arc<str> = text.into();
        let start = Instant::now();
        let source = Source::parse(&path.to_string_lossy(), text);
        totals.time += start.elapsed();
        totals.files += 1;
        match source {
            Ok(source) => {
                if lists_names {
                    list_names(&mut out, &source)?;
                }
                check(&mut out, &source, &mut totals)?;
            }
            Err(error) => writeln!(out, "{}: {error}", path.display())?,
        }
    }
    let Totals { files, bytes, names, unresolved, imports, strings, wrong, time } = totals;
    writeln!(out, "{files} files, {bytes} bytes, {names} names ({unresolved} unresolved)")?;
    writeln!(out, "{imports} imports, {strings} strings, {wrong} wrong ranges, {time:?}")
}

/// Every range slices to what it claims to be.
fn check(out: &mut impl Write, source: &Source, totals: &mut Totals) -> std::io::Result<()> {
    totals.bytes += source.text().len();
    totals.names += source.scopes().names.len();
    totals.imports += source.imports().len();
    totals.strings += source.strings().len();
    for name in &source.scopes().names {
        totals.unresolved += usize::from(name.variable.is_none());
        let finds_itself = source.scopes().name_at(name.range) == Some(name);
        if source.slice(name.range) != name.name || !finds_itself {
            totals.wrong += 1;
            writeln!(out, "{}: {name:?}", source.path())?;
        }
    }
    for variable in &source.scopes().variables {
        for binding in &variable.bindings {
            let is_import = source.slice(binding.range) == variable.name;
            if !is_import || !binding.statement.contains_range(binding.range) {
                totals.wrong += 1;
                writeln!(out, "{}: {} {binding:?}", source.path(), variable.name)?;
            }
        }
    }
    Ok(())
}

fn list_names(out: &mut impl Write, source: &Source) -> std::io::Result<()> {
    for name in source.scopes().names.iter().filter(|name| !name.is_quoted) {
        let line = source.line(name.range.start());
        let column = name.range.start() - source.line_start(name.range.start());
        writeln!(
            out,
            "{}\t{line}\t{}\t{}\t{}",
            source.path(),
            column.to_u32(),
            name.name,
            meaning(source, name)
        )?;
    }
    Ok(())
}

/// `global`, `none`, or the line and kind of the scope that has the variable.
fn meaning(source: &Source, name: &Name) -> String {
    let Some(variable) = name.variable else {
        return "none".to_owned();
    };
    let scope = source.scopes().scope(source.scopes().variable(variable).scope);
    format!("{:?}\t{}", scope.kind, source.line(scope.range.start()))
}

fn python_files(root: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_python = path.extension().is_some_and(|it| it == "py" || it == "pyi");
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            } else if is_python {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
