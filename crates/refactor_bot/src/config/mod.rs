//! Configuration in layers: flags over environment over project over user over defaults.
//!
//! `Config::load` gives the typed settings and where each came from. It only reads. Before `config trust` a project's
//! file may only make things stricter; each key says which way that is.

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
use serde_json::Value;

pub(crate) use self::error::ConfigError;
use self::file::ProjectFile;
use self::keys::{KEYS, Key};
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
        let user = user_layer(sources.home)?;
        let (project, ignored) = match &root {
            Some(root) => project_layer(root, sources.home, &user)?,
            None => (Vec::new(), Vec::new()),
        };
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

/// The project's values that hold, and those that it may not set before it is trusted. `user` is the layer below.
fn project_layer(
    root: &Path,
    home: &Home,
    user: &[Entry],
) -> Result<(Vec<Entry>, Vec<Entry>), ConfigError> {
    let Some(project) = ProjectFile::read(root)? else { return Ok((Vec::new(), Vec::new())) };
    let entries = entries_of(&project)?;
    if Trust::load(home)?.covers(&project) {
        return Ok((entries, Vec::new()));
    }
    let (mut permitted, mut ignored) = (Vec::new(), Vec::new());
    for entry in entries {
        match entry.key.untrusted.permit(&entry.value, &value_in(user, entry.key)) {
            Some(value) => permitted.push(Entry { value, ..entry }),
            None => ignored.push(entry),
        }
    }
    Ok((permitted, ignored))
}

/// What trusting a project's file brings into force.
pub(crate) fn needs_trust(project: &ProjectFile, home: &Home) -> Result<Vec<Entry>, ConfigError> {
    let user = user_layer(home)?;
    let mut entries = entries_of(project)?;
    entries.retain(|entry| {
        let permitted = entry.key.untrusted.permit(&entry.value, &value_in(&user, entry.key));
        permitted.as_ref() != Some(&entry.value)
    });
    Ok(entries)
}

fn value_in(layer: &[Entry], key: &Key) -> Value {
    let entry = layer.iter().find(|entry| entry.key.name == key.name);
    entry.map_or_else(|| key.default(), |entry| entry.value.clone())
}

/// The checked values of a project's file, trusted or not.
fn entries_of(project: &ProjectFile) -> Result<Vec<Entry>, ConfigError> {
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
