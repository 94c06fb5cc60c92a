//! A private copy of the login of an agent, in the settings folder that the agent gets for this one run.
//!
//! Hooks, servers and other programs that the user's settings name do not come along, nor do tokens that renew a login: an
//! agent that renewed it in its copy would end the user's own.

use std::path::Path;

use rb_core::fs::{self, Durability, FsError};
use serde_json::{Map, Value};

/// Larger ones are no settings.
const LARGEST: u64 = 1 << 20;

/// Reads a JSON file of the user's, changes it and writes the result for the agent. Nothing where there is none.
pub(crate) fn copy(
    from: &Path,
    to: &Path,
    name: &str,
    change: impl FnOnce(&mut Value),
) -> Result<(), FsError> {
    let path = from.join(name);
    if !path.is_file() {
        return Ok(());
    }
    let Ok(mut value) = serde_json::from_slice::<Value>(&fs::read_head(&path, LARGEST)?) else {
        return Ok(());
    };
    change(&mut value);
    fs::write_exact(&to.join(name), value.to_string().as_bytes(), 0o600, Durability::Relaxed)
}

/// Empties every value of these names, at any depth.
pub(crate) fn blank(value: &mut Value, names: &[&str]) {
    match value {
        Value::Object(map) => {
            for (key, value) in map.iter_mut() {
                if names.contains(&key.as_str()) {
                    *value = Value::String(String::new());
                } else {
                    blank(value, names);
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| blank(value, names)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Keeps these keys of an object, and nothing of anything else.
pub(crate) fn keep(value: &mut Value, is_kept: impl Fn(&str) -> bool) {
    match value {
        Value::Object(map) => map.retain(|key, _| is_kept(key)),
        other => *other = Value::Object(Map::new()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn ag1_a_login_is_copied_without_what_renews_it() {
        let dir = tempfile::tempdir().unwrap();
        let [from, to] = ["from", "to"].map(|name| dir.path().join(name));
        fs::create_dir_all(&from).unwrap();
        fs::create_dir_all(&to).unwrap();
        let login = json!({ "oauth": [{ "accessToken": "a", "refreshToken": "r" }] });
        let file = from.join("login.json");
        fs::write(&file, login.to_string().as_bytes(), Durability::Relaxed).unwrap();
        fs::write(&from.join("odd.json"), b"{", Durability::Relaxed).unwrap();
        for name in ["login.json", "odd.json", "missing.json"] {
            copy(&from, &to, name, |value| blank(value, &["refreshToken"])).unwrap();
        }
        assert_eq!(fs::list(&to).unwrap(), ["login.json"]);
        let copied = fs::read(&to.join("login.json")).unwrap();
        let wanted = json!({ "oauth": [{ "accessToken": "a", "refreshToken": "" }] });
        assert_eq!(String::from_utf8(copied).unwrap(), wanted.to_string());
        assert_eq!(fs::read(&file).unwrap(), login.to_string().as_bytes());
    }
}
