//! One check on a page of its own: open it, take the steps, compare.

use std::time::Instant;

use rb_browser::{Browser, BrowserError, Page, Target, png_size};
use rb_core::fs;

use super::evaluate::{Evaluation, Failure, relative};
use super::{CheckVerdict, VerifyContext, VerifyError};
use crate::checks::{By, Check, Expectation, Step, Viewport};

/// Between expectations in one text.
pub(super) const AND: &str = "; ";

const LARGEST_PICTURE: u64 = 32 << 20;

pub(super) struct Visit<'a> {
    pub(super) context: &'a VerifyContext<'a>,
    pub(super) browser: &'a Browser,
    pub(super) page: Page,
    check: &'a Check,
    viewport: Viewport,
}

/// What a check came to, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Outcome {
    pub(super) verdict: CheckVerdict,
    pub(super) expected: String,
    pub(super) actual: String,
    pub(super) detail: Option<Detail>,
}

/// A picture of what is wrong, beside that of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Detail {
    /// In the name of its file: `element` or `difference`.
    pub(super) what: &'static str,
    pub(super) png: Vec<u8>,
}

impl<'a> Visit<'a> {
    pub(super) fn new(
        context: &'a VerifyContext<'a>,
        browser: &'a Browser,
        check: &'a Check,
    ) -> Result<Visit<'a>, VerifyError> {
        let page = browser.page()?;
        let mut visit = Visit { context, browser, page, check, viewport: Viewport::DESKTOP };
        visit.viewport =
            check.viewport.or_else(|| visit.picture_size()).unwrap_or(Viewport::DESKTOP);
        visit.page.set_viewport(visit.viewport.width, visit.viewport.height)?;
        Ok(visit)
    }

    /// A page is compared with a picture in a window of the picture's size.
    fn picture_size(&self) -> Option<Viewport> {
        self.check.expect.iter().find_map(|expectation| match expectation {
            Expectation::LooksLike { picture, .. } => {
                let (width, height) = png_size(&self.picture(picture)?)?;
                Some(Viewport { width: width.clamp(200, 4_000), height: height.clamp(200, 4_000) })
            }
            _ => None,
        })
    }

    /// An expected picture, if the caller has it.
    pub(super) fn picture(&self, name: &str) -> Option<Vec<u8>> {
        fs::read_head(self.context.pictures.get(name)?, LARGEST_PICTURE).ok()
    }

    pub(super) fn viewport(&self) -> Viewport {
        self.viewport
    }

    pub(super) fn url(&self) -> String {
        self.page.url()
    }

    /// Opens the page without expecting anything.
    pub(super) fn look(&self) {
        // The picture shows what came of it.
        let _ =
            self.page.goto(&self.address(&self.check.path), self.context.options.load.min(LOOK));
    }

    fn address(&self, path: &str) -> String {
        format!("{}{path}", self.context.preview.url)
    }

    /// An error ends the verification; whatever the page does wrong is an outcome.
    pub(super) fn carry_out(&self) -> Result<Outcome, VerifyError> {
        let not_met = |expected: String, actual: String| Outcome {
            verdict: CheckVerdict::NotMet,
            expected,
            actual,
            detail: None,
        };
        let load = self.context.options.load;
        let first = match self.page.goto(&self.address(&self.check.path), load) {
            Ok(loaded) => loaded,
            Err(error) => {
                return words(error)
                    .map(|actual| not_met(format!("{} loads", self.check.path), actual));
            }
        };
        for step in &self.check.steps {
            if let Err(error) = self.act(step) {
                let outcome = not_met(step.to_string(), words(error)?);
                return Ok(Outcome { detail: self.element(target_of_step(step))?, ..outcome });
            }
        }
        let since = Instant::now();
        // What must be there is waited for; only then can something be missing.
        let (absent, present): (Vec<_>, Vec<_>) =
            self.check.expect.iter().partition(|one| is_negative(one));
        let evaluation = Evaluation { visit: self, status: first.status, since };
        let mut failures: Vec<(String, Failure)> = Vec::new();
        let mut detail = None;
        for expectation in present.into_iter().chain(absent) {
            match evaluation.hold(expectation) {
                Ok(Ok(())) => {}
                Ok(Err(failure)) => {
                    let difference = failure.difference.clone();
                    detail = match difference.map(|png| Detail { what: "difference", png }) {
                        Some(detail) => Some(detail),
                        None => self.element(target_of(expectation).as_ref())?,
                    };
                    failures.push((expectation.to_string(), failure));
                }
                Err(error) => {
                    return words(error).map(|actual| not_met(expectation.to_string(), actual));
                }
            }
            // A page is described by all that is wrong with it, a criterion by the first thing.
            if !failures.is_empty() && self.check.by != By::Always {
                break;
            }
        }
        if let Some((_, first)) = failures.first() {
            let verdict = first.verdict;
            let (expected, actual): (Vec<String>, Vec<String>) =
                failures.into_iter().map(|(expected, failure)| (expected, failure.actual)).unzip();
            let (expected, actual) = (expected.join(AND), actual.join(AND));
            return Ok(Outcome { verdict, expected, actual, detail });
        }
        let url = self.page.url();
        if relative(&url, &self.context.preview.url).is_none() {
            let actual =
                format!("the browser is at {}, which is not the app", rb_http::printable(&url));
            return Ok(not_met("the browser stays on the app".to_owned(), actual));
        }
        let expected =
            self.check.expect.iter().map(ToString::to_string).collect::<Vec<_>>().join(AND);
        let actual = "as expected".to_owned();
        Ok(Outcome { verdict: CheckVerdict::Met, expected, actual, detail: None })
    }

    fn act(&self, step: &Step) -> Result<(), BrowserError> {
        let options = &self.context.options;
        match step {
            Step::Goto(path) => self.page.goto(&self.address(path), options.load).map(drop),
            Step::Click(target) => self.page.click(target),
            Step::Type { into, text } => self.page.type_text(into, text),
            Step::Select { target, option } => self.page.select(target, option),
            Step::Hover(target) => self.page.hover(target),
            Step::Press(key) => self.page.press(None, key),
            Step::WaitForText(text) => self.page.wait_for_text(text, options.expect),
        }
    }

    /// A PNG, or nothing where the page cannot be drawn.
    pub(super) fn screenshot(&self) -> Result<Option<Vec<u8>>, VerifyError> {
        // A page that is just being replaced cannot be drawn; what replaces it can.
        drawn(self.page.screenshot(None).or_else(|_| self.page.screenshot(None)))
    }

    /// A picture of the element that a failed check is about, if it is on the page.
    fn element(&self, target: Option<&Target>) -> Result<Option<Detail>, VerifyError> {
        let Some(target) = target else { return Ok(None) };
        let is_visible = drawn(self.page.is_visible(target))?.unwrap_or(false);
        let png = if is_visible { drawn(self.page.screenshot(Some(target)))? } else { None };
        Ok(png.map(|png| Detail { what: "element", png }))
    }
}

/// Nothing where the page is to blame; any other error ends the verification.
fn drawn<T>(drawn: Result<T, BrowserError>) -> Result<Option<T>, VerifyError> {
    match drawn {
        Ok(drawn) => Ok(Some(drawn)),
        Err(error) => words(error).map(|_| None),
    }
}

/// The element that a step acts on.
fn target_of_step(step: &Step) -> Option<&Target> {
    match step {
        Step::Click(target)
        | Step::Type { into: target, .. }
        | Step::Select { target, .. }
        | Step::Hover(target) => Some(target),
        Step::Goto(_) | Step::Press(_) | Step::WaitForText(_) => None,
    }
}

/// The element that an expectation is about.
fn target_of(expectation: &Expectation) -> Option<Target> {
    match expectation {
        Expectation::TextAbsent(text) => Some(Target::Text(text.clone())),
        Expectation::Exists(target)
        | Expectation::Absent(target)
        | Expectation::Count { target, .. }
        | Expectation::Enabled(target)
        | Expectation::Disabled(target)
        | Expectation::ValueIs { target, .. } => Some(target.clone()),
        Expectation::TextPresent(_)
        | Expectation::Status(_)
        | Expectation::Loads
        | Expectation::UrlIs(_)
        | Expectation::TitleIs(_)
        | Expectation::NoConsoleErrors
        | Expectation::NoFailedRequests
        | Expectation::NotBlank
        | Expectation::NoOverflow
        | Expectation::LooksLike { .. } => None,
    }
}

const LOOK: std::time::Duration = std::time::Duration::from_secs(2);

/// What must stay away, rather than come.
pub(super) fn is_negative(expectation: &Expectation) -> bool {
    match expectation {
        Expectation::TextAbsent(_)
        | Expectation::Absent(_)
        | Expectation::Count { .. }
        | Expectation::NoConsoleErrors
        | Expectation::NoFailedRequests
        | Expectation::NoOverflow => true,
        Expectation::TextPresent(_)
        | Expectation::Exists(_)
        | Expectation::Enabled(_)
        | Expectation::Disabled(_)
        | Expectation::ValueIs { .. }
        | Expectation::Status(_)
        | Expectation::Loads
        | Expectation::UrlIs(_)
        | Expectation::TitleIs(_)
        | Expectation::NotBlank
        | Expectation::LooksLike { .. } => false,
    }
}

/// The words of an error that the page is to blame for; any other one ends the verification.
fn words(error: BrowserError) -> Result<String, VerifyError> {
    match error {
        BrowserError::TooSlow { .. }
        | BrowserError::Refused { .. }
        | BrowserError::Unreadable { .. }
        | BrowserError::Failed { .. }
        | BrowserError::Picture { .. }
        | BrowserError::Crashed
        | BrowserError::Url { .. }
        | BrowserError::Unreachable { .. }
        | BrowserError::ServerEnded { .. }
        | BrowserError::NotLoaded { .. }
        | BrowserError::Element(_) => Ok(error.to_string()),
        BrowserError::Missing
        | BrowserError::NotAProgram { .. }
        | BrowserError::Ended { .. }
        | BrowserError::Cancelled(_)
        | BrowserError::Sandbox(_)
        | BrowserError::Fs(_)
        | BrowserError::PortTaken { .. }
        | BrowserError::Pipe(_) => Err(error.into()),
    }
}
