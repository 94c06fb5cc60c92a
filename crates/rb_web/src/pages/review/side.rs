//! The list of changes beside the diffs, and the help for the keys.

use rb_core::plural;
use rb_html::Page;
use rb_refactor::TaskChange;

use super::{Review, change};

pub(super) fn list(page: &mut Page, review: &Review<'_>) {
    page.raw("<nav class=\"list\" aria-label=\"Changes\">\n");
    page.raw("<input type=\"search\" id=\"filter\" placeholder=\"Filter by goal or file\" aria-label=\"Filter the changes by goal or file\" hidden>\n");
    page.raw("<details id=\"change-list\" open><summary>");
    page.text(&plural(review.changes.len(), "change"));
    page.raw("</summary>\n<ol>\n");
    for change in &review.changes {
        item(page, change);
    }
    page.raw("</ol>\n</details>\n</nav>\n");
}

fn item(page: &mut Page, change: &TaskChange) {
    let files: Vec<String> = change.files.iter().map(ToString::to_string).collect();
    let id = change.task.to_string();
    page.open("li", &[("data-files", &files.join("\n"))]);
    page.open("a", &[("href", &format!("#{id}"))]);
    page.element("span", "goal", &change.goal);
    page.raw("<span class=\"facts\">");
    page.element("code", "", &id);
    change::size(page, change.added, change.removed);
    if change.awaits_approval {
        page.element("span", "badge wait", "waits");
    }
    if let Some(score) = change.confidence {
        let class = match score {
            80.. => "score good",
            50.. => "score open",
            _ => "score bad",
        };
        page.open("span", &[("class", class), ("title", "Confidence, from 0 to 100")]);
        page.raw("<span class=\"sr\">confidence </span>");
        page.text(&score.to_string());
        page.close("span");
    }
    page.raw("</span></a></li>\n");
}

const KEYS: [(&str, &str); 9] = [
    ("j / k", "Next or previous change"),
    ("n / p", "Next or previous file"),
    ("o", "Open or close the change"),
    ("s", "Unified or side by side"),
    ("f", "Filter the changes"),
    ("a", "Approve the change that waits"),
    ("r", "Reject it, with a comment"),
    ("A / R", "Accept or reject the whole run"),
    ("?", "Show these keys"),
];

/// Opened by the script.
pub(super) fn keys(page: &mut Page) {
    page.raw(
        "<dialog id=\"keys\" aria-labelledby=\"keys-title\"><h2 id=\"keys-title\">Keys</h2>\n<dl>",
    );
    for (key, words) in KEYS {
        page.raw("<dt>");
        for part in key.split(" / ") {
            page.element("kbd", "", part);
        }
        page.raw("</dt>");
        page.element("dd", "", words);
    }
    page.raw("</dl>\n<form method=\"dialog\"><button>Close</button></form></dialog>\n");
}
