//! Drawings whose numbers are finer than any screen.
//!
//! Only paths with absolute commands and without arcs are read: elsewhere roundings add up, or digits are flags.

mod numbers;

use oxc_ast::AstKind;
use oxc_ast::ast::{JSXAttribute, JSXAttributeValue, JSXElement};
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::Module;

use self::numbers::{Rounded, rounded};
use super::jsx;
use crate::cx::{Cx, Hit};
use crate::facts::FileKind;
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

/// Fewer numbers are not worth an edit.
const FEWEST: usize = 4;
/// In bytes.
const LEAST_SAVED: usize = 16;
/// This many are worth a word, whatever the size of the drawing; fewer only if they are a tenth of it.
const MUCH_SAVED: usize = 100;

/// A drawing of so many units is small, and its curves are fine.
const SMALL: f64 = 24.0;

/// A drawing without a size is taken to be shown this large.
const LARGEST: f64 = 1000.0;

pub static RULE: Rule = Rule {
    id: "rendering-svg-precision",
    title: "Numbers of a drawing are finer than it can be shown",
    category: Category::Rendering,
    impact: Impact::Low,
    fix: FixKind::Assist,
    level: Level::Audit,
    repairs: false,
    doc: Doc {
        what: "Paths and shapes of a drawing have numbers with four or more decimals.",
        why: "The digits are downloaded and parsed, but move nothing by even a twentieth of a pixel.",
        wrong: "const P = () => <path d=\"M10.293847 20.847362L30.938472 40.192837\" />;",
        right: "const P = () => <path d=\"M10.29 20.85L30.94 40.19\" />;",
        safe: "A draft: rounding loses precision by nature. It keeps enough decimals for an error below 0.05 pixels \
               at the size the drawing is shown in; compare the pictures.",
        leave: "The drawing has a small coordinate system (a `viewBox` of 24 or less), is scaled up, or is morphed \
                into another one.",
        given: &[],
    },
    wants: &["<path", "<polygon", "<polyline", "<line", "<rect", "<circle", "<ellipse"],
    applies: |facts| facts.package.uses_react && facts.kind != FileKind::Generated,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    if is_generated(cx.module) || moves(cx.module) {
        return;
    }
    let mut done = 0;
    for &element in cx.module.elements() {
        if element.span.start < done || !is_drawing(element) {
            continue;
        }
        done = element.span.end;
        let Some(decimals) = decimals(cx.module, element) else { continue };
        let found = roundings(cx.module, element, decimals);
        let count: usize = found.iter().map(|(_, it)| it.count).sum();
        let saved: usize = found
            .iter()
            .map(|(span, it)| (span.size() as usize).saturating_sub(it.text.len()))
            .sum();
        let share = element.span.size() as usize / 10;
        if count < FEWEST || saved < LEAST_SAVED.min(share) {
            continue;
        }
        let is_worth_it = saved >= LEAST_SAVED.max(share.min(MUCH_SAVED));
        let message = format!(
            "{count} numbers in this SVG have more decimals than are visible; round to {decimals} to save {saved} bytes"
        );
        let edits = found
            .into_iter()
            .map(|(span, it)| Edit::replace(span.start, span.end, it.text))
            .collect();
        let title = format!("round to {decimals} decimals");
        let hit = Hit::at(element.opening_element.span, message).assist(title, edits);
        cx.report(if is_worth_it {
            hit
        } else {
            hit.likely("the savings may be too small to matter")
        });
    }
}

const SHAPES: &[&str] = &["path", "polygon", "polyline", "line", "rect", "circle", "ellipse"];

fn is_drawing<'a>(element: &'a JSXElement<'a>) -> bool {
    jsx::host(element).is_some_and(|tag| tag == "svg" || tag == "g" || SHAPES.contains(&tag))
}

/// Made by a program: it is the program that should round.
fn is_generated(module: &Module<'_>) -> bool {
    module.comments().iter().take(5).any(|it| {
        let text = module.slice(it.span).to_lowercase();
        text.contains("generated") || text.contains("svgr")
    })
}

/// Paths that are turned into each other must keep their shape.
fn moves(module: &Module<'_>) -> bool {
    const LIBRARIES: &[&str] = &[
        "framer-motion",
        "motion",
        "gsap",
        "flubber",
        "d3-interpolate-path",
        "react-spring",
        "animejs",
    ];
    module.import_declarations().any(|it| {
        let source = it.source.value.as_str();
        LIBRARIES.contains(&source)
            || source.starts_with("motion/")
            || source.starts_with("@react-spring/")
    })
}

/// How many decimals keep the error out of sight. `None` where rounding is not for us to judge.
fn decimals<'a>(module: &Module<'a>, drawing: &'a JSXElement<'a>) -> Option<usize> {
    let inside = jsx::elements_in(module, drawing.span);
    if inside.iter().any(|it| is_scaled(it))
        || module.slice(drawing.span).contains("objectBoundingBox")
    {
        return None;
    }
    if !jsx::is_host(drawing, "svg") {
        let in_svg =
            module.ancestors(drawing.node_id.get()).any(|it| matches!(it, AstKind::JSXElement(_)));
        return (!in_svg && is_wide(module, drawing)).then_some(2);
    }
    let view: Vec<f64> = jsx::text_of(drawing, "viewBox")?
        .split([' ', ','])
        .filter_map(|it| it.parse().ok())
        .collect();
    let [_, _, width, height] = view[..] else { return None };
    let inner = width.max(height);
    if inner <= SMALL {
        return None;
    }
    let shown = size(module, drawing).unwrap_or(LARGEST).max(inner);
    // Half of the last decimal, in both directions.
    let error =
        |decimals: i32| 0.5 * 10_f64.powi(-decimals) * std::f64::consts::SQRT_2 * shown / inner;
    if error(2) < 0.05 {
        Some(2)
    } else if error(3) < 0.05 {
        Some(3)
    } else {
        None
    }
}

/// Shapes whose drawing is elsewhere: is one of their coordinates beyond those of a small drawing?
fn is_wide<'a>(module: &Module<'a>, shapes: &JSXElement<'a>) -> bool {
    let all = jsx::elements_in(module, shapes.span).iter().flat_map(|it| jsx::attributes(it));
    let texts =
        all.filter(|(name, _)| ["d", "points", "x", "y", "cx", "cy", "x2", "y2"].contains(name));
    texts.filter_map(|(_, it)| jsx::text(it)).any(|text| {
        let mut parts = text.split(|c: char| !c.is_ascii_digit() && c != '.');
        parts.any(|it| it.parse::<f64>().is_ok_and(|it| it > SMALL))
    })
}

fn size<'a>(module: &Module<'a>, drawing: &'a JSXElement<'a>) -> Option<f64> {
    let read = |name: &str| {
        let attribute = jsx::attribute(drawing, name)?;
        let text = jsx::text(attribute)
            .or_else(|| jsx::value(attribute).map(|it| module.slice(it.span())))?;
        text.trim_end_matches("px").parse::<f64>().ok()
    };
    Some(read("width")?.max(read("height")?))
}

/// Something in it makes it larger, or turns it into something else.
fn is_scaled<'a>(element: &'a JSXElement<'a>) -> bool {
    let tag = jsx::host(element).unwrap_or_default();
    let is_animated =
        tag.starts_with("animate") || tag == "set" || tag == "mpath" || tag == "foreignObject";
    let grows = jsx::attribute(element, "transform").is_some_and(|it| {
        jsx::text(it).is_none_or(|text| text.contains("scale") || text.contains("matrix"))
    });
    is_animated || grows || jsx::host(element).is_none()
}

/// What every attribute becomes, where it has numbers that are too fine.
fn roundings<'a>(
    module: &Module<'a>,
    drawing: &JSXElement<'a>,
    decimals: usize,
) -> Vec<(Span, Rounded)> {
    let mut found = Vec::new();
    for element in jsx::elements_in(module, drawing.span) {
        let Some(tag) = jsx::host(element).filter(|it| SHAPES.contains(it) || *it == "g") else {
            continue;
        };
        for (name, attribute) in jsx::attributes(element) {
            let is_ours = match name {
                "d" => tag == "path",
                "transform" => jsx::text(attribute).is_some_and(|it| it.starts_with("translate(")),
                "points" | "x" | "y" | "cx" | "cy" | "r" | "rx" | "ry" | "x1" | "x2" | "y1"
                | "y2" | "width" | "height" => true,
                _ => false,
            };
            if let Some(span) = is_ours.then(|| text_span(module, attribute)).flatten()
                && let Some(rounding) = rounded(module.slice(span), name == "d", decimals)
            {
                found.push((span, rounding));
            }
        }
    }
    found
}

/// Where the text of an attribute stands, without quotes.
fn text_span<'a>(module: &Module<'a>, attribute: &'a JSXAttribute<'a>) -> Option<Span> {
    let text = jsx::text(attribute)?;
    let span = match attribute.value.as_ref()? {
        JSXAttributeValue::StringLiteral(it) => it.span,
        JSXAttributeValue::ExpressionContainer(it) => it.expression.span(),
        _ => return None,
    };
    let inner = Span::new(span.start + 1, span.end.checked_sub(1)?);
    (module.slice(inner) == text).then_some(inner)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_rendering_svg_precision_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_rendering_svg_precision_is_drafted() {
        Setup::new().check(
            &RULE,
            r#"const A = () => (
  <>
    <svg viewBox="0 0 300 150" width="300" height="150">
      <g transform="translate(10.00001, 3.14159)">
        <path d="M10.29384,20.84736C30.93847-0.00012 1.50004.20006-40.19283 5Z" />
        <circle cx="12.34567" cy='9.5' r={'0.33333'} />
      </g>
    </svg>
    <svg viewBox="0 0 64 64">
      <polygon points="1.23456,2.34567 3.45678,4.56789 5.678901,6.789012" />
    </svg>
  </>
);"#,
            expect![[r#"
                3:5 note: 11 numbers in this SVG have more decimals than are visible; round to 2 to save 41 bytes [assist: round to 2 decimals]
                9:5 note: 6 numbers in this SVG have more decimals than are visible; round to 3 to save 14 bytes (not proved: the savings may be too small to matter) [assist: round to 3 decimals]
                --- assist
                const A = () => (
                  <>
                    <svg viewBox="0 0 300 150" width="300" height="150">
                      <g transform="translate(10, 3.14)">
                        <path d="M10.29,20.85C30.94 0 1.5.2-40.19 5Z" />
                        <circle cx="12.35" cy='9.5' r={'0.33'} />
                      </g>
                    </svg>
                    <svg viewBox="0 0 64 64">
                      <polygon points="1.235,2.346 3.457,4.568 5.679,6.789" />
                    </svg>
                  </>
                );
            "#]],
        );
    }

    #[test]
    fn ru1_rendering_svg_precision_leaves_the_rest_alone() {
        let setup = Setup::new();
        let fine = "M10.29384 20.84736L30.93847 40.19283";
        for drawing in [
            // Small inside.
            format!("<svg viewBox='0 0 24 24'><path d='{fine}' /></svg>"),
            format!("<svg viewBox='0 0 1 1'><path d='{fine}' /></svg>"),
            format!("<svg viewBox={{box}}><path d='{fine}' /></svg>"),
            // Relative commands; flags of an arc.
            "<path d='m10.29384 20.84736l30.93847 40.19283' />".to_owned(),
            "<path d='M10.29384 20.84736A1.00001 1 0 01.50001.50001' />".to_owned(),
            // Turned into another one, or made larger.
            format!(
                "<svg viewBox='0 0 99 99'><path d='{fine}'><animate attributeName='d' /></path></svg>"
            ),
            format!(
                "<svg viewBox='0 0 99 99'><g transform='scale(30)'><path d='{fine}' /></g></svg>"
            ),
            format!("<motion.path d='{fine}' />"),
            "<g><path d='M4.16602 10.00001H15.83271' /><path d='M12.50001 13.33332L15.83332 10' /></g>".to_owned(),
            // Coarse enough, or not worth it.
            "<path d='M10.293 20.847L30.938 40.192' />".to_owned(),
            "<path d='M10.29384 20L30 40' />".to_owned(),
            "<path d={shape} />".to_owned(),
            // A few bytes of a large drawing.
            format!(
                "<svg viewBox='0 0 99 99'><path d='M10.293847 20.847362L30.938472 40.192837' /><path d='M{}' /></svg>",
                "10 20L30 40".repeat(20)
            ),
        ] {
            setup.silent(&RULE, &format!("const A = () => {drawing};"));
        }
        let wrong = RULE.doc.wrong;
        // Made by a program; moved by a library.
        setup.silent(&RULE, &format!("/* Generated by a tool */\n{wrong}"));
        setup.silent(&RULE, &format!("import {{ interpolate }} from 'flubber';\n{wrong}"));
    }
}
