//! One file while it is decided what of it is shown.

use crate::focus::Focus;
use crate::pack::{Included, Shown};
use crate::source::Source;
use crate::text::cut;

/// What is shown of a file so far. Excerpts never overlap: those that touch are one.
#[derive(Debug, Clone)]
pub(crate) struct Draft<'s> {
    path: &'s str,
    reason: &'s str,
    may_be_changed: bool,
    source: &'s Source,
    is_whole: bool,
    outline: String,
    /// By their first lines.
    excerpts: Vec<Focus>,
}

/// Excerpts with so few lines between them are one: a heading would take more.
const GAP: u32 = 2;
const LONGEST_WHY: usize = 300;

impl<'s> Draft<'s> {
    pub(crate) fn new(
        path: &'s str,
        reason: &'s str,
        may_be_changed: bool,
        source: &'s Source,
    ) -> Draft<'s> {
        Draft {
            path,
            reason,
            may_be_changed,
            source,
            is_whole: false,
            outline: String::new(),
            excerpts: Vec::new(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        !self.is_whole && self.outline.is_empty() && self.excerpts.is_empty()
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.is_whole
    }

    pub(crate) fn whole(&self) -> Draft<'s> {
        Draft { is_whole: true, outline: String::new(), excerpts: Vec::new(), ..self.clone() }
    }

    pub(crate) fn with_outline(&self, outline: String) -> Draft<'s> {
        Draft { outline, ..self.clone() }
    }

    /// Does it show these lines already?
    pub(crate) fn shows(&self, focus: &Focus) -> bool {
        let covers = |it: &Focus| it.first <= focus.first && focus.last <= it.last;
        self.is_whole || self.excerpts.iter().any(covers)
    }

    pub(crate) fn with_excerpt(&self, focus: &Focus) -> Draft<'s> {
        let mut all = self.excerpts.clone();
        all.push(focus.clone());
        all.sort_by_key(|it| (it.first, it.last));
        let mut merged: Vec<Focus> = Vec::new();
        for next in all {
            match merged.last_mut() {
                Some(last) if next.first <= last.last.saturating_add(GAP + 1) => {
                    last.last = last.last.max(next.last);
                    if !last.why.contains(&next.why) {
                        last.why = cut(&format!("{}; {}", last.why, next.why), LONGEST_WHY);
                    }
                }
                Some(_) | None => merged.push(next),
            }
        }
        let lines = self.source.lines();
        if merged.iter().any(|it| it.first <= 1 && it.last >= lines) {
            return self.whole();
        }
        Draft { excerpts: merged, ..self.clone() }
    }

    /// Of a file that is shown whole there are no excerpts.
    pub(crate) fn excerpt_lines(&self) -> usize {
        if self.is_whole {
            return 0;
        }
        self.excerpts.iter().map(|it| (it.last - it.first + 1) as usize).sum()
    }

    pub(crate) fn included(&self) -> Included {
        let mut shown = Vec::new();
        if self.is_whole {
            shown.push(Shown::Whole { text: self.source.text(1, u32::MAX) });
        } else {
            if !self.outline.is_empty() {
                shown.push(Shown::Signatures { text: self.outline.clone() });
            }
            shown.extend(self.excerpts.iter().map(|it| Shown::Excerpt {
                first: it.first,
                last: it.last,
                text: self.source.text(it.first, it.last),
                why: it.why.clone(),
            }));
        }
        Included {
            path: self.path.to_owned(),
            reason: self.reason.to_owned(),
            may_be_changed: self.may_be_changed,
            shown,
            lines: self.source.lines(),
            notes: self.source.notes.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds excerpts `first-last`, in this order, to a file of 100 lines; then shows what there is.
    fn check(excerpts: &str, expected: &str) {
        let text = "some line\n".repeat(100);
        let source = Source::read(text.into_bytes()).unwrap();
        let mut draft = Draft::new("a.ts", "in scope", true, &source);
        for excerpt in excerpts.split_whitespace() {
            let (first, last) = excerpt.split_once('-').unwrap();
            let (first, last) = (first.parse().unwrap(), last.parse().unwrap());
            draft = draft.with_excerpt(&Focus {
                first,
                last,
                anchor: first,
                may_shrink: false,
                matched: crate::focus::Matched::Named,
                why: excerpt.into(),
            });
        }
        let shown: Vec<String> = draft
            .included()
            .shown
            .iter()
            .map(|shown| match shown {
                Shown::Whole { .. } => "whole".to_owned(),
                Shown::Signatures { .. } => "signatures".to_owned(),
                Shown::Excerpt { first, last, why, text } => {
                    assert_eq!(text.lines().count(), (last - first + 1) as usize);
                    format!("{first}-{last} ({why})")
                }
            })
            .collect();
        assert_eq!(shown.join(", "), expected);
        let lines: usize = draft.included().shown.iter().map(Shown::excerpt_lines).sum();
        assert_eq!(draft.excerpt_lines(), lines);
    }

    #[test]
    fn rf4_excerpts_that_touch_are_one() {
        check("", "");
        check("50-60 10-20", "10-20 (10-20), 50-60 (50-60)");
        check("10-20 21-30", "10-30 (10-20; 21-30)");
        check("10-20 24-30", "10-20 (10-20), 24-30 (24-30)");
        check("10-20 23-30", "10-30 (10-20; 23-30)");
        check("10-40 20-30 20-30", "10-40 (10-40; 20-30)");
        check("1-50 40-100", "whole");
    }
}
