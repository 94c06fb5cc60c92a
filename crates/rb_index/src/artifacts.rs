//! The project's memory as files, for people, for models and for the steps that follow (IX13).
//!
//! Each is written from the index alone and in a fixed order, so that the same state of a repository gives the same
//! bytes. They name the state they speak of. `TASK_LEDGER.jsonl` and the contracts belong to a run and are not made here.

mod architecture_snapshot;
mod call_graph;
mod claude_context;
mod dependency_graph;
mod risk_register;
mod symbol_registry;

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use rb_core::fs::{self, FsError};
use serde::Serialize;
use thiserror::Error;

use crate::store::StoreError;
use crate::update::Indexed;
use crate::view::View;

#[derive(Debug, Error)]
pub enum ArtifactError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Fs(#[from] FsError),
    #[error("could not write {}", path.display())]
    Write { path: PathBuf, source: io::Error },
}

/// What an artifact is written from.
pub(crate) struct Source<'a> {
    pub(crate) indexed: &'a Indexed,
    pub(crate) view: &'a View<'a>,
}

/// The state that an artifact speaks of.
#[derive(Debug, Serialize)]
pub(crate) struct State<'a> {
    pub(crate) tree: &'a str,
    pub(crate) commit: Option<&'a str>,
}

impl<'a> Source<'a> {
    pub(crate) fn state(&self) -> State<'a> {
        State { tree: &self.indexed.update.state, commit: self.indexed.update.head.as_deref() }
    }

    /// For the documents. The generation is not named: the same state gives the same bytes.
    pub(crate) fn write_state(&self, out: &mut dyn Write) -> io::Result<()> {
        let State { tree, commit } = self.state();
        writeln!(out, "State: tree `{}`, commit `{}`.\n", &tree[..16], commit.unwrap_or("none"))
    }
}

type Writer = fn(&Source<'_>, &mut dyn Write) -> Result<(), WriteError>;

/// Name and maker of each, in the order of their names.
const ARTIFACTS: &[(&str, Writer)] = &[
    ("ARCHITECTURE_SNAPSHOT.md", architecture_snapshot::write),
    ("CALL_GRAPH.json", call_graph::write),
    ("CLAUDE_CONTEXT.md", claude_context::write),
    ("DEPENDENCY_GRAPH.json", dependency_graph::write),
    ("RISK_REGISTER.json", risk_register::write),
    ("SYMBOL_REGISTRY.json", symbol_registry::write),
];

/// What goes wrong in a maker; the caller adds which file it was.
#[derive(Debug, Error)]
pub(crate) enum WriteError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Writes all of them into the folder and gives their paths. Each appears whole or not at all.
pub fn write_all(indexed: &Indexed, folder: &Path) -> Result<Vec<PathBuf>, ArtifactError> {
    let view = indexed.view()?;
    let source = Source { indexed, view: &view };
    fs::create_dir_all(folder)?;
    let mut written = Vec::new();
    for (name, write) in ARTIFACTS {
        let path = folder.join(name);
        let temp = fs::temp_sibling(&path);
        fs::remove_file(&temp)?;
        let mut out = BufWriter::with_capacity(1 << 16, fs::create_new(&temp)?);
        let done = write(&source, &mut out).and_then(|()| Ok(out.flush()?));
        if let Err(error) = done {
            let _ = fs::remove_file(&temp);
            return Err(match error {
                WriteError::Store(error) => error.into(),
                WriteError::Io(source) => ArtifactError::Write { path, source },
                WriteError::Json(error) => ArtifactError::Write { path, source: error.into() },
            });
        }
        fs::rename(&temp, &path)?;
        written.push(path);
    }
    Ok(written)
}

/// A JSON document of a head and one long list, an entry to a line, so that it can be compared and searched as text.
pub(crate) struct Lines<'w> {
    out: &'w mut dyn Write,
    first: bool,
}

impl<'w> Lines<'w> {
    /// `head` is an object; its fields come first.
    pub(crate) fn begin(
        out: &'w mut dyn Write,
        head: &impl Serialize,
        list: &str,
    ) -> Result<Self, WriteError> {
        let head = serde_json::to_string(head)?;
        let head = head.strip_suffix('}').expect("the head is an object");
        let comma = if head.len() > 1 { "," } else { "" };
        writeln!(out, "{head}{comma}\n\"{list}\":[")?;
        Ok(Lines { out, first: true })
    }

    pub(crate) fn line(&mut self, entry: &impl Serialize) -> Result<(), WriteError> {
        if !self.first {
            writeln!(self.out, ",")?;
        }
        self.first = false;
        serde_json::to_writer(&mut self.out, entry)?;
        Ok(())
    }

    pub(crate) fn end(self) -> Result<(), WriteError> {
        writeln!(self.out, "\n]}}")?;
        Ok(())
    }
}

/// A heading and its list in a document; nothing where there is nothing to list.
pub(crate) fn section(
    out: &mut dyn Write,
    title: &str,
    lines: impl Iterator<Item = String>,
) -> Result<(), WriteError> {
    let mut lines = lines.peekable();
    if lines.peek().is_none() {
        return Ok(());
    }
    writeln!(out, "## {title}\n")?;
    for line in lines {
        writeln!(out, "- {line}")?;
    }
    writeln!(out)?;
    Ok(())
}
