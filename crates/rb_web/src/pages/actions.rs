//! Forms that decide something.

use rb_core::RunId;
use rb_html::Page;

use crate::site::Site;

/// A form to the decisions of a run, with the key of this session. Nothing on a read-only server.
pub(crate) fn form(page: &mut Page, site: &Site, run: &RunId, fill: impl FnOnce(&mut Page)) {
    form_to(page, site, &format!("/runs/{run}/decision"), fill);
}

pub(crate) fn form_to(page: &mut Page, site: &Site, action: &str, fill: impl FnOnce(&mut Page)) {
    if site.read_only {
        return;
    }
    page.open("form", &[("method", "post"), ("action", action), ("class", "actions")]);
    key(page, site);
    fill(page);
    page.close("form");
}

pub(crate) fn key(page: &mut Page, site: &Site) {
    page.open("input", &[("type", "hidden"), ("name", "key"), ("value", &site.keys.form)]);
}
