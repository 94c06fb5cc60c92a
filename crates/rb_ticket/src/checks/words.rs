//! Steps and expectations in plain English, for issues, reports and pull requests.

use std::fmt;

use super::{By, Check, Expectation, Step, Viewport};

impl fmt::Display for Viewport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}×{}", self.width, self.height)
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Goto(path) => write!(f, "open {path}"),
            Step::Click(target) => write!(f, "click {target}"),
            Step::Type { into, text } => write!(f, "type \"{text}\" into {into}"),
            Step::Select { target, option } => write!(f, "select \"{option}\" in {target}"),
            Step::Hover(target) => write!(f, "hover over {target}"),
            Step::Press(key) => write!(f, "press {key}"),
            Step::WaitForText(text) => write!(f, "wait for \"{text}\""),
        }
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expectation::TextPresent(text) => write!(f, "the page shows \"{text}\""),
            Expectation::TextAbsent(text) => write!(f, "the page does not show \"{text}\""),
            Expectation::Exists(target) => write!(f, "{target} is visible"),
            Expectation::Absent(target) => write!(f, "{target} is not visible"),
            Expectation::Count { target, count } => {
                write!(f, "{target} occurs exactly {}", times(*count))
            }
            Expectation::Enabled(target) => write!(f, "{target} is enabled"),
            Expectation::Disabled(target) => write!(f, "{target} is disabled"),
            Expectation::ValueIs { target, value } if value.is_empty() => {
                write!(f, "{target} is empty")
            }
            Expectation::ValueIs { target, value } => {
                write!(f, "the value of {target} is \"{value}\"")
            }
            Expectation::Status(status) => write!(f, "the server answers with status {status}"),
            Expectation::Loads => write!(f, "the server answers with a status below 400"),
            Expectation::UrlIs(path) => write!(f, "the URL is {path}"),
            Expectation::TitleIs(title) => write!(f, "the title is \"{title}\""),
            Expectation::NoConsoleErrors => write!(f, "the console shows no errors"),
            Expectation::NoFailedRequests => write!(f, "no request fails"),
            Expectation::NotBlank => write!(f, "the page is not blank"),
            Expectation::NoOverflow => write!(f, "nothing overflows the window horizontally"),
            Expectation::LooksLike { picture, tolerance_percent } => {
                write!(
                    f,
                    "the page looks like {picture} (at most {tolerance_percent}% of the pixels differ)"
                )
            }
        }
    }
}

pub(crate) fn times(count: usize) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        count => format!("{count} times"),
    }
}

impl Check {
    /// Where it looks: the path that it opened last, and the window if it is not the usual one.
    pub fn location(&self) -> String {
        let opened = self.steps.iter().rev().find_map(|step| match step {
            Step::Goto(path) => Some(path),
            _ => None,
        });
        let path = opened.unwrap_or(&self.path);
        match self.viewport {
            Some(viewport) => format!("{path} at {viewport}"),
            None => path.clone(),
        }
    }
}

impl By {
    pub fn name(self) -> &'static str {
        match self {
            By::Criterion => "criterion",
            By::Model => "model",
            By::Always => "always",
        }
    }
}

/// The whole check on one line.
impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "open {}", self.location())?;
        for step in &self.steps {
            write!(f, ", {step}")?;
        }
        for (nth, expectation) in self.expect.iter().enumerate() {
            write!(f, "{}{expectation}", if nth == 0 { ": " } else { "; " })?;
        }
        Ok(())
    }
}
