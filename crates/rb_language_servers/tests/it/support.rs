//! A project in a folder, and the servers over it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rb_core::process::Env;
use rb_core::{Cancel, edit};
use rb_language_servers::{
    LanguageServers, Limits, RenameRequest, Renamed, Renamer as _, ServerError,
};
use rb_sandbox::{Choice, Sandbox};
use tempfile::TempDir;

pub(crate) struct Project {
    folder: TempDir,
    texts: BTreeMap<String, Arc<str>>,
    pub(crate) servers: LanguageServers,
}

impl Project {
    /// `//- path` begins a file.
    pub(crate) fn new(fixture: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (root, scratch) = (folder.path().join("project"), folder.path().join("scratch"));
        std::fs::create_dir_all(&scratch).expect("a folder");
        let mut texts: BTreeMap<String, Arc<str>> = BTreeMap::new();
        for part in fixture.split("//- ").skip(1) {
            let (path, text) = part.split_once('\n').expect("a file has lines");
            let text = text.replace("{root}", &root.display().to_string());
            let file = root.join(path);
            std::fs::create_dir_all(file.parent().expect("it has a folder")).expect("a folder");
            std::fs::write(&file, &text).expect("a file");
            texts.insert(path.to_owned(), text.into());
        }
        let all = ["PATH", "HOME", "LANG"].map(|name| (name.into(), variable(name)));
        let servers = LanguageServers {
            checkouts: vec![root.clone()],
            root,
            scratch,
            env: Env::passed_on(all),
            sandbox: Choice::Auto,
            shim: Some(PathBuf::from(env!("CARGO_BIN_EXE_rb_language_servers_confine"))),
            cancel: Cancel::new(),
            limits: Limits { load: Duration::from_mins(2), ..Limits::default() },
        };
        Project { folder, texts, servers }
    }

    /// Another text for a file.
    pub(crate) fn set(&mut self, path: &str, text: &str) {
        std::fs::write(self.servers.root.join(path), text).expect("a file");
        self.texts.insert(path.to_owned(), text.into());
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Does a sandbox of this machine keep a server from writing and from the network?
    pub(crate) fn is_confined(&self) -> bool {
        let LanguageServers { sandbox, env, shim, cancel, .. } = &self.servers;
        let probed = Sandbox::probe(sandbox, env, shim.as_deref(), cancel);
        probed.is_ok_and(|sandbox| sandbox.held().confines())
    }

    pub(crate) fn rename(&self, symbol: &str, to: &str) -> Result<Renamed, ServerError> {
        let (path, symbol) = symbol.split_once('#').expect("path#name");
        let (path, line) = match path.split_once(':') {
            Some((path, line)) => (path, line.parse().ok()),
            None => (path, None),
        };
        let paths: Vec<String> = self.texts.keys().cloned().collect();
        let texts = |path: &str| self.texts.get(path).cloned();
        self.servers.rename(&RenameRequest { path, symbol, line, to, paths: &paths, texts: &texts })
    }

    /// The lines that a rename makes, or why there is none.
    pub(crate) fn shown(&self, symbol: &str, to: &str) -> String {
        let renamed = match self.rename(symbol, to) {
            Ok(renamed) => renamed,
            Err(ServerError::InTheWay { why, places }) => {
                let mut shown = format!("{why}\n");
                for (path, line) in places {
                    writeln!(shown, "  {path}:{line}").expect("a string takes it");
                }
                return shown;
            }
            Err(error) => return format!("{error}\n"),
        };
        let mut shown = String::new();
        for (path, edits) in &renamed.edits {
            let before = &self.texts[path];
            let after = edit::apply(before, edits).expect("they apply");
            for (number, (old, new)) in before.lines().zip(after.lines()).enumerate() {
                if old != new {
                    writeln!(shown, "{path}:{} {}", number + 1, new.trim())
                        .expect("a string takes it");
                }
            }
        }
        for (old, new) in &renamed.moved {
            writeln!(shown, "{old} -> {new}").expect("a string takes it");
        }
        shown
    }
}

fn variable(name: &str) -> std::ffi::OsString {
    std::env::var_os(name).unwrap_or_default()
}
