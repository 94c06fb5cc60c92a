//! Scripts in file names, directives, code and questions are text on every page.

use rb_testkit::in_time;

use super::{DIRECTIVE, Served};

/// Names of files that would be markup, and a string in a line that a recipe changes.
pub(super) const HOSTILE: &str = "
//- package.json
{ \"name\": \"hostile\", \"version\": \"1.0.0\", \"type\": \"module\" }
//- src/<script>alert(1)</script>.js
import fs from 'node:fs';

export async function hostile(path) {
  return fs.readFileSync(path, '</script><script>alert(2)</script>');
}
//- src/\"onfocus=\"alert(4).js
import { hostile } from './<script>alert(1)</script>.js';

export async function all(paths) {
  for (const path of paths) await hostile(path);
}
";

pub(super) fn hostile_directive() -> String {
    format!("{DIRECTIVE} <img src=x onerror=alert(3)>")
}

#[test]
fn ux4_scripts_in_names_directives_code_and_questions_are_text() {
    in_time(|| {
        let served = Served::start(HOSTILE);
        let run = served.run(&hostile_directive());
        let name = "%3Cscript%3Ealert(1)%3C/script%3E.js";
        for (path, shown) in [
            ("/runs", "&lt;img src=x onerror=alert(3)&gt;"),
            (&format!("/runs/{run}"), "&lt;img src=x onerror=alert(3)&gt;"),
            (&format!("/runs/{run}/review"), "&lt;script&gt;alert(2)&lt;/script&gt;"),
            (&format!("/runs/{run}/review?layout=split"), "&lt;script&gt;alert(2)&lt;/script&gt;"),
            (&format!("/runs/{run}/review/batch-001"), "&lt;script&gt;alert(2)&lt;/script&gt;"),
            (&format!("/code/src/{name}"), "&lt;script&gt;alert(2)&lt;/script&gt;"),
            ("/code/src/%22onfocus=%22alert(4).js", "&quot;onfocus=&quot;alert(4)"),
            ("/map", "&lt;script&gt;alert(1)"),
            ("/map/graph", "alert(1)"),
            ("/map/layers", ""),
            ("/rules", ""),
            ("/search?q=hostile", "&lt;script&gt;alert(1)&lt;/script&gt;"),
            (
                "/search?q=%3Cscript%3Ealert(5)%3C/script%3E",
                "&lt;script&gt;alert(5)&lt;/script&gt;",
            ),
            ("/runs/%3Cscript%3Ealert(6)", "&lt;script&gt;alert(6)"),
            ("/runs?%22%3E%3Cscript%3Ealert(7)", ""),
        ] {
            let body = served.get(path).body;
            assert!(body.contains(shown), "{path} does not show {shown}:\n{body}");
            for part in ["<script>alert", "<img", "\"onfocus="] {
                assert!(!body.contains(part), "{path} has {part}:\n{body}");
            }
        }
    });
}
