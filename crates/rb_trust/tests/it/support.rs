//! Rows of the corpora.

use rb_trust::{Finding, TextKind, scan};

/// An attack, and what it is to be found as.
pub(crate) struct Attack {
    pub(crate) kind: String,
    pub(crate) disguise: String,
    pub(crate) place: TextKind,
    pub(crate) text: String,
}

pub(crate) fn attacks(file: &str) -> Vec<Attack> {
    rows(file, 4)
        .map(|cells| Attack {
            kind: cells[0].to_owned(),
            disguise: cells[1].to_owned(),
            place: place(cells[2]),
            text: unescaped(cells[3]),
        })
        .collect()
}

pub(crate) fn harmless(file: &str) -> Vec<(TextKind, String)> {
    rows(file, 2).map(|cells| (place(cells[0]), unescaped(cells[1]))).collect()
}

fn rows(file: &str, cells: usize) -> impl Iterator<Item = Vec<&str>> {
    file.lines().filter(|line| !line.starts_with('#')).map(move |line| {
        let row: Vec<&str> = line.split('\t').collect();
        assert_eq!(row.len(), cells, "{line}");
        row
    })
}

fn place(name: &str) -> TextKind {
    match name {
        "message" => TextKind::Message,
        "prose" => TextKind::Prose,
        "code" => TextKind::Code,
        "data" => TextKind::Data,
        "guide" => TextKind::Guide,
        other => panic!("no place is called {other}"),
    }
}

/// `\n`, `\t`, `\\` and `\u{hex}`.
pub(crate) fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let code = &rest[at + 1..];
        if let Some(hex) = code.strip_prefix("u{") {
            let (hex, after) = hex.split_once('}').expect("an escape ends");
            out.push(char::from_u32(u32::from_str_radix(hex, 16).unwrap()).unwrap());
            rest = after;
        } else {
            out.push(match code.chars().next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('\\') => '\\',
                other => panic!("no escape is written {other:?}: {text}"),
            });
            rest = &code[1..];
        }
    }
    out + rest
}

/// What is found, a line each.
pub(crate) fn shown(findings: &[Finding]) -> String {
    findings
        .iter()
        .map(|it| {
            let how: String =
                it.disguises.iter().map(|disguise| format!(" +{disguise:?}")).collect();
            format!(
                "{}:{} {} {}{how}: {}\n    {}\n",
                it.line,
                it.column,
                it.score,
                it.kind.name(),
                it.why,
                it.excerpt
            )
        })
        .collect()
}

pub(crate) fn found(text: &str, place: TextKind) -> Vec<Finding> {
    let findings = scan(text, place);
    for it in &findings {
        assert!(it.start < it.end && it.end <= text.len(), "{it:?}");
        assert!(text.is_char_boundary(it.start) && text.is_char_boundary(it.end), "{it:?}");
    }
    assert!(findings.is_sorted_by_key(|it| (it.start, it.end)));
    findings
}
