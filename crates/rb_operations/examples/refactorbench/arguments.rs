//! The command line of the benchmark.

use std::path::PathBuf;

const WORDINGS: [&str; 3] = ["base", "descriptive", "lazy"];

#[derive(Debug, Default)]
pub(crate) struct Arguments {
    pub(crate) root: PathBuf,
    pub(crate) wordings: Vec<String>,
    /// A part of `REPOSITORY/NAME`; empty for all.
    pub(crate) filter: String,
    /// The operations to carry out, whatever the directive says: JSON.
    pub(crate) operations: Option<PathBuf>,
    /// Carry out what was understood although something was not.
    pub(crate) is_partly: bool,
    pub(crate) shows_diff: bool,
    pub(crate) keep: Option<PathBuf>,
}

impl Arguments {
    pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut parsed = Arguments::default();
        let mut plain = Vec::new();
        let mut arguments = arguments;
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("`{argument}` needs a value"));
            match argument.as_str() {
                "--operations" => parsed.operations = Some(value()?.into()),
                "--keep" => parsed.keep = Some(value()?.into()),
                "--partly" => parsed.is_partly = true,
                "--diff" => parsed.shows_diff = true,
                word if word.starts_with("--") => return Err(format!("unknown option `{word}`")),
                _ => plain.push(argument),
            }
        }
        let mut plain = plain.into_iter();
        parsed.root = plain.next().ok_or("name the folder of the benchmark")?.into();
        for word in plain {
            if WORDINGS.contains(&word.as_str()) {
                parsed.wordings.push(word);
            } else if parsed.filter.is_empty() {
                parsed.filter = word;
            } else {
                return Err(format!("two filters: `{}` and `{word}`", parsed.filter));
            }
        }
        if parsed.wordings.is_empty() {
            parsed.wordings = WORDINGS.map(str::to_owned).to_vec();
        }
        Ok(parsed)
    }
}
