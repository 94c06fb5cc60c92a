//! Names in the place of what differs from run to run, such as `⟦worktree⟧` for its path.

use super::replace::Replacer;
use crate::call::Volatile;

/// What stands in for the volatile texts of one request.
pub(super) struct StandIns {
    put: Replacer,
    put_exactly: Replacer,
    take_back: Replacer,
}

const OPEN: &str = "⟦";
/// Stands for `OPEN` itself where every letter counts.
const OPEN_ITSELF: &str = "⟦⟧";

impl StandIns {
    pub(super) fn new(volatile: &[Volatile]) -> Self {
        let named = named(volatile);
        // A name stays what it is, so that putting them in once more changes nothing.
        let stays = named.iter().map(|(_, name)| (name.clone(), name.clone()));
        let put = Replacer::new(named.iter().cloned().chain(stays).collect());
        let open = [(OPEN.to_owned(), OPEN_ITSELF.to_owned())];
        let back =
            |pairs: Vec<(String, String)>| pairs.into_iter().map(|(text, name)| (name, text));
        let take_back = back(named.iter().cloned().chain(open.clone()).collect());
        StandIns {
            put,
            take_back: Replacer::new(take_back.collect()),
            put_exactly: Replacer::new(named.into_iter().chain(open).collect()),
        }
    }

    /// For requests, which are compared and never read back.
    pub(super) fn put(&self, text: &str) -> String {
        self.put.replace(text)
    }

    /// For answers: `take_back` gives the same text again, whatever was in it.
    pub(super) fn put_exactly(&self, text: &str) -> String {
        self.put_exactly.replace(text)
    }

    pub(super) fn take_back(&self, text: &str) -> String {
        self.take_back.replace(text)
    }
}

/// Each text with its name. Further texts of one name are numbered in the order given.
fn named(volatile: &[Volatile]) -> Vec<(String, String)> {
    let mut named: Vec<(String, String)> = Vec::new();
    for Volatile { text, stands_for } in volatile {
        if text.is_empty() || named.iter().any(|(seen, _)| seen == text) {
            continue;
        }
        let name = stands_for.replace(['⟦', '⟧'], "");
        let name = if name.is_empty() { "text" } else { name.as_str() };
        let taken = |candidate: &String| named.iter().any(|(_, taken)| taken == candidate);
        let numbered = (2..).map(|nth| format!("⟦{name} {nth}⟧"));
        let mut candidates = std::iter::once(format!("⟦{name}⟧")).chain(numbered);
        let free = candidates.find(|name| !taken(name)).expect("numbers do not end");
        named.push((text.clone(), free));
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn volatile(texts: &[(&str, &'static str)]) -> Vec<Volatile> {
        let volatile = |&(text, stands_for): &(&str, &'static str)| Volatile {
            text: text.to_owned(),
            stands_for,
        };
        texts.iter().map(volatile).collect()
    }

    #[test]
    fn mo6_what_is_volatile_has_a_name() {
        let check = |texts: &[(&str, &'static str)], text: &str, expected: &str| {
            let stand_ins = StandIns::new(&volatile(texts));
            assert_eq!(stand_ins.put(text), expected);
            assert_eq!(stand_ins.take_back(&stand_ins.put_exactly(text)), text);
        };
        let tree = ("/t/1", "worktree");
        check(&[tree], "see /t/1/a.rs", "see ⟦worktree⟧/a.rs");
        check(&[tree, ("/t/12", "scratch")], "/t/1 /t/12", "⟦worktree⟧ ⟦scratch⟧");
        check(&[tree, ("/t/2", "worktree")], "/t/2 /t/1", "⟦worktree 2⟧ ⟦worktree⟧");
        check(&[tree, ("/t/1", "other"), ("", "none")], "/t/1", "⟦worktree⟧");
        check(&[tree], "⟦worktree⟧ is not /t/1", "⟦worktree⟧ is not ⟦worktree⟧");
        check(&[("w", "worktree")], "w ⟦w", "⟦worktree⟧ ⟦⟦worktree⟧");
        check(&[("x", "⟧⟦")], "x", "⟦text⟧");
        check(&[], "⟦⟧", "⟦⟧");
    }

    proptest! {
        #[test]
        fn mo6_names_are_put_once_and_taken_back(
            texts in prop::collection::vec(("[a-c/ ]{0,4}", prop::sample::select(vec!["a", "fence", "b"])), 0..4),
            text in "[a-c/ ⟦⟧fence2]{0,40}",
        ) {
            let volatile: Vec<Volatile> =
                texts.into_iter().map(|(text, stands_for)| Volatile { text, stands_for }).collect();
            let stand_ins = StandIns::new(&volatile);
            let once = stand_ins.put(&text);
            prop_assert_eq!(stand_ins.put(&once), once.clone());
            prop_assert_eq!(stand_ins.take_back(&stand_ins.put_exactly(&text)), text);
        }
    }
}
