//! The checks that a model planned, read into those that a browser carries out.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rb_schema::roles::verify_agent::{
    Action, Expected, PlannedCheck, PlannedExpectation, PlannedStep, VerifyResponse,
};

use crate::checks::{By, Check, Expectation, Step, Target, Viewport};
use crate::ticket::Ticket;

/// What a check may name.
pub(super) struct Named<'a> {
    criteria: Vec<&'a str>,
    pictures: Vec<&'a str>,
}

impl<'a> Named<'a> {
    /// The criteria of the ticket, and those of its pictures that were found.
    pub(super) fn new(ticket: &'a Ticket, pictures: &'a BTreeMap<String, PathBuf>) -> Named<'a> {
        Named {
            criteria: ticket.criteria.iter().map(|it| it.id.as_str()).collect(),
            pictures: pictures.keys().map(String::as_str).collect(),
        }
    }
}

/// The checks of an answer. A criterion whose check cannot be read, or that the model calls uncheckable, is unchecked with the reason.
pub(super) fn checks(
    answer: &VerifyResponse,
    named: &Named<'_>,
    unchecked: &mut BTreeMap<String, String>,
) -> Vec<Check> {
    let mut checks = Vec::new();
    for planned in &answer.checks {
        match check(planned, named) {
            Ok(check) => {
                unchecked.remove(&planned.criterion);
                checks.push(check);
            }
            Err(why) => {
                let why = format!("the planned check cannot be carried out: {why}");
                unchecked.entry(planned.criterion.clone()).or_insert(why);
            }
        }
    }
    for left in &answer.uncheckable {
        if let Some(why) = unchecked.get_mut(&left.criterion) {
            why.clone_from(&left.why);
        }
    }
    checks
}

/// The height of a window whose width was given.
const HEIGHT: u32 = 800;

fn check(planned: &PlannedCheck, named: &Named<'_>) -> Result<Check, String> {
    if planned.expect.is_empty() {
        return Err("it expects nothing".to_owned());
    }
    let width = planned.width.map(|width| u32::try_from(width.0)).transpose();
    let width = width.map_err(|_| "the width is not one of a window".to_owned())?;
    let check = Check {
        criterion: Some(planned.criterion.clone()),
        says: planned.says.clone(),
        path: planned.path.clone(),
        viewport: width.map(|width| Viewport { width, height: HEIGHT }),
        steps: planned.steps.iter().map(step).collect::<Result<_, _>>()?,
        expect: planned.expect.iter().map(expectation).collect::<Result<_, _>>()?,
        by: By::Model,
    };
    check.from_model(&named.criteria, &named.pictures).map_err(|error| error.to_string())
}

fn step(planned: &PlannedStep) -> Result<Step, String> {
    let on = || target(&planned.target);
    let value = planned.value.clone();
    Ok(match planned.action {
        Action::Goto => Step::Goto(value),
        Action::Click => Step::Click(on()?),
        Action::Type => Step::Type { into: on()?, text: value },
        Action::Select => Step::Select { target: on()?, option: value },
        Action::Hover => Step::Hover(on()?),
        Action::Press => Step::Press(value),
        Action::WaitForText => Step::WaitForText(value),
    })
}

fn expectation(planned: &PlannedExpectation) -> Result<Expectation, String> {
    let on = || target(&planned.target);
    let value = planned.value.clone();
    let number = || {
        planned.value.trim().parse::<u16>().map_err(|_| format!("`{}` is no number", planned.value))
    };
    Ok(match planned.kind {
        Expected::TextPresent => Expectation::TextPresent(value),
        Expected::TextAbsent => Expectation::TextAbsent(value),
        Expected::Exists => Expectation::Exists(on()?),
        Expected::Absent => Expectation::Absent(on()?),
        Expected::Count => Expectation::Count { target: on()?, count: usize::from(number()?) },
        Expected::Enabled => Expectation::Enabled(on()?),
        Expected::Disabled => Expectation::Disabled(on()?),
        Expected::ValueIs => Expectation::ValueIs { target: on()?, value },
        Expected::UrlIs => Expectation::UrlIs(value),
        Expected::TitleIs => Expectation::TitleIs(value),
        Expected::Status => Expectation::Status(number()?),
        Expected::NoOverflow => Expectation::NoOverflow,
        Expected::LooksLike => Expectation::LooksLike { picture: value, tolerance_percent: 1 },
    })
}

/// `button "Save"`, `label "E-mail"`, `text "Sold out"`, `css .card`.
fn target(text: &str) -> Result<Target, String> {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    let quoted = rest.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    match (word, quoted) {
        ("css", _) if !rest.is_empty() => Ok(Target::Css(rest.to_owned())),
        ("label", Some(name)) => Ok(Target::Label(name.to_owned())),
        ("text", Some(name)) => Ok(Target::Text(name.to_owned())),
        (role, Some(name)) if role.chars().all(|it| it.is_ascii_alphabetic()) => {
            Ok(Target::Role { role: role.to_owned(), name: name.to_owned() })
        }
        _ => Err(format!("`{text}` is no target; write one such as `button \"Save\"`")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tk3_targets_are_written_in_words() {
        let role = |role: &str, name: &str| Target::Role { role: role.into(), name: name.into() };
        let check = |text: &str, expected: Target| assert_eq!(target(text), Ok(expected), "{text}");
        check("button \"Save\"", role("button", "Save"));
        check("link \"My \"best\" shop\"", role("link", "My \"best\" shop"));
        check("label \"E-mail\"", Target::Label("E-mail".into()));
        check("text \"Sold out\"", Target::Text("Sold out".into()));
        check("css .card > p", Target::Css(".card > p".into()));
        for bad in ["", "Save", "css", "button Save", "\"Save\""] {
            assert!(target(bad).unwrap_err().contains("button \"Save\""), "{bad}");
        }
    }

    #[test]
    fn tk3_a_check_that_cannot_be_read_leaves_its_criterion_unchecked() {
        let planned = |criterion: &str, target: &str| {
            json!({"criterion": criterion, "says": "it is there", "path": "/", "steps": [],
                "expect": [{"kind": "exists", "target": target, "value": ""}]})
        };
        let answer = json!({"reason": "", "checks": [planned("C1", "button \"Save\""), planned("C2", "Save")],
            "uncheckable": [{"criterion": "C3", "why": "it is about a mail"}]});
        let answer: VerifyResponse = serde_json::from_value(answer).unwrap();
        let open = |id: &str| (id.to_owned(), "not understood".to_owned());
        let mut unchecked = BTreeMap::from([open("C1"), open("C3")]);
        let criterion = |id: &str| json!({"id": id, "text": "", "given": [], "when": [], "then": [], "from": "section"});
        let criteria = ["C1", "C2", "C3"].map(criterion);
        let criteria = serde_json::from_value(json!(criteria)).unwrap();
        let ticket = Ticket { criteria, ..Ticket::empty() };
        let made = checks(&answer, &Named::new(&ticket, &BTreeMap::new()), &mut unchecked);
        assert_eq!(made.len(), 1);
        assert_eq!(made[0].by, By::Model);
        let keys: Vec<&str> = unchecked.keys().map(String::as_str).collect();
        assert_eq!(keys, ["C2", "C3"]);
        assert_eq!(unchecked["C3"], "it is about a mail");
    }

    #[test]
    fn tk3_a_planned_check_can_compare_with_a_picture_of_the_ticket_and_no_other() {
        let planned = |criterion: &str, picture: &str| {
            json!({"criterion": criterion, "says": "as drawn", "path": "/cart", "steps": [],
                "expect": [{"kind": "looks_like", "target": "", "value": picture}]})
        };
        let answer = json!({"reason": "", "checks": [planned("C1", "cart.png"), planned("C2", "/etc/x.png")],
            "uncheckable": []});
        let answer: VerifyResponse = serde_json::from_value(answer).unwrap();
        let pictures = BTreeMap::from([("cart.png".to_owned(), PathBuf::from("/t/cart.png"))]);
        let ticket = Ticket::empty();
        let named = Named { criteria: vec!["C1", "C2"], ..Named::new(&ticket, &pictures) };
        let mut unchecked = BTreeMap::new();
        let made = checks(&answer, &named, &mut unchecked);
        let looks = Expectation::LooksLike { picture: "cart.png".to_owned(), tolerance_percent: 1 };
        assert_eq!(made.iter().map(|check| &check.expect).collect::<Vec<_>>(), [&vec![looks]]);
        assert!(unchecked["C2"].contains("is not the name of an attachment"), "{unchecked:?}");
    }
}
