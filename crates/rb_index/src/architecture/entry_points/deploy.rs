//! What is started where the product is deployed: containers, process files, serverless functions.

use super::{EntryKind, EntryPoints, node, python};
use crate::architecture::scene::{folder_of, name_of};
use crate::tree::FileId;

pub(super) fn find(found: &mut EntryPoints) {
    let scene = found.scene;
    let files: Vec<FileId> =
        scene.product().filter(|&id| scene.tree.get(id).manifest.is_some()).collect();
    for id in files {
        let path = scene.path(id);
        match name_of(path) {
            name if name.starts_with("Dockerfile") => docker(found, id),
            "Procfile" => procfile(found, id),
            "serverless.yml" | "serverless.yaml" | "template.yaml" | "template.yml" => {
                functions(found, id);
            }
            "wrangler.toml" | "wrangler.jsonc" => worker(found, id),
            _ => {}
        }
    }
}

/// The last command is the one that runs.
fn docker(found: &mut EntryPoints, id: FileId) {
    let text = found.scene.text(id);
    let path = found.scene.path(id);
    for instruction in ["CMD", "ENTRYPOINT"] {
        let last =
            text.lines().filter_map(|line| line.trim().strip_prefix(instruction)).next_back();
        if let Some(command) = last {
            started(found, id, command, EntryKind::Server, &format!("{path} starts it"));
        }
    }
}

fn procfile(found: &mut EntryPoints, id: FileId) {
    for line in found.scene.text(id).lines().take(50) {
        let Some((process, command)) = line.split_once(':') else { continue };
        let kind = if process.trim() == "web" { EntryKind::Server } else { EntryKind::Worker };
        let reason = format!("{} starts it as {}", found.scene.path(id), process.trim());
        started(found, id, command, kind, &reason);
    }
}

/// The files that a command names: by path, or as a Python module (`uvicorn app.main:app`).
fn started(found: &mut EntryPoints, beside: FileId, command: &str, kind: EntryKind, reason: &str) {
    let dir = folder_of(found.scene.path(beside));
    let words = command
        .split([' ', '\t', '"', '\'', ',', '[', ']'])
        .filter(|word| !word.is_empty() && !word.starts_with('-'));
    for word in words.take(40).filter(|word| word.contains(['.', '/', ':'])) {
        // Paths in a container begin at its own root or working folder.
        let inner = word
            .trim_start_matches("/app/")
            .trim_start_matches("/usr/src/app/")
            .trim_start_matches('/');
        let file = node::source(found.scene, dir, inner)
            .or_else(|| node::source(found.scene, "", inner))
            .or_else(|| python::module(found, dir, word).filter(|_| word.contains(['.', ':'])));
        if let Some(file) = file {
            found.add(file, kind, reason);
        }
    }
}

/// `handler: src/orders.create` is the function `create` of `src/orders.*`.
fn functions(found: &mut EntryPoints, id: FileId) {
    let (dir, path) = (folder_of(found.scene.path(id)), found.scene.path(id));
    for line in found.scene.text(id).lines() {
        let value =
            line.trim().strip_prefix("handler:").or_else(|| line.trim().strip_prefix("Handler:"));
        let Some(value) = value.map(|value| value.trim().trim_matches(['"', '\''])) else {
            continue;
        };
        let stem = value.rsplit_once('.').map_or(value, |(stem, _)| stem);
        let file = node::source(found.scene, dir, stem)
            .or_else(|| python::module(found, dir, &stem.replace('/', ".")));
        if let Some(file) = file {
            found.add(file, EntryKind::Function, format!("{path} names it as a handler"));
        }
    }
}

fn worker(found: &mut EntryPoints, id: FileId) {
    let (dir, path) = (folder_of(found.scene.path(id)), found.scene.path(id));
    let main = found.scene.text(id).lines().find_map(|line| {
        let (key, value) = line.split_once(['=', ':'])?;
        (key.trim().trim_matches('"') == "main")
            .then(|| value.trim().trim_matches([',', '"', '\'', ' ']))
    });
    if let Some(file) = main.and_then(|main| node::source(found.scene, dir, main)) {
        found.add(file, EntryKind::Function, format!("{path} names it as main"));
    }
}
