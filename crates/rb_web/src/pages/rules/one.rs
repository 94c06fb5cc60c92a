//! One rule: what it is about, what it finds, and what its fixes make of the files.

use std::collections::BTreeSet;

use rb_html::Page;
use rb_index::search::Searchable;
use rb_index::{IndexError, Indexed};
use rb_repo::Repo;
use rb_rules::engine::{self, RuleChange};
use rb_rules::{Finding, Level, Rule};

use super::list::{self, RuleNames};
use super::{explanation, fixes};
use crate::layout::{Frame, Tab};
use crate::pages::code::address::Address;
use crate::pages::code::findings::{self, with_world};
use crate::pages::code::numbers::plural;
use crate::pages::code::paging::Paging;
use crate::reply::{Problem, Reply};
use crate::request::Request;
use crate::site::Site;

const ROWS: usize = 50;

pub(super) fn page(site: &Site, request: &Request) -> Result<Reply, Problem> {
    let id = request.param("rule");
    let made =
        site.indexed(Searchable::Nothing, |repo, indexed| body(site, request, repo, indexed));
    let frame = Frame { title: id, tab: Tab::Rules, scripts: &["code.js"], is_wide: false };
    Ok(frame.reply(site, &made??))
}

fn body(
    site: &Site,
    request: &Request,
    repo: &Repo,
    indexed: &Indexed,
) -> Result<Result<Page, Problem>, IndexError> {
    let id = request.param("rule");
    let all = match findings::all(site, repo, indexed)? {
        Ok(all) => all,
        Err(problem) => return Ok(Err(problem)),
    };
    let mut body = Page::new();
    let found = match (engine::rule(id), all.own.get(id)) {
        (Some(rule), _) => {
            explanation::built_in(&mut body, rule);
            of_rule(site, repo, indexed, rule, &all.checked.findings)?
        }
        (None, Some(message)) => {
            explanation::own(&mut body, id, message);
            all.checked.findings.iter().filter(|finding| finding.rule == id).cloned().collect()
        }
        (None, None) => return Ok(Err(Problem::not_found(format_args!("The rule {id}")))),
    };
    body.raw("<h2>Findings</h2>\n");
    if found.is_empty() {
        body.element("p", "empty", "The rule finds nothing here.");
        return Ok(Ok(body));
    }
    let found: Vec<&Finding> = found.iter().collect();
    let paging = Paging::of(request, found.len(), ROWS);
    let shown = paging.shown(&found);
    list::write(&mut body, shown, RuleNames::LeftOut);
    paging.links(&mut body, &Address::new(&format!("/rules/{id}")));
    body.raw("<h2>Before and after</h2>\n");
    let files = fixes::files(shown);
    if files.paths.is_empty() {
        body.element("p", "soft", "There is no edit for these findings: a person has to decide.");
        return Ok(Ok(body));
    }
    match changes(site, repo, indexed, id, &files.paths)? {
        Ok(changes) => fixes::write(&mut body, &changes),
        Err(problem) => return Ok(Err(problem)),
    }
    if files.left_out > 0 {
        let words = format!("{} with edits not shown.", plural(files.left_out as u64, "more file"));
        body.element("p", "soft", &words);
    }
    Ok(Ok(body))
}

/// A rule that is not among the default ones is run for its page alone.
fn of_rule(
    site: &Site,
    repo: &Repo,
    indexed: &Indexed,
    rule: &'static Rule,
    all: &[Finding],
) -> Result<Vec<Finding>, IndexError> {
    match rule.level {
        Level::Default => Ok(all.iter().filter(|it| it.rule == rule.id).cloned().collect()),
        Level::Audit => with_world(repo, indexed, |world| {
            engine::check(world, &[rule], &findings::options(site, None)).findings
        }),
    }
}

/// What the rule would change in some files, drafts among it.
fn changes(
    site: &Site,
    repo: &Repo,
    indexed: &Indexed,
    id: &str,
    paths: &BTreeSet<&str>,
) -> Result<Result<Vec<RuleChange>, Problem>, IndexError> {
    let own = match rb_change::own_rules(repo.root()) {
        Ok(own) => own,
        Err(error) => return Ok(Err(Problem::failed(error))),
    };
    let rules: Vec<&'static Rule> = engine::rule(id).into_iter().collect();
    let how = engine::FixOptions { drafts: true, no_repairs: false };
    let only = |path: &str| paths.contains(path);
    let options = findings::options(site, Some(&only));
    let made = with_world(repo, indexed, |world| {
        engine::fix_with_own(world, &rules, &own, &[id.to_owned()], &options, how)
    })?;
    Ok(Ok(made.changes))
}
