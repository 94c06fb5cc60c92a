//! One change: what it is for, how sure it is and why, its decision, its diff.

use rb_core::{Verdict, plural};
use rb_html::Page;
use rb_html::diff::Budget;
use rb_refactor::TaskChange;

use super::{LINES_PER_FILE, Review, decisions, layout_name};
use crate::pages::run::proposer;
use crate::reply::Problem;

/// Writes the change. Its diff is written too while the page has room, if it waits, or if its link was followed. Returns the lines that
/// the page still has room for.
pub(super) fn write(
    page: &mut Page,
    review: &Review<'_>,
    change: &TaskChange,
    room: usize,
) -> Result<usize, Problem> {
    let id = change.task.to_string();
    let is_asked = review.asked == Some(id.as_str());
    let is_open = change.awaits_approval || is_asked || room > 0;
    let diff = format!("/runs/{}/review/{id}?layout={}", review.run, layout_name(review.layout));
    let mut attributes = vec![("class", "change"), ("id", id.as_str())];
    if is_open {
        attributes.push(("open", ""));
    } else {
        attributes.push(("data-diff", diff.as_str()));
    }
    page.open("details", &attributes);
    summary(page, change);
    page.raw("<div class=\"task-facts\">\n");
    about(page, change);
    if change.awaits_approval {
        decisions::of_task(page, review, change)?;
    }
    page.raw("</div>\n<div class=\"diffs\">\n");
    let mut left = room;
    if is_open {
        let lines = if change.awaits_approval || is_asked { super::LINES } else { room };
        let mut budget = Budget { lines, lines_per_file: LINES_PER_FILE };
        review.diff(page, change.task, &mut budget)?;
        left = room.saturating_sub(lines - budget.lines);
    } else {
        let href = format!("{}&task={id}#{id}", review.address(review.layout));
        page.open("a", &[("class", "button"), ("href", &href)]);
        page.raw("Show the diff</a>\n");
    }
    page.raw("</div>\n</details>\n");
    Ok(left)
}

fn summary(page: &mut Page, change: &TaskChange) {
    page.raw("<summary>");
    page.element("code", "", &change.task.to_string());
    page.raw(" ");
    page.element("h2", "", &change.goal);
    page.raw(" <span class=\"facts\">");
    if change.awaits_approval {
        page.element("span", "badge wait", "waiting for you");
    }
    if let Some(verdict) = change.verdict {
        let (class, words) = match verdict {
            Verdict::Pass => ("badge good", "tests pass"),
            Verdict::Fail => ("badge bad", "tests fail"),
            Verdict::NoVerifierRan => ("badge open", "no tests were run"),
        };
        page.element("span", class, words);
    }
    size(page, change.added, change.removed);
    if let Some(score) = change.confidence {
        page.raw("<span class=\"sure\" title=\"Confidence, from 0 to 100\">");
        page.raw("<span class=\"sr\">confidence </span>");
        page.bar(score);
        page.raw("</span>");
    }
    page.raw("</span></summary>\n");
}

fn about(page: &mut Page, change: &TaskChange) {
    let files = plural(change.files.len(), "file");
    let words = format!("{files}, proposed by {}", proposer(&change.by));
    page.element("p", "soft", &words);
    if !change.parts.is_empty() {
        page.raw("<ul class=\"parts\" aria-label=\"What the confidence is made of\">");
        let mut parts: Vec<_> = change.parts.iter().collect();
        parts.sort_by_key(|part| part.points);
        for part in parts {
            let (class, points) = match part.points {
                ..0 => ("against", format!("−{}", part.points.unsigned_abs())),
                0 => ("neutral", "0".to_owned()),
                1.. => ("for", format!("+{}", part.points)),
            };
            page.open("li", &[("class", class)]);
            page.element("b", "", &points);
            page.raw(" ");
            page.text(&part.what);
            page.close("li");
        }
        page.raw("</ul>\n");
    }
    if !change.notes.is_empty() {
        page.raw("<ul class=\"plain\">");
        change.notes.iter().take(20).for_each(|note| page.element("li", "", note));
        if change.notes.len() > 20 {
            page.element("li", "soft", &format!("and {} more", change.notes.len() - 20));
        }
        page.raw("</ul>\n");
    }
}

pub(super) fn size(page: &mut Page, added: usize, removed: usize) {
    page.raw("<span class=\"size\">");
    page.element("span", "plus", &format!("+{added}"));
    page.raw(" ");
    page.element("span", "minus", &format!("−{removed}"));
    page.raw("</span>");
}
