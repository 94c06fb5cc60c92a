//! Whether an expectation is met, and what the browser shows instead.

use std::time::{Duration, Instant};

use rb_browser::{BrowserError, Target};

use super::CheckVerdict;
use super::observe::{console_error, failed_request};
use super::visit::{Visit, is_negative};
use crate::checks::{Expectation, times};
use crate::preview::Url;

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(50);

/// How many errors or requests an issue names.
const NAMED: usize = 3;

pub(super) struct Evaluation<'a> {
    pub(super) visit: &'a Visit<'a>,
    /// Of the page that was opened first.
    pub(super) status: Option<u16>,
    /// When the last step was done.
    pub(super) since: Instant,
}

/// Why an expectation is not met, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) verdict: CheckVerdict,
    pub(super) actual: String,
    /// Where a page does not look like a picture: a PNG of what differs.
    pub(super) difference: Option<Vec<u8>>,
}

impl Failure {
    fn new(verdict: CheckVerdict, actual: String) -> Failure {
        Failure { verdict, actual, difference: None }
    }
}

type Met = Result<(), Failure>;

fn unless(is_met: bool, actual: impl FnOnce() -> String) -> Met {
    if is_met { Ok(()) } else { Err(Failure::new(CheckVerdict::NotMet, actual())) }
}

impl Evaluation<'_> {
    /// Looks until the expectation is met or the time is up. What must stay away is looked for only after a while.
    pub(super) fn hold(&self, expectation: &Expectation) -> Result<Met, BrowserError> {
        let options = &self.visit.context.options;
        if is_negative(expectation) {
            std::thread::sleep(
                (self.since + options.settle).saturating_duration_since(Instant::now()),
            );
        }
        let until = Instant::now() + options.expect;
        loop {
            let met = self.look(expectation)?;
            let is_final = match expectation {
                // These do not change by waiting.
                Expectation::Status(_)
                | Expectation::Loads
                | Expectation::NoConsoleErrors
                | Expectation::NoFailedRequests => true,
                Expectation::LooksLike { .. } => {
                    met.as_ref().is_err_and(|failure| failure.verdict == CheckVerdict::NotRun)
                }
                _ => false,
            };
            if met.is_ok()
                || is_final
                || Instant::now() >= until
                || self.visit.context.cancel.is_cancelled()
            {
                return Ok(met);
            }
            std::thread::sleep(PAUSE);
        }
    }

    fn look(&self, expectation: &Expectation) -> Result<Met, BrowserError> {
        let page = &self.visit.page;
        Ok(match expectation {
            Expectation::TextPresent(text) => {
                let shown = page.text(None)?;
                unless(contains(&shown, text), || says(&shown))
            }
            Expectation::TextAbsent(text) => {
                let shown = page.text(None)?;
                unless(!contains(&shown, text), || format!("the page shows \"{text}\""))
            }
            Expectation::Exists(target) => {
                if page.is_visible(target)? {
                    Ok(())
                } else {
                    Err(self.no_element(target)?)
                }
            }
            Expectation::Absent(target) => {
                unless(!page.is_visible(target)?, || format!("{target} is visible"))
            }
            Expectation::Count { target, count } => {
                let found = page.count(target)?;
                unless(found == *count, || format!("{target} occurs {}", times(found)))
            }
            Expectation::Enabled(target) => {
                let is_disabled = self.is_disabled(target)?;
                unless(!is_disabled, || format!("{target} is disabled"))
            }
            Expectation::Disabled(target) => {
                let is_disabled = self.is_disabled(target)?;
                unless(is_disabled, || format!("{target} is enabled"))
            }
            Expectation::ValueIs { target, value } => {
                let found = page.value(target)?;
                unless(found == *value, || {
                    format!("the value of {target} is \"{}\"", rb_http::printable(&found))
                })
            }
            Expectation::Status(status) => unless(self.status == Some(*status), || self.answer()),
            Expectation::Loads => {
                unless(self.status.is_some_and(|status| status < 400), || self.answer())
            }
            Expectation::UrlIs(path) => {
                let url = page.url();
                let found = relative(&url, &self.visit.context.preview.url);
                let is_same = found.as_deref().is_some_and(|found| same_path(found, path));
                unless(is_same, || {
                    format!("the URL is {}", rb_http::printable(&found.unwrap_or(url)))
                })
            }
            Expectation::TitleIs(title) => {
                let found = page.title()?;
                unless(found.trim() == title.trim(), || {
                    format!("the title is \"{}\"", rb_http::printable(&found))
                })
            }
            Expectation::NoConsoleErrors => {
                let errors = page.console_errors()?;
                unless(errors.is_empty(), || {
                    list("the console shows", errors.iter().map(console_error))
                })
            }
            Expectation::NoFailedRequests => {
                let failed = page.failed_requests()?;
                unless(failed.is_empty(), || {
                    list("these requests failed:", failed.iter().map(failed_request))
                })
            }
            Expectation::NotBlank => unless(!page.is_blank()?, || "the page is blank".to_owned()),
            Expectation::NoOverflow => {
                let wide = page.overflow()?;
                unless(wide.is_empty(), || {
                    list(
                        "these elements overflow the window:",
                        wide.iter().map(|name| format!("`{name}`")),
                    )
                })
            }
            Expectation::LooksLike { picture, tolerance_percent } => {
                self.looks_like(picture, *tolerance_percent)?
            }
        })
    }

    fn answer(&self) -> String {
        match self.status {
            Some(status) => format!("the server answers with status {status}"),
            None => "the server answers without a status".to_owned(),
        }
    }

    fn no_element(&self, target: &Target) -> Result<Failure, BrowserError> {
        // The browser's own words name what is there instead.
        let actual = match self.visit.page.wait_for(target, Duration::ZERO) {
            Err(BrowserError::Element(error)) => error.to_string(),
            Err(error) => return Err(error),
            Ok(()) => format!("{target} appeared too late"),
        };
        Ok(Failure::new(CheckVerdict::NotMet, actual))
    }

    fn is_disabled(&self, target: &Target) -> Result<bool, BrowserError> {
        let page = &self.visit.page;
        Ok(page.attribute(target, "disabled")?.is_some()
            || page.attribute(target, "aria-disabled")?.is_some_and(|value| value == "true"))
    }

    fn looks_like(&self, name: &str, tolerance_percent: u8) -> Result<Met, BrowserError> {
        let Some(expected) = self.visit.picture(name) else {
            let actual = format!(
                "the picture {} is not available. Put it beside the ticket.",
                rb_http::printable(name)
            );
            return Ok(Err(Failure::new(CheckVerdict::NotRun, actual)));
        };
        let actual = self.visit.page.screenshot(None)?;
        let difference = self.visit.browser.difference(&expected, &actual)?;
        let percent = difference.share * 100.0;
        if percent <= f64::from(tolerance_percent) {
            return Ok(Ok(()));
        }
        let size = if difference.same_size {
            ""
        } else {
            ", and the page has another size than the picture"
        };
        let actual = format!("{percent:.1}% of the pixels differ{size}");
        let differs = Failure::new(CheckVerdict::NotMet, actual);
        Ok(Err(Failure { difference: Some(difference.picture), ..differs }))
    }
}

/// As a person compares: case and spacing do not count.
fn contains(shown: &str, text: &str) -> bool {
    let simple = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    simple(shown).contains(&simple(text))
}

fn says(shown: &str) -> String {
    match rb_http::printable(shown) {
        shown if shown.is_empty() => "the page shows no text".to_owned(),
        shown => format!("the page shows: {shown}"),
    }
}

fn list(head: &str, items: impl ExactSizeIterator<Item = String>) -> String {
    format!("{head} {}", rb_core::at_most(NAMED, items).join("; "))
}

/// Path, query and fragment of `url` below `base`, if both are on the same server.
pub(super) fn relative(url: &str, base: &str) -> Option<String> {
    let (found, base) = (Url::parse(url).ok()?, Url::parse(base).ok()?);
    if !found.is_same_server(&base) {
        return None;
    }
    let rest = url.split_once("://")?.1;
    let rest = rest.find(['/', '?', '#']).map_or("", |at| &rest[at..]);
    let rest = rest
        .strip_prefix(base.path())
        .filter(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#']))?;
    Some(if rest.starts_with('/') { rest.to_owned() } else { format!("/{rest}") })
}

/// A slash at the end does not count.
fn same_path(found: &str, path: &str) -> bool {
    let simple = |path: &str| match path.trim_end_matches('/') {
        "" => "/".to_owned(),
        path => path.to_owned(),
    };
    simple(found) == simple(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tk3_a_url_counts_only_on_the_server_of_the_preview() {
        let check = |url: &str, base: &str, expected: Option<&str>| {
            assert_eq!(relative(url, base).as_deref(), expected, "{url} below {base}");
        };
        check("http://127.0.0.1:3000/cart?a=b#c", "http://127.0.0.1:3000", Some("/cart?a=b#c"));
        check("http://localhost:3000/", "http://127.0.0.1:3000", Some("/"));
        check("http://127.0.0.1:3000", "http://127.0.0.1:3000", Some("/"));
        check("http://127.0.0.1:3001/", "http://127.0.0.1:3000", None);
        check("http://127.0.0.1:3000/app/x", "http://127.0.0.1:3000/app", Some("/x"));
        check("http://127.0.0.1:3000/apple", "http://127.0.0.1:3000/app", None);
        check("https://shop.example/x", "https://shop.example", Some("/x"));
        check("https://shop.example.evil.example/x", "https://shop.example", None);
        check("chrome-error://chromewebdata/", "http://127.0.0.1:3000", None);
    }

    #[test]
    fn tk3_texts_are_compared_as_a_person_does() {
        assert!(contains("Your  CART\nis empty", "cart is"));
        assert!(!contains("Your cart", "cards"));
        assert!(
            same_path("/cart/", "/cart") && same_path("/", "/") && !same_path("/cart?x", "/cart")
        );
    }
}
