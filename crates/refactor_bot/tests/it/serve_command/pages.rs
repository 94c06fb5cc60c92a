//! Every page in Chromium, light and dark: no error, no request to anywhere else, no script of a foreign text, and no barrier that axe finds.

use std::fs;
use std::path::Path;

use rb_browser::Page;
use rb_testkit::in_time;
use serde_json::Value;

use super::browser::Watched;
use super::escaping::{HOSTILE, hostile_directive};

/// What axe finds that keeps people out: rule, elements, and how to mend it.
const VIOLATIONS: &str = "
const found = await axe.run(document, { resultTypes: ['violations'] });
const grave = found.violations.filter((rule) => ['serious', 'critical'].includes(rule.impact));
return grave.map((rule) => `${rule.id}: ${rule.nodes.slice(0, 3).map((node) => `${node.target} (${node.any[0]?.message})`).join('; ')}`);
";

#[test]
fn ux4_no_page_has_an_error_a_foreign_request_or_a_barrier() {
    in_time(|| {
        let Some(watched) = Watched::start(HOSTILE) else { return };
        let run = watched.served.run(&hostile_directive());
        let pages = [
            "/runs",
            &format!("/runs/{run}"),
            &format!("/runs/{run}/review"),
            &format!("/runs/{run}/review?layout=split"),
            "/new",
            "/map",
            "/map/graph",
            "/map/layers",
            "/code/src/%3Cscript%3Ealert(1)%3C/script%3E.js",
            "/search?q=hostile",
            "/rules",
        ];
        let axe = axe();
        let page = watched.page();
        let mut found = Vec::new();
        for scheme in ["light", "dark"] {
            page.set_color_scheme(scheme).unwrap();
            for path in pages {
                watched.open(&page, path);
                watched.assert_clean(&page);
                let path = path.replace(&run, "RUN");
                found.extend(
                    barriers(&page, axe.as_deref()).map(|it| format!("{scheme} {path} {it}")),
                );
            }
        }
        assert!(found.is_empty(), "{}", found.join("\n"));
    });
}

/// Empty where axe is not installed.
fn barriers(page: &Page, axe: Option<&str>) -> impl Iterator<Item = String> {
    let found = axe.map(|axe| page.script(&format!("{axe}\n{VIOLATIONS}")).unwrap());
    let found = found.and_then(|found| found.as_array().cloned()).unwrap_or_default();
    found.into_iter().filter_map(|line: Value| line.as_str().map(str::to_owned))
}

fn axe() -> Option<String> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    fs::read_to_string(target.join("test-tools/axe/node_modules/axe-core/axe.min.js")).ok()
}
