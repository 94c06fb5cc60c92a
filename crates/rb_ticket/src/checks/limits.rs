//! What a check may ask of the browser. A model's check that breaks a limit is rejected with the reason.

use thiserror::Error;

use super::{By, Check, Expectation, Step, Target, Viewport};

const MAX_STEPS: usize = 30;
const MAX_EXPECTATIONS: usize = 20;
const MAX_TEXT: usize = 2_000;
const WIDTHS: std::ops::RangeInclusive<u32> = 200..=4_000;

/// Why a check is not carried out.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadCheck {
    #[error(
        "`{0}` is not a path of the app. Give a path that begins with one `/`, such as `/cart`."
    )]
    Path(String),
    #[error("the check expects nothing. Give at least one expectation.")]
    NoExpectation,
    #[error("the ticket has no criterion `{0}`. Use one of its ids, or null.")]
    Criterion(String),
    #[error("{count} {what} are more than {most}. Split the check.")]
    TooMany { what: &'static str, count: usize, most: usize },
    #[error("a text has {count} characters, more than {most}. Shorten it.")]
    TooLong { count: usize, most: usize },
    #[error("{what} is empty. Say what to look for.")]
    Empty { what: &'static str },
    #[error("a window of {0} cannot be shown. Use {min} to {max} pixels a side.", min = WIDTHS.start(), max = WIDTHS.end())]
    Viewport(Viewport),
    #[error("`{0}` is not the name of an attachment of the ticket.")]
    Picture(String),
}

impl Check {
    /// A check that a model answered with: its own word on who wants it does not count, and what it names must exist in the ticket.
    pub fn from_model(mut self, criteria: &[&str], pictures: &[&str]) -> Result<Check, BadCheck> {
        self.by = By::Model;
        self.validate()?;
        if let Some(id) = &self.criterion
            && !criteria.contains(&id.as_str())
        {
            return Err(BadCheck::Criterion(rb_http::printable(id)));
        }
        for expectation in &self.expect {
            if let Expectation::LooksLike { picture, .. } = expectation
                && !pictures.contains(&picture.as_str())
            {
                return Err(BadCheck::Picture(rb_http::printable(picture)));
            }
        }
        Ok(self)
    }

    /// Whether the check stays on the app and within the limits.
    pub fn validate(&self) -> Result<(), BadCheck> {
        if self.expect.is_empty() {
            return Err(BadCheck::NoExpectation);
        }
        at_most("steps", self.steps.len(), MAX_STEPS)?;
        at_most("expectations", self.expect.len(), MAX_EXPECTATIONS)?;
        short(&self.says)?;
        path(&self.path)?;
        if let Some(viewport) = self.viewport
            && !(WIDTHS.contains(&viewport.width) && WIDTHS.contains(&viewport.height))
        {
            return Err(BadCheck::Viewport(viewport));
        }
        self.steps.iter().try_for_each(step)?;
        self.expect.iter().try_for_each(expectation)
    }
}

fn step(step: &Step) -> Result<(), BadCheck> {
    match step {
        Step::Goto(to) => path(to),
        Step::Click(on) | Step::Hover(on) => target(on),
        Step::Type { into, text } => target(into).and_then(|()| short(text)),
        Step::Select { target: list, option } => target(list).and_then(|()| short(option)),
        Step::Press(key) => filled("a key", key),
        Step::WaitForText(text) => filled("a text", text),
    }
}

fn expectation(expectation: &Expectation) -> Result<(), BadCheck> {
    match expectation {
        Expectation::TextPresent(text) | Expectation::TextAbsent(text) => filled("a text", text),
        Expectation::Exists(on)
        | Expectation::Absent(on)
        | Expectation::Enabled(on)
        | Expectation::Disabled(on)
        | Expectation::Count { target: on, .. } => target(on),
        Expectation::ValueIs { target: on, value } => target(on).and_then(|()| short(value)),
        Expectation::UrlIs(to) => path(to),
        Expectation::TitleIs(title) => short(title),
        Expectation::LooksLike { picture, .. } => filled("a picture", picture),
        Expectation::Status(_)
        | Expectation::Loads
        | Expectation::NoConsoleErrors
        | Expectation::NoFailedRequests
        | Expectation::NotBlank
        | Expectation::NoOverflow => Ok(()),
    }
}

fn target(target: &Target) -> Result<(), BadCheck> {
    match target {
        Target::Css(text) | Target::Text(text) | Target::Label(text) => filled("a target", text),
        Target::Role { role, name } => filled("a role", role).and_then(|()| short(name)),
    }
}

/// `//host` and `/\host` are addresses of other servers to a browser.
pub(super) fn path(path: &str) -> Result<(), BadCheck> {
    let rest = path.strip_prefix('/');
    let is_plain = |rest: &str| {
        !rest.starts_with(['/', '\\'])
            && !rest.contains(|c: char| c.is_control() || c.is_whitespace())
    };
    short(path)?;
    match rest {
        Some(rest) if is_plain(rest) => Ok(()),
        Some(_) | None => Err(BadCheck::Path(rb_http::printable(path))),
    }
}

fn filled(what: &'static str, text: &str) -> Result<(), BadCheck> {
    if text.trim().is_empty() { Err(BadCheck::Empty { what }) } else { short(text) }
}

fn short(text: &str) -> Result<(), BadCheck> {
    let count = text.chars().count();
    if count > MAX_TEXT { Err(BadCheck::TooLong { count, most: MAX_TEXT }) } else { Ok(()) }
}

fn at_most(what: &'static str, count: usize, most: usize) -> Result<(), BadCheck> {
    if count > most { Err(BadCheck::TooMany { what, count, most }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(json: &str) -> String {
        let check: Check = serde_json::from_str(json).unwrap();
        match check.from_model(&["C1"], &["cart.png"]) {
            Ok(check) => format!("{} by {}", check, check.by.name()),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn tk3_a_model_s_check_stays_on_the_app_and_within_the_limits() {
        let expect = r#""expect": [{"text_present": "x"}]"#;
        let said = |json: &str| check(&format!("{{\"says\": \"s\", {json}}}"));
        let rows = [
            said(&format!(r#""path": "/cart", "by": "always", "criterion": "C1", {expect}"#)),
            said(&format!(r#""path": "//evil.example/", {expect}"#)),
            said(&format!(r#""path": "/\\evil.example", {expect}"#)),
            said(&format!(r#""path": "https://evil.example/", {expect}"#)),
            said(&format!(r#""path": "/", "criterion": "C9", {expect}"#)),
            said(&format!(
                r#""path": "/", "steps": [{{"goto": "javascript:alert(1)"}}], {expect}"#
            )),
            said(&format!(r#""path": "/", "viewport": {{"width": 10, "height": 900}}, {expect}"#)),
            said(r#""path": "/", "expect": []"#),
            said(r#""path": "/", "expect": [{"looks_like": {"picture": "/etc/passwd"}}]"#),
            said(r#""path": "/", "expect": [{"looks_like": {"picture": "cart.png"}}]"#),
            said(r#""path": "/", "expect": [{"text_absent": " "}]"#),
        ];
        expect_test::expect![[r#"
            open /cart: the page shows "x" by model
            `//evil.example/` is not a path of the app. Give a path that begins with one `/`, such as `/cart`.
            `/\evil.example` is not a path of the app. Give a path that begins with one `/`, such as `/cart`.
            `https://evil.example/` is not a path of the app. Give a path that begins with one `/`, such as `/cart`.
            the ticket has no criterion `C9`. Use one of its ids, or null.
            `javascript:alert(1)` is not a path of the app. Give a path that begins with one `/`, such as `/cart`.
            a window of 10×900 cannot be shown. Use 200 to 4000 pixels a side.
            the check expects nothing. Give at least one expectation.
            `/etc/passwd` is not the name of an attachment of the ticket.
            open /: the page looks like cart.png (at most 1% of the pixels differ) by model
            a text is empty. Say what to look for."#]]
        .assert_eq(&rows.join("\n"));
    }
}
