//! Keys and values between two lines `---` at the top of a Markdown file. A list of values is one value with commas.

#[derive(Debug)]
pub(in crate::description) struct Entry {
    /// Counted from 1.
    pub(in crate::description) line: usize,
    /// In lower case.
    pub(in crate::description) key: String,
    pub(in crate::description) value: String,
}

/// The entries, and the index of the line after them. `None` if the lines are something else.
pub(super) fn read(lines: &[&str]) -> Option<(Vec<Entry>, usize)> {
    if lines.first()?.trim_end() != "---" {
        return None;
    }
    let is_end = |line: &&str| matches!(line.trim_end(), "---" | "...");
    let length = lines.iter().skip(1).position(is_end)?;
    let mut entries: Vec<Entry> = Vec::new();
    for (at, line) in lines.iter().enumerate().skip(1).take(length) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match (line.strip_prefix("- "), line.split_once(':')) {
            (Some(value), _) => append(&mut entries, value),
            (None, Some((key, value))) => entries.push(Entry {
                line: at + 1,
                key: key.trim().to_lowercase(),
                value: bare(value).to_owned(),
            }),
            (None, None) => return None,
        }
    }
    Some((entries, length + 2))
}

fn append(entries: &mut [Entry], value: &str) {
    if let Some(entry) = entries.last_mut() {
        if !entry.value.is_empty() {
            entry.value.push_str(", ");
        }
        entry.value.push_str(bare(value));
    }
}

fn bare(value: &str) -> &str {
    value.trim().trim_matches(['"', '\'', '[', ']']).trim()
}
