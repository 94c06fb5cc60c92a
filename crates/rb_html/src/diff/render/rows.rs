//! The rows of a hunk, in both layouts.

use super::super::{FileDiff, Hunk, Line, Move, Row, Side};
use super::code::{self, Dress};
use super::colours::{Colours, Spans};
use super::notes::Notes;
use super::{Layout, View};
use crate::page::Page;

pub(super) struct Rows<'r, 'a> {
    pub(super) page: &'r mut Page,
    pub(super) file: &'r FileDiff,
    pub(super) view: &'r View<'a>,
    pub(super) notes: &'r mut Notes<'a>,
}

/// A changed line with what its cells show.
struct Shown<'l> {
    line: &'l Line,
    side: Side,
    colours: Spans,
    /// The line beside it.
    partner: Option<&'l Line>,
}

impl Rows<'_, '_> {
    /// Writes the first rows, of `most` lines at most; the number of lines written.
    pub(super) fn hunk(&mut self, hunk: &Hunk, most: usize) -> usize {
        let mut lines = 0;
        let fitting = hunk.rows.iter().take_while(|row| {
            lines += row.lines();
            lines <= most
        });
        let rows = &hunk.rows[..fitting.count()];
        let mut colours = Colours::of(&self.file.path, rows);
        for block in rows.chunk_by(|a, b| is_changed(a) && is_changed(b)) {
            match block {
                [Row::Same { old_number, line }] => self.same(*old_number, line, &mut colours),
                _ => self.changed(block, &mut colours),
            }
        }
        rows.iter().map(Row::lines).sum()
    }

    fn same(&mut self, old_number: u32, line: &Line, colours: &mut Colours) {
        colours.old.next();
        let colours = colours.new.next().unwrap_or_default();
        let dress = Dress { colours: &colours, word_tag: "ins", ending_differs: false };
        self.page.raw("<tr>");
        self.number("n old", Side::Old, old_number);
        if self.view.layout == Layout::SideBySide {
            self.page.raw("<td class=\"code old\">");
            code::write(self.page, line, &dress);
            self.page.raw("</td>");
        }
        self.number("n", Side::New, line.number);
        self.page.raw("<td class=\"code\">");
        code::write(self.page, line, &dress);
        self.page.raw("</td></tr>\n");
        self.note(Side::Old, old_number);
        self.note(Side::New, line.number);
    }

    fn changed(&mut self, block: &[Row], colours: &mut Colours) {
        let mut pairs = Vec::new();
        for row in block {
            let Row::Changed { old, new } = row else { continue };
            let (old, new) = (old.as_ref(), new.as_ref());
            let before = old.map(|line| {
                let colours = colours.old.next().unwrap_or_default();
                Shown { line, side: Side::Old, colours, partner: new }
            });
            let after = new.map(|line| {
                let colours = colours.new.next().unwrap_or_default();
                Shown { line, side: Side::New, colours, partner: old }
            });
            pairs.push((before, after));
        }
        match self.view.layout {
            Layout::Unified => self.unified(&pairs),
            Layout::SideBySide => self.side_by_side(&pairs),
        }
    }

    /// All removed lines of the block, then all added ones.
    fn unified(&mut self, pairs: &[(Option<Shown<'_>>, Option<Shown<'_>>)]) {
        for old in pairs.iter().filter_map(|(old, _)| old.as_ref()) {
            self.page.raw("<tr>");
            self.number(old.class("n"), Side::Old, old.line.number);
            self.page.element("td", old.class("n"), "");
            self.code(old);
            self.page.raw("</tr>\n");
            self.note(Side::Old, old.line.number);
        }
        for new in pairs.iter().filter_map(|(_, new)| new.as_ref()) {
            self.page.raw("<tr>");
            self.page.element("td", new.class("n"), "");
            self.number(new.class("n"), Side::New, new.line.number);
            self.code(new);
            self.page.raw("</tr>\n");
            self.note(Side::New, new.line.number);
        }
    }

    fn side_by_side(&mut self, pairs: &[(Option<Shown<'_>>, Option<Shown<'_>>)]) {
        for (old, new) in pairs {
            self.page.raw("<tr>");
            for shown in [old, new] {
                match shown {
                    Some(shown) => {
                        self.number(shown.class("n"), shown.side, shown.line.number);
                        self.code(shown);
                    }
                    None => {
                        self.page.raw("<td class=\"n none\"></td><td class=\"code none\"></td>");
                    }
                }
            }
            self.page.raw("</tr>\n");
            for shown in [old, new].into_iter().flatten() {
                self.note(shown.side, shown.line.number);
            }
        }
    }

    fn number(&mut self, class: &str, side: Side, number: u32) {
        let id = self.anchor(self.file.index, side, number);
        let number = number.to_string();
        self.page.open("td", &[("class", class), ("id", &id), ("data-line", &number)]);
        self.page.close("td");
    }

    fn code(&mut self, shown: &Shown<'_>) {
        let (words, word_tag) = match shown.side {
            Side::Old => ("Removed: ", "del"),
            Side::New => ("Added: ", "ins"),
        };
        let title = shown.line.moved.as_ref().map(|moved| self.move_words(shown, moved));
        match &title {
            Some(title) => {
                self.page.open("td", &[("class", shown.class("code")), ("title", title)]);
            }
            None => self.page.open("td", &[("class", shown.class("code"))]),
        }
        self.page.element("span", "spoken", words);
        let partner = shown.partner.filter(|partner| partner.text == shown.line.text);
        let ending_differs = partner.is_some_and(|partner| partner.ending != shown.line.ending);
        let dress = Dress { colours: &shown.colours, word_tag, ending_differs };
        code::write(self.page, shown.line, &dress);
        if let (Some(moved), Some(title)) = (&shown.line.moved, &title)
            && moved.is_first
        {
            self.move_link(shown, moved, title);
        }
        self.page.raw("</td>");
    }

    fn move_link(&mut self, shown: &Shown<'_>, moved: &Move, title: &str) {
        if shown.is_in_place() {
            self.page.element("span", "twin", title);
            return;
        }
        let other = match shown.side {
            Side::Old => Side::New,
            Side::New => Side::Old,
        };
        let href = format!("#{}", self.anchor(moved.file, other, moved.line));
        self.page.open("a", &[("class", "twin"), ("href", &href)]);
        self.page.text(title);
        self.page.close("a");
    }

    fn move_words(&self, shown: &Shown<'_>, moved: &Move) -> String {
        if shown.is_in_place() {
            return "Only the indentation changed".to_owned();
        }
        let word = match shown.side {
            Side::Old => "Moved to",
            Side::New => "Moved from",
        };
        let place = if moved.file == self.file.index {
            format!("line {}", moved.line)
        } else {
            format!("{}:{}", moved.path, moved.line)
        };
        let indented = if moved.is_reindented { ", indented differently" } else { "" };
        format!("{word} {place}{indented}")
    }

    fn note(&mut self, side: Side, line: u32) {
        self.notes.at(self.page, side, line, self.view.layout);
    }

    fn anchor(&self, file: usize, side: Side, line: u32) -> String {
        let side = match side {
            Side::Old => 'o',
            Side::New => 'n',
        };
        format!("{}-{file}-{side}{line}", self.view.anchor)
    }
}

impl Shown<'_> {
    fn class(&self, cell: &'static str) -> &'static str {
        match (cell, self.side, self.line.moved.is_some()) {
            ("n", Side::Old, false) => "n del",
            ("n", Side::Old, true) => "n del moved",
            ("n", Side::New, false) => "n add",
            ("n", Side::New, true) => "n add moved",
            (_, Side::Old, false) => "code del",
            (_, Side::Old, true) => "code del moved",
            (_, Side::New, false) => "code add",
            (_, Side::New, true) => "code add moved",
        }
    }

    /// Moved to the line beside it.
    fn is_in_place(&self) -> bool {
        let partner =
            self.partner.and_then(|partner| Some((partner.number, partner.moved.as_ref()?)));
        let moved = self.line.moved.as_ref();
        moved.zip(partner).is_some_and(|(moved, (number, back))| {
            moved.file == back.file && moved.line == number && back.line == self.line.number
        })
    }
}

fn is_changed(row: &Row) -> bool {
    matches!(row, Row::Changed { .. })
}
