//! A memory as a model reads it: a bounded list in plain text, of what has to do with the question.
//!
//! It repeats names and sentences of the repository and of earlier answers, so that it belongs behind a fence like any foreign text.

use std::fmt::Write as _;

use rb_index::Texts;

use super::relevance::Wanted;
use super::{Fact, KeyFile, Memory, SearchMade};

/// The most files and searches that are listed.
const KEY_FILES: usize = 5;
const SEARCHES: usize = 3;
/// So many words of the question make a search one for it.
const WORDS_OF_A_SEARCH: usize = 2;

impl Memory {
    /// What of it has to do with a question, in at most `max_chars` characters, and the facts among that, best first. The most
    /// important files are named if there are no such facts.
    pub(crate) fn context(
        &self,
        question: &str,
        texts: &dyn Texts,
        max_chars: usize,
    ) -> (String, Vec<&Fact>) {
        let wanted = Wanted::new(question);
        let mut text = Capped { text: String::new(), room: max_chars };
        text.section("Project", self.project_line(), String::clone);
        let previous = wanted.previous(self).map(|asked| &asked.question);
        text.section("Previous question", previous, |asked| one_line(asked));
        let facts = self.relevant(&wanted, texts);
        let facts = text.section("Verified facts", facts, |fact| fact_line(fact));
        if facts.is_empty() {
            text.section("Most important files", self.key_file_line(), String::clone);
        }
        let made = self.searches.iter().rev();
        let made = made.filter(|search| wanted.shares(&search.query, WORDS_OF_A_SEARCH));
        text.section("Searches made before", made.take(SEARCHES), |search| search_line(search));
        (text.text, facts)
    }

    fn project_line(&self) -> Option<String> {
        let project = &self.project;
        if project.name.is_empty() {
            return None;
        }
        let mut line = one_line(&project.name);
        if let Some(language) = &project.primary_language {
            let _ = write!(line, ", mainly {}", one_line(language));
        }
        if !project.architecture.is_empty() {
            let _ = write!(line, "; {}", one_line(&project.architecture.join(", ")));
        }
        Some(line)
    }

    fn key_file_line(&self) -> Option<String> {
        let path = |file: &KeyFile| one_line(&file.path);
        let paths: Vec<String> = self.key_files.iter().take(KEY_FILES).map(path).collect();
        (!paths.is_empty()).then(|| paths.join(", "))
    }
}

/// A text that never grows beyond its room.
struct Capped {
    text: String,
    /// Characters that are left.
    room: usize,
}

impl Capped {
    /// A line for each item that there is room for. Returns these items.
    fn section<T>(
        &mut self,
        heading: &str,
        items: impl IntoIterator<Item = T>,
        line: impl Fn(&T) -> String,
    ) -> Vec<T> {
        let mut shown = Vec::new();
        for item in items {
            let heading = if shown.is_empty() { format!("{heading}:\n") } else { String::new() };
            if self.push(&format!("{heading}- {}\n", line(&item))) {
                shown.push(item);
            }
        }
        shown
    }

    fn push(&mut self, text: &str) -> bool {
        let chars = text.chars().count();
        let fits = chars <= self.room;
        if fits {
            self.room -= chars;
            self.text.push_str(text);
        }
        fits
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Each file is named once: `lib/view.js:2, 9-12; lib/router.js:1`.
fn fact_line(fact: &Fact) -> String {
    let citations = fact.citations.iter().map(|cited| &cited.citation);
    let citations: Vec<_> = citations.collect();
    let files = citations.chunk_by(|one, next| one.path == next.path).map(|of_file| {
        let lines: Vec<String> = of_file
            .iter()
            .map(|citation| match (citation.first_line, citation.last_line) {
                (first, last) if first == last => first.to_string(),
                (first, last) => format!("{first}-{last}"),
            })
            .collect();
        let path = of_file.first().map(|citation| one_line(&citation.path));
        format!("{}:{}", path.unwrap_or_default(), lines.join(", "))
    });
    let places: Vec<String> = files.collect();
    format!("{} [{}]", one_line(&fact.text), places.join("; "))
}

fn search_line(search: &SearchMade) -> String {
    let query = one_line(&search.query);
    if search.files.is_empty() {
        return format!("\"{query}\": nothing found");
    }
    let files: Vec<String> = search.files.iter().map(|path| one_line(path)).collect();
    format!("\"{query}\": {}", files.join(", "))
}
