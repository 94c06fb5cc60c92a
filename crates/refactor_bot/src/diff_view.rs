//! Diffs as a person reads them: coloured, and in a pager where they are longer than the screen.

use rb_core::process::{Env, page};

use crate::app::App;
use crate::color::Palette;
use crate::environment::Environment;
use crate::error::CliError;
use crate::ui::{is_out_terminal, printable};

/// Prints a diff. Into a pipe it goes byte for byte, so that it can be applied.
pub(crate) fn print(app: &App, diff: &[u8]) -> Result<(), CliError> {
    if diff.is_empty() || !is_out_terminal() {
        return app.ui.print_foreign(diff);
    }
    let text = coloured(app.ui.out, diff);
    if let Some(line) = pager(app)
        && page(&line, &pager_env(&app.environment), text.as_bytes()).is_ok()
    {
        return Ok(());
    }
    app.ui.print_raw(&text)
}

/// The lines of a diff, made safe for a terminal, each in the colour that git gives it.
fn coloured(palette: Palette, diff: &[u8]) -> String {
    let text = String::from_utf8_lossy(diff);
    let mut out = String::with_capacity(text.len() * 2);
    for line in text.lines() {
        let safe = printable(&line.replace('\t', "        "));
        let is_header =
            ["diff ", "index ", "--- ", "+++ ", "# "].iter().any(|it| line.starts_with(it));
        out.push_str(&match line.chars().next() {
            _ if is_header => palette.bold(&safe),
            Some('+') => palette.green(&safe),
            Some('-') => palette.red(&safe),
            Some('@') => palette.cyan(&safe),
            _ => safe,
        });
        out.push('\n');
    }
    out
}

/// The pager of `GIT_PAGER` or `PAGER`, else less. None with `--no-pager`, for `cat`, and where the program is missing.
fn pager(app: &App) -> Option<String> {
    if app.ui.no_pager || app.environment.text("TERM") == Some("dumb") {
        return None;
    }
    let variable = |name: &str| app.environment.value(name);
    let line = variable("GIT_PAGER").or_else(|| variable("PAGER")).unwrap_or("less");
    let program = line.split_whitespace().next()?;
    let is_there = program.contains('/') || app.env.find(program).is_some();
    (program != "cat" && is_there).then(|| line.to_owned())
}

/// What a pager may see: the terminal and its own settings. As git does, `less` leaves a short text on the screen.
fn pager_env(environment: &Environment) -> Env {
    let own = ["TERM", "COLORTERM", "COLUMNS", "LESS", "LESSCHARSET", "LESSOPEN", "LV", "MORE"];
    let mut env = environment.children();
    for name in own {
        if let Some(value) = environment.get(name) {
            env = env.with(name, value);
        }
    }
    if environment.get("LESS").is_none() {
        env = env.with("LESS", "FRX");
    }
    env
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ux1_a_diff_has_the_colours_of_git_and_cannot_steer_the_terminal() {
        let diff = b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\x1b[2J\n same\n";
        let plain =
            "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\\u{1b}[2J\n same\n";
        assert_eq!(coloured(Palette { on: false }, diff), plain);
        let shown = coloured(Palette { on: true }, diff);
        for line in
            ["\x1b[1m--- a/x\x1b[0m", "\x1b[32m+new\\u{1b}[2J\x1b[0m", "\x1b[36m@@", "\n same\n"]
        {
            assert!(shown.contains(line), "{line:?}: {shown:?}");
        }
    }
}
