//! What can be decided here, each with its key.

use rb_core::{Proposer, Sha256, Verdict};
use rb_html::Page;
use rb_refactor::{Phase, TaskChange};

use super::Review;
use crate::pages::actions;
use crate::reply::Problem;

/// Accept or reject the run, once it waits.
pub(super) fn of_run(page: &mut Page, review: &Review<'_>) {
    if review.state.phase() != Phase::Waiting {
        return;
    }
    if review.site.read_only {
        page.element("span", "soft", "The server is read-only: decide on the command line.");
        return;
    }
    actions::form(page, review.site, &review.run, |page| {
        if review.state.verdict() == Verdict::Fail {
            page.raw("<button name=\"verb\" value=\"accept-failing\" data-key=\"A\" data-confirm=\"It fails its checks. Accept it anyway?\">Accept although it fails</button>");
        } else {
            page.raw("<button name=\"verb\" value=\"accept\" class=\"primary\" data-key=\"A\" data-confirm=\"Apply all changes to your checkout?\">Accept all</button>");
        }
        page.raw("<button name=\"verb\" value=\"reject\" class=\"danger\" data-key=\"R\" data-confirm=\"Drop the run and all its changes?\">Reject all</button>");
    });
}

/// Approve or reject the change that waits. A comment goes to the next try of a model. The decision counts for the patch that is there
/// before the diff is written: it is the one that is shown, or the decision will be refused.
pub(super) fn of_task(
    page: &mut Page,
    review: &Review<'_>,
    change: &TaskChange,
) -> Result<(), Problem> {
    let patch = rb_refactor::patch_of_task(&review.dir, change.task).map_err(Problem::failed)?;
    let Some(patch) = patch else { return Ok(()) };
    let (id, patch) = (change.task.to_string(), Sha256::of(&patch).to_string());
    actions::form(page, review.site, &review.run, |page| {
        page.open("input", &[("type", "hidden"), ("name", "task"), ("value", &id)]);
        let layout = super::layout_name(review.layout);
        page.open("input", &[("type", "hidden"), ("name", "layout"), ("value", layout)]);
        page.open("input", &[("type", "hidden"), ("name", "patch"), ("value", &patch)]);
        page.raw("<label class=\"comment\">");
        page.element(
            "span",
            "",
            match change.by {
                Proposer::Model => "If you reject it: what should the next try do better?",
                Proposer::Given | Proposer::Recipe { .. } | Proposer::Rule { .. } => {
                    "If you reject it: why?"
                }
            },
        );
        page.raw("<textarea name=\"comment\" rows=\"2\" data-key=\"r\"></textarea></label>\n");
        page.raw("<button name=\"verb\" value=\"accept\" class=\"primary\" data-key=\"a\">Approve <kbd>a</kbd></button>");
        page.raw(
            "<button name=\"verb\" value=\"reject\" class=\"danger\">Reject <kbd>r</kbd></button>",
        );
    });
    Ok(())
}
