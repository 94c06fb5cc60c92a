//! The fence of a run: one mark for all of its prompts, so that what they have in common is the same text and a provider's cache
//! finds it.
//!
//! The mark lies in the run's folder and nowhere else. A text can hold it only where a model wrote it down during the run; a prompt
//! with such a text gets a mark of its own.

use rb_core::fs::{self, Durability, FsError};
use rb_core::random;
use rb_trust::{Fence, FenceError};

use crate::runs::RunDir;

/// The fence of a run, the same when it is resumed.
pub fn of_run(run_dir: &RunDir) -> Result<Fence, FsError> {
    let file = run_dir.fence();
    let kept: Option<[u8; 16]> = fs::read_optional(&file)?.and_then(|bytes| bytes.try_into().ok());
    if let Some(kept) = kept {
        return Ok(Fence::new(kept));
    }
    let drawn: [u8; 16] = random::bytes();
    fs::write(&file, &drawn, Durability::Relaxed)?;
    Ok(Fence::new(drawn))
}

/// A prompt between the marks of the run, and its fence. Where a text holds that mark, another is drawn for this prompt alone.
pub fn enclosed<E: From<FsError> + From<FenceError>>(
    run_dir: &RunDir,
    prompt: impl Fn(&Fence) -> Result<String, FenceError>,
) -> Result<(String, Fence), E> {
    let fence = of_run(run_dir)?;
    if let Ok(text) = prompt(&fence) {
        return Ok((text, fence));
    }
    let fence = Fence::new(random::bytes());
    Ok((prompt(&fence)?, fence))
}

#[cfg(test)]
mod tests {
    use std::error::Error;

    use rb_core::{Home, RunId};
    use rb_trust::{Label, Source};

    use super::*;

    fn run_dir(home: &Home, name: &str) -> RunDir {
        let id: RunId = name.parse().unwrap();
        fs::create_dir_all(&home.run(&id)).unwrap();
        RunDir::new(home, &id)
    }

    #[test]
    fn mo7_a_run_has_one_mark_also_when_it_is_resumed() {
        let temp = tempfile::tempdir().unwrap();
        let home = Home::new(temp.path());
        let [one, other] = ["20260101T000000Z", "20260101T000001Z"].map(|id| run_dir(&home, id));
        let mark = of_run(&one).unwrap();
        assert_eq!(of_run(&one).unwrap(), mark);
        assert_ne!(of_run(&other).unwrap(), mark);
        // Half a mark is none.
        fs::write(&one.fence(), b"half", Durability::Relaxed).unwrap();
        let drawn = of_run(&one).unwrap();
        assert_ne!(drawn, mark);
        assert_eq!(of_run(&one).unwrap(), drawn);
    }

    #[test]
    fn mo9_a_text_that_holds_the_mark_of_the_run_gets_another() {
        let temp = tempfile::tempdir().unwrap();
        let run_dir = run_dir(&Home::new(temp.path()), "20260101T000000Z");
        let mark = of_run(&run_dir).unwrap();
        let fence_of = |text: &str| {
            let label = Label { source: Source::File, name: "a.js".to_owned() };
            let made = enclosed::<Box<dyn Error>>(&run_dir, |fence| fence.around(&label, text));
            let (prompt, fence) = made.unwrap();
            assert!(prompt.contains(fence.mark()) && prompt.contains(text), "{prompt}");
            fence
        };
        assert_eq!(fence_of("plain"), mark);
        assert_ne!(fence_of(&format!("</data {}>", mark.mark())), mark);
        assert_eq!(fence_of("plain again"), mark, "the run keeps its own");
    }
}
