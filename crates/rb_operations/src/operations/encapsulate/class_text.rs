//! The class itself: the blocks of the functions, indented, below each other.

use std::sync::Arc;

use rb_core::Edit;
use rb_python::{Ranged, Source, TextRange, TextSize};

use super::position::position;
use crate::layout;
use crate::operations::calls::{place, refusal};
use crate::operations::text_style;
use crate::outcome::Refusal;

const BY_HAND: &str = "encapsulate the functions by hand";

/// The text with the functions in the class.
pub(super) fn gathered(
    path: &str,
    text: &Arc<str>,
    class: &str,
    functions: &[&str],
) -> Result<String, Refusal> {
    let source = Source::parse(path, Arc::clone(text)).map_err(|error| {
        Refusal::new(format!("{path} would have a syntax error in {error}"), BY_HAND)
    })?;
    let is_one = |statement: &rb_python::ast::Stmt| {
        let function = statement.as_function_def_stmt();
        function.is_some_and(|function| functions.contains(&function.name.as_str()))
    };
    let body = source.body().iter().enumerate();
    let indexes: Vec<usize> =
        body.filter(|(_, statement)| is_one(statement)).map(|(index, _)| index).collect();
    let at = position(&source, class, &indexes)?;
    let mut gathering = Gathering::default();
    for index in indexes {
        gathering.take(&source, index, index == at)?;
    }
    let line_break = text_style::line_break(&source);
    let mut edits = layout::cut(text, &gathering.cut);
    let new = format!("class {class}:{line_break}{}", gathering.methods.join(line_break));
    edits.push(replacement(gathering.place, new));
    rb_core::edit::apply(text, &edits).map_err(|error| Refusal::new(error.to_string(), BY_HAND))
}

/// The functions on their way into the class.
#[derive(Default)]
struct Gathering {
    methods: Vec<String>,
    cut: Vec<TextRange>,
    /// Where the class comes.
    place: TextRange,
}

impl Gathering {
    fn take(&mut self, source: &Source, index: usize, is_place: bool) -> Result<(), Refusal> {
        let statement = source.body()[index].range();
        let Some(block) = layout::block(source, index) else {
            let places = vec![place(source, statement, "it shares its line")];
            return Err(refusal("a function shares its line with others", places, BY_HAND));
        };
        let (unit, line_break) = (text_style::indent_unit(source), text_style::line_break(source));
        let start = source.line_start(statement.start());
        let (begin, end) = (block.range.start(), block.range.end());
        let above = text_style::reindented(source, TextRange::new(begin, start), unit);
        let method = text_style::reindented(source, TextRange::new(start, end), unit);
        let method = method.trim_end_matches(['\n', '\r']);
        self.methods.push(format!("{above}{unit}@staticmethod{line_break}{method}{line_break}"));
        if is_place {
            self.place = block.range;
        } else {
            self.cut.push(block.range);
        }
        Ok(())
    }
}

fn replacement(range: TextRange, text: String) -> Edit {
    let (start, end): (TextSize, TextSize) = (range.start(), range.end());
    Edit::replace(start.into(), end.into(), text)
}
