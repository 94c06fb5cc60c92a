//! The files of a model, each read whole and once, up to a size.

use std::io;
use std::path::{Path, PathBuf};

use rb_core::fs::{self, FsError};
use rb_core::hash::Sha256;
use serde::de::DeserializeOwned;

use super::error::{Model2VecError, Problem};
use rb_http::printable;

/// The largest static models known have half of it.
const LARGEST_MODEL: u64 = 1 << 30;
/// A vocabulary of a million tokens has less.
const LARGEST_TOKENIZER: u64 = 64 << 20;
const LARGEST_CONFIG: u64 = 1 << 20;

pub(super) struct File {
    path: PathBuf,
    pub(super) bytes: Vec<u8>,
}

pub(super) struct Files {
    folder: PathBuf,
    pub(super) model: File,
    pub(super) tokenizer: File,
    /// A `StaticEmbedding` of sentence-transformers comes without.
    pub(super) config: Option<File>,
}

impl Files {
    pub(super) fn read(folder: &Path) -> Result<Self, Model2VecError> {
        // The small ones first, so that a folder without them costs nothing.
        let tokenizer = File::read(folder.join("tokenizer.json"), LARGEST_TOKENIZER)?;
        let config = match File::read(folder.join("config.json"), LARGEST_CONFIG) {
            Ok(file) => Some(file),
            Err(Model2VecError { problem: Problem::Missing, .. }) => None,
            Err(error) => return Err(error),
        };
        let model = File::read(folder.join("model.safetensors"), LARGEST_MODEL)?;
        Ok(Files { folder: folder.to_owned(), model, tokenizer, config })
    }

    /// Also of a folder that is named `.` or `..`.
    pub(super) fn folder_name(&self) -> String {
        let whole = self.folder.canonicalize().unwrap_or_default();
        let name = self.folder.file_name().or(whole.file_name()).unwrap_or_default();
        printable(&name.to_string_lossy())
    }

    /// Of all bytes that decide how a text is embedded.
    pub(super) fn hash(&self) -> Sha256 {
        let config = self.config.as_ref().map_or(&[][..], |config| &config.bytes);
        let hashes: Vec<u8> = [&self.model.bytes[..], &self.tokenizer.bytes, config]
            .into_iter()
            .flat_map(|bytes| *Sha256::of(bytes).as_bytes())
            .collect();
        Sha256::of(&hashes)
    }
}

impl File {
    fn read(path: PathBuf, most: u64) -> Result<Self, Model2VecError> {
        match read(&path, most) {
            Ok(bytes) => Ok(File { path, bytes }),
            Err(problem) => Err(Model2VecError { path, problem }),
        }
    }

    pub(super) fn error(&self, problem: Problem) -> Model2VecError {
        Model2VecError { path: self.path.clone(), problem }
    }
}

fn read(path: &Path, most: u64) -> Result<Vec<u8>, Problem> {
    // Opening a pipe would wait for a writer.
    match path.metadata() {
        Ok(meta) if !meta.is_file() => return Err(Problem::NotAFile),
        Ok(meta) if meta.len() > most => return Err(Problem::TooLarge { most }),
        Ok(_) => {}
        Err(error) => return Err(unreadable(path, error)),
    }
    // It may have grown in between.
    match fs::read_head(path, most + 1) {
        Ok(bytes) if bytes.len() as u64 > most => Err(Problem::TooLarge { most }),
        Ok(bytes) => Ok(bytes),
        Err(error) => Err(unreadable(path, error.source)),
    }
}

fn unreadable(path: &Path, source: io::Error) -> Problem {
    match source.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Problem::Missing,
        _ => Problem::Unreadable(FsError { what: "read", path: path.to_owned(), source }),
    }
}

/// What serde says about JSON may quote what it found there.
pub(super) fn json<T: DeserializeOwned>(file: &File) -> Result<T, Model2VecError> {
    serde_json::from_slice(&file.bytes)
        .map_err(|error| file.error(Problem::Broken(printable(&error.to_string()))))
}
