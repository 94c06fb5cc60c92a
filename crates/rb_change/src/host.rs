//! What a run needs from the machine and from the process that it runs in.

use std::path::PathBuf;
use std::sync::Arc;

use rb_core::process::Env;
use rb_core::{Cancel, Home, Progress};
use rb_repo::SearchModel;
use rb_verify::Shell;

#[derive(Clone)]
pub struct Host {
    pub home: Home,
    pub env: Env,
    /// Variables that commands of a repository may be given beyond the usual ones.
    pub shell: Shell,
    pub cancel: Cancel,
    pub progress: Arc<dyn Progress + Send + Sync>,
    /// Finds the files that a directive is about.
    pub search: Arc<SearchModel>,
    /// This program, which guards a command where the kernel confines it.
    pub shim: Option<PathBuf>,
}
