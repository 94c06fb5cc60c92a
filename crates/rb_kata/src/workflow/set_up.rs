//! The first step: the folder becomes a project under git whose tests, if there are any, pass.

use rb_core::RepoPath;
use rb_core::fs::{self, Durability};
use rb_flow::graph::Node;

use super::Kata;
use super::event::{Event, KataEvent};
use super::proposal;
use super::start;
use super::state::{Phase, State};
use super::world::{World, text_of};
use crate::error::KataError;
use crate::suite::SuiteVerdict;

pub(crate) struct SetUp;

impl Node<Kata> for SetUp {
    const NAME: &'static str = "set_up";
    const DOES: &'static str = "makes the project and checks that its tests pass";
    type Reads<'s> = &'s State;
    type Writes = Vec<Event>;

    fn run(state: &State, world: &mut World) -> Result<Vec<Event>, KataError> {
        if state.phase != Phase::SetUp {
            return Ok(Vec::new());
        }
        let start = &state.start;
        let folder = world.project(start)?.folder().to_owned();
        let paths = world.project(start)?.paths()?;
        let skeleton = start::skeleton(&world.env, &world.cancel, start, &paths);
        for file in &skeleton {
            let path = RepoPath::new(&file.path).expect("a skeleton has plain paths");
            let place = fs::contained(&folder, &path)?;
            if place.symlink_metadata().is_err() {
                fs::create_dir_all(place.parent().unwrap_or(&folder))?;
                fs::write(&place, file.text.as_bytes(), Durability::Relaxed)?;
            }
        }
        let tree = world.project(start)?.stage()?;
        world.progress.begin("running the tests", 0);
        let run = proposal::run_tests(world, start, "set-up");
        world.progress.end();
        let run = run?;
        let why = match &run.verdict {
            SuiteVerdict::Green | SuiteVerdict::NoTests => None,
            SuiteVerdict::Red => Some(format!("{} of its tests fail", run.failed.len())),
            SuiteVerdict::NotBuilt => Some(last_lines(&run.output)),
            SuiteVerdict::TimedOut { after_s } => {
                Some(format!("they did not end within {after_s} s"))
            }
            SuiteVerdict::Stopped { why } => Some(format!("the test command {why}")),
        };
        if let Some(why) = why {
            return Err(KataError::RedBefore { folder, why });
        }
        let files = world.project(start)?.paths()?.iter().map(text_of).collect();
        let tip = world.project(start)?.tip()?;
        Ok(vec![KataEvent::ProjectReady { tree, tip, files, passing: run.passed }.into()])
    }
}

fn last_lines(output: &str) -> String {
    let lines: Vec<&str> = output.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(5)..].join("\n")
}
