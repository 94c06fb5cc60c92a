//! Decisions on a run, carried out as commands of this program.

use rb_core::TaskId;

use crate::reply::{Problem, Reply};
use crate::request::Request;
use crate::site::Site;

/// Accepts or rejects a run or one task of it, or resumes a run.
pub(crate) fn decide(site: &Site, request: &Request) -> Result<Reply, Problem> {
    let id = request.run()?;
    let run = id.as_str();
    let task = request.field("task").map(task).transpose()?;
    let task = task.as_deref();
    let comment = request.field("comment");
    let args: Vec<&str> = match (request.field("verb"), task, comment) {
        (Some("accept"), None, _) => vec!["accept", run],
        (Some("accept-failing"), None, _) => vec!["accept", run, "--failing"],
        (Some("reject"), None, _) => vec!["reject", run],
        (Some("resume"), None, _) => vec!["resume", run],
        (Some("accept"), Some(task), _) => vec!["accept", run, "--task", task],
        (Some("reject"), Some(task), None) => vec!["reject", run, "--task", task],
        // With the equals sign, a comment that looks like a flag stays a comment.
        (Some("reject"), Some(task), Some(comment)) => {
            let comment = format!("--comment={comment}");
            return start(site, request, &["reject", run, "--task", task, &comment]);
        }
        (_, _, _) => return Err(Problem::Refused("There is no such decision.".to_owned())),
    };
    start(site, request, &args)
}

/// Begins a plan that waits, without the tasks that were unticked.
pub(crate) fn begin(site: &Site, request: &Request) -> Result<Reply, Problem> {
    let id = request.run()?;
    let host = &site.host;
    let state = rb_change::summary::<rb_refactor::Refactor>(host, &id).map_err(Problem::of_run)?;
    let ticked: Vec<&str> = request.fields("task").collect();
    let without = state.tasks.iter().map(|task| task.id.to_string());
    let without: Vec<String> = without.filter(|task| !ticked.contains(&task.as_str())).collect();
    if without.len() == state.tasks.len() {
        return Err(Problem::Refused("No task is ticked: drop the plan instead.".to_owned()));
    }
    let mut args = vec!["resume", id.as_str()];
    for task in &without {
        args.extend(["--without", task]);
    }
    start(site, request, &args)
}

/// Only a well-formed id gets through, so it cannot be a flag.
fn task(text: &str) -> Result<String, Problem> {
    let id = text.parse::<TaskId>();
    id.map(|id| id.to_string()).map_err(|_| Problem::not_found(format_args!("Task {text}")))
}

fn start(site: &Site, request: &Request, args: &[&str]) -> Result<Reply, Problem> {
    let id = request.run()?;
    let run = id.as_str();
    if !site.host.home.run(&id).is_dir() {
        return Err(Problem::not_found(format_args!("Run {id}")));
    }
    if !site.jobs.start(run, site.command(args)) {
        return Err(Problem::Refused(
            "Another decision on this run is being carried out.".to_owned(),
        ));
    }
    Ok(Reply::SeeOther(format!("/runs/{run}")))
}
