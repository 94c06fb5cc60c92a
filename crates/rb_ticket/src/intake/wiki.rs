//! Jira's older text format as Markdown: headings, numbered lists and code. Other marks are left as they are.

pub(super) fn markdown(text: &str) -> String {
    // `# item` is a heading in Markdown, and descriptions are written in both.
    let is_wiki = text.lines().any(|line| heading(line).is_some());
    let mut out = String::with_capacity(text.len());
    let mut in_code = false;
    for line in text.lines() {
        let mark = line.trim();
        if mark.starts_with("{code") && mark.ends_with('}') || mark == "{noformat}" {
            in_code = !in_code;
            out.push_str("```");
        } else if in_code {
            out.push_str(line);
        } else if let Some((level, title)) = heading(line) {
            out.push_str(&"#".repeat(level));
            out.push(' ');
            out.push_str(title);
        } else if let Some(item) = mark.strip_prefix("# ").filter(|_| is_wiki) {
            out.push_str("1. ");
            out.push_str(item);
        } else if let Some(item) = mark.strip_prefix("** ") {
            out.push_str("  - ");
            out.push_str(item);
        } else {
            out.push_str(line);
        }
        out.push('\n');
    }
    out
}

/// `h2. Title`.
fn heading(line: &str) -> Option<(usize, &str)> {
    let rest = line.trim().strip_prefix('h')?;
    let level = rest.bytes().next().filter(|byte| (b'1'..=b'6').contains(byte))? - b'0';
    rest[1..].strip_prefix(". ").map(|title| (usize::from(level), title.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tk1_headings_lists_and_code_of_jira_become_markdown() {
        let wiki = "h2. Steps\n# one\n** two\n{code:java}\nh1. no\n{code}";
        assert_eq!(markdown(wiki), "## Steps\n1. one\n  - two\n```\nh1. no\n```\n");
        assert_eq!(markdown("# Title\n\nhello. h2. x"), "# Title\n\nhello. h2. x\n");
    }
}
