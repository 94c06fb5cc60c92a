//! The Supervisor: decides whether the kata is complete, and what follows when an agent is in trouble. What it may decide depends
//! on the trouble; where it does not decide, a rule does.

use rb_flow::graph::Node;
use rb_schema::roles::supervisor::{self, Decision, SupervisorResponse};

use super::Kata;
use super::event::{DecidedBy, Event, KataEvent};
use super::state::{INTERVENTIONS, Phase, State, Trouble};
use super::world::{SortedFiles, World};
use crate::error::KataError;
use crate::prompt;

pub(crate) struct Supervisor;

impl Node<Kata> for Supervisor {
    const NAME: &'static str = "supervisor";
    const DOES: &'static str =
        "decides whether the kata is complete, and what follows when an agent is in trouble";
    type Reads<'s> = &'s State;
    type Writes = Vec<Event>;

    fn run(state: &State, world: &mut World) -> Result<Vec<Event>, KataError> {
        let Phase::Supervisor(trouble) = &state.phase else { return Ok(Vec::new()) };
        if state.is_stuck() {
            return Ok(vec![stuck(trouble)]);
        }
        let tree = state.red.as_ref().map(|staged| &staged.tree).or(state.base.as_ref());
        world.restore(&state.start, &tree.cloned().unwrap_or_default())?;
        let files = SortedFiles::of(state.start.runner, world.files(&state.start)?);
        let schema = supervisor::schema(trouble.decisions());
        let asked =
            world.ask_by_schema::<SupervisorResponse>(state.asked + 1, schema, |fence| {
                prompt::supervisor(state, trouble, &files.view(), fence)
            })?;
        Ok(vec![match asked {
            Ok(answer) if trouble.decisions().contains(&answer.decision) => KataEvent::Decided {
                decision: answer.decision,
                guidance: answer.guidance,
                reason: answer.reason,
                by: DecidedBy::Model,
            }
            .into(),
            Ok(answer) => {
                let why = format!("`{}` is not possible here", answer.decision.name());
                by_rule(trouble, answer.guidance, &why)
            }
            Err(why) => by_rule(trouble, String::new(), &why),
        }])
    }
}

/// What is decided where the model does not.
fn by_rule(trouble: &Trouble, guidance: String, why: &str) -> Event {
    let decision = trouble.decisions()[0];
    let first = why.lines().next().unwrap_or_default();
    let reason = format!("the supervisor gave no decision that can be used: {first}");
    KataEvent::Decided { decision, guidance, reason, by: DecidedBy::Rule }.into()
}

/// No commit in all these interventions. If nothing but tests that pass could be found, there is nothing left to do.
fn stuck(trouble: &Trouble) -> Event {
    let (decision, reason) = match trouble {
        Trouble::Overshoot => (
            Decision::Done,
            format!(
                "{INTERVENTIONS} times in a row, no test was found that fails: the kata may be complete"
            ),
        ),
        Trouble::NoTest
        | Trouble::ClaimsComplete { .. }
        | Trouble::NoCode
        | Trouble::NoRefactoring
        | Trouble::NoCycles => {
            (Decision::Stop, format!("no progress after {INTERVENTIONS} interventions"))
        }
    };
    KataEvent::Decided { decision, guidance: String::new(), reason, by: DecidedBy::Rule }.into()
}
