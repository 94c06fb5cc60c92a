//! States that a kill or a save at the wrong moment leaves behind.
#![expect(clippy::disallowed_methods, reason = "tests build their own files")]

use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

use super::*;

struct Case {
    temp: tempfile::TempDir,
    swaps: Swaps,
}

impl Case {
    fn place(&self) -> PathBuf {
        self.temp.path().join("a")
    }

    fn text(&self) -> String {
        std::fs::read_to_string(self.place()).unwrap()
    }

    fn names(&self) -> Vec<OsString> {
        fs::list(self.temp.path()).unwrap()
    }
}

/// A folder with `a`, which holds "old" and is to hold "new".
fn case() -> Case {
    let temp = tempfile::tempdir().unwrap();
    let root = temp.path().to_owned();
    let place = root.join("a");
    fs::write_exact(&place, b"old", 0o644, Durability::Relaxed).unwrap();
    let mut swaps = Swaps { root, slots: None, files: Vec::new(), notes: RefCell::default() };
    let version = |text: &[u8]| Version::file(Sha256::of(text), Some(0o644));
    let path = RepoPath::new("a").unwrap();
    swaps.add(&path, version(b"old"), version(b"new")).unwrap();
    Case { temp, swaps }
}

fn put_new(case: &Case) -> Result<(), SwapError> {
    case.swaps.place(|| Ok(b"new".to_vec()))
}

#[test]
#[cfg(target_os = "linux")]
fn sa1_a_save_into_the_new_version_is_kept_when_that_is_taken_back() {
    let case = case();
    put_new(&case).unwrap();
    let mut open = std::fs::File::options().write(true).open(case.place()).unwrap();
    let (place, is_over) = (case.place(), AtomicBool::new(false));
    let undone = thread::scope(|scope| {
        scope.spawn(|| {
            while std::fs::read(&place).unwrap() != b"old" && !is_over.load(Ordering::Acquire) {
                thread::yield_now();
            }
            open.write_all(b"mine").unwrap();
            drop(open);
        });
        let undone = case.swaps.undo();
        is_over.store(true, Ordering::Release);
        undone
    });
    assert_eq!(undone.unwrap(), Undone::Whole);
    assert_eq!(case.text(), "mine");
    assert_eq!(case.names(), ["a"]);
}

/// The content is asked for between the look at the old version and the exchange.
#[test]
fn sa1_a_save_between_the_look_and_the_exchange_stops_it_and_stays() {
    let case = case();
    let placed = case.swaps.place(|| {
        std::fs::write(case.place(), "mine").unwrap();
        Ok(b"new".to_vec())
    });
    assert!(matches!(placed, Err(SwapError::Saved(_))), "{placed:?}");
    assert_eq!(case.text(), "mine");
    case.swaps.undo().unwrap();
    assert_eq!((case.text().as_str(), case.names()), ("mine", vec!["a".into()]));
}

#[test]
fn sa1_a_save_between_the_look_and_the_removal_stops_it_and_stays() {
    let case = case();
    let swap = &case.swaps.files[0];
    std::fs::write(case.place(), "mine").unwrap();
    let taken = swap.take_away(swap.old, &case.swaps.notes);
    assert!(matches!(taken, Err(SwapError::Saved(_))), "{taken:?}");
    assert_eq!((case.text().as_str(), case.names()), ("mine", vec!["a".into()]));
}

#[test]
fn sa1_a_save_that_comes_out_goes_back_in_place() {
    // As after a kill between the exchange and the look at what came out.
    let case = case();
    put_new(&case).unwrap();
    std::fs::write(&case.swaps.files[0].slot, "mine").unwrap();
    put_new(&case).unwrap();
    assert!(matches!(case.swaps.settle(), Err(SwapError::Saved(_))));
    case.swaps.undo().unwrap();
    assert_eq!((case.text().as_str(), case.names()), ("mine", vec!["a".into()]));
}

#[test]
fn sa1_of_two_saves_the_older_one_is_kept_beside_the_file() {
    let case = case();
    put_new(&case).unwrap();
    std::fs::write(&case.swaps.files[0].slot, "first").unwrap();
    std::fs::write(case.place(), "second").unwrap();
    case.swaps.finish().unwrap();
    assert_eq!(case.text(), "second");
    assert_eq!(case.names(), ["a", "a.saved-1"]);
    assert_eq!(fs::read(&case.temp.path().join("a.saved-1")).unwrap(), b"first");
    let [note] = &case.swaps.notes()[..] else { panic!("one note") };
    assert!(note.starts_with("a version of `a` that you saved is kept at "), "{note}");
}

#[test]
fn sa1_a_file_system_without_exchange_keeps_the_old_version_too() {
    let case = case();
    let swap = &case.swaps.files[0];
    swap.prepare(b"new").unwrap();
    swap.replace_without_exchange().unwrap();
    assert_eq!((case.text(), fs::read(&swap.slot).unwrap()), ("new".into(), b"old".into()));
    // A kill before the second name became the slot.
    fs::rename(&swap.slot, &swap.second_name()).unwrap();
    put_new(&case).unwrap();
    case.swaps.settle().unwrap();
    assert_eq!(case.swaps.undo().unwrap(), Undone::Whole);
    assert_eq!((case.text().as_str(), case.names()), ("old", vec!["a".into()]));
    // A save is found here as well.
    swap.prepare(b"new").unwrap();
    std::fs::write(case.place(), "mine").unwrap();
    assert!(matches!(swap.replace_without_exchange(), Err(SwapError::Saved(_))));
    assert_eq!(case.text(), "mine");
}
