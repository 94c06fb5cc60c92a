//! The conversation with the model, in the way that its provider allows.

use std::time::Duration;

use rb_core::fs;
use rb_flow::ask::ToolLimits;
use rb_flow::{Query, Reply, fence};
use rb_models::{Limits, McpServer, Route};
use rb_schema::roles::explorer::ExplorerResponse;
use rb_tools::{Output, Shown};
use serde::Deserialize;
use serde_json::Value;

use crate::error::AskError;
use crate::guide::{Guide, look_up, take_logged};
use crate::workflow::needs;
use crate::workflow::prompt::{Means, Prompt};
use crate::workflow::run_files::AskFiles as _;
use crate::workflow::world::World;

/// Tokens that an answer should need.
const NEED: u64 = 6_000;
/// Calls for one question.
const CALLS: u32 = 20;
/// Characters of results that stay in the conversation, at least and at most.
const LEAST_CONTEXT: usize = 24_000;
const MOST_CONTEXT: usize = 240_000;
/// Requests to a model that cannot call tools.
const ROUNDS: u32 = 3;
/// What is looked up for one of them.
const NEEDS: usize = 8;
const FOUND: usize = 30_000;

/// The model's answer, or why there is none.
pub(super) fn ask(
    world: &World,
    prompt: &Prompt<'_>,
    guide: &mut Guide<'_>,
    round: u32,
) -> Result<Reply<ExplorerResponse>, AskError> {
    if world.route().provider.abilities().tools {
        return with_tools(world, prompt, guide, round);
    }
    match &world.mcp {
        Some(server) => with_server(world, prompt, guide, round, server),
        None => in_rounds(world, prompt, guide, round),
    }
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
) -> Result<Reply<ExplorerResponse>, AskError> {
    let queries = vec![query(world, prompt, round)?];
    let limits = tool_limits(world.route());
    Ok(only(world.desk.ask_with_tools(&world.log, queries, guide, limits)?))
}

/// Half of the model's window is for results; a token has three characters of code.
fn tool_limits(route: &Route) -> ToolLimits {
    let window = route.window.or(route.provider.abilities().window);
    let chars = |tokens: u64| usize::try_from(tokens / 2 * 3).unwrap_or(MOST_CONTEXT);
    ToolLimits {
        calls: CALLS,
        repeats: 3,
        // No tool gives more than about half of it.
        result_chars: 40_000,
        context_chars: window.map_or(MOST_CONTEXT, chars).clamp(LEAST_CONTEXT, MOST_CONTEXT),
        tokens: 1_000_000,
        usd: None,
        time: Duration::from_mins(20),
    }
}

/// The provider starts the server and calls its tools by itself; the server writes down what it showed.
fn with_server(
    world: &World,
    prompt: &Prompt<'_>,
    guide: &mut Guide<'_>,
    round: u32,
    server: &McpServer,
) -> Result<Reply<ExplorerResponse>, AskError> {
    let log = world.run.dir.calls_of_server(round);
    let mut server = server.clone();
    server.args.extend(["--log".to_owned(), log.display().to_string()]);
    let limits = Limits { turns: CALLS + 1, ..Limits::default() };
    let query = Query { mcp: Some(server), limits, ..query(world, prompt, round)? };
    let reply = only(world.desk.ask(&world.log, vec![query])?);
    let bytes = fs::read_optional(&log)?.unwrap_or_default();
    for line in bytes.split(|byte| *byte == b'\n') {
        // A line that a kill tore is none.
        let Ok(LoggedCall { tool, input, shown, files }) = serde_json::from_slice(line) else {
            continue;
        };
        take_logged(guide, &tool, &input, Output { shown, files, ..Output::default() });
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
}

/// The model names what it has to see, and is asked again with that.
fn in_rounds(
    world: &World,
    prompt: &Prompt<'_>,
    guide: &mut Guide<'_>,
    round: u32,
) -> Result<Reply<ExplorerResponse>, AskError> {
    let mut prompt = prompt.clone();
    let mut left = ROUNDS;
    loop {
        left -= 1;
        prompt.means = if left == 0 { Means::Nothing } else { Means::Needs };
        let query = query(world, &prompt, round)?;
        let reply = only(world.desk.ask(&world.log, vec![query])?);
        let needs = match &reply {
            Reply::Answer(response) if left > 0 => response.needs.as_deref().unwrap_or_default(),
            Reply::Answer(_) | Reply::Unusable(_) | Reply::Stopped(_) => &[],
        };
        let found = looked_up(guide, needs, FOUND);
        if found.is_empty() {
            return Ok(reply);
        }
        prompt.found.push_str(&found);
    }
}

/// What was asked for and can be seen, each with the words it was asked for in; empty if that is nothing.
fn looked_up(guide: &mut Guide<'_>, needs: &[String], room: usize) -> String {
    let mut found = String::new();
    for need in needs.iter().take(NEEDS) {
        let Some((tool, input)) = needs::call_of(need) else { continue };
        let result = look_up(guide, tool, &input);
        let entry = format!("{}:\n{}\n", need.trim(), result.trim_end());
        if found.chars().count() + entry.chars().count() > room {
            break;
        }
        found.push_str(&entry);
    }
    found
}
