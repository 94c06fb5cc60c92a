//! `<svg className="animate-spin">`: the drawing itself is moved, and not a box around it.
//!
//! Only names that speak of motion are taken for it: what a class of a style sheet does is not looked up.

use oxc_ast::ast::JSXElement;
use oxc_span::GetSpan;

use super::jsx;
use crate::cx::{Cx, Hit};
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "rendering-animate-svg-wrapper",
    title: "A transform is animated on the `<svg>` itself",
    category: Category::Rendering,
    impact: Impact::Low,
    fix: FixKind::Detect,
    level: Level::Audit,
    repairs: false,
    doc: Doc {
        what: "An `<svg>` has a class or style that moves, rotates or scales it over time.",
        why: "Not every browser composites a transform of an `<svg>` on the GPU; a wrapper element always is. \
              Otherwise the drawing is repainted for every frame.",
        wrong: "const Spin = () => <svg className=\"animate-spin\" viewBox=\"0 0 8 8\"><path d=\"M1 1h6\" /></svg>;",
        right: "const Spin = () => (
  <div className=\"animate-spin\"><svg viewBox=\"0 0 8 8\"><path d=\"M1 1h6\" /></svg></div>
);",
        safe: "No fix is offered: another element changes the layout around it (an inline box becomes a block, a \
               grid child, `:first-child`), and in a paragraph or button it must be a `<span>`.",
        leave: "Paths or attributes inside the drawing are animated: a wrapper cannot do that.",
        given: &[],
    },
    wants: &["<svg"],
    applies: |facts| facts.package.uses_react && !facts.package.react_native,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    for &element in cx.module.elements() {
        if !jsx::is_host(element, "svg") {
            continue;
        }
        if let Some(what) = moving_class(element).or_else(|| moving_style(cx, element)) {
            let message =
                format!("{what} animates the `<svg>` itself; animate a wrapper `<div>` instead");
            cx.report(Hit::at(element.opening_element.span, message));
        }
    }
}

fn moving_class<'a>(element: &'a JSXElement<'a>) -> Option<String> {
    let class = jsx::classes(element)
        .into_iter()
        .find(|class| class.strip_prefix("animate-").is_some_and(speaks_of_motion))?;
    Some(format!("`{class}`"))
}

fn moving_style<'a>(cx: &Cx<'_, 'a>, element: &'a JSXElement<'a>) -> Option<String> {
    let style = jsx::style(element)?;
    let text = |name: &str| jsx::property(style, name).map(|it| cx.module.slice(it.span()));
    let is_moving = |name: &str| {
        text(name).is_some_and(|value| match name {
            "transition" | "transitionProperty" => value.contains("transform"),
            _ => speaks_of_motion(value),
        })
    };
    let names = ["animation", "animationName", "transition", "transitionProperty"];
    names.into_iter().find(|name| is_moving(name)).map(|name| format!("`style.{name}`"))
}

/// Names of animations that transform. What fades, draws a line or is called anything else is not known to.
fn speaks_of_motion(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "spin", "rotate", "ping", "bounce", "wiggle", "shake", "slide", "scale", "zoom", "swing",
        "orbit", "float",
    ];
    let lower = name.to_lowercase();
    WORDS.iter().any(|word| lower.contains(word))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_rendering_animate_svg_wrapper_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_rendering_animate_svg_wrapper_in_every_form() {
        Setup::new().check(
            &RULE,
            r#"const A = ({ busy }) => (
  <>
    <svg className={cn("h-4 w-4", busy && "motion-safe:animate-spin")} />
    <svg className={`icon ${busy ? 'animate-bounce' : ''}`} />
    <svg className="animate-[spin_2s_linear_infinite]" />
    <svg style={{ animation: `${spin} 1s linear infinite` }} />
    <svg style={{ transition: "transform 200ms" }} />
  </>
);"#,
            expect![[r#"
                3:5 note: `animate-spin` animates the `<svg>` itself; animate a wrapper `<div>` instead
                4:5 note: `animate-bounce` animates the `<svg>` itself; animate a wrapper `<div>` instead
                5:5 note: `animate-[spin_2s_linear_infinite]` animates the `<svg>` itself; animate a wrapper `<div>` instead
                6:5 note: `style.animation` animates the `<svg>` itself; animate a wrapper `<div>` instead
                7:5 note: `style.transition` animates the `<svg>` itself; animate a wrapper `<div>` instead
            "#]],
        );
    }

    #[test]
    fn ru1_rendering_animate_svg_wrapper_leaves_the_rest_alone() {
        let setup = Setup::new();
        for element in [
            // A path that is drawn, an attribute that is animated.
            r#"<svg className="animate-dash"><path d="M1 1" /></svg>"#,
            r#"<svg><path className="animate-spin" d="M1 1" /></svg>"#,
            r#"<svg><animateTransform attributeName="transform" /></svg>"#,
            // Content that is not known.
            "<svg className={styles.spin} />",
            // Nothing moves.
            r#"<svg className="animate-none" />"#,
            r#"<svg className="animate-pulse" />"#,
            r#"<svg style={{ transition: "opacity 1s" }} />"#,
            // A component, and a box.
            r#"<Loader className="animate-spin" />"#,
            r#"<div className="animate-spin"><svg /></div>"#,
        ] {
            setup.silent(&RULE, &format!("const A = () => {element};"));
        }
    }
}
