//! Citations as links of the terminal (OSC 8), so that a click opens the file.
//!
//! Only for a terminal that is known to support them: another one may print the codes.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::app::App;
use crate::environment::Environment;
use crate::ui::is_out_terminal;

/// Makes links to the files of one repository, or leaves text as it is.
pub(super) struct Links {
    root: PathBuf,
    /// This machine's name; `None` where there are no links.
    host: Option<String>,
}

impl Links {
    pub(super) fn new(app: &App, root: &Path) -> Links {
        let is_on = is_out_terminal() && app.ui.out.on && is_supported(&app.environment);
        let name = || rustix::system::uname().nodename().to_string_lossy().into_owned();
        Links { root: root.to_owned(), host: is_on.then(name) }
    }

    /// `shown` with a link to a line of a file around it. `shown` must be printable.
    pub(super) fn around(&self, path: &str, line: u32, shown: &str) -> String {
        let Some(host) = &self.host else { return shown.to_owned() };
        let file = self.root.join(path);
        let place = encoded(file.as_os_str().as_encoded_bytes());
        let host = encoded(host.as_bytes());
        format!("\x1b]8;;file://{host}{place}#L{line}\x1b\\{shown}\x1b]8;;\x1b\\")
    }
}

/// Everything that has no meaning of its own in an address stays; all else is written as hexadecimal bytes, control codes included.
fn encoded(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for &byte in bytes {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

/// Terminals that say who they are. There is no way to ask one whether it knows links.
fn is_supported(environment: &Environment) -> bool {
    let is_set = |name: &str| environment.get(name).is_some();
    if is_set("NO_HYPERLINKS") || environment.text("TERM") == Some("dumb") {
        return false;
    }
    if let Some(forced) = environment.text("FORCE_HYPERLINK") {
        return forced != "0";
    }
    let is_new_vte = || {
        let version = environment.text("VTE_VERSION").and_then(|text| text.parse::<u32>().ok());
        version.is_some_and(|version| version >= 5000)
    };
    let program = environment.text("TERM_PROGRAM").unwrap_or_default();
    let term = environment.text("TERM").unwrap_or_default();
    ["iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper"].contains(&program)
        || ["xterm-kitty", "xterm-ghostty", "wezterm", "foot"].contains(&term)
        || ["KITTY_WINDOW_ID", "WT_SESSION", "KONSOLE_VERSION"].into_iter().any(is_set)
        || is_new_vte()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as8_links_only_where_the_terminal_is_known_to_support_them() {
        let check = |vars: &[(&str, &str)], expected: bool| {
            let environment = vars.iter().map(|(name, value)| (name.into(), value.into()));
            assert_eq!(is_supported(&Environment::new(environment)), expected, "{vars:?}");
        };
        check(&[], false);
        check(&[("TERM", "xterm-256color")], false);
        check(&[("VTE_VERSION", "4601")], false);
        check(&[("VTE_VERSION", "5000")], true);
        check(&[("VTE_VERSION", "new")], false);
        check(&[("TERM_PROGRAM", "iTerm.app")], true);
        check(&[("TERM_PROGRAM", "vscode")], true);
        check(&[("TERM_PROGRAM", "Apple_Terminal")], false);
        check(&[("TERM", "xterm-kitty")], true);
        check(&[("WT_SESSION", "1")], true);
        check(&[("KONSOLE_VERSION", "230401")], true);
        check(&[("WT_SESSION", "")], false);
        check(&[("WT_SESSION", "1"), ("NO_HYPERLINKS", "1")], false);
        check(&[("WT_SESSION", "1"), ("TERM", "dumb")], false);
        check(&[("FORCE_HYPERLINK", "1")], true);
        check(&[("FORCE_HYPERLINK", "0"), ("WT_SESSION", "1")], false);
    }

    #[test]
    fn as8_a_path_cannot_end_its_link() {
        let on = Links { root: "/home/me/my shop".into(), host: Some("box".to_owned()) };
        assert_eq!(
            on.around("src/a.js", 12, "src/a.js:12-14"),
            "\x1b]8;;file://box/home/me/my%20shop/src/a.js#L12\x1b\\src/a.js:12-14\x1b]8;;\x1b\\"
        );
        let hostile = on.around("a\x1b\\b\x07#;é", 1, "shown");
        assert!(hostile.contains("/a%1B%5Cb%07%23%3B%C3%A9#L1\x1b\\shown"), "{hostile:?}");
        let off = Links { root: "/".into(), host: None };
        assert_eq!(off.around("a", 1, "a:1"), "a:1");
    }
}
