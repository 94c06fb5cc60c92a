//! The conversation with the model, in the way that its provider allows.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

use rb_core::{at_most, fs};
use rb_flow::ask::ToolLimits;
use rb_flow::{Query, Reply, fence};
use rb_models::{Limits, McpServer, Route};
use rb_schema::roles::explorer::ExplorerResponse;
use rb_tools::{Output, Shown};
use serde::Deserialize;
use serde_json::Value;

use crate::error::AskError;
use crate::guide::{Guide, has_answered, look_up, meaning_of, take_logged};
use crate::workflow::needs;
use crate::workflow::prompt::{Means, Prompt};
use crate::workflow::run_files::AskFiles as _;
use crate::workflow::world::World;

/// Tokens that an answer should need.
const NEED: u64 = 6_000;
/// Calls for one question, in all its rounds together.
pub(super) const CALLS: u32 = 20;
/// Characters of results that stay in the conversation, at least and at most.
const LEAST_CONTEXT: usize = 24_000;
const MOST_CONTEXT: usize = 240_000;
/// Requests to a model that cannot call tools.
const ROUNDS: u32 = 3;
/// What is looked up for one of them, and the characters of the results.
const NEEDS: usize = 8;
const FOUND: usize = 30_000;
/// Characters of a need as it is repeated to the model.
const LONGEST_NEED: usize = 200;
/// Needs that were answered before, and needs beyond the limit.
const AGAIN: &str = "Not looked up again, because the result is shown above";
const BEYOND: &str = "Not looked up, because the limit of look-ups is reached";

/// The model's answer, or why there is none. `calls`: how many may still be made for the question.
pub(super) fn ask(
    world: &World,
    prompt: &Prompt<'_>,
    guide: &mut Guide<'_>,
    round: u32,
    calls: u32,
) -> Result<Reply<ExplorerResponse>, AskError> {
    if calls == 0 {
        return once(world, prompt, round);
    }
    if world.route().provider.abilities().tools {
        return with_tools(world, prompt, guide, round, calls);
    }
    match &world.mcp {
        Some(server) => with_server(world, prompt, guide, server, round, calls),
        None => in_rounds(world, prompt, guide, round, calls),
    }
}

/// Asks without tools.
fn once(
    world: &World,
    prompt: &Prompt<'_>,
    round: u32,
) -> Result<Reply<ExplorerResponse>, AskError> {
    let query = query(world, prompt, round)?;
    Ok(only(world.desk.ask(&world.log, vec![query])?))
}

fn query(world: &World, prompt: &Prompt<'_>, round: u32) -> Result<Query, AskError> {
    let (user, fence) = fence::enclosed::<AskError>(&world.run.dir, |fence| prompt.text(fence))?;
    Ok(Query { attempt: round, need: Some(NEED), ..Query::new(user, fence) })
}

/// There was one question, so that there is one reply.
fn only(mut replies: Vec<Reply<ExplorerResponse>>) -> Reply<ExplorerResponse> {
    replies.pop().unwrap_or_else(|| Reply::Unusable("there was no reply".to_owned()))
}

fn with_tools(
    world: &World,
    prompt: &Prompt<'_>,
    guide: &mut Guide<'_>,
    round: u32,
    calls: u32,
) -> Result<Reply<ExplorerResponse>, AskError> {
    let queries = vec![query(world, prompt, round)?];
    let limits = tool_limits(world.route(), calls);
    Ok(only(world.desk.ask_with_tools(&world.log, queries, guide, limits)?))
}

/// Half of the model's window is for results; a token has three characters of code.
fn tool_limits(route: &Route, calls: u32) -> ToolLimits {
    let window = route.window.or(route.provider.abilities().window);
    let chars = |tokens: u64| usize::try_from(tokens / 2 * 3).unwrap_or(MOST_CONTEXT);
    ToolLimits {
        calls,
        repeats: 3,
        // No tool gives more than about half of it.
        result_chars: 40_000,
        context_chars: window.map_or(MOST_CONTEXT, chars).clamp(LEAST_CONTEXT, MOST_CONTEXT),
        tokens: 1_000_000,
        usd: None,
        time: Duration::from_mins(20),
    }
}

/// The provider starts the server and calls its tools by itself; the server writes down what it showed. Each process has it write
/// to another file: what a conversation saw that a kill cut off is not before the model any more.
fn with_server(
    world: &World,
    prompt: &Prompt<'_>,
    guide: &mut Guide<'_>,
    server: &McpServer,
    round: u32,
    calls: u32,
) -> Result<Reply<ExplorerResponse>, AskError> {
    let dir = &world.run.dir;
    let log = dir.calls_of_server(round, dir.conversations_with_server(round) + 1);
    let mut server = server.clone();
    // A turn can hold several calls, and a conversation can be led twice for one question: the server counts.
    let (log, most_calls) = (log.display().to_string(), calls.to_string());
    server.args.extend(["--log".to_owned(), log, "--most-calls".to_owned(), most_calls]);
    // One to hear that there are no more calls, and one for the answer.
    let limits = Limits { turns: calls + 2, ..Limits::default() };
    let query = Query { mcp: Some(server), limits, ..query(world, prompt, round)? };
    let reply = only(world.desk.ask(&world.log, vec![query])?);
    // An answer that was kept starts no server: it came of the last conversation before.
    let log = dir.calls_of_server(round, dir.conversations_with_server(round));
    let bytes = fs::read_optional(&log)?.unwrap_or_default();
    for line in bytes.split(|byte| *byte == b'\n') {
        // A line that a kill tore is none.
        let Ok(LoggedCall { tool, input, shown, files, error }) = serde_json::from_slice(line)
        else {
            continue;
        };
        let output = Output { shown, files, ..Output::default() };
        take_logged(guide, &tool, &input, error.map_or(Ok(output), Err));
    }
    Ok(reply)
}

/// A line of the server's log.
#[derive(Deserialize)]
struct LoggedCall {
    tool: String,
    input: Value,
    #[serde(default)]
    shown: Vec<Shown>,
    #[serde(default)]
    files: Vec<String>,
    #[serde(default)]
    error: Option<String>,
}

/// The model names what it has to see, and is asked again with that.
fn in_rounds(
    world: &World,
    prompt: &Prompt<'_>,
    guide: &mut Guide<'_>,
    round: u32,
    calls: u32,
) -> Result<Reply<ExplorerResponse>, AskError> {
    let mut prompt = prompt.clone();
    let mut left = ROUNDS;
    loop {
        left -= 1;
        let calls = calls.saturating_sub(guide.journey().calls);
        let is_last = left == 0 || calls == 0;
        prompt.means = if is_last { Means::Nothing } else { Means::Needs };
        let reply = once(world, &prompt, round)?;
        let needs = match &reply {
            Reply::Answer(response) if !is_last => response.needs.as_deref().unwrap_or_default(),
            Reply::Answer(_) | Reply::Unusable(_) | Reply::Stopped(_) => &[],
        };
        let found = looked_up(guide, needs, NEEDS.min(calls as usize));
        if found.is_empty() {
            return Ok(reply);
        }
        prompt.found.push_str(&found);
    }
}

/// What was asked for, each with the words it was asked for in, and what of it is not shown; empty if nothing was asked for.
fn looked_up(guide: &mut Guide<'_>, needs: &[String], most: usize) -> String {
    let (mut found, mut left) = (String::new(), most);
    let (mut again, mut beyond) = (Vec::new(), Vec::new());
    let mut named = BTreeSet::new();
    for need in needs {
        let Some((tool, input)) = needs::call_of(need) else { continue };
        let (need, meaning) = (in_words(need), meaning_of(tool, &input));
        let is_new = named.insert(meaning.clone());
        match (has_answered(guide, &meaning), is_new) {
            (true, _) => again.push(need),
            // That it is not shown is said once.
            (false, false) => {}
            (false, true) if left == 0 => beyond.push(need),
            (false, true) => {
                left -= 1;
                let room = FOUND.saturating_sub(found.chars().count());
                let result = look_up(guide, tool, &input, room);
                let _ = writeln!(found, "{need}:\n{}", result.trim_end());
            }
        }
    }
    for (why, needs) in [(AGAIN, again), (BEYOND, beyond)] {
        if !needs.is_empty() {
            let needs = at_most(NEEDS, needs.into_iter()).join("; ");
            let _ = writeln!(found, "{why}: {needs}");
        }
    }
    found
}

fn in_words(need: &str) -> String {
    need.trim().chars().take(LONGEST_NEED).collect()
}
