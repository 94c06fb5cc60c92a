//! New work from the page: a refactoring whose plan waits, a question, a check by the rules.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use rb_ask::answer::Answer;
use rb_core::{RunId, plural};
use rb_html::Page;

use super::actions;
use super::code::links::CodeLinks;
use super::run::ask::write_answer;
use crate::jobs::{JobState, Started};
use crate::layout::{Frame, Tab};
use crate::reply::{Problem, Reply};
use crate::request::Request;
use crate::site::Site;

#[expect(clippy::unnecessary_wraps, reason = "every page has this signature")]
pub(crate) fn page(site: &Site, _: &Request) -> Result<Reply, Problem> {
    let mut body = Page::new();
    body.raw("<h1>New run</h1>\n");
    body.raw("<p class=\"soft\">In ");
    body.element("code", "", &site.root.display().to_string());
    body.raw("</p>\n");
    if site.read_only {
        body.element(
            "p",
            "notice open",
            "The server is read-only: nothing can be started from here.",
        );
    }
    refactoring(&mut body, site);
    question(&mut body, site);
    body.raw("<section class=\"card\"><h2>Check the rules</h2>\n<p>Every finding of the rules, with its fix.</p>\n<a class=\"button\" href=\"/rules\">Check the rules</a></section>\n");
    Ok(Frame { title: "New run", tab: Tab::New, scripts: &[], is_wide: false }.reply(site, &body))
}

fn refactoring(page: &mut Page, site: &Site) {
    page.raw("<section class=\"card\"><h2>Refactor</h2>\n");
    actions::form_to(page, site, "/new/run", |page| {
        page.raw("<label for=\"directive\">What to change, in plain English. Leave it empty to scan the whole repository.</label>\n");
        page.raw("<textarea id=\"directive\" name=\"directive\" rows=\"3\" placeholder=\"Convert all synchronous file operations to async\"></textarea>\n");
        page.raw("<label class=\"tick\"><input type=\"checkbox\" name=\"approve-each\"> Ask about each change before it is kept</label>\n");
        page.raw("<label class=\"tick\"><input type=\"checkbox\" name=\"no-verify\"> Do not run the repository's own checks</label>\n");
        page.raw("<div class=\"actions\"><button class=\"primary\">Make a plan</button> <span class=\"soft\">Nothing is changed before you agree to the plan.</span></div>\n");
    });
    page.raw("</section>\n");
}

fn question(page: &mut Page, site: &Site) {
    page.raw("<section class=\"card\"><h2>Ask</h2>\n");
    actions::form_to(page, site, "/new/ask", |page| {
        page.raw("<label for=\"question\">A question about this code. Every citation of the answer is checked.</label>\n");
        page.raw("<input id=\"question\" name=\"question\" required placeholder=\"Where are sessions expired?\">\n");
        page.raw("<div class=\"actions\"><button class=\"primary\">Ask</button></div>\n");
    });
    page.raw("</section>\n");
}

/// Starts a refactoring that stops once its plan is made.
pub(crate) fn run(site: &Site, request: &Request) -> Result<Reply, Problem> {
    let directive = request.field("directive").map(|words| format!("--directive={words}"));
    let mut args = vec!["run", ".", "--verbose", "--confirm"];
    args.extend(directive.as_deref());
    for flag in ["--approve-each", "--no-verify"] {
        if request.field(&flag[2..]).is_some() {
            args.push(flag);
        }
    }
    match begin(site, &args)? {
        Begun::Run(id) => Ok(Reply::SeeOther(format!("/runs/{id}"))),
        Begun::Done(_) => Ok(Reply::SeeOther("/runs".to_owned())),
    }
}

pub(crate) fn ask(site: &Site, request: &Request) -> Result<Reply, Problem> {
    let Some(question) = request.field("question") else {
        return Err(Problem::Refused("There is no question.".to_owned()));
    };
    match begin(site, &["ask", ".", "--verbose", "--json", "--", question])? {
        Begun::Run(id) => Ok(Reply::SeeOther(format!("/runs/{id}"))),
        Begun::Done(output) => answer(site, &output),
    }
}

/// An answer from the index alone, which is no run.
fn answer(site: &Site, output: &str) -> Result<Reply, Problem> {
    let answer: Answer = serde_json::from_str(output).map_err(Problem::failed)?;
    let mut body = Page::new();
    body.element("h1", "", &answer.question);
    let counts = &answer.counts;
    let words = format!(
        "{} of {} verified, {} of {} valid",
        counts.verified_claims,
        plural(counts.claims as usize, "claim"),
        counts.valid_citations,
        plural(counts.citations as usize, "citation")
    );
    body.element("p", "soft", &words);
    write_answer(&mut body, &answer, &CodeLinks::new(&site.root, &site.root));
    Ok(Frame { title: &answer.question, tab: Tab::New, scripts: &[], is_wide: false }
        .reply(site, &body))
}

/// How long a command may take until there is something to be shown.
const APPEARS: Duration = Duration::from_mins(2);

enum Begun {
    Run(RunId),
    /// The command ended without a run, and this is what it said.
    Done(Arc<str>),
}

/// Starts the command and waits for the run that it makes, which it names with `--verbose`. A second click waits for the same one.
fn begin(site: &Site, args: &[&str]) -> Result<Begun, Problem> {
    let job = match site.jobs.start(None, args, site.command(args)) {
        Started::Now(job) | Started::Already(job) => job,
        Started::Busy => unreachable!("a command without a run is in the way of none"),
    };
    let until = Instant::now() + APPEARS;
    while Instant::now() < until {
        match site.jobs.get(job) {
            Some((Some(run), _)) => return Ok(Begun::Run(run)),
            Some((None, JobState::Failed { words, .. })) => {
                return Err(Problem::Failed(words.to_string()));
            }
            Some((None, JobState::Done { output })) => return Ok(Begun::Done(output)),
            Some((None, JobState::Running)) => thread::sleep(Duration::from_millis(50)),
            None => break,
        }
    }
    let words = "The command is still running; its run will appear in the list.";
    Err(Problem::Failed(words.to_owned()))
}
