//! The text of an indexed file, with the content that the index knows it by.
//!
//! Only what the index lists is read, no link is followed, and what looks like a secret is not shown.

use std::sync::Arc;

use rb_core::{RepoPath, Sha256, fs};
use rb_index::content::{self, Limits};
use rb_index::{FileId, FileView, View, secrets};

use super::page::Block;
use super::words;
use crate::file_text::FileText;
use crate::read_cache::ReadCache;
use crate::toolbox::{Repository, ToolError};

/// A file whose text may be shown.
pub(crate) struct SourceFile {
    pub(crate) path: String,
    /// Of the whole file.
    pub(crate) hash: Sha256,
    pub(crate) text: Arc<FileText>,
}

/// Why a text is not shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NotShown {
    SecretName,
    PrivateKey,
    /// With the reason of the index.
    Unread(String),
    /// It is not what was indexed any more, or gone.
    Changed,
}

impl NotShown {
    /// To be read after "not shown: ".
    pub(crate) fn words(&self) -> &str {
        match self {
            NotShown::SecretName => "by its name it holds secrets",
            NotShown::PrivateKey => "it holds a private key",
            NotShown::Unread(reason) => reason,
            NotShown::Changed => "it changed after it was indexed",
        }
    }

    /// The answer to a call that is about this file alone.
    pub(crate) fn error(&self, path: &str) -> ToolError {
        let path = words::path(path);
        ToolError::Call(match self {
            NotShown::Changed => {
                format!("`{path}` changed while it was read. Make the same call again.")
            }
            NotShown::SecretName | NotShown::PrivateKey => {
                let why = self.words();
                format!("`{path}` is not shown: {why}. Its text is never shown; go on without it.")
            }
            NotShown::Unread(why) => {
                format!("`{path}` cannot be read as text: {why}. Go on without it.")
            }
        })
    }
}

pub(crate) fn read(
    on: Repository<'_>,
    cache: &mut ReadCache,
    file: &FileView<'_>,
) -> Result<SourceFile, NotShown> {
    if secrets::is_secret_file(file.path, file.language) {
        return Err(NotShown::SecretName);
    }
    if let Some(reason) = file.skipped {
        return Err(NotShown::Unread(reason.words()));
    }
    let Some(hash) = file.hash else {
        return Err(NotShown::Unread("the index has no text of it".to_owned()));
    };
    let path = file.path.to_owned();
    if let Some(text) = cache.get(&path, hash) {
        return Ok(SourceFile { path, hash, text });
    }
    let text = Arc::new(from_disk(on, &path, hash)?);
    cache.put(&path, hash, Arc::clone(&text));
    Ok(SourceFile { path, hash, text })
}

fn from_disk(on: Repository<'_>, path: &str, hash: Sha256) -> Result<FileText, NotShown> {
    let place = RepoPath::new(path).map_err(|error| NotShown::Unread(error.to_string()))?;
    // One byte more than any indexed file has: one that grew is not taken for what it was.
    let limit = Limits::default().max_bytes + 1;
    let bytes = fs::read_plain(on.repo.root(), &place, limit)
        .map_err(|_| NotShown::Unread("it cannot be opened".to_owned()))?;
    let bytes = bytes.filter(|bytes| Sha256::of(bytes) == hash).ok_or(NotShown::Changed)?;
    let Some((text, encoding)) = content::decode(bytes) else {
        return Err(NotShown::Unread("it is binary".to_owned()));
    };
    if secrets::holds_private_key(&text) {
        return Err(NotShown::PrivateKey);
    }
    Ok(FileText::new(text, encoding.name()))
}

/// Shows a line of a file in a block, or why that cannot be done.
pub(crate) fn show_line(
    on: Repository<'_>,
    cache: &mut ReadCache,
    view: &View<'_>,
    (file, line): (FileId, u32),
    block: &mut Block,
) {
    match read(on, cache, &view.file(file)) {
        Ok(source) => {
            block.source(&source, line);
        }
        Err(why) => block.line(&format!("      (not shown: {})", why.words())),
    }
}
