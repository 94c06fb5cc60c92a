use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rb_core::Home;
use rb_flow::RunFailure as _;
use rb_jobs::Place;

use super::*;
use crate::event::{Changes, Repository};
use crate::start::{Context, Order, again, go_on, start};

/// Counts what is done to each repository.
#[derive(Default)]
struct Counting {
    done: Mutex<BTreeMap<Place, usize>>,
    calls: AtomicUsize,
    /// Every nth call cancels the campaign; none if it is 0.
    interrupts: usize,
    stop: Mutex<Cancel>,
}

impl Hands for Counting {
    fn work(&self, taken: &Taken, _: &Cancel) -> Work {
        let call = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        if self.interrupts > 0 && call.is_multiple_of(self.interrupts) {
            self.stop.lock().unwrap().cancel();
            return Work::Interrupted;
        }
        *self.done.lock().unwrap().entry(taken.job.repository.clone()).or_default() += 1;
        Work::Ended(JobEnd::Done { exit: 0, said: json!({ "outcome": "changed" }) })
    }

    fn end(&self, _: &Job, end: &JobEnd) -> End {
        let outcome = match end {
            JobEnd::Done { .. } => Outcome::Changed,
            JobEnd::GivenUp { .. } => Outcome::Failed,
        };
        End {
            outcome,
            why: String::new(),
            run: None,
            branch: None,
            commit: None,
            changes: Changes::default(),
            tests: None,
            left: Vec::new(),
            cost: rb_core::Usd::whole(1),
            worker: String::new(),
            tries: 0,
        }
    }
}

fn context(home: &tempfile::TempDir, hands: &Arc<Counting>, workers: usize) -> Context {
    Context {
        home: Home::new(home.path()),
        cancel: Cancel::default(),
        observer: None,
        hands: Arc::clone(hands) as Arc<dyn Hands>,
        workers,
        has: BTreeSet::new(),
    }
}

fn order(count: usize) -> Order {
    let repository = |nth: usize| Repository {
        name: format!("r{nth}"),
        place: Place::Folder(PathBuf::from(format!("/r{nth}"))),
    };
    Order {
        name: "tidy".to_owned(),
        title: "Tidy".to_owned(),
        command: vec!["run".to_owned()],
        repositories: (0..count).map(repository).collect(),
        most_tries: 3,
    }
}

#[test]
fn the_graph_is_sound() {
    assert_eq!(graph().faults(), Vec::<String>::new());
}

#[test]
fn ca1_each_repository_is_done_once_and_a_second_time_if_it_is_asked_for() {
    let home = tempfile::tempdir().unwrap();
    let hands = Arc::new(Counting::default());
    let context = context(&home, &hands, 3);
    let id = start(&context.home, order(20)).unwrap().start.run;
    let state = go_on(&context, &id).unwrap();
    assert_eq!((state.count(Outcome::Changed), state.spent()), (20, rb_core::Usd::whole(20)));
    assert_eq!(hands.done.lock().unwrap().values().copied().collect::<Vec<_>>(), [1; 20]);

    go_on(&context, &id).unwrap();
    assert_eq!(hands.calls.load(Ordering::Relaxed), 20);
    let state = again(&context, &id, vec!["r7".to_owned()]).unwrap();
    assert_eq!(state.open().map(|it| &*it.name).collect::<Vec<_>>(), ["r7"]);
    let state = go_on(&context, &id).unwrap();
    assert_eq!(hands.calls.load(Ordering::Relaxed), 21);
    assert_eq!((state.count(Outcome::Changed), state.spent()), (20, rb_core::Usd::whole(21)));
}

#[test]
fn ca1_a_campaign_that_is_interrupted_again_and_again_does_each_repository_once() {
    let home = tempfile::tempdir().unwrap();
    let hands = Arc::new(Counting { interrupts: 3, ..Counting::default() });
    let id = start(&Home::new(home.path()), order(9)).unwrap().start.run;
    let mut interruptions = 0;
    let state = loop {
        let context = context(&home, &hands, 1);
        *hands.stop.lock().unwrap() = context.cancel.clone();
        match go_on(&context, &id) {
            Ok(state) => break state,
            Err(error) => assert!(error.is_interruption(), "{error}"),
        }
        interruptions += 1;
    };
    assert_eq!((interruptions, state.count(Outcome::Changed)), (4, 9));
    assert_eq!(hands.done.lock().unwrap().values().copied().collect::<Vec<_>>(), [1; 9]);
}

#[test]
fn ca1_a_name_is_given_once() {
    let home = tempfile::tempdir().unwrap();
    let home = Home::new(home.path());
    start(&home, order(1)).unwrap();
    let error = start(&home, order(1)).unwrap_err().to_string();
    assert_eq!(error, "there is a campaign `tidy` already");
    for name in ["", "-x", ".x", "a/b", "a b"] {
        let order = Order { name: name.to_owned(), ..order(1) };
        assert!(matches!(start(&home, order), Err(CampaignError::BadName(_))), "{name:?}");
    }
}
