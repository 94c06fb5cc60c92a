//! Comments that stand for code the answer left out. Writing one into a file would delete that code.

/// Whether a line is a comment such as `// ... rest of the code unchanged ...`.
pub(super) fn is_elision(line: &[u8]) -> bool {
    const MARKS: [&str; 8] = ["//", "#", "/*", "{/*", "*", "<!--", "--", ";"];
    const WORDS: [&str; 8] = [
        "rest of",
        "existing",
        "unchanged",
        "remaining",
        "same as before",
        "previous code",
        "omitted",
        "other code",
    ];
    let Ok(text) = std::str::from_utf8(line) else { return false };
    let text = text.trim();
    let is_comment = MARKS.iter().any(|mark| text.starts_with(mark));
    let has_dots = text.contains("...") || text.contains('\u{2026}');
    let lower = text.to_lowercase();
    is_comment && has_dots && WORDS.iter().any(|word| lower.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sa4_left_out_code_is_told_from_comments() {
        for line in
            ["// ... existing code ...", "  # ... rest of the file", "{/* \u{2026} unchanged */}"]
        {
            assert!(is_elision(line.as_bytes()), "{line}");
        }
        for line in
            ["// see the rest of it", "f(...rest)", "print('... existing')", "// loading..."]
        {
            assert!(!is_elision(line.as_bytes()), "{line}");
        }
    }
}
