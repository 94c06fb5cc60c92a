//! One file as a prompt shows it.
//!
//! Texts stand there plain, with their lines named in the heading and no numbers inside: an edit or a hunk is copied from them
//! character for character, and models copy text well and count lines badly. A hunk without numbers is placed by its lines; a wrong
//! number would only make its place less sure. A gutter would also take a tenth of the budget.

use std::fmt::Write as _;

use rb_core::path::quote;
use rb_core::plural;
use rb_trust::{Fence, FenceError, Source};

use crate::pack::{Included, Shown};
use crate::text::{inline, listed};
use crate::writer::Writer;

/// What a critic has to know of the texts, before the first of them.
pub(crate) const REVIEWING: &str = r#"
## Files
Every text is a line-for-line copy of its file, without line numbers; its name says which lines it is. If only part of a file is
shown, the rest exists and depends on it. An outline lists declarations with their first and last lines. A line that ends in
"…[N more characters]" is truncated.
"#;

/// What a patcher has to know of them.
pub(crate) const READING: &str = r#"
## Files
Every text is a line-for-line copy of its file, without line numbers; its name says which lines it is. Edits, and hunks that begin
with "@@ ... @@", are placed by their lines. If only part of a file is shown, the rest exists and depends on it. An outline lists
declarations with their first and last lines; it is not a copy, so take no line of an edit or a hunk from it. A line that ends in
"…[N more characters]" is truncated: do not change it, and keep it out of every edit and hunk.
"#;

const LONGEST_REASON: usize = 300;
const LONGEST_SHOWN: usize = 400;

pub(crate) fn block(file: &Included, fence: &Fence) -> Result<String, FenceError> {
    let mut writer = Writer::new(fence);
    writer.say(&heading(file))?;
    for shown in &file.shown {
        let name = match shown {
            Shown::Whole { .. } => format!("{}, whole", file.path),
            Shown::Signatures { .. } => format!("{}, outline", file.path),
            Shown::Excerpt { first, last, why, .. } => {
                writer.say(&format!("Lines {first}-{last}: {}\n", inline(why, LONGEST_REASON)))?;
                format!("{}, lines {first}-{last}", file.path)
            }
        };
        writer.data(Source::File, &name, shown.text())?;
    }
    Ok(writer.finish())
}

fn heading(file: &Included) -> String {
    let mut heading = format!("\n### {}\n", quote(file.path.as_bytes()));
    let may = if file.may_be_changed { "May be changed." } else { "Read only." };
    let shown: Vec<String> = file.shown.iter().map(Shown::words).collect();
    let shown = listed(&shown, LONGEST_SHOWN);
    let _ = writeln!(heading, "{may} Why it is here: {}.", inline(&file.reason, LONGEST_REASON));
    let _ = write!(heading, "{}; shown: {shown}.", plural(file.lines as usize, "line"));
    for note in &file.notes {
        let _ = write!(heading, " {note}");
    }
    heading.push('\n');
    heading
}
