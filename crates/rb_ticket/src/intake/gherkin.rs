//! Given, When and Then, in a code block, in a list or as plain lines.

/// The steps of one scenario.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Scenario {
    /// The numbers of its lines. "When I save, it closes" alone is no scenario, and its line is free for others.
    pub(super) lines: Vec<usize>,
    pub(super) name: String,
    pub(super) given: Vec<String>,
    pub(super) when: Vec<String>,
    pub(super) then: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Given,
    When,
    Then,
    /// `And`, `But` and `*` repeat the step before.
    Same,
}

const MOST_STEPS: usize = 20;

/// Reads lines one after the other and keeps the scenarios that expect something.
#[derive(Debug, Default)]
pub(super) struct Scenarios {
    finished: Vec<Scenario>,
    current: Scenario,
    last: Option<Step>,
    background: Vec<String>,
    background_lines: Vec<usize>,
    in_background: bool,
}

impl Scenarios {
    pub(super) fn finish(mut self) -> Vec<Scenario> {
        self.close();
        self.finished
    }

    /// A scenario does not go on in another block of text.
    pub(super) fn close(&mut self) {
        let mut scenario = std::mem::take(&mut self.current);
        self.last = None;
        let has_start = !scenario.given.is_empty() || !scenario.when.is_empty();
        let is_whole = has_start && !scenario.then.is_empty();
        if self.in_background {
            self.background = scenario.given;
            self.background_lines = scenario.lines;
        } else if is_whole {
            scenario.given.splice(0..0, self.background.iter().cloned());
            scenario.lines.append(&mut self.background_lines);
            self.finished.push(scenario);
        }
        self.in_background = false;
    }

    /// A line that is no part of a scenario ends the one before it.
    pub(super) fn line(&mut self, number: usize, line: &str) {
        if let Some(name) = title(line, &["scenario outline", "scenario", "example", "rule"]) {
            self.close();
            name.clone_into(&mut self.current.name);
        } else if title(line, &["background"]) == Some("") {
            self.close();
            self.in_background = true;
        } else if title(line, &["feature"]).is_some() {
            self.close();
            self.background.clear();
        } else if let Some((step, text)) = step(line) {
            for (step, text) in in_one_line(step, text) {
                self.step(step, text);
            }
        } else if !line.is_empty() && !line.starts_with(['@', '#', '|', '"']) {
            self.close();
            return;
        }
        self.current.lines.push(number);
    }

    fn step(&mut self, step: Step, text: &str) {
        let step = match (step, self.last) {
            (Step::Same, None) => return,
            (Step::Same, Some(last)) => last,
            (step, _) => step,
        };
        match (step, self.last) {
            (Step::Given, Some(Step::When | Step::Then)) => self.close(),
            // Another action from the same start.
            (Step::When, Some(Step::Then)) => {
                let (name, given) = (self.current.name.clone(), self.current.given.clone());
                self.close();
                self.current = Scenario { name, given, ..Scenario::default() };
            }
            _ => {}
        }
        self.last = Some(step);
        let steps = match step {
            Step::Given | Step::Same => &mut self.current.given,
            Step::When => &mut self.current.when,
            Step::Then => &mut self.current.then,
        };
        if steps.len() < MOST_STEPS {
            steps.push(text.to_owned());
        }
    }
}

/// The name behind `Scenario:` and its like.
fn title<'t>(line: &'t str, keywords: &[&str]) -> Option<&'t str> {
    let (keyword, name) = line.split_once(':')?;
    keywords.contains(&keyword.trim().to_lowercase().as_str()).then(|| name.trim())
}

fn step(line: &str) -> Option<(Step, &str)> {
    let line = line.trim_start_matches(['*', '_']);
    let (keyword, text) = line.split_once([' ', ',', ':'])?;
    let step = match keyword.trim_end_matches(['*', '_']).to_lowercase().as_str() {
        "given" => Step::Given,
        "when" => Step::When,
        "then" => Step::Then,
        "and" | "but" => Step::Same,
        _ => return None,
    };
    let text = text.trim_matches(|c: char| c.is_whitespace() || "*_:,".contains(c));
    (!text.is_empty()).then_some((step, text))
}

/// "Given a cart, when I pay, then it is empty" on one line.
fn in_one_line(first: Step, text: &str) -> Vec<(Step, &str)> {
    let mut out = Vec::new();
    let (mut step, mut rest) = (first, text);
    for (next, word) in [(Step::When, " when "), (Step::Then, " then ")] {
        let is_later = matches!((step, next), (Step::Given, _) | (Step::When, Step::Then));
        let lower = rest.to_ascii_lowercase();
        if let Some(at) = lower.find(word).filter(|_| is_later) {
            out.push((step, trimmed(&rest[..at])));
            (step, rest) = (next, &rest[at + word.len()..]);
        }
    }
    out.push((step, trimmed(rest)));
    out
}

fn trimmed(text: &str) -> &str {
    let text = text.trim().trim_end_matches([',', ';', '.']);
    text.strip_suffix(" and").unwrap_or(text).trim_end_matches(',')
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, expected: &Expect) {
        let mut reader = Scenarios::default();
        for (number, line) in text.lines().enumerate() {
            reader.line(number, line.trim());
        }
        let list = |steps: &[String]| steps.join(" & ");
        let shown: Vec<String> = reader
            .finish()
            .iter()
            .map(|s| {
                format!("{}: {} | {} | {}", s.name, list(&s.given), list(&s.when), list(&s.then))
            })
            .collect();
        expected.assert_eq(&shown.join("\n"));
    }

    #[test]
    fn tk1_scenarios_are_read_in_all_their_forms() {
        check(
            "Feature: Cart\nBackground:\n Given a shop\nScenario: Pay\n Given a cart\n And a voucher\n When I pay\n Then it is empty\n But the voucher stays",
            &expect!["Pay: a shop & a cart & a voucher | I pay | it is empty & the voucher stays"],
        );
        check(
            "Given a cart, when I pay, then it is empty.\nGIVEN b\nTHEN c\nWHEN d\nTHEN e",
            &expect![[r"
                : a cart | I pay | it is empty
                : b |  | c
                : b | d | e"]],
        );
        check("Given the time, we wait.\nThen we go", &expect![": the time, we wait |  | we go"]);
        check("Then nothing else\nAnd more", &expect![""]);
        check("given İ when x then y", &expect![": İ | x | y"]);
    }
}
