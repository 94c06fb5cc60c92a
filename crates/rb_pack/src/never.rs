//! What never goes into a prompt: keys and passwords, what is not text, and what nobody wrote.
//!
//! Looked at by name and by text, never by size: what is merely large is shown in part.

use rb_index::trivial::Trivial;
use rb_index::{FileView, secrets};

/// Why a file is not shown, whatever it says; `None` for one that may be.
pub(crate) fn by_file(file: &FileView<'_>) -> Option<String> {
    if secrets::is_secret_file(file.path, file.language) {
        return Some("by its name it holds secrets".to_owned());
    }
    if let Some(reason) = file.skipped {
        return Some(format!("not read: {}", reason.kind()));
    }
    match file.trivial {
        Some(
            trivial @ (Trivial::LockFile
            | Trivial::Generated(_)
            | Trivial::Vendored(_)
            | Trivial::SaidVendored
            | Trivial::Minified),
        ) => Some(trivial.words()),
        Some(Trivial::Empty | Trivial::ShortInit { .. } | Trivial::ReExports) | None => None,
    }
}

/// Why a text is not shown, wherever it stands.
pub(crate) fn by_text(text: &str) -> Option<&'static str> {
    secrets::holds_private_key(text).then_some("it holds a private key")
}
