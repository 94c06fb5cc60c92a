//! Audits the difference of two checkouts and prints what it finds: `audit_folders BEFORE AFTER STORE [contracts]`.
//!
//! Both are indexed in the store first, so that a run over the next commit reads only what moved. With `contracts` it says
//! as well what became of the promises to others.
#![expect(clippy::print_stdout, reason = "a tool for people at a terminal")]

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use rb_audit::{Change, NoRules, audit};
use rb_contracts::{compare, snapshot};
use rb_core::Cancel;
use rb_core::progress::Silent;
use rb_index::Texts;
use rb_index::{Indexed, NoHistory, Options, Request, View};

struct Folder<'a>(&'a Path);

impl Texts for Folder<'_> {
    fn text(&self, path: &str) -> Option<Vec<u8>> {
        std::fs::read(self.0.join(path)).ok()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (before, after, store, is_wide) = match arguments.as_slice() {
        [before, after, store] => (before, after, store, false),
        [before, after, store, word] if word == "contracts" => (before, after, store, true),
        _ => return Err("usage: audit_folders BEFORE AFTER STORE [contracts]".into()),
    };
    let (before, after, store) = (Path::new(before), Path::new(after), Path::new(store));
    let old = index(before, store)?;
    let began = Instant::now();
    let new = index(after, store)?;
    let indexed = began.elapsed().as_millis();
    let (old_view, new_view) = (old.view()?, new.view()?);
    let changes = changes(&old_view, &new_view, before, after);
    let began = Instant::now();
    let texts = Folder(after);
    let findings = audit(&old_view, &new_view, &texts, &changes, &NoRules, &Cancel::new())?;
    let took = began.elapsed().as_millis();
    println!(
        "{} files, {} changed, {} findings, {took} ms after {indexed} ms of indexing",
        new_view.tree.files.len(),
        changes.len(),
        findings.len()
    );
    for it in findings {
        let cause = it.cause.map_or(String::new(), |it| format!(" <- {}:{}", it.path, it.line));
        let kind = it.kind.name();
        println!("  {:?} {kind} {}:{} {}{cause}", it.severity, it.path, it.line, it.message);
    }
    if is_wide {
        contracts((&old_view, before), (&new_view, after))?;
    }
    Ok(())
}

fn contracts(old: (&View<'_>, &Path), new: (&View<'_>, &Path)) -> Result<(), Box<dyn Error>> {
    let began = Instant::now();
    let was = snapshot(old.0, &Folder(old.1), &Cancel::new())?;
    let read = began.elapsed().as_millis();
    let now = snapshot(new.0, &Folder(new.1), &Cancel::new())?;
    let changes = compare(&was, &now);
    println!("{} contracts changed, {read} ms to read them", changes.len());
    for it in changes {
        println!("  contract {:?} {}", it.change, it.words);
    }
    Ok(())
}

fn index(root: &Path, store: &Path) -> Result<Indexed, Box<dyn Error>> {
    let request = Request {
        root,
        folder: store,
        options: &Options::default(),
        history: &NoHistory,
        progress: &Silent,
        cancel: &Cancel::new(),
    };
    Ok(rb_index::update(&request)?)
}

fn changes(old: &View<'_>, new: &View<'_>, before: &Path, after: &Path) -> Vec<Change> {
    let read = |root: &Path, path: &str| std::fs::read(root.join(path)).ok();
    let mut changes = Vec::new();
    for id in new.tree.ids() {
        let path = &*new.tree.get(id).path;
        let was = old.tree.find(path);
        if was.is_some_and(|was| old.file(was).hash == new.file(id).hash) {
            continue;
        }
        let text = was.and_then(|_| read(before, path));
        changes.push(Change { path: path.to_owned(), before: text, after: read(after, path) });
    }
    for id in old.tree.ids() {
        let path = &*old.tree.get(id).path;
        if new.tree.find(path).is_none() {
            changes.push(Change { path: path.to_owned(), before: read(before, path), after: None });
        }
    }
    changes
}
