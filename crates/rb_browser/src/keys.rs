//! Keys by name, as the events that a keyboard makes of them.

use serde_json::{Value, json};

use crate::error::ElementError;

/// Name, code, number, and what it types.
const NAMED: [(&str, &str, u32, &str); 15] = [
    ("Enter", "Enter", 13, "\r"),
    ("Tab", "Tab", 9, ""),
    ("Escape", "Escape", 27, ""),
    ("Backspace", "Backspace", 8, ""),
    ("Delete", "Delete", 46, ""),
    ("Space", "Space", 32, " "),
    ("ArrowUp", "ArrowUp", 38, ""),
    ("ArrowDown", "ArrowDown", 40, ""),
    ("ArrowLeft", "ArrowLeft", 37, ""),
    ("ArrowRight", "ArrowRight", 39, ""),
    ("Home", "Home", 36, ""),
    ("End", "End", 35, ""),
    ("PageUp", "PageUp", 33, ""),
    ("PageDown", "PageDown", 34, ""),
    ("F2", "F2", 113, ""),
];

const MODIFIERS: [(&str, u32); 4] = [("Alt", 1), ("Control", 2), ("Meta", 4), ("Shift", 8)];

/// Down and up, with the modifiers before the last `+`.
pub(crate) fn events(key: &str) -> Result<[Value; 2], ElementError> {
    let unknown = || ElementError::Key { key: crate::clean::line(key, 40) };
    let mut modifiers = 0;
    let mut name = key;
    while let Some((modifier, rest)) = name.split_once('+').filter(|(_, rest)| !rest.is_empty()) {
        let known = MODIFIERS.iter().find(|(known, _)| *known == modifier);
        modifiers |= known.ok_or_else(unknown)?.1;
        name = rest;
    }
    let (key, code, number, types) = match NAMED.iter().find(|(known, ..)| *known == name) {
        Some(&("Space", code, number, types)) => (" ", code.to_owned(), number, types),
        Some(&(known, code, number, types)) => (known, code.to_owned(), number, types),
        None => {
            let mut characters = name.chars();
            let character = characters.next().filter(|c| !c.is_control()).ok_or_else(unknown)?;
            if characters.next().is_some() {
                return Err(unknown());
            }
            let upper = character.to_ascii_uppercase();
            let code = match upper {
                'A'..='Z' => format!("Key{upper}"),
                '0'..='9' => format!("Digit{upper}"),
                _ => String::new(),
            };
            let number = if code.is_empty() { 0 } else { u32::from(upper) };
            (name, code, number, name)
        }
    };
    let mut down = json!({
        "type": "keyDown", "key": key, "code": code,
        "windowsVirtualKeyCode": number, "modifiers": modifiers,
    });
    let mut up = down.clone();
    up["type"] = "keyUp".into();
    // With Control, Alt or Meta held, a key types nothing.
    if modifiers & !8 == 0 {
        down["text"] = types.into();
    } else if modifiers == 2 && key.eq_ignore_ascii_case("a") {
        down["commands"] = json!(["selectAll"]);
    }
    Ok([down, up])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tk4_keys_are_events_of_a_keyboard() {
        let check = |key: &str, expected: Value| {
            let [down, up] = events(key).unwrap();
            let fields = ["key", "code", "windowsVirtualKeyCode", "modifiers", "text"];
            let seen: Vec<&Value> = fields.iter().map(|field| &down[field]).collect();
            assert_eq!(json!(seen), expected, "{key}");
            assert_eq!((&down["type"], &up["type"]), (&json!("keyDown"), &json!("keyUp")));
        };
        check("Enter", json!(["Enter", "Enter", 13, 0, "\r"]));
        check("Space", json!([" ", "Space", 32, 0, " "]));
        check("a", json!(["a", "KeyA", 65, 0, "a"]));
        check("+", json!(["+", "", 0, 0, "+"]));
        check("Shift+Tab", json!(["Tab", "Tab", 9, 8, ""]));
        check("Control+Shift+1", json!(["1", "Digit1", 49, 10, null]));
        for unknown in ["", "Entr", "Hyper+a", "\n"] {
            assert!(events(unknown).is_err(), "{unknown}");
        }
    }
}
