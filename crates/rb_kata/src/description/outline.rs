//! What was understood of a kata, as plain text: for `kata --dry-run` and for reports of problems.

use rb_core::text::plural;

use super::Kata;
use crate::constraint::ConstraintKind;

const WIDTH: usize = 100;

impl Kata {
    /// Title, requirements, examples, constraints with the way they are checked, and problems.
    pub fn outline(&self) -> String {
        let mut lines = Vec::new();
        wrap("", &self.title, &mut lines);
        let requirements = self.requirements.iter().enumerate();
        section(
            "Requirements",
            requirements.map(|(at, text)| (format!("{}. ", at + 1), text.clone())),
            &mut lines,
        );
        section(
            "Examples",
            self.examples.iter().map(|text| ("- ".to_owned(), text.clone())),
            &mut lines,
        );
        let constraints = self.constraints.iter().map(|constraint| {
            ("- ".to_owned(), format!("{} ({})", constraint.text, how(constraint.kind)))
        });
        section("Constraints", constraints, &mut lines);
        let problems = self.problems.iter().map(|problem| {
            let mark = if problem.is_fatal { "error: " } else { "warning: " };
            (mark.to_owned(), problem.text.clone())
        });
        section("Problems", problems, &mut lines);
        let mut outline = lines.join("\n");
        outline.push('\n');
        outline
    }
}

/// A heading and its entries, each with its mark. Nothing without entries.
fn section(
    heading: &str,
    entries: impl Iterator<Item = (String, String)>,
    lines: &mut Vec<String>,
) {
    for (at, (mark, text)) in entries.enumerate() {
        if at == 0 {
            lines.push(String::new());
            lines.push(heading.to_owned());
        }
        entry(&format!("  {mark}"), &text, lines);
    }
}

/// An entry of one line is wrapped; lines of code stay as they are.
fn entry(mark: &str, text: &str, lines: &mut Vec<String>) {
    if !text.contains('\n') {
        wrap(mark, text, lines);
        return;
    }
    let margin = " ".repeat(mark.chars().count());
    for (at, line) in text.lines().enumerate() {
        let begin = if at == 0 { mark } else { margin.as_str() };
        lines.push(format!("{begin}{}", visible(line)).trim_end().to_owned());
    }
}

fn wrap(mark: &str, text: &str, lines: &mut Vec<String>) {
    let text = visible(text);
    let margin = mark.chars().count();
    let mut line = mark.to_owned();
    let mut width = margin;
    let mut is_empty = true;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if !is_empty && width + 1 + length > WIDTH {
            lines.push(std::mem::replace(&mut line, " ".repeat(margin)));
            width = margin;
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
            width += 1;
        }
        line.push_str(word);
        width += length;
        is_empty = false;
    }
    lines.push(line);
}

/// Escape sequences in a kata must not reach the terminal.
fn visible(text: &str) -> String {
    let shown = |sign: char| match sign {
        '\t' => ' ',
        _ if sign.is_control() => '�',
        _ => sign,
    };
    text.chars().map(shown).collect()
}

/// How a constraint is checked.
fn how(kind: ConstraintKind) -> String {
    let most = |limit: u32, what: &str| {
        format!("checked: at most {}", plural(usize::try_from(limit).unwrap_or(usize::MAX), what))
    };
    match kind {
        ConstraintKind::IndentationDepth(limit) => {
            format!("{} of indentation", most(limit, "level"))
        }
        ConstraintKind::NoElse => "checked: no `else`".to_owned(),
        ConstraintKind::FunctionLength(limit) => format!("{} in a function", most(limit, "line")),
        ConstraintKind::ClassLength(limit) => format!("{} in a class", most(limit, "line")),
        ConstraintKind::NoGettersOrSetters => "checked: no getters or setters".to_owned(),
        ConstraintKind::InstanceVariables(limit) => {
            format!("{} in a class", most(limit, "instance variable"))
        }
        ConstraintKind::OneDotPerLine => "checked: one dot per line".to_owned(),
        ConstraintKind::WrappedPrimitives => "checked: no bare primitives".to_owned(),
        ConstraintKind::FirstClassCollections => "checked: first-class collections".to_owned(),
        ConstraintKind::NoAbbreviations => "checked: no abbreviations".to_owned(),
        ConstraintKind::Parameters(limit) => {
            format!("{} of a function", most(limit, "parameter"))
        }
        ConstraintKind::NoLoops => "checked: no loops".to_owned(),
        ConstraintKind::NoConditionals => "checked: no conditionals".to_owned(),
        ConstraintKind::NoMutation => "checked: no mutation".to_owned(),
        ConstraintKind::Judged => "judged by the model".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Problem;
    use super::*;
    use crate::constraint::Constraint;

    fn kata() -> Kata {
        let constraint = |text: &str, kind| Constraint { text: text.to_owned(), kind };
        Kata {
            title: "Bowling".to_owned(),
            slug: "bowling".to_owned(),
            text: String::new(),
            requirements: vec!["Ten pins.".to_owned(), "word ".repeat(30)],
            examples: vec!["1 -> 2".to_owned(), "a\n  b\u{1b}[31m".to_owned()],
            constraints: vec![
                constraint("Never use else", ConstraintKind::NoElse),
                constraint("One level", ConstraintKind::IndentationDepth(1)),
                constraint("Be kind", ConstraintKind::Judged),
            ],
            hints: Vec::new(),
            problems: vec![
                Problem { is_fatal: false, text: "No title.".to_owned() },
                Problem { is_fatal: true, text: "Nothing.".to_owned() },
            ],
        }
    }

    #[test]
    fn ka9_the_outline_shows_what_was_understood() {
        let long = ["word"; 19].join(" ");
        let rest = ["word"; 11].join(" ");
        let expected = format!(
            "Bowling\n\nRequirements\n  1. Ten pins.\n  2. {long}\n     {rest}\n\n\
             Examples\n  - 1 -> 2\n  - a\n      b�[31m\n\n\
             Constraints\n  - Never use else (checked: no `else`)\n  \
             - One level (checked: at most 1 level of indentation)\n  \
             - Be kind (judged by the model)\n\n\
             Problems\n  warning: No title.\n  error: Nothing.\n"
        );
        assert_eq!(kata().outline(), expected);
    }

    #[test]
    fn ka9_lines_of_the_outline_are_short() {
        for line in kata().outline().lines() {
            assert!(line.chars().count() <= WIDTH, "{line}");
        }
    }
}
