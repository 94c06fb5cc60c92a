//! Decisions on a run, carried out as commands of this program.

use std::thread;
use std::time::{Duration, Instant};

use rb_core::{RunId, Sha256, TaskId};
use rb_flow::{RunDir, runs};
use rb_refactor::{Phase, Refactor};

use crate::jobs::Started;
use crate::live::follow;
use crate::reply::{Problem, Reply};
use crate::request::Request;
use crate::site::Site;

/// Accepts or rejects a run or one task of it, or resumes a run.
pub(crate) fn decide(site: &Site, request: &Request) -> Result<Reply, Problem> {
    let id = request.run()?;
    match request.field("task") {
        Some(text) => decide_task(site, request, &id, task(text)?),
        None => decide_run(site, request, &id),
    }
}

fn decide_run(site: &Site, request: &Request, id: &RunId) -> Result<Reply, Problem> {
    let run = id.as_str();
    match request.field("verb") {
        Some("accept") => carry_out(site, id, &["accept", run], Awaited::Run),
        Some("accept-failing") => carry_out(site, id, &["accept", run, "--failing"], Awaited::Run),
        Some("reject") => carry_out(site, id, &["reject", run], Awaited::Run),
        Some("resume") => carry_out(site, id, &["resume", run], Awaited::Nothing),
        Some(_) | None => Err(Problem::Refused("There is no such decision.".to_owned())),
    }
}

/// Of the change that the form was shown with. A newer one is refused by the command.
fn decide_task(site: &Site, request: &Request, id: &RunId, task: TaskId) -> Result<Reply, Problem> {
    let Some(patch) = request.field("patch").and_then(Sha256::from_hex) else {
        return Err(Problem::Refused("The form does not say which change it is about.".to_owned()));
    };
    let (run, name, patch) = (id.as_str(), task.to_string(), format!("--if-patch={patch}"));
    // With the equals sign, a comment that looks like a flag stays a comment.
    let comment = request.field("comment").map(|comment| format!("--comment={comment}"));
    let mut args = match request.field("verb") {
        Some("accept") => vec!["accept", run, "--task", &name, &patch],
        Some("reject") => vec!["reject", run, "--task", &name, &patch],
        Some(_) | None => {
            return Err(Problem::Refused("There is no such decision.".to_owned()));
        }
    };
    if args[0] == "reject" {
        args.extend(comment.as_deref());
    }
    carry_out(site, id, &args, Awaited::Task(task))?;
    Ok(Reply::SeeOther(next_change(request, run)))
}

/// The review leads on to the next change that waits, in the layout that the person chose.
fn next_change(request: &Request, run: &str) -> String {
    match request.field("layout") {
        Some("split") => format!("/runs/{run}/review?layout=split"),
        Some(_) | None => format!("/runs/{run}/review"),
    }
}

/// Begins a plan that waits, without the tasks that were unticked.
pub(crate) fn begin(site: &Site, request: &Request) -> Result<Reply, Problem> {
    let id = request.run()?;
    let state = rb_change::summary::<Refactor>(&site.host, &id).map_err(Problem::of_run)?;
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
    carry_out(site, &id, &args, Awaited::Plan)
}

/// Only a well-formed id gets through, so it cannot be a flag.
fn task(text: &str) -> Result<TaskId, Problem> {
    text.parse().map_err(|_| Problem::not_found(format_args!("Task {text}")))
}

/// What the run must be waiting for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Awaited {
    Plan,
    Task(TaskId),
    Run,
    Nothing,
}

/// How long is waited for the process that came before: it writes that the run waits a moment before it ends.
const ENDS: Duration = Duration::from_secs(10);

/// The same decision again, from a second click, is answered as the first.
fn carry_out(site: &Site, id: &RunId, args: &[&str], awaited: Awaited) -> Result<Reply, Problem> {
    let dir = RunDir::new(&site.host.home, id);
    if !dir.path().is_dir() {
        return Err(Problem::not_found(format_args!("Run {id}")));
    }
    let started = Reply::SeeOther(format!("/runs/{id}"));
    let until = Instant::now() + ENDS;
    loop {
        if site.jobs.has_done(id, args) && !is_awaited(site, id, awaited) {
            return Ok(started);
        }
        let is_late = Instant::now() >= until;
        let is_busy = !site.jobs.is_running(id) && runs::is_busy(&dir).unwrap_or(false);
        if is_busy && !is_late {
            thread::sleep(LOOK);
            continue;
        }
        match site.jobs.start(Some(id), args, site.command(args)) {
            Started::Now(_) | Started::Already(_) => return Ok(started),
            Started::Busy if is_late => {
                return Err(Problem::Refused(
                    "Another decision on this run is being carried out.".to_owned(),
                ));
            }
            Started::Busy => thread::sleep(LOOK),
        }
    }
}

const LOOK: Duration = Duration::from_millis(20);

/// Whether the decision is still to be made. What can be repeated always is.
fn is_awaited(site: &Site, id: &RunId, awaited: Awaited) -> bool {
    let phase = || rb_change::summary::<Refactor>(&site.host, id).ok().map(|state| state.phase());
    match awaited {
        Awaited::Plan => phase() == Some(Phase::Planned),
        Awaited::Task(task) => phase() == Some(Phase::Approval(task)),
        Awaited::Run => {
            let row = follow(site, id).ok().and_then(|run| run.row());
            row.is_some_and(|row| row.stands == "waiting for you")
        }
        Awaited::Nothing => true,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use rb_core::fs::{self, Durability};
    use rb_core::process::Cmd;
    use rb_testkit::in_time;

    use super::*;
    use crate::pages::code::testing::TestSite;
    use crate::site::Program;

    #[test]
    fn ux4_a_decision_waits_until_the_command_before_it_has_ended() {
        in_time(|| {
            let TestSite { repo, mut site } = TestSite::new("//- a.js\nlet a;\n");
            let globals = vec!["-c".into(), "exit 0".into()];
            site.program = Program { path: "sh".into(), globals, ..site.program };
            let id: RunId = "20260131T120000Z".parse().unwrap();
            fs::create_dir_all(&site.host.home.run(&id)).unwrap();
            let go = repo.beside("go");
            let script = format!("while [ ! -e '{}' ]; do sleep 0.01; done", go.display());
            let before = Cmd::new("sh", &site.host.env).args(["-c", &script]);
            assert!(matches!(site.jobs.start(Some(&id), &["resume"], before), Started::Now(_)));
            let pair = |name: &str, value: &str| vec![(name.to_owned(), value.to_owned())];
            let request = Request {
                params: pair("run", id.as_str()),
                query: Vec::new(),
                form: pair("verb", "accept"),
            };
            let clicks = Barrier::new(2);
            thread::scope(|scope| {
                let click = scope.spawn(|| {
                    clicks.wait();
                    decide(&site, &request)
                });
                clicks.wait();
                fs::write(&go, b"", Durability::Relaxed).unwrap();
                assert!(matches!(click.join().unwrap(), Ok(Reply::SeeOther(_))));
            });
            assert!(site.jobs.has_done(&id, &["accept", id.as_str()]) || site.jobs.is_running(&id));
            site.jobs.end();
        });
    }
}
