//! Why one test failed, by its message in the report and by the part of the output that is about it.

use rb_lang::Language;

use super::evidence::{bare, excerpt, main_line, section};
use super::place::{self, Place};
use super::sign::{self, Sign};

pub(super) struct Failure {
    /// `None`: an error that no table knows.
    pub(super) sign: Option<Sign>,
    /// The line that says it.
    pub(super) text: String,
    /// Where it arose.
    pub(super) origin: Option<Place>,
    /// The lines to show.
    pub(super) output: String,
}

impl Failure {
    /// Some reports have no messages, and some messages have no stack trace: then `output` has to tell it.
    pub(super) fn of(language: Language, name: &str, message: &str, output: &[&str]) -> Failure {
        let message = rb_reports::without_colors(message);
        let message: Vec<&str> = message.lines().collect();
        let section = section(output, name);
        let is_told = |lines: &&[&str]| lines.iter().any(|line| !line.trim().is_empty());
        let mut own: Vec<&[&str]> =
            [message.as_slice(), section.as_slice()].into_iter().filter(is_told).collect();
        if own.is_empty() {
            own.push(output);
        }
        let sign = own.iter().copied().chain([output]).find_map(|lines| {
            let (sign, at) = sign::at_run_time(language, lines)?;
            Some((Some(sign), lines, at))
        });
        let first = own.first().copied().unwrap_or(output);
        let (sign, lines, at) = sign.unwrap_or_else(|| (None, first, main_line(first)));
        Failure {
            sign,
            text: lines.get(at).map_or_else(String::new, |line| text_of(line)),
            origin: own.iter().find_map(|lines| place::origin(language, lines)),
            output: excerpt(lines, at),
        }
    }
}

fn text_of(line: &str) -> String {
    bare(line).trim_end_matches('.').to_owned()
}
