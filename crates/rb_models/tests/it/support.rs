//! What the tests of all providers stand on: one call, told from its beginning to its end.

use std::fmt::Write as _;
use std::sync::Mutex;
use std::time::Duration;

use rb_core::Cancel;
use rb_http::testing::{Waits, context};
use rb_http::{HttpContext, Secret};
use rb_models::{Advice, Answer, Calling, Heard, Limits, ModelError, Provider, Request};

/// Planted wherever a key belongs; whatever is shown, recorded or handed back must not hold it.
pub(crate) const KEY: &str = "swordfish";

pub(crate) fn key() -> Secret {
    Secret::new(KEY)
}

/// A clock that stands still: waits are noted, not waited for.
pub(crate) fn still() -> HttpContext {
    context(&Waits::new(), &Cancel::new())
}

/// Long enough for any machine.
pub(crate) fn unhurried() -> Limits {
    let long = Duration::from_mins(10);
    Limits { output_tokens: 1000, turns: 1, first: long, idle: long, whole: long }
}

/// For servers that never say what is waited for.
pub(crate) const SOON: Duration = Duration::from_millis(40);

/// One try, and the signs of life in it.
pub(crate) fn ask(
    provider: &dyn Provider,
    request: &Request,
    cancel: &Cancel,
) -> (Result<Answer, ModelError>, Vec<String>) {
    let signs = Mutex::new(Vec::new());
    let heard = |sign: Heard<'_>| signs.lock().unwrap().push(format!("{sign:?}"));
    let result = provider.ask(request, &Calling { cancel, heard: &heard });
    (result, signs.into_inner().unwrap())
}

/// A try as it is seen from above, without what differs from run to run.
pub(crate) fn story(provider: &dyn Provider, request: &Request) -> String {
    let (result, signs) = ask(provider, request, &Cancel::new());
    let text = match &result {
        Ok(answer) => told(answer, &signs),
        Err(error) => refused(error),
    };
    assert!(!format!("{text} {result:?} {signs:?}").contains(KEY), "{text}");
    text
}

fn told(answer: &Answer, signs: &[String]) -> String {
    let mut text = String::new();
    if !answer.text.is_empty() {
        writeln!(text, "text  {:?}", answer.text).unwrap();
    }
    if let Some(value) = &answer.value {
        writeln!(text, "value {value}").unwrap();
    }
    for call in &answer.tool_calls {
        writeln!(text, "call  {} {} {}", call.id, call.name, call.input).unwrap();
    }
    let usage = &answer.usage;
    writeln!(text, "stop  {:?}", answer.stop).unwrap();
    writeln!(
        text,
        "usage {} in, {} out, {} read, {} written, {} thought, {:?}; {:?}",
        usage.input,
        usage.output,
        usage.cache_read,
        usage.cache_write,
        usage.reasoning,
        usage.counted,
        answer.cost
    )
    .unwrap();
    let facts = &answer.facts;
    let id = facts.id.as_deref().unwrap_or("-");
    writeln!(text, "facts {} {} {id} {}", facts.provider, facts.model, facts.tries).unwrap();
    for note in &facts.notes {
        writeln!(text, "note  {note}").unwrap();
    }
    writeln!(text, "heard {}", signs.join(" ")).unwrap();
    text
}

/// The fault, what follows from it, and what a person can do.
pub(crate) fn refused(error: &ModelError) -> String {
    let mut text = format!("{error}\n");
    let kind = format!("{:?}", error.fault);
    let kind = kind.split([' ', '(']).next().unwrap();
    let advice = match error.fault.advice() {
        Advice::Retry { after: None } => "retry".to_owned(),
        Advice::Retry { after: Some(wait) } => format!("retry after {} s", wait.as_secs()),
        Advice::TellModel(words) => format!("tell the model: {words}"),
        Advice::Stop(halt) => format!("stop: {halt:?}"),
    };
    writeln!(text, "{kind}: {advice}").unwrap();
    if let Some(hint) = &error.hint {
        writeln!(text, "hint: {hint}").unwrap();
    }
    if let Some(spent) = &error.spent {
        let usage = spent.usage;
        let (input, output) = (usage.all_input(), usage.output);
        writeln!(text, "spent: {input} in, {output} out, {:?}; {:?}", usage.counted, spent.cost)
            .unwrap();
    }
    text
}
