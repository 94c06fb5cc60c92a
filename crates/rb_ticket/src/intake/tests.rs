mod cleaning;
mod documents;
mod limits;

use expect_test::Expect;

use super::*;
use crate::ticket::{Origin, Source, Ticket};

fn parse(text: &str) -> Ticket {
    parse_markdown(text, Source::Stdin).unwrap()
}

/// A whole ticket without its text, in lines.
fn shown(ticket: &Ticket) -> String {
    let Ticket {
        key,
        title,
        summary,
        requirements,
        criteria,
        hints,
        attachments,
        stripped,
        suspicious,
        source: _,
        text: _,
        truncated,
    } = ticket;
    let mut out = vec![format!("{key} | {title} | {summary}")];
    out.extend(requirements.iter().map(|text| format!("R: {text}")));
    for criterion in criteria {
        let from = match criterion.from {
            Origin::Section => "section",
            Origin::Gherkin => "gherkin",
            Origin::Expected => "expected",
            Origin::Requirement => "requirement",
            Origin::Sentence => "sentence",
        };
        out.push(format!("{} ({from}): {}", criterion.id, criterion.text));
        let steps =
            [("given", &criterion.given), ("when", &criterion.when), ("then", &criterion.then)];
        for (name, steps) in steps {
            out.extend(steps.iter().map(|step| format!("  {name} {step}")));
        }
    }
    for (name, list) in [("path", &hints.paths), ("symbol", &hints.symbols), ("url", &hints.urls)] {
        out.extend(list.iter().map(|hint| format!("{name}: {hint}")));
    }
    out.extend(attachments.iter().map(|it| format!("attachment: {} at {}", it.name, it.location)));
    out.extend(stripped.iter().map(|it| format!("{}: {}: {}", it.line, it.kind.name(), it.text)));
    out.extend(suspicious.iter().map(|it| format!("suspicious in {}: {}", it.line, it.excerpt)));
    if *truncated {
        out.push("truncated".to_owned());
    }
    out.join("\n")
}

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&shown(&parse(text)));
}
