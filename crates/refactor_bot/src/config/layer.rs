//! One layer of configuration: where its values come from, and how text becomes checked values.

use std::fmt;
use std::path::PathBuf;

use serde::Serialize;
use serde_json::Value;

use super::error::ConfigError;
use super::keys::{self, Key};
use super::{NOT_SETTINGS, PREFIX};
use crate::environment::Environment;

/// A value of one key, and who said so.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) key: &'static Key,
    pub(crate) value: Value,
    pub(crate) origin: Origin,
}

/// Where a value comes from, strongest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "layer", content = "from", rename_all = "snake_case")]
pub(crate) enum Origin {
    /// The flag as it is written.
    Flag(&'static str),
    /// The name of the variable.
    Env(String),
    Project(PathBuf),
    User(PathBuf),
    Default,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Flag(flag) => f.write_str(flag),
            Origin::Env(name) => f.write_str(name),
            Origin::Project(path) | Origin::User(path) => write!(f, "{}", path.display()),
            Origin::Default => f.write_str("default"),
        }
    }
}

/// A setting given on the command line.
#[derive(Debug, Clone)]
pub(crate) struct Flag {
    entry: Entry,
}

impl Flag {
    /// Whether it is about this key.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.entry.key.name == name
    }

    /// `flag` is how the person wrote it, for messages. The key must be one of the table.
    pub(crate) fn new(name: &str, flag: &'static str, value: Value) -> Result<Flag, ConfigError> {
        let key = keys::find(name).expect("commands name keys of the table");
        let origin = Origin::Flag(flag);
        if key.kind.accepts(&value) {
            Ok(Flag { entry: Entry { key, value, origin } })
        } else {
            Err(wrong_type(name, origin, key.kind.expected(), shown(&value)))
        }
    }

    /// Reads the value of `--set`. The message is shown behind clap's own words.
    pub(crate) fn parse_set(text: &str) -> Result<Flag, String> {
        let (name, text) = text.split_once('=').ok_or("it must look like KEY=VALUE")?;
        let key = keys::find(name).ok_or_else(|| match keys::nearest(name) {
            Some(key) => format!("unknown configuration key; did you mean `{}`?", key.name),
            None => "unknown configuration key; `refactor-bot config schema` lists them".to_owned(),
        })?;
        let value = key.kind.read(text);
        let value = value.ok_or_else(|| format!("it must be {}", key.kind.expected()))?;
        Flag::new(name, "--set", value).map_err(|error| error.to_string())
    }
}

/// The last flag for a key wins, as people expect of a command line.
pub(crate) fn from_flags(flags: Vec<Flag>) -> Vec<Entry> {
    flags.into_iter().rev().map(|flag| flag.entry).collect()
}

/// The variables that begin with `REFACTOR_BOT_`. One that names no key is an error: a setting that is
/// silently without effect is worse.
pub(crate) fn from_environment(environment: &Environment) -> Result<Vec<Entry>, ConfigError> {
    environment
        .with_prefix(PREFIX)
        .filter(|(name, value)| !NOT_SETTINGS.contains(name) && !value.is_empty())
        .map(|(name, text)| {
            let origin = Origin::Env(name.to_owned());
            let Some(key) = keys::KEYS.iter().find(|key| key.variable() == name) else {
                let guess = name[PREFIX.len()..].to_lowercase();
                let nearest =
                    keys::nearest(&guess).or_else(|| keys::nearest(&guess.replacen('_', ".", 1)));
                return Err(ConfigError::UnknownKey { name: name.to_owned(), origin, nearest });
            };
            match key.kind.read(&text) {
                Some(value) => Ok(Entry { key, value, origin }),
                None => Err(wrong_type(key.name, origin, key.kind.expected(), format!("`{text}`"))),
            }
        })
        .collect()
}

/// The values of a whole file. `$schema` is left to editors.
pub(crate) fn from_json(document: &Value, origin: &Origin) -> Result<Vec<Entry>, ConfigError> {
    let mut entries = Vec::new();
    collect(document, "", origin, &mut entries)?;
    Ok(entries)
}

fn collect(
    object: &Value,
    group: &str,
    origin: &Origin,
    entries: &mut Vec<Entry>,
) -> Result<(), ConfigError> {
    let Some(members) = object.as_object() else {
        let name = if group.is_empty() { "the document" } else { group };
        return Err(wrong_type(name, origin.clone(), "an object".to_owned(), shown(object)));
    };
    for (member, value) in members {
        if group.is_empty() && member == "$schema" && value.is_string() {
            continue;
        }
        let name = if group.is_empty() { member.clone() } else { format!("{group}.{member}") };
        // A dot in a member is no other way to write an object.
        let known = if member.contains('.') { None } else { keys::find(&name) };
        if let Some(key) = known {
            if !key.kind.accepts(value) {
                return Err(wrong_type(&name, origin.clone(), key.kind.expected(), shown(value)));
            }
            entries.push(Entry { key, value: value.clone(), origin: origin.clone() });
        } else if !member.contains('.') && keys::is_group(&name) {
            collect(value, &name, origin, entries)?;
        } else {
            let nearest = keys::nearest(&name);
            return Err(ConfigError::UnknownKey { name, origin: origin.clone(), nearest });
        }
    }
    Ok(())
}

fn wrong_type(name: &str, origin: Origin, expected: String, found: String) -> ConfigError {
    ConfigError::WrongType { name: name.to_owned(), origin, expected, found }
}

/// A value in a message: short ones as they are, long ones by their kind.
fn shown(value: &Value) -> String {
    let text = value.to_string();
    let kind = match value {
        Value::Null => return "null".to_owned(),
        Value::Bool(_) | Value::Number(_) => return text,
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    if text.chars().count() <= 40 { format!("{kind}: {text}") } else { kind.to_owned() }
}
