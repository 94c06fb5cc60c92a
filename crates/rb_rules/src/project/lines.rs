//! The lines of YAML as package managers write it: one key per line, nested by indentation.
//!
//! Lock files are long and made by programs, so they are read line by line instead of as YAML. Lists, texts of several
//! lines and values in braces are handed on as they stand.

/// A line with something on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line<'a> {
    pub(super) indent: usize,
    /// Without quotes. The whole line where there is no colon.
    pub(super) key: &'a str,
    /// Without quotes; empty where the key opens a block.
    pub(super) value: &'a str,
}

pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    text.lines().filter_map(|line| {
        let rest = line.trim_start_matches(' ');
        let indent = line.len() - rest.len();
        let rest = rest.trim_end();
        if rest.is_empty() || rest.starts_with('#') {
            return None;
        }
        let (key, value) = split(rest);
        Some(Line { indent, key, value: unquoted(without_comment(value)) })
    })
}

fn split(line: &str) -> (&str, &str) {
    if let Some(quote) = line.chars().next().filter(|c| matches!(c, '"' | '\''))
        && let Some((key, rest)) = line[1..].split_once(quote)
        && let Some(value) = rest.strip_prefix(':')
    {
        return (key, value.trim());
    }
    if let Some((key, value)) = line.split_once(": ") {
        return (key.trim_end(), value.trim());
    }
    (line.strip_suffix(':').unwrap_or(line), "")
}

fn without_comment(value: &str) -> &str {
    if value.starts_with(['"', '\'']) {
        return value;
    }
    value.split_once(" #").map_or(value, |(value, _)| value.trim_end())
}

pub(super) fn unquoted(text: &str) -> &str {
    let inside = |quote: char| text.strip_prefix(quote)?.split(quote).next();
    inside('"').or_else(|| inside('\'')).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn ru1_lines_have_a_depth_a_key_and_a_value() {
        let text = "a:\n  b: 1 # one\n\n# no\n  '@x/y@1(z)': {w: v}\n\"a@npm:^1, a@npm:^2\":\n  c: \"d: # e\" # f\n  version \"1.2\"\n  odd'\n";
        let shown: Vec<_> = lines(text)
            .map(|line| format!("{} [{}] [{}]", line.indent, line.key, line.value))
            .collect();
        expect_test::expect![[r#"
            0 [a] []
            2 [b] [1]
            2 [@x/y@1(z)] [{w: v}]
            0 [a@npm:^1, a@npm:^2] []
            2 [c] [d: # e]
            2 [version "1.2"] []
            2 [odd'] []"#]]
        .assert_eq(&shown.join("\n"));
    }
}
