//! A memory as a model reads it: a bounded list in plain text.
//!
//! It repeats names and sentences of the repository and of earlier answers, so that it belongs behind a fence like any foreign text.

use std::fmt::Write as _;

use super::{Fact, FileRead, KeyFile, Memory, SearchMade};

impl Memory {
    /// At most `max_chars` characters; what matters most comes first, and what there is no room for is counted.
    pub fn context(&self, max_chars: usize) -> String {
        let mut text = Capped { text: String::new(), room: max_chars };
        text.section("Project", &self.project_lines());
        if let Some(last) = self.last_question() {
            text.section("Previous question", &[one_line(&last.question)]);
            let claims: Vec<String> = last.answer.iter().map(|claim| one_line(claim)).collect();
            text.section("Verified claims of the answer to it", &claims);
        }
        let facts: Vec<String> = self.facts.iter().rev().map(fact_line).collect();
        text.section("Verified facts of earlier answers, newest first", &facts);
        let key_files: Vec<String> = self.key_files.iter().map(key_file_line).collect();
        text.section("Most important files", &key_files);
        let read: Vec<String> = self.files_read.iter().map(file_line).collect();
        text.section("Files read before", &read);
        let searches: Vec<String> = self.searches.iter().rev().map(search_line).collect();
        text.section("Searches made before, newest first", &searches);
        text.text
    }

    fn project_lines(&self) -> Vec<String> {
        let project = &self.project;
        if project.name.is_empty() {
            return Vec::new();
        }
        let mut line = one_line(&project.name);
        if let Some(language) = &project.primary_language {
            let _ = write!(line, ", mainly {}", one_line(language));
        }
        if !project.architecture.is_empty() {
            let _ = write!(line, "; {}", one_line(&project.architecture.join(", ")));
        }
        vec![line]
    }
}

/// A text that never grows beyond its room.
struct Capped {
    text: String,
    /// Characters that are left.
    room: usize,
}

impl Capped {
    /// As many of the lines as there is room for.
    fn section(&mut self, heading: &str, lines: &[String]) {
        let mut shown = 0;
        for line in lines {
            let heading = if shown == 0 { format!("{heading}:\n") } else { String::new() };
            if !self.push(&format!("{heading}- {line}\n")) {
                break;
            }
            shown += 1;
        }
        if shown > 0 && shown < lines.len() {
            self.push(&format!("- {} more not shown\n", lines.len() - shown));
        }
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

fn fact_line(fact: &Fact) -> String {
    let places: Vec<String> = fact
        .citations
        .iter()
        .map(|cited| &cited.citation)
        .map(|it| format!("{}:{}-{}", one_line(&it.path), it.first_line, it.last_line))
        .collect();
    format!("{} [{}]", one_line(&fact.text), places.join(", "))
}

fn key_file_line(file: &KeyFile) -> String {
    format!("{}: {}", one_line(&file.path), one_line(&file.summary))
}

fn file_line(read: &FileRead) -> String {
    one_line(&read.path)
}

fn search_line(search: &SearchMade) -> String {
    let query = one_line(&search.query);
    if search.files.is_empty() {
        return format!("\"{query}\": nothing found");
    }
    let files: Vec<String> = search.files.iter().map(|path| one_line(path)).collect();
    format!("\"{query}\": {}", files.join(", "))
}
