//! The names of one `from … import …`: their order, and how they are laid out over lines.

use rb_core::Edit;
use rb_python::{Import, Source};

use crate::layout::{line_end, line_start, newline, offset};

/// A name of the statement as it will be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Item {
    /// Index into the names that it has now.
    Kept(usize),
    /// `c` or `c as d`.
    New(String),
}

/// How names are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameOrder {
    /// Constants, classes, functions; each without regard to case.
    ByType,
    CaseSensitive,
    CaseInsensitive,
    Unsorted,
}

impl NameOrder {
    pub(super) const ALL: [NameOrder; 3] =
        [NameOrder::ByType, NameOrder::CaseSensitive, NameOrder::CaseInsensitive];

    /// The order that all statements of the file follow.
    pub(super) fn of_file(source: &Source) -> NameOrder {
        let lists: Vec<Vec<&str>> =
            source.imports().iter().filter(|i| i.is_from).map(names).collect();
        let fits = |order: &NameOrder| lists.iter().all(|list| order.is_sorted(list));
        NameOrder::ALL.into_iter().find(fits).unwrap_or(NameOrder::Unsorted)
    }

    /// The order of one statement, or that of its file if one name tells nothing.
    pub(super) fn of_import(source: &Source, import: &Import) -> NameOrder {
        let list = names(import);
        let of_file = NameOrder::of_file(source);
        if of_file != NameOrder::Unsorted || list.len() < 2 {
            return of_file;
        }
        let fits = |order: &NameOrder| order.is_sorted(&list);
        NameOrder::ALL.into_iter().find(fits).unwrap_or(NameOrder::Unsorted)
    }

    pub(super) fn key(self, name: &str) -> (u8, String) {
        let has_upper = name.chars().any(char::is_uppercase);
        let rank = match name.chars().next() {
            _ if has_upper && name.len() > 1 && !name.chars().any(char::is_lowercase) => 0,
            Some(first) if first.is_uppercase() => 1,
            _ => 2,
        };
        match self {
            NameOrder::ByType => (rank, name.to_lowercase()),
            NameOrder::CaseSensitive | NameOrder::Unsorted => (0, name.to_owned()),
            NameOrder::CaseInsensitive => (0, name.to_lowercase()),
        }
    }

    fn is_sorted(self, names: &[&str]) -> bool {
        names.windows(2).all(|pair| self.key(pair[0]) <= self.key(pair[1]))
    }

    /// Where a name goes in a list: its index.
    pub(super) fn position(self, names: &[&str], name: &str) -> usize {
        if self == NameOrder::Unsorted || !self.is_sorted(names) {
            return names.len();
        }
        let key = self.key(name);
        names.iter().position(|other| self.key(other) > key).unwrap_or(names.len())
    }
}

pub(super) fn names(import: &Import) -> Vec<&str> {
    import.names.iter().map(|name| name.name.as_str()).collect()
}

/// How the names of a statement stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    OneLine,
    /// In parentheses, each on a line of its own.
    OnePerLine,
    /// Over several lines, as many names in each as fit.
    Wrapped,
}

fn shape(source: &Source, import: &Import) -> Shape {
    let text: &str = source.text();
    if !source.slice(import.range).contains('\n') {
        return Shape::OneLine;
    }
    let mut lines: Vec<usize> =
        import.names.iter().map(|name| line_start(text, name.range.start().to_usize())).collect();
    lines.insert(0, line_start(text, import.range.start().to_usize()));
    let is_one_each = lines.windows(2).all(|pair| pair[0] < pair[1]);
    if is_one_each && has_parentheses(source, import) { Shape::OnePerLine } else { Shape::Wrapped }
}

fn has_parentheses(source: &Source, import: &Import) -> bool {
    source.slice(import.range).ends_with(')')
}

fn has_comments(source: &Source, import: &Import) -> bool {
    source.comments().iter().any(|comment| import.range.contains_range(*comment))
}

/// Would the statement fit on one line?
fn fits_one_line(import: &Import, column: usize, names: &[String], limit: usize) -> bool {
    let length = head(import).len() + names.iter().map(|name| name.len() + 2).sum::<usize>();
    column + length.saturating_sub(2) <= limit
}

/// `from a import `.
fn head(import: &Import) -> String {
    format!("from {} import ", import.specifier(0))
}

/// The statement with other names, laid out as it was.
pub(super) fn relist(source: &Source, import: &Import, items: &[Item], limit: usize) -> Edit {
    let texts: Vec<String> = items.iter().map(|item| item_text(source, import, item)).collect();
    let column = column(source, import);
    let fits = fits_one_line(import, column, &texts, limit);
    let has_comments = has_comments(source, import);
    let before: Vec<String> =
        import.names.iter().map(|name| source.slice(name.range).to_owned()).collect();
    let did_fit = fits_one_line(import, column, &before, limit);
    let new = match shape(source, import) {
        Shape::OneLine if fits => one_line(source, import, &texts),
        Shape::OneLine => match file_shape(source) {
            Shape::Wrapped => wrapped(source, import, &texts, limit),
            Shape::OneLine | Shape::OnePerLine => one_per_line(source, import, &texts),
        },
        Shape::OnePerLine | Shape::Wrapped if fits && !did_fit && !has_comments => {
            format!("{}{}", head(import), texts.join(", "))
        }
        Shape::OnePerLine => lines_kept(source, import, items),
        Shape::Wrapped if has_comments => inline(source, import, items),
        Shape::Wrapped => wrapped(source, import, &texts, limit),
    };
    Edit::replace(import.range.start().to_u32(), import.range.end().to_u32(), new)
}

fn item_text(source: &Source, import: &Import, item: &Item) -> String {
    match item {
        Item::Kept(index) => source.slice(import.names[*index].range).to_owned(),
        Item::New(text) => text.clone(),
    }
}

fn column(source: &Source, import: &Import) -> usize {
    let start = import.range.start().to_usize();
    start - line_start(source.text(), start)
}

fn indent(source: &Source, import: &Import) -> String {
    let start = import.range.start().to_usize();
    let line = &source.text()[line_start(source.text(), start)..start];
    line.chars().map(|letter| if letter == '\t' { '\t' } else { ' ' }).collect()
}

/// The shape that statements of several lines have elsewhere in the file.
fn file_shape(source: &Source) -> Shape {
    let mut shapes =
        source.imports().iter().filter(|i| i.is_from).map(|import| shape(source, import));
    shapes.find(|shape| *shape != Shape::OneLine).unwrap_or(Shape::OnePerLine)
}

fn one_line(source: &Source, import: &Import, names: &[String]) -> String {
    let names = names.join(", ");
    let names = if has_parentheses(source, import) { format!("({names})") } else { names };
    format!("{}{names}", head(import))
}

fn one_per_line(source: &Source, import: &Import, names: &[String]) -> String {
    let newline = newline(source.text());
    let indent = indent(source, import);
    let lines: Vec<String> =
        names.iter().map(|name| format!("{indent}    {name},{newline}")).collect();
    format!("{}({newline}{}{indent})", head(import), lines.concat())
}

/// As many names in a line as fit, the further lines below the first name.
fn wrapped(source: &Source, import: &Import, names: &[String], limit: usize) -> String {
    let text: &str = source.text();
    let newline = newline(text);
    let head = format!("{}(", head(import));
    let first = import.names[0].range.start().to_usize();
    let is_hanging = source.slice(import.range).contains('\n')
        && line_start(text, first) > import.range.start().to_usize();
    let hanging = &text[line_start(text, first)..first];
    let indent = if is_hanging && hanging.trim().is_empty() {
        hanging.to_owned()
    } else {
        " ".repeat(column(source, import) + head.len())
    };
    let mut lines = vec![if is_hanging {
        String::new()
    } else {
        format!("{}{head}", " ".repeat(column(source, import)))
    }];
    for (index, name) in names.iter().enumerate() {
        let end = if index + 1 == names.len() { ")" } else { "," };
        let line = lines.last_mut().expect("it begins with one");
        let is_first = line.is_empty() || line.ends_with('(');
        let space = if is_first { "" } else { " " };
        if !is_first && line.len() + space.len() + name.len() + end.len() > limit || line.is_empty()
        {
            let is_empty = line.is_empty();
            let new = format!("{indent}{name}{end}");
            if is_empty { *line = new } else { lines.push(new) }
        } else {
            line.push_str(&[space, name, end].concat());
        }
    }
    let body = lines.join(newline);
    let body =
        if is_hanging { format!("{head}{newline}{body}") } else { body.trim_start().to_owned() };
    with_old_end(source, import, body, newline)
}

/// A parenthesis on a line of its own and a comma before it stay.
fn with_old_end(source: &Source, import: &Import, body: String, newline: &str) -> String {
    let old = source.slice(import.range);
    let Some(inner) = old.strip_suffix(')').filter(|_| old.contains('\n')) else { return body };
    let comma = if inner.trim_end().ends_with(',') { "," } else { "" };
    let tail = &inner[inner.trim_end().len()..];
    if !tail.contains('\n') && comma.is_empty() {
        return body;
    }
    let body = body.strip_suffix(')').unwrap_or(&body);
    let indent = tail.rsplit('\n').next().unwrap_or("");
    let end = if tail.contains('\n') { format!("{newline}{indent})") } else { ")".to_owned() };
    format!("{body}{comma}{end}")
}

/// Names with a line each: lines of names that stay are kept as they are, with their comments.
fn lines_kept(source: &Source, import: &Import, items: &[Item]) -> String {
    let text: &str = source.text();
    let newline = newline(text);
    let first = import.names[0].range.start().to_usize();
    let indent = &text[line_start(text, first)..first];
    let bounds = line_bounds(source, import);
    let start = import.range.start().to_usize();
    let mut new = text[start..bounds[0]].to_owned();
    for item in items {
        match item {
            Item::Kept(index) => {
                let name_end = import.names[*index].range.end().to_usize();
                let (from, to) = (bounds[*index], bounds[*index + 1]);
                new.push_str(&text[from..name_end]);
                let behind = &text[name_end..to];
                let has_comma = behind.trim_start().starts_with(',');
                let is_last = items.last() == Some(item);
                new.push_str(if has_comma || is_last { "" } else { "," });
                new.push_str(behind);
            }
            Item::New(name) => new.push_str(&[indent, name, ",", newline].concat()),
        }
    }
    new.push_str(&text[bounds[import.names.len()]..import.range.end().to_usize()]);
    new
}

/// Where the lines of each name begin, comment lines above it included; at the end, where those of the last name end.
fn line_bounds(source: &Source, import: &Import) -> Vec<usize> {
    let text: &str = source.text();
    let head = line_end(text, import.range.start().to_usize());
    let ends = import.names.iter().map(|name| line_end(text, name.range.end().to_usize()));
    let statement_end = line_start(text, import.range.end().to_usize());
    let mut bounds = vec![head];
    bounds.extend(ends.map(|end| end.min(statement_end.max(head))));
    let last = bounds.len() - 1;
    // `name)` on the last line: the name ends before the parenthesis.
    let last_name = import.names[last - 1].range.end().to_usize();
    bounds[last] = bounds[last].max(last_name);
    bounds
}

/// Names over several lines with comments between them: only what changes is touched.
fn inline(source: &Source, import: &Import, items: &[Item]) -> String {
    let text: &str = source.text();
    let first = import.names[0].range.start().to_usize();
    let last = import.names.len() - 1;
    let last_end = import.names[last].range.end().to_usize();
    let mut new = text[import.range.start().to_usize()..first].to_owned();
    for (position, item) in items.iter().enumerate() {
        let is_last = position + 1 == items.len();
        match item {
            Item::Kept(index) if *index == last => {
                let separator = if is_last { "" } else { ", " };
                new.push_str(&text[import.names[*index].range.start().to_usize()..last_end]);
                new.push_str(separator);
            }
            Item::Kept(index) => {
                let start = import.names[*index].range.start().to_usize();
                let end = if is_last {
                    import.names[*index].range.end().to_usize()
                } else {
                    import.names[*index + 1].range.start().to_usize()
                };
                new.push_str(&text[start..end]);
            }
            Item::New(name) if is_last => new.push_str(name),
            Item::New(name) => new.push_str(&[name, ", "].concat()),
        }
    }
    new.push_str(&text[last_end..import.range.end().to_usize()]);
    new
}

/// For edits of whole lines.
pub(super) fn whole_lines(source: &Source, import: &Import) -> (u32, u32) {
    let text: &str = source.text();
    let start = line_start(text, import.range.start().to_usize());
    (offset(start), offset(line_end(text, import.range.end().to_usize())))
}
