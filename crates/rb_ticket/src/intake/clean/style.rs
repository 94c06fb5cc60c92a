//! Whether an element is displayed, by its name, attributes and inline style.

use super::tag::Tag;

/// Their content is never text of the page.
const NEVER_SHOWN: [&str; 8] =
    ["script", "style", "template", "head", "title", "noscript", "object", "datalist"];
const HIDING_CLASSES: [&str; 5] = ["hidden", "sr-only", "visually-hidden", "d-none", "invisible"];

pub(super) fn is_hidden(tag: &Tag) -> bool {
    if NEVER_SHOWN.contains(&tag.name.as_str()) {
        return true;
    }
    tag.attributes.iter().any(|(name, value)| {
        let value = value.to_ascii_lowercase();
        match name.as_str() {
            "hidden" => true,
            "aria-hidden" => value.trim() == "true",
            "type" => tag.name == "input" && value.trim() == "hidden",
            "class" => value.split_whitespace().any(|class| HIDING_CLASSES.contains(&class)),
            "style" => hides(&value),
            "color" => is_white(&compact(&value)),
            _ => false,
        }
    })
}

fn compact(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// `style` is in small letters.
fn hides(style: &str) -> bool {
    let style = compact(style).replace("!important", "");
    let declarations: Vec<(&str, &str)> =
        style.split(';').filter_map(|declaration| declaration.split_once(':')).collect();
    let on_color = declarations.iter().any(|(name, value)| {
        matches!(*name, "background" | "background-color") && !is_white(value)
    });
    declarations.iter().any(|&(name, value)| match name {
        "display" => value == "none",
        "visibility" => value == "hidden" || value == "collapse",
        "opacity" => size(value) < 0.1,
        "font-size" | "width" | "height" | "max-height" | "max-width" => size(value) <= 1.0,
        "left" | "top" | "right" | "text-indent" | "margin-left" => size(value) <= -999.0,
        "color" => is_white(value) && !on_color,
        "clip" => value.starts_with("rect("),
        "clip-path" => value != "none",
        "mso-hide" => value == "all",
        _ => false,
    })
}

/// The number at the start of a value; words are large.
fn size(value: &str) -> f64 {
    let digits = value.find(|c: char| !c.is_ascii_digit() && !"+-.".contains(c));
    let (number, unit) = value.split_at(digits.unwrap_or(value.len()));
    let scale = if matches!(unit, "em" | "rem" | "vw" | "vh") { 16.0 } else { 1.0 };
    number.parse::<f64>().map_or(f64::MAX, |number| number * scale)
}

fn is_white(color: &str) -> bool {
    matches!(color, "white" | "#fff" | "#ffff" | "#ffffff" | "#ffffffff" | "transparent" | "snow")
        || color.starts_with("rgb(255,255,255")
        || color.starts_with("rgba(255,255,255")
        || color.starts_with("rgba(") && color.ends_with(",0)")
        || color.starts_with("hsl(") && color.ends_with(",100%)")
}
