//! Keys and passwords, which no message ever shows.

use std::fmt;

/// Text that is sent to a server and to nobody else.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

/// No key or password is shorter. To strike out a shorter text would garble every answer that has it in a word.
const LEAST_LENGTH: usize = 8;

impl Secret {
    /// Spaces and line ends around it come from the file or variable that it was read from.
    pub fn new(text: impl AsRef<str>) -> Self {
        Secret(text.as_ref().trim().to_owned())
    }

    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The text without this secret in it. A placeholder such as `x` or `EMPTY`, for a server that asks for no key, is none.
    pub fn struck_from(&self, text: &str) -> String {
        if self.0.len() < LEAST_LENGTH { text.to_owned() } else { text.replace(&self.0, "[key]") }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ix6_a_secret_is_not_shown() {
        let secret = Secret::new(" swordfish\n");
        assert_eq!(format!("{secret:?}"), "Secret(…)");
        assert_eq!(secret.expose(), "swordfish");
        assert_eq!(secret.struck_from("not swordfish!"), "not [key]!");
        for placeholder in ["", "x", "EMPTY", "ollama"] {
            let text = "export EMPTY for ollama";
            assert_eq!(Secret::new(placeholder).struck_from(text), text);
        }
    }
}
