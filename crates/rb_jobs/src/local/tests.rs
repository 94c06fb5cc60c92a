use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::Value;

use super::*;
use crate::job::Place;

fn job(id: &str) -> Job {
    Job {
        id: id.parse().unwrap(),
        repository: Place::Url("https://example.org/a.git".to_owned()),
        command: vec!["run".to_owned()],
        needs: BTreeSet::new(),
        most_tries: 3,
    }
}

fn done() -> JobEnd {
    JobEnd::Done { exit: 0, said: Value::Null }
}

fn nothing() -> BTreeSet<String> {
    BTreeSet::new()
}

#[test]
fn ca1_a_job_that_was_given_before_is_not_given_again() {
    let folder = tempfile::tempdir().unwrap();
    let queue = LocalQueue::open(folder.path()).unwrap();
    assert!(queue.submit(&job("a")).unwrap());
    assert!(!queue.submit(&job("a")).unwrap());
    let taken = queue.take(&nothing()).unwrap().unwrap();
    assert_eq!(queue.take(&nothing()).unwrap(), None);
    assert!(queue.finish(&taken, done()).unwrap());
    assert!(!queue.submit(&job("a")).unwrap());
    assert_eq!(queue.take(&nothing()).unwrap(), None);
    assert_eq!(queue.left().unwrap(), 0);
}

#[test]
fn ca1_a_job_of_a_worker_that_died_is_another_ones_and_only_one_end_counts() {
    let folder = tempfile::tempdir().unwrap();
    let first = LocalQueue::open(folder.path()).unwrap();
    first.submit(&job("a")).unwrap();
    let lost = first.take(&nothing()).unwrap().unwrap();
    let second = LocalQueue::open(folder.path()).unwrap();
    assert_eq!(second.take(&nothing()).unwrap(), None, "its worker lives");
    drop(first);
    let taken = second.take(&nothing()).unwrap().unwrap();
    assert_eq!(taken.tries, 2);
    let late = LocalQueue::open(folder.path()).unwrap();
    assert!(!late.finish(&lost, done()).unwrap());
    assert!(second.finish(&taken, done()).unwrap());
    assert!(!second.finish(&taken, done()).unwrap());
    let results = late.results().unwrap();
    assert_eq!(results.len(), 1);
    assert_eq!((results[0].tries, &results[0].worker), (2, &second.name));
    late.confirm(&results[0].job).unwrap();
    assert_eq!(second.results().unwrap(), []);
}

#[test]
fn ca1_a_job_that_kills_its_workers_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    LocalQueue::open(folder.path()).unwrap().submit(&job("a")).unwrap();
    for _ in 0..3 {
        assert!(LocalQueue::open(folder.path()).unwrap().take(&nothing()).unwrap().is_some());
    }
    let queue = LocalQueue::open(folder.path()).unwrap();
    assert_eq!(queue.take(&nothing()).unwrap(), None);
    let why = "its worker died 3 times".to_owned();
    assert_eq!(queue.results().unwrap()[0].end, JobEnd::GivenUp { why });
}

#[test]
fn ca1_what_is_given_back_is_tried_again_after_the_others_and_then_given_up_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let queue = LocalQueue::open(folder.path()).unwrap();
    queue.submit(&job("a")).unwrap();
    queue.submit(&job("b")).unwrap();
    let mut order = Vec::new();
    while let Some(taken) = queue.take(&nothing()).unwrap() {
        order.push(format!("{} {}", taken.job.id, taken.tries));
        queue.give_back(&taken, "no room").unwrap();
    }
    assert_eq!(order, ["a 1", "b 1", "a 2", "b 2", "a 3", "b 3"]);
    let ends: Vec<JobEnd> = queue.results().unwrap().into_iter().map(|it| it.end).collect();
    assert_eq!(ends, vec![JobEnd::GivenUp { why: "no room".to_owned() }; 2]);
}

#[test]
fn ca1_a_worker_takes_only_what_it_can_do() {
    let folder = tempfile::tempdir().unwrap();
    let queue = LocalQueue::open(folder.path()).unwrap();
    let needs = BTreeSet::from(["go".to_owned(), "sandbox".to_owned()]);
    queue.submit(&Job { needs: needs.clone(), ..job("a") }).unwrap();
    queue.submit(&job("b")).unwrap();
    let has = BTreeSet::from(["go".to_owned()]);
    assert_eq!(queue.take(&has).unwrap().unwrap().job.id.as_str(), "b");
    assert_eq!(queue.take(&has).unwrap(), None);
    assert_eq!(queue.take(&needs).unwrap().unwrap().job.id.as_str(), "a");
}

/// Every third try, the worker dies.
#[test]
fn ca1_whatever_dies_each_job_ends_once() {
    const JOBS: usize = 60;
    let folder = tempfile::tempdir().unwrap();
    let queue = LocalQueue::open(folder.path()).unwrap();
    for nth in 0..JOBS {
        queue.submit(&Job { most_tries: 1_000, ..job(&format!("job-{nth}")) }).unwrap();
    }
    let (begun, counted) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while queue.left().unwrap() > 0 {
                    let worker = LocalQueue::open(folder.path()).unwrap();
                    while let Some(taken) = worker.take(&nothing()).unwrap() {
                        if begun.fetch_add(1, Ordering::Relaxed) % 3 == 0 {
                            break;
                        }
                        let counts = worker.finish(&taken, done()).unwrap();
                        counted.fetch_add(usize::from(counts), Ordering::Relaxed);
                    }
                }
            });
        }
    });
    assert_eq!(counted.into_inner(), JOBS);
    let mut ids: Vec<JobId> = queue.results().unwrap().into_iter().map(|it| it.job).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), JOBS);
}

#[test]
fn ca1_what_is_no_queue_is_said_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("queue.db");
    fs::write(&path, b"not a database, but somebody's file", fs::Durability::Relaxed).unwrap();
    let error = LocalQueue::open(folder.path()).err().unwrap().to_string();
    assert!(error.contains("cannot be used: file is not a database"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), b"not a database, but somebody's file");
    fs::remove_file(&path).unwrap();
    drop(LocalQueue::open(folder.path()).unwrap());
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 7).unwrap();
    let error = LocalQueue::open(folder.path()).err().unwrap().to_string();
    assert!(error.contains("written by a newer version"), "{error}");
}
