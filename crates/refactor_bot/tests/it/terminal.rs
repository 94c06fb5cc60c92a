//! The program in a terminal of its own, with somebody who types.

use std::io::{Read as _, Write as _};
use std::process::Stdio;

use rb_testkit::{Cli, Ran};

/// What is typed, and how wide the terminal is.
#[derive(Default)]
pub(crate) struct Terminal<'a> {
    /// Typed before the program asks anything.
    pub(crate) early: &'a str,
    /// One line for each question.
    pub(crate) answers: &'a [&'a str],
    /// 80 where it is 0.
    pub(crate) columns: u16,
}

/// How questions end.
const QUESTIONS: [&str; 3] = ["[l]ater: ", "accept anyway: ", "Copy it? [y]es, [n]o: "];

const SCRIPT: &str = "line=\"stty rows 40 cols $1; exec\"; shift; for word; do line=\"$line '$word'\"; done; \
                      exec script --quiet --return --command \"$line\" /dev/null";

impl Terminal<'_> {
    /// Both streams of the program come in `stdout`, with the line ends of a terminal.
    pub(crate) fn run(&self, cli: &Cli, args: &[&str]) -> Ran {
        let columns = if self.columns == 0 { 80 } else { self.columns }.to_string();
        let mut command = cli.command_under(&["/bin/sh", "-c", SCRIPT, "sh", &columns]);
        command.args(args).env("SHELL", "/bin/sh");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut keys = child.stdin.take().unwrap();
        keys.write_all(self.early.as_bytes()).unwrap();
        let (mut shown, mut answered) = (Vec::new(), 0);
        let mut screen = child.stdout.take().unwrap();
        let mut piece = [0; 4096];
        while let Ok(count @ 1..) = screen.read(&mut piece) {
            shown.extend_from_slice(&piece[..count]);
            let text = String::from_utf8_lossy(&shown);
            let asked: usize =
                QUESTIONS.iter().map(|question| text.matches(question).count()).sum();
            while answered < asked.min(self.answers.len()) {
                keys.write_all(format!("{}\n", self.answers[answered]).as_bytes()).unwrap();
                answered += 1;
            }
        }
        let code = child.wait().unwrap().code().unwrap();
        let stdout = String::from_utf8_lossy(&shown).into_owned();
        Ran { code, stdout, stderr: String::new() }
    }
}
