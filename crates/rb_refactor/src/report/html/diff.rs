//! A patch, coloured line by line. What is too long is cut, and the patch itself is named.

use super::page::Page;

/// How much of all patches together a page shows.
pub(super) struct Budget {
    lines: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { lines: 6000 }
    }
}

/// Of one patch.
const LINES: usize = 600;

/// Of one line, in bytes.
const WIDTH: usize = 600;

pub(super) fn write(page: &mut Page, patch: &[u8], link: &str, budget: &mut Budget) {
    let text = String::from_utf8_lossy(patch);
    let lines: Vec<&str> = text.lines().collect();
    let most = LINES.min(budget.lines);
    budget.lines -= lines.len().min(most);
    page.raw("<pre class=\"diff\">");
    let mut in_hunk = false;
    for line in lines.iter().take(most) {
        page.open("span", class(line, &mut in_hunk));
        page.text(cut(line));
        if line.len() > WIDTH {
            page.raw(" …");
        }
        page.raw("</span>");
    }
    page.raw("</pre>\n<div><p class=\"soft\">");
    if lines.len() > most {
        page.text(&format!("{} more lines; the whole patch: ", lines.len() - most));
    } else {
        page.raw("The patch: ");
    }
    page.link(link, link);
    page.raw("</p></div>\n");
}

fn class(line: &str, in_hunk: &mut bool) -> &'static str {
    if line.starts_with("diff --git ") {
        *in_hunk = false;
        return "f";
    }
    if line.starts_with("@@ ") {
        *in_hunk = true;
        return "h";
    }
    match (*in_hunk, line.as_bytes().first()) {
        (true, Some(b'+')) => "a",
        (true, Some(b'-')) => "d",
        (true, _) => "",
        (false, _) => "h",
    }
}

fn cut(line: &str) -> &str {
    let mut end = line.len().min(WIDTH);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    &line[..end]
}
