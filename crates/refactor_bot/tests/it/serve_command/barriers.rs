//! What keeps people out of a page: what axe finds, and content that is wider than the window.

use std::fs;
use std::path::Path;

use rb_browser::Page;
use serde_json::Value;

use super::browser::{LIMIT, Watched, missing};

/// A desk and a phone.
const SIZES: [(u32, u32); 2] = [(1280, 800), (375, 812)];
const SCHEMES: [&str; 2] = ["light", "dark"];

/// What axe finds: rule, elements, and how to mend it.
const VIOLATIONS: &str = "
const found = await axe.run(document, { resultTypes: ['violations'] });
const grave = found.violations.filter((rule) => rule.impact !== 'minor');
return grave.map((rule) => `${rule.impact} ${rule.id}: ${rule.nodes.slice(0, 3).map((node) => `${node.target} (${node.any[0]?.message})`).join('; ')}`);
";

const IS_WIDER: &str = "
const { scrollWidth } = document.scrollingElement;
return scrollWidth > innerWidth ? `is ${scrollWidth} wide in a window of ${innerWidth}` : null;
";

/// Collects what is found on several pages.
pub(super) struct Barriers {
    axe: Option<String>,
    found: Vec<String>,
}

impl Barriers {
    pub(super) fn new() -> Barriers {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
        let axe =
            fs::read_to_string(target.join("test-tools/axe/node_modules/axe-core/axe.min.js"));
        Barriers { axe: axe.ok().or_else(|| missing("axe-core")), found: Vec::new() }
    }

    /// Opens a page in every size and looks at it.
    pub(super) fn visit(&mut self, watched: &Watched, page: &Page, path: &str) {
        for size in SIZES {
            page.set_viewport(size.0, size.1).unwrap();
            watched.open(page, path);
            watched.assert_clean(page);
            self.look(page, size, path);
        }
        page.set_viewport(SIZES[0].0, SIZES[0].1).unwrap();
    }

    /// Looks at what a page shows now, in every size.
    pub(super) fn look_at(&mut self, page: &Page, name: &str) {
        for size in SIZES {
            page.set_viewport(size.0, size.1).unwrap();
            self.look(page, size, name);
        }
        page.set_viewport(SIZES[0].0, SIZES[0].1).unwrap();
    }

    fn look(&mut self, page: &Page, (width, _): (u32, u32), name: &str) {
        if let Some(words) = page.script(IS_WIDER).unwrap().as_str() {
            self.found.push(format!("{width} {name} {words}: {:?}", page.overflow().unwrap()));
        }
        let Some(axe) = &self.axe else { return };
        if page.script("return typeof axe").unwrap() == "undefined" {
            page.script(axe).unwrap();
        }
        for scheme in SCHEMES {
            page.set_color_scheme(scheme).unwrap();
            let found = page.script(VIOLATIONS).unwrap();
            let found = found.as_array().unwrap().iter().filter_map(Value::as_str);
            self.found.extend(found.map(|words| format!("{scheme} {width} {name} {words}")));
        }
    }

    #[track_caller]
    pub(super) fn assert_none(&self) {
        assert!(self.found.is_empty(), "{}", self.found.join("\n"));
    }
}

/// Opens an address that answers with an error.
pub(super) fn open_refused(watched: &Watched, page: &Page, path: &str, status: u16) {
    let loaded = page.goto(&watched.served.url(path), LIMIT).unwrap();
    assert_eq!(loaded.status, Some(status), "{path}");
}
