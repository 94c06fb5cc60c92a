//! The frame around every page: head, navigation, and where the scripts come in.

use rb_html::Page;

use crate::assets;
use crate::reply::{Problem, Reply};
use crate::site::Site;

/// The places of the navigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tab {
    Runs,
    New,
    Map,
    Rules,
    /// A page that is none of these.
    None,
}

const TABS: [(Tab, &str, &str); 4] = [
    (Tab::Runs, "/runs", "Runs"),
    (Tab::New, "/new", "New run"),
    (Tab::Map, "/map", "Code map"),
    (Tab::Rules, "/rules", "Rules"),
];

pub(crate) struct Frame<'a> {
    pub(crate) title: &'a str,
    pub(crate) tab: Tab,
    /// Beside `site.js`, which every page has.
    pub(crate) scripts: &'static [&'static str],
    /// Use all of a wide screen.
    pub(crate) is_wide: bool,
}

impl Frame<'_> {
    pub(crate) fn reply(&self, site: &Site, body: &Page) -> Reply {
        Reply::Page(self.page(site, body))
    }

    fn page(&self, site: &Site, body: &Page) -> Page {
        let mut page = Page::new();
        page.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        page.raw("<meta name=\"color-scheme\" content=\"light dark\">\n");
        page.element("title", "", &format!("{} · refactor-bot", self.title));
        page.open("link", &[("rel", "stylesheet"), ("href", &assets::address("style.css"))]);
        page.open("link", &[("rel", "icon"), ("href", &assets::address("icon.svg"))]);
        for name in ["site.js"].iter().chain(self.scripts) {
            page.open("script", &[("src", &assets::address(name)), ("defer", "")]);
            page.close("script");
        }
        page.raw("\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to content</a>\n");
        self.bar(&mut page, site);
        let class = if self.is_wide { "wide-page" } else { "" };
        page.open("main", &[("id", "main"), ("class", class)]);
        page.append(body);
        page.raw("</main>\n</body>\n</html>\n");
        page
    }

    fn bar(&self, page: &mut Page, site: &Site) {
        page.raw("<header class=\"bar\">\n<a class=\"brand\" href=\"/runs\">refactor-bot</a>\n<nav aria-label=\"Main\">\n");
        for (tab, href, words) in TABS {
            if tab == self.tab {
                page.open("a", &[("href", href), ("aria-current", "page")]);
            } else {
                page.open("a", &[("href", href)]);
            }
            page.text(words);
            page.close("a");
            page.raw("\n");
        }
        page.raw("</nav>\n<form class=\"find\" action=\"/search\" role=\"search\" aria-label=\"Search from any page\">\n");
        page.raw("<input type=\"search\" name=\"q\" placeholder=\"Search code, rules and runs\" aria-label=\"Search code, rules and runs\" id=\"find\">\n</form>\n");
        let name = site.root.file_name().unwrap_or_default().to_string_lossy();
        page.open("span", &[("class", "place"), ("title", &site.root.display().to_string())]);
        page.text(&name);
        page.close("span");
        if site.read_only {
            page.element("span", "badge open", "read-only");
        }
        page.raw("</header>\n");
    }
}

/// A page that says what went wrong, and where to go on.
pub(crate) fn problem(site: &Site, problem: &Problem) -> Page {
    let (title, hint) = match problem {
        Problem::NotFound(_) => ("Not found", "Go back, or choose a run from the list."),
        Problem::Refused(_) => ("Refused", "Reload the page and try again."),
        Problem::Failed(_) => ("That did not work", "Fix the cause and reload the page."),
    };
    let mut body = Page::new();
    body.element("h1", "", title);
    body.element("p", "", problem.words());
    body.element("p", "soft", hint);
    Frame { title, tab: Tab::None, scripts: &[], is_wide: false }.page(site, &body)
}
