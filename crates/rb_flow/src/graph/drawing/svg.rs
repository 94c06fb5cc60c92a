//! A layout as SVG: no font, script or file from elsewhere.

use std::fmt::Write as _;

use super::layout::{Boxed, LINE, Label, Layout, Point, Rect, SMALL, Wire};
use super::lines::ROUND;
use super::ranks::Shape;
use super::words::width;

const STYLE: &str = "\
.paper{fill:#fff}.halo{stroke:#fff;stroke-width:6;fill:none}
.box{fill:#f6f8fa;stroke:#57606a;stroke-width:1.2}.waits{fill:#fff4d6;stroke:#9a6700;stroke-width:1.2}
.end{fill:#57606a;stroke:#57606a}.line{stroke:#57606a;stroke-width:1.3;fill:none}.limited{stroke-dasharray:2 4}
.head,.start{fill:#57606a}
text{font-family:system-ui,'Segoe UI',Roboto,'Helvetica Neue','DejaVu Sans',sans-serif;fill:#1f2328}
.name{font-size:13px;font-weight:600}.does,.words{font-size:11px}.does{fill:#57606a}.words{fill:#0a3069}.last{fill:#fff}
@media (prefers-color-scheme:dark){
.paper{fill:#0d1117}.halo{stroke:#0d1117}.box{fill:#161b22;stroke:#8b949e}.waits{fill:#2d2200;stroke:#d29922}
.end{fill:#8b949e;stroke:#8b949e}.line{stroke:#8b949e}.head,.start{fill:#8b949e}
text{fill:#e6edf3}.does{fill:#9da7b3}.words{fill:#79c0ff}.last{fill:#0d1117}}
";
/// Cut from the corners of a box that waits.
const CUT: i32 = 9;
const LEGEND: i32 = 26;

/// Where the picture is shown.
#[derive(Clone, Copy)]
pub(super) enum Form<'a> {
    /// By itself, with its own style.
    File,
    /// In a page that has a style for the classes. One node may be marked.
    Part { at: Option<&'a str> },
}

pub(super) fn write(name: &str, layout: &Layout, form: Form<'_>) -> String {
    let (style, at) = match form {
        Form::File => (format!("<style>\n{STYLE}</style>\n"), None),
        Form::Part { at } => (String::new(), at),
    };
    let legend = legend(layout);
    let (mut wide, mut high) = (layout.width, layout.height);
    if let Some((_, needs)) = &legend {
        wide = wide.max(*needs);
        high += LEGEND;
    }
    let name = escaped(name);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {wide} {high}\" \
         role=\"img\" aria-label=\"{name}\">\n<title>{name}</title>\n{style}\
         <rect class=\"paper\" width=\"{wide}\" height=\"{high}\"/>\n"
    );
    for wires in layout.wires.chunk_by(|a, b| a.to == b.to) {
        // A line that crosses another passes over it, and those to one node lie side by side.
        for wire in wires {
            let _ = writeln!(out, "<path class=\"halo\" d=\"{}\"/>", path(&wire.points));
        }
        for wire in wires {
            let class = if wire.is_dotted { "line limited" } else { "line" };
            let _ = writeln!(out, "<path class=\"{class}\" d=\"{}\"/>", path(&wire.points));
        }
    }
    for wire in layout.wires.iter().filter(|wire| wire.has_head) {
        head(&mut out, wire);
    }
    if let Some(Point { x, y }) = layout.start {
        let _ = writeln!(out, "<circle class=\"start\" cx=\"{x}\" cy=\"{y}\" r=\"6\"/>");
    }
    layout.boxes.iter().for_each(|it| boxed(&mut out, it, at == Some(it.name)));
    layout.labels.iter().for_each(|it| label(&mut out, it));
    if let Some((legend, _)) = legend {
        out.push_str(&legend);
    }
    out.push_str("</svg>\n");
    out
}

/// A way with round corners.
fn path(points: &[Point]) -> String {
    let mut path = String::new();
    for (at, &Point { x, y }) in points.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| points[before]);
        match (before, points.get(at + 1)) {
            (None, _) => _ = write!(path, "M{x} {y}"),
            (Some(_), None) => _ = write!(path, "L{x} {y}"),
            (Some(before), Some(&after)) => {
                let round =
                    ROUND.min(distance(before, points[at]) / 2).min(distance(points[at], after));
                let (near, far) =
                    (towards(points[at], before, round), towards(points[at], after, round));
                let _ = write!(path, "L{} {}Q{x} {y} {} {}", near.x, near.y, far.x, far.y);
            }
        }
    }
    path
}

/// Lines run along one axis.
fn distance(from: Point, to: Point) -> i32 {
    (from.x - to.x).abs() + (from.y - to.y).abs()
}

fn towards(from: Point, to: Point, by: i32) -> Point {
    Point { x: from.x + by * (to.x - from.x).signum(), y: from.y + by * (to.y - from.y).signum() }
}

fn head(out: &mut String, wire: &Wire) {
    let [.., before, tip] = wire.points[..] else { return };
    let back = towards(tip, before, 8);
    let (x, y) = if before.x == tip.x { (4, 0) } else { (0, 4) };
    let _ = writeln!(
        out,
        "<path class=\"head\" d=\"M{} {}L{} {}L{} {}Z\"/>",
        tip.x,
        tip.y,
        back.x + x,
        back.y + y,
        back.x - x,
        back.y - y
    );
}

fn boxed(out: &mut String, it: &Boxed, is_marked: bool) {
    let Rect { left, top, right, bottom } = it.rect;
    let (wide, high) = (right - left, bottom - top);
    let rounded = |class: &str, round: i32| {
        format!(
            "<rect class=\"{class}\" x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"{high}\" rx=\"{round}\"/>"
        )
    };
    let shape = match it.shape {
        Shape::Plain => rounded("box", 5),
        Shape::End => rounded("end", high / 2),
        Shape::Waits => cut(it.rect, CUT),
    };
    let shape = if is_marked { shape.replacen("class=\"", "class=\"here ", 1) } else { shape };
    let middle = left + wide / 2;
    let lines = i32::try_from(it.does.len()).unwrap_or(0);
    let mut y = top + high / 2 + 4 - LINE * lines / 2;
    let class = if it.shape == Shape::End { "name last" } else { "name" };
    let _ = writeln!(
        out,
        "{shape}\n<text class=\"{class}\" x=\"{middle}\" y=\"{y}\" text-anchor=\"middle\">{}</text>",
        escaped(it.name)
    );
    y += 2;
    for line in &it.does {
        y += LINE;
        let _ = writeln!(
            out,
            "<text class=\"does\" x=\"{middle}\" y=\"{y}\" text-anchor=\"middle\">{}</text>",
            escaped(line)
        );
    }
}

/// A box with its corners cut off.
fn cut(rect: Rect, by: i32) -> String {
    let Rect { left, top, right, bottom } = rect;
    let (west, east, north, south) = (left + by, right - by, top + by, bottom - by);
    format!(
        "<path class=\"waits\" d=\"M{west} {top}H{east}L{right} {north}V{south}L{east} {bottom}H{west}L{left} {south}V{north}Z\"/>"
    )
}

fn label(out: &mut String, it: &Label) {
    let (x, anchor) = if it.ends_right { (it.rect.right, "end") } else { (it.rect.left, "start") };
    for (at, line) in (1..).zip(&it.lines) {
        let y = it.rect.top + LINE * at - 3;
        let _ = writeln!(
            out,
            "<text class=\"words\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{}</text>",
            escaped(line)
        );
    }
}

/// What needs to be explained, and how wide that is.
fn legend(layout: &Layout) -> Option<(String, i32)> {
    let y = layout.height + LEGEND / 2 - 6;
    let mut out = String::new();
    let mut x = 16;
    let mut entry = |sign: String, words: &str| {
        let _ = writeln!(
            out,
            "{sign}\n<text class=\"does\" x=\"{}\" y=\"{}\">{words}</text>",
            x + 34,
            y + 4
        );
        x += 34 + width(words, SMALL) + 24;
        x
    };
    let mut next = 16;
    if layout.wires.iter().any(|wire| wire.is_dotted) {
        let sign = format!("<path class=\"line limited\" d=\"M{next} {y}H{}\"/>", next + 26);
        next = entry(sign, "may be taken only so often");
    }
    if layout.boxes.iter().any(|it| it.shape == Shape::Waits) {
        let sign = Rect { left: next, top: y - 6, right: next + 26, bottom: y + 6 };
        next = entry(cut(sign, 4), "may wait for a person");
    }
    (!out.is_empty()).then_some((out, next))
}

fn escaped(words: &str) -> String {
    let mut out = String::new();
    for letter in words.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ if letter.is_control() => out.push(' '),
            _ => out.push(letter),
        }
    }
    out
}
