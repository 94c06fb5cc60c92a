//! Configuration in layers: flags over environment over project over user over defaults.
//!
//! `Config::load` gives the typed settings and where each came from. It only reads; what a project's
//! file says about commands counts only after `config trust`.

mod error;
pub(crate) mod file;
pub(crate) mod keys;
mod layer;
pub(crate) mod schema;
pub(crate) mod settings;
#[cfg(test)]
mod tests;
pub(crate) mod trust;

use std::path::{Path, PathBuf};

use rb_core::Home;

pub(crate) use self::error::ConfigError;
use self::file::ProjectFile;
use self::keys::KEYS;
pub(crate) use self::layer::{Entry, Flag, Origin};
use self::settings::Settings;
use self::trust::Trust;
use crate::environment::Environment;

/// What the variables of this program begin with.
pub(crate) const PREFIX: &str = "REFACTOR_BOT_";

/// Variables of ours that are no settings.
const NOT_SETTINGS: [&str; 2] = ["REFACTOR_BOT_HOME", "REFACTOR_BOT_FAULT"];

/// Everything that a value may come from.
pub(crate) struct Sources<'a> {
    pub(crate) flags: Vec<Flag>,
    pub(crate) environment: &'a Environment,
    /// A folder in the project; its root is looked for.
    pub(crate) project: Option<&'a Path>,
    pub(crate) home: &'a Home,
}

/// The settings that hold.
#[derive(Debug)]
pub(crate) struct Config {
    pub(crate) settings: Settings,
    /// Each key once, in the order of the table.
    pub(crate) entries: Vec<Entry>,
    /// What the project's file says and may not yet say.
    pub(crate) ignored: Vec<Entry>,
    /// The root of the project, if there is one.
    pub(crate) project: Option<PathBuf>,
}

impl Config {
    pub(crate) fn load(sources: Sources<'_>) -> Result<Self, ConfigError> {
        let flags = layer::from_flags(sources.flags);
        let environment = layer::from_environment(sources.environment)?;
        let root = sources.project.map(file::project_root).transpose()?;
        let (project, ignored) = match &root {
            Some(root) => project_layer(root, sources.home)?,
            None => (Vec::new(), Vec::new()),
        };
        let user = user_layer(sources.home)?;
        let entries = resolve(&[flags, environment, project, user]);
        Ok(Config { settings: Settings::new(&entries), entries, ignored, project: root })
    }

    /// Whether somebody set this key, wherever it was.
    pub(crate) fn is_set(&self, key: &str) -> bool {
        let entry = self.entries.iter().find(|it| it.key.name == key);
        entry.is_some_and(|it| it.origin != Origin::Default)
    }

    /// What to tell the person when something was ignored: the keys, and how to agree to them.
    pub(crate) fn untrusted_note(&self) -> Option<String> {
        let root = self.project.as_ref().filter(|_| !self.ignored.is_empty())?;
        let keys: Vec<&str> = self.ignored.iter().map(|entry| entry.key.name).collect();
        Some(format!(
            "{} of the project's configuration ignored until trusted; read the file, then run: \
             refactor-bot config trust {}",
            keys.join(", "),
            shell_word(root),
        ))
    }
}

/// What the project may say, and what it may not say before it is trusted.
fn project_layer(root: &Path, home: &Home) -> Result<(Vec<Entry>, Vec<Entry>), ConfigError> {
    let Some(project) = ProjectFile::read(root)? else { return Ok((Vec::new(), Vec::new())) };
    let trusted = Trust::load(home)?.covers(&project);
    let entries = entries_of(&project)?;
    Ok(entries.into_iter().partition(|entry| trusted || !entry.key.chooses_command))
}

/// The checked values of a project's file, trusted or not.
pub(crate) fn entries_of(project: &ProjectFile) -> Result<Vec<Entry>, ConfigError> {
    layer::from_json(&project.document, &Origin::Project(project.path.clone()))
}

fn user_layer(home: &Home) -> Result<Vec<Entry>, ConfigError> {
    let path = home.config();
    match file::read_user(&path)? {
        Some(document) => layer::from_json(&document, &Origin::User(path)),
        None => Ok(Vec::new()),
    }
}

/// Takes each key from the first layer that has it.
fn resolve(layers: &[Vec<Entry>]) -> Vec<Entry> {
    KEYS.iter()
        .map(|key| {
            let said = layers.iter().flatten().find(|entry| entry.key.name == key.name);
            said.cloned().unwrap_or(Entry { key, value: key.default(), origin: Origin::Default })
        })
        .collect()
}

/// A path that can be pasted into a shell.
pub(crate) fn shell_word(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,@".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}
