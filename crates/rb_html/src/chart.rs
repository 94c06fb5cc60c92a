//! Numbers as bars, drawn alike on the page of a run and in `report.html`.

use crate::page::Page;

/// Bars of one chart that are drawn.
const BARS: usize = 12;

/// What the colour of a bar says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// A number that is neither good nor bad.
    Plain,
    Good,
    Bad,
    Open,
    Quiet,
}

impl Tone {
    fn class(self) -> &'static str {
        match self {
            Tone::Plain => "bar",
            Tone::Good => "bar good",
            Tone::Bad => "bar bad",
            Tone::Open => "bar open",
            Tone::Quiet => "bar quiet",
        }
    }
}

/// One bar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bar {
    pub name: String,
    pub value: u64,
    pub tone: Tone,
}

impl Bar {
    pub fn new(name: impl Into<String>, value: u64, tone: Tone) -> Bar {
        Bar { name: name.into(), value, tone }
    }

    /// Plain bars, the longest first.
    pub fn longest_first(values: impl IntoIterator<Item = (String, u64)>) -> Vec<Bar> {
        let mut bars: Vec<Bar> =
            values.into_iter().map(|(name, value)| Bar::new(name, value, Tone::Plain)).collect();
        bars.sort_by(|one, other| {
            other.value.cmp(&one.value).then_with(|| one.name.cmp(&other.name))
        });
        bars
    }
}

/// Draws the bars over a common scale, each with its number in `words`. Draws nothing if all numbers are zero.
pub fn chart(page: &mut Page, title: &str, bars: &[Bar], words: impl Fn(u64) -> String) {
    let most = bars.iter().map(|bar| bar.value).max().unwrap_or(0);
    if most == 0 {
        return;
    }
    page.raw("<figure class=\"chart\"><figcaption>");
    page.text(title);
    page.raw("</figcaption>\n<ol>\n");
    for bar in bars.iter().take(BARS) {
        page.raw("<li>");
        page.open("span", &[("title", &bar.name)]);
        page.text(&bar.name);
        page.close("span");
        let attributes = [
            ("class", bar.tone.class()),
            ("viewBox", "0 0 1000 8"),
            ("preserveAspectRatio", "none"),
            ("aria-hidden", "true"),
        ];
        page.open("svg", &attributes);
        let width = u128::from(bar.value) * 1000 / u128::from(most);
        // A small number is still to be seen.
        let width = if bar.value == 0 { 0 } else { width.max(4) };
        page.open("rect", &[("width", &width.to_string()), ("height", "8")]);
        page.raw("</rect></svg>");
        page.element("b", "", &words(bar.value));
        page.raw("</li>\n");
    }
    page.raw("</ol>\n");
    if let Some(more) = bars.len().checked_sub(BARS).filter(|&more| more > 0) {
        page.element("p", "soft", &format!("and {more} more"));
    }
    page.raw("</figure>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(bars: &[Bar]) -> String {
        let mut page = Page::new();
        chart(&mut page, "Time <by> step", bars, |value| format!("{value} ms"));
        page.done()
    }

    #[test]
    fn ux4_bars_share_a_scale_and_have_their_numbers() {
        let page = drawn(&[
            Bar::new("a<b>", 500, Tone::Bad),
            Bar::new("b", 1000, Tone::Plain),
            Bar::new("c", 1, Tone::Plain),
            Bar::new("d", 0, Tone::Plain),
        ]);
        for part in [
            "<figcaption>Time &lt;by&gt; step</figcaption>",
            "<span title=\"a&lt;b&gt;\">a&lt;b&gt;</span><svg class=\"bar bad\"",
            "<rect width=\"500\" height=\"8\"></rect></svg><b>500 ms</b>",
            "<rect width=\"1000\" height=\"8\">",
            "<rect width=\"4\" height=\"8\"></rect></svg><b>1 ms</b>",
            "<rect width=\"0\" height=\"8\">",
        ] {
            assert!(page.contains(part), "{part}\n{page}");
        }
    }

    #[test]
    fn ux4_a_chart_of_nothing_is_left_out_and_a_long_one_is_cut() {
        assert_eq!(drawn(&[]), "");
        assert_eq!(drawn(&[Bar::new("a", 0, Tone::Plain)]), "");
        let many = Bar::longest_first((0..20).map(|at| (format!("step {at:02}"), at)));
        let page = drawn(&many);
        assert!(page.contains("and 8 more"), "{page}");
        assert!(page.find("step 19") < page.find("step 18"), "{page}");
    }
}
