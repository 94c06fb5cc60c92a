//! SIGKILL at effects of every kind: before writes, renames, journal lines and git commands, of which only a part is tried by default, and
//! in the middle of them. Whatever the instant, nothing is lost.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use rb_testkit::Ran;

use crate::three_patches::ThreePatches;

pub(crate) const KILLED: i32 = 128 + 9;

/// One effect of a scripted command, as the trace names it.
#[derive(Debug, Clone)]
pub(crate) struct Effect {
    pub(crate) number: usize,
    pub(crate) what: String,
    pub(crate) path: String,
}

impl Effect {
    /// The path without what differs between tasks: numbers, and the names of files that are written before they are renamed.
    fn place(&self) -> String {
        let path = match self.path.rsplit_once('/') {
            Some((folder, name)) if name.starts_with(".refactor-bot-") => folder,
            _ => &self.path,
        };
        path.chars().filter(|c| !c.is_ascii_digit()).collect()
    }

    /// How it is cut off: before it, or in the middle. A write that never began is like a rename that never began, which is tried, too;
    /// lines of the journal and calls of git are many and alike, so that every third is torn.
    fn plans(&self) -> Vec<String> {
        let (kill, tear) = (format!("kill:{}", self.number), format!("tear:{}", self.number));
        match self.what.as_str() {
            "write" if tries_all() => vec![kill, tear],
            "write" => vec![tear],
            "append" | "spawn" if self.number.is_multiple_of(3) => vec![kill, tear],
            _ => vec![kill],
        }
    }
}

/// Tasks do the same again, and calls of git are many and alike: of them every `nth` is tried, and of everything else the first and the
/// last of its kind. All of them are tried with `REFACTOR_BOT_KILL_ALL` set.
pub(crate) fn thinned(effects: Vec<Effect>, nth: usize) -> Vec<Effect> {
    if tries_all() {
        return effects;
    }
    let mut ends: BTreeMap<(String, String), (usize, usize)> = BTreeMap::new();
    for effect in &effects {
        let kind = (effect.what.clone(), effect.place());
        ends.entry(kind).or_insert((effect.number, effect.number)).1 = effect.number;
    }
    let is_end = |effect: &Effect| {
        let (first, last) = ends[&(effect.what.clone(), effect.place())];
        effect.number == first || effect.number == last
    };
    let is_many = |effect: &Effect| matches!(effect.what.as_str(), "append" | "spawn");
    let is_kept = |effect: &Effect| {
        if is_many(effect) { effect.number.is_multiple_of(nth) } else { is_end(effect) }
    };
    effects.into_iter().filter(is_kept).collect()
}

pub(crate) fn tries_all() -> bool {
    std::env::var_os("REFACTOR_BOT_KILL_ALL").is_some()
}

/// The effects of `args`, in order, from a run that is let through.
fn effects(case: &mut ThreePatches, args: &[String]) -> Vec<Effect> {
    let trace = case.repo.beside("trace");
    case.cli.set_env("REFACTOR_BOT_FAULT", format!("trace:{}", trace.display()));
    case.cli.run(args).expect_code(0);
    case.cli.unset_env("REFACTOR_BOT_FAULT");
    read_trace(&trace)
}

pub(crate) fn read_trace(trace: &Path) -> Vec<Effect> {
    let text = std::fs::read_to_string(trace).unwrap();
    let parse = |line: &str| {
        let mut fields = line.split('\t');
        let mut next = || fields.next().expect("three fields").to_owned();
        Effect { number: next().parse().expect("a number"), what: next(), path: next() }
    };
    let mut effects: Vec<Effect> = text.lines().map(parse).collect();
    // Threads count and write in turns of their own.
    effects.sort_by_key(|effect| effect.number);
    effects
}

/// Runs `check` for every plan.
pub(crate) fn for_each_plan(effects: &[Effect], check: impl Fn(&str, &Effect) + Sync) -> usize {
    let plans: Vec<(String, &Effect)> = effects
        .iter()
        .flat_map(|effect| effect.plans().into_iter().map(move |plan| (plan, effect)))
        .collect();
    for_each(&plans, |(plan, effect)| check(plan, effect));
    plans.len()
}

/// Runs `check` for everything, on as many threads as there are cores.
pub(crate) fn for_each<T: Sync>(all: &[T], check: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(one) = all.get(next.fetch_add(1, Ordering::SeqCst)) {
                    check(one);
                }
            });
        }
    });
}

fn killed(case: &mut ThreePatches, plan: &str, effect: &Effect, args: &[String]) {
    case.cli.set_env("REFACTOR_BOT_FAULT", plan);
    case.cli.run(args).expect_code(KILLED);
    case.cli.unset_env("REFACTOR_BOT_FAULT");
    case.git_died = effect.what == "spawn" && plan.starts_with("tear");
}

/// Runs `args`, if need be again: a git that was killed leaves its locks (the index, HEAD, a branch, the
/// packed branches), which are not ours to break. The message names each and says what to do.
fn finish<S: AsRef<std::ffi::OsStr>>(case: &ThreePatches, args: &[S], when: &str) -> Ran {
    let mut ran = case.cli.run(args);
    for _ in 0..4 {
        let named = |word: &&str| word.contains(".lock");
        let Some(lock) = ran.stderr.split(['\'', ' ']).find(named) else { break };
        assert!(case.git_died, "{when}: a lock without a git that died: {}", ran.stderr);
        assert!(ran.stderr.contains("remove that file"), "{when}: {}", ran.stderr);
        let removed = std::fs::remove_file(case.repo.root().join(lock));
        assert!(removed.is_ok(), "{when}: {lock}: {removed:?} in {}", ran.stderr);
        ran = case.cli.run(args);
    }
    ran
}

#[test]
fn sa6_killed_anywhere_in_a_run_the_checkout_is_untouched_and_resume_ends_well() {
    let mut traced = ThreePatches::new();
    let args = traced.run_args();
    let effects = thinned(effects(&mut traced, &args), 16);
    assert!(effects.len() >= 25, "only {} effects", effects.len());
    let tried = for_each_plan(&effects, |plan, effect| {
        let mut case = ThreePatches::new();
        let args = case.run_args();
        killed(&mut case, plan, effect, &args);
        let when = format!("after {plan} ({} {})", effect.what, effect.path);
        case.assert_untouched(&when);
        let Some((id, _)) = case.listed().pop() else {
            // Nothing had begun; the same command simply works.
            finish(&case, &case.run_args(), &when).expect_code(0);
            return case.assert_untouched(&when);
        };
        finish(&case, &["resume", &id], &when).expect_code(0);
        case.assert_untouched(&format!("{when} and resume"));
        if effect.number % 4 < 2 {
            finish(&case, &["accept", &id], &when).expect_code(0);
            case.assert_landed(&when);
        } else {
            finish(&case, &["reject", &id], &when).expect_code(0);
            case.assert_no_trace(&when);
        }
    });
    println!("{} effects, {tried} kill points in a run", effects.len());
}

#[test]
fn sa6_killed_anywhere_in_a_landing_accept_or_rollback_ends_well() {
    let (mut traced, id) = ThreePatches::waiting();
    let effects = thinned(effects(&mut traced, &["accept".to_owned(), id]), 7);
    let tried = for_each_plan(&effects, |plan, effect| {
        let is_even = effect.number.is_multiple_of(2);
        let is_tried = |ending: &&str| tries_all() || is_even == (*ending == "accept");
        for ending in ["accept", "rollback"].into_iter().filter(is_tried) {
            let (mut case, id) = ThreePatches::waiting();
            killed(&mut case, plan, effect, &["accept".to_owned(), id.clone()]);
            let when = format!("after {plan} ({} {}) and {ending}", effect.what, effect.path);
            finish_landing(&case, &id, ending, &when);
        }
    });
    println!("{} effects, {tried} kill points in a landing", effects.len());
}

fn finish_landing(case: &ThreePatches, id: &str, ending: &str, when: &str) {
    let stands = case.listed().pop().expect("the run is known").1;
    let ran = finish(case, &[ending, id], when);
    match (ending, stands.as_str()) {
        ("accept", "accepted") => {
            ran.expect_code(2);
            case.assert_landed(when);
        }
        ("accept", _) => {
            ran.expect_code(0);
            case.assert_landed(when);
        }
        // Nothing had landed yet: the run is kept.
        ("rollback", "waiting for you") => {
            ran.expect_code(6);
            case.assert_rolled_back(when);
            finish(case, &["accept", id], when).expect_code(0);
            case.assert_landed(when);
        }
        (_, "accepted") => {
            ran.expect_code(0);
            case.assert_rolled_back(when);
        }
        // A landing that was cut off is undone, and the run can still be accepted.
        _ => {
            ran.expect_code(0);
            case.assert_rolled_back(when);
            finish(case, &["accept", id], when).expect_code(0);
            case.assert_landed(when);
        }
    }
}

#[test]
fn sa6_killed_anywhere_in_a_rollback_it_can_be_finished() {
    let landed = || {
        let (case, id) = ThreePatches::waiting();
        case.cli.run(["accept", &id]).expect_code(0);
        (case, id)
    };
    let (mut traced, id) = landed();
    let effects = thinned(effects(&mut traced, &["rollback".to_owned(), id]), 9);
    traced.assert_rolled_back("without a kill");
    let tried = for_each_plan(&effects, |plan, effect| {
        let (mut case, id) = landed();
        killed(&mut case, plan, effect, &["rollback".to_owned(), id.clone()]);
        let when = format!("after {plan} ({} {})", effect.what, effect.path);
        let (last, stands) = case.listed().pop().expect("the landed run is known");
        if last == id {
            // The rollback had not begun.
            case.assert_landed(&when);
            finish(&case, &["rollback", &id], &when).expect_code(0);
        } else {
            let ran = finish(&case, &["resume", &last], &when);
            assert_eq!(ran.code, 0, "{when}, {stands}: {}", ran.stderr);
        }
        case.assert_rolled_back(&when);
    });
    println!("{} effects, {tried} kill points in a rollback", effects.len());
}
