//! Pages as they are, for whoever plans checks. Nothing is judged, and no picture is kept.

use rb_browser::Browser;

use super::observe::{Observation, observe};
use super::{VerifyContext, VerifyError, setup};

/// What the browser shows at these paths. A page that does not load is left out.
pub fn look(
    context: &VerifyContext<'_>,
    paths: &[String],
) -> Result<Vec<Observation>, VerifyError> {
    let browser = Browser::start(&setup(context, true))?;
    let mut seen = Vec::new();
    for (at, path) in paths.iter().enumerate() {
        let page = browser.page()?;
        let address = format!("{}{path}", context.preview.url);
        let limit = if at == 0 { context.options.start } else { context.options.load };
        if page.goto(&address, limit).is_ok() {
            seen.push(observe(&page)?);
        }
    }
    browser.close()?;
    Ok(seen)
}
