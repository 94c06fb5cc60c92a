//! Whether to colour, and the few colours there are.

use clap::ValueEnum;

use crate::environment::Environment;

/// The choice of `--color`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set; everywhere if `CLICOLOR_FORCE` is set
    Auto,
    /// Always, also into a pipe
    Always,
    /// Never
    Never,
}

/// Wraps text in colour, or leaves it alone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Palette {
    pub(crate) on: bool,
}

impl Palette {
    /// The flag decides first, then `NO_COLOR`, then `CLICOLOR_FORCE`, then the terminal.
    pub(crate) fn new(choice: ColorChoice, environment: &Environment, terminal: bool) -> Self {
        let on = match choice {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto if environment.get("NO_COLOR").is_some() => false,
            ColorChoice::Auto if environment.get("CLICOLOR_FORCE").is_some_and(|v| v != "0") => {
                true
            }
            ColorChoice::Auto => terminal && environment.text("TERM") != Some("dumb"),
        };
        Palette { on }
    }

    pub(crate) fn red(self, text: &str) -> String {
        self.paint("31;1", text)
    }

    pub(crate) fn green(self, text: &str) -> String {
        self.paint("32", text)
    }

    pub(crate) fn yellow(self, text: &str) -> String {
        self.paint("33", text)
    }

    pub(crate) fn cyan(self, text: &str) -> String {
        self.paint("36", text)
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.on { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::ColorChoice::{Always, Auto, Never};
    use super::*;

    #[test]
    fn ux5_flag_then_no_color_then_force_then_terminal() {
        let check = |choice, vars: &[(&str, &str)], terminal, expected: bool| {
            let vars = vars.iter().map(|(name, value)| (name.into(), value.into()));
            let on = Palette::new(choice, &Environment::new(vars), terminal).on;
            assert_eq!(on, expected, "{choice:?} {terminal}");
        };
        check(Auto, &[], true, true);
        check(Auto, &[], false, false);
        check(Auto, &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")], true, false);
        check(Auto, &[("NO_COLOR", "")], true, true);
        check(Auto, &[("CLICOLOR_FORCE", "1")], false, true);
        check(Auto, &[("CLICOLOR_FORCE", "0")], false, false);
        check(Auto, &[("TERM", "dumb")], true, false);
        check(Always, &[("NO_COLOR", "1")], false, true);
        check(Never, &[("CLICOLOR_FORCE", "1")], true, false);
    }
}
