//! TAP 12, 13 and 14, with the subtests of node and of others.
//!
//! What is a test: a point; of a subtest its points, and itself only where node counts it too. In tape's output
//! a point is one assertion, counted as tape counts it, and the comment before it names it.
//!
//! Tests share the stream with the runner. A passing point out of sequence is taken for printed text when the
//! plan counts fewer points; a failing one never is. What cannot be told: a line with the number that was due
//! next, and in tape's output a printed `# name`. The first is a trouble through the plan.

use std::collections::BTreeSet;

use crate::clean::{Root, append};
use crate::collect::{Collector, FoundTest, MAX_TESTS, millis};
use crate::report::{Outcome, Report, TestResult};
use crate::tap_line::{Line, PointLine, indent, parse};

const MAX_DEPTH: usize = 32;

/// `None` where there is neither a plan nor a point.
pub(crate) fn read(text: &str, root: &Root) -> Option<Report> {
    let mut out = Collector::new(root.clone());
    let mut any = false;
    for document in documents(text) {
        any |= document.is_tap();
        document.settle(&mut out);
    }
    any.then(|| out.finish())
}

/// A point with what stood under it.
struct Point {
    line: PointLine,
    /// The comment before it.
    group: Option<usize>,
    yaml: Yaml,
    children: Vec<Point>,
}

#[derive(Default)]
struct Yaml {
    is_suite: bool,
    /// Only its subtests failed, not itself.
    by_subtests: bool,
    ms: Option<u64>,
    location: Option<String>,
    message: String,
}

/// One program's TAP; several can follow each other in one output.
#[derive(Default)]
struct Document {
    versioned: bool,
    /// Points of each depth that no parent has taken yet.
    levels: Vec<Vec<Point>>,
    taken: usize,
    plans: Vec<u64>,
    /// Comments at the left edge, each of which may name a test.
    groups: Vec<String>,
    bail_out: Option<String>,
    has_subtests: bool,
    /// tape's way to sum up.
    is_tape: bool,
}

fn documents(text: &str) -> Vec<Document> {
    let mut documents = vec![Document::default()];
    // Indented points are subtests only where the producer says that it has them.
    let has_subtests = text.lines().any(|line| {
        let line = line.trim();
        line.starts_with("# Subtest")
            || line.starts_with("not ok ") && line.ends_with(" {")
            || line.starts_with("ok ") && line.ends_with(" {")
    });
    documents[0].has_subtests = has_subtests;
    let mut yaml: Option<(usize, usize)> = None;
    for line in text.lines() {
        let width = indent(line);
        if let Some((block, depth)) = yaml {
            // A block that is not closed ends where the indent does: printed dashes must not hide what follows.
            let closed = line.trim() == "...";
            if !closed && (width >= block || line.trim().is_empty()) {
                let point = documents.last_mut().and_then(|d| d.levels.get_mut(depth)?.last_mut());
                if let Some(point) = point {
                    point.yaml.take(line, block);
                }
                continue;
            }
            yaml = None;
            if closed {
                continue;
            }
        }
        let document = documents.last_mut().expect("there is always one");
        let parsed = parse(&line[width..]);
        if parsed == Line::Version && width == 0 && document.is_tap() {
            documents.push(Document { versioned: true, has_subtests, ..Document::default() });
        } else if parsed == Line::YamlStart {
            yaml = document.yaml_owner(width).map(|depth| (width, depth));
        } else if width.is_multiple_of(4) && width / 4 < MAX_DEPTH && (width == 0 || has_subtests) {
            document.take(parsed, width / 4);
        }
    }
    // The version comes first: what stands before it was printed.
    if documents.len() > 1 && !documents[0].versioned && documents[0].plans.is_empty() {
        documents.remove(0);
    }
    documents
}

impl Document {
    fn is_tap(&self) -> bool {
        self.versioned && !self.levels.is_empty()
            || !self.plans.is_empty()
            || self.points().next().is_some()
    }

    fn points(&self) -> impl Iterator<Item = &Point> {
        self.levels.iter().flatten()
    }

    /// The depth of the point that a block of this indent stands under.
    fn yaml_owner(&self, width: usize) -> Option<usize> {
        let depth = width.checked_sub(1)? / 4;
        (0..=depth)
            .rev()
            .find(|depth| self.levels.get(*depth).is_some_and(|level| !level.is_empty()))
    }

    fn take(&mut self, line: Line, depth: usize) {
        match line {
            Line::Version => self.versioned = true,
            Line::Plan(count) if depth == 0 && self.plans.len() < 2 => self.plans.push(count),
            Line::BailOut(reason) if depth == 0 => self.bail_out = Some(reason.to_owned()),
            Line::Comment(comment) if depth == 0 && !comment.starts_with("Subtest") => {
                self.comment(comment);
            }
            Line::Point(_) if self.taken > MAX_TESTS => {}
            Line::Point(point) => {
                self.taken += 1;
                let below = self.below(depth);
                self.levels.resize_with(self.levels.len().max(depth + 1), Vec::new);
                let group = self.groups.len().checked_sub(1);
                self.levels[depth].push(Point {
                    line: point,
                    group,
                    yaml: Yaml::default(),
                    children: below,
                });
            }
            Line::Close => {
                let below = self.below(depth);
                if let Some(parent) = self.levels.get_mut(depth).and_then(|level| level.last_mut())
                {
                    parent.children.extend(below);
                }
            }
            Line::Plan(_) | Line::BailOut(_) | Line::Comment(_) | Line::YamlStart | Line::Other => {
            }
        }
    }

    fn comment(&mut self, comment: &str) {
        // tape aligns its sums: `# pass  8`.
        self.is_tape |=
            comment.strip_prefix("pass  ").is_some_and(|count| count.parse::<u64>().is_ok());
        if self.groups.len() < MAX_TESTS {
            self.groups.push(comment.to_owned());
        }
    }

    /// Its sums say so. Where it was cut off before them, there is no plan either, and a test was named before any point.
    fn is_of_tape(&self) -> bool {
        let first = self.levels.first().and_then(|level| level.first());
        let named = first.is_some_and(|point| point.group.is_some());
        self.is_tape || self.versioned && self.plans.is_empty() && named
    }

    /// Takes what is deeper than `depth`.
    fn below(&mut self, depth: usize) -> Vec<Point> {
        let deeper = self.levels.iter_mut().skip(depth + 1);
        deeper.flat_map(std::mem::take).collect()
    }

    fn settle(mut self, out: &mut Collector) {
        let by_comment = self.is_of_tape() && !self.has_subtests;
        let below = self.below(0);
        let mut points = self.levels.into_iter().next().unwrap_or_default();
        let planned = self.plans.first().copied();
        if planned.is_some_and(|planned| planned < points.len() as u64) {
            points = in_sequence(points);
        }
        let seen = points.len() as u64;
        if let Some(reason) = &self.bail_out {
            out.trouble(None, &format!("Bail out! {reason}"));
        } else if self.plans.iter().any(|plan| Some(*plan) != planned) {
            out.trouble(None, "there is more than one plan");
        } else if let Some(planned) = planned.filter(|planned| *planned != seen) {
            out.trouble(None, &format!("{planned} tests were planned, {seen} were seen"));
        } else if planned.is_none() && seen > 0 {
            out.trouble(None, "there is no plan: it stopped before its end");
        }
        if !below.is_empty() {
            out.trouble(None, "a subtest has no end: it stopped before");
        }
        if by_comment {
            settle_groups(&self.groups, &points, out);
        } else {
            settle_points(&points, &mut Vec::new(), out);
        }
        settle_points(&below, &mut Vec::new(), out);
    }
}

/// Without the passing points whose number is not the next: printed, not reported.
fn in_sequence(points: Vec<Point>) -> Vec<Point> {
    let mut last = 0;
    let mut kept = Vec::new();
    for point in points {
        let next = point.line.number.is_none_or(|number| number == last + 1);
        if next || !point.line.ok {
            last = point.line.number.unwrap_or(last + 1);
            kept.push(point);
        }
    }
    kept
}

/// Each point is named after the comment before it, and numbered where there are several: what it asserts may be worded
/// differently at each run. Points before any comment stand for themselves.
fn settle_groups(groups: &[String], points: &[Point], out: &mut Collector) {
    for point in points {
        let Some(name) = point.group.map(|at| groups[at].as_str()) else {
            settle_points(std::slice::from_ref(point), &mut Vec::new(), out);
            continue;
        };
        let name =
            ["SKIP ", "TODO "].iter().find_map(|word| name.strip_prefix(word)).unwrap_or(name);
        let outcome = point.line.outcome;
        let failed = outcome == Outcome::Failed;
        let message = failed.then(|| format!("{}\n{}", point.line.name, point.yaml.message));
        let message = message.as_deref();
        out.test(&FoundTest {
            path: vec![name],
            outcome: Some(outcome),
            message,
            ..FoundTest::default()
        });
    }
    // A skipped test of tape has no point.
    let used: BTreeSet<usize> = points.iter().filter_map(|point| point.group).collect();
    let unused = groups.iter().enumerate().filter(|(at, _)| !used.contains(at));
    for name in unused.filter_map(|(_, name)| name.strip_prefix("SKIP ")) {
        out.test(&FoundTest {
            path: vec![name],
            outcome: Some(Outcome::Skipped),
            ..FoundTest::default()
        });
    }
}

fn settle_points<'a>(points: &'a [Point], suites: &mut Vec<&'a str>, out: &mut Collector) {
    for point in points {
        let name = point.line.name.as_str();
        let at = point.yaml.location.as_deref().and_then(location);
        let same =
            |(file, _): (&str, u32)| name.contains('.') && out.relative(file) == out.relative(name);
        let is_file = out.names_path(name) || at.is_some_and(same);
        if !point.children.is_empty() {
            suites.extend((!is_file).then_some(name));
            settle_points(&point.children, suites, out);
            suites.truncate(suites.len() - usize::from(!is_file));
        }
        if point.is_test(is_file) {
            let mut path = suites.clone();
            path.push(name);
            let said = Some(point.yaml.message.as_str()).filter(|message| !message.is_empty());
            out.test(&FoundTest {
                file: None,
                located: at.map(|(file, _)| file),
                line: at.map(|(_, line)| line),
                path,
                outcome: Some(point.line.outcome),
                ms: point.yaml.ms.or(point.line.ms),
                message: said.or(point.line.reason.as_deref()),
            });
        } else if point.failed_itself() {
            let said = point.yaml.message.as_str();
            match at {
                _ if is_file => out.trouble(Some(name), said),
                Some((file, _)) => out.trouble(Some(file), &format!("{name}: {said}")),
                None => out.trouble(None, &format!("{name}: {said}")),
            }
        }
    }
}

impl Point {
    /// node counts a test with subtests as a test; a suite, or a group of other producers, is none. Nor is a file
    /// that failed without a test of its own.
    fn is_test(&self, is_file: bool) -> bool {
        let counted = if self.children.is_empty() {
            !is_file || self.line.outcome != Outcome::Failed
        } else {
            !is_file && self.yaml.ms.is_some()
        };
        counted && !self.yaml.is_suite
    }

    fn failed_itself(&self) -> bool {
        let failed = self.line.outcome == Outcome::Failed;
        failed && !self.yaml.by_subtests && !any_failed(&self.children)
    }
}

fn any_failed(points: &[Point]) -> bool {
    points.iter().any(|point| point.line.outcome == Outcome::Failed || any_failed(&point.children))
}

/// `/repo/a.test.js:4:3`
fn location(text: &str) -> Option<(&str, u32)> {
    let (rest, column) = text.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    column.parse::<u32>().ok()?;
    Some((file, line.parse().ok()?))
}

impl Yaml {
    /// Takes the few keys that are of use; a block can hold anything.
    fn take(&mut self, line: &str, block: usize) {
        let text = line.trim();
        let (key, value) = text.split_once(':').unwrap_or((text, ""));
        let value = value.trim();
        let unquoted = value.trim_matches(['\'', '"']);
        match (key, indent(line) == block) {
            ("duration_ms", true) => self.ms = value.parse().ok().and_then(millis),
            ("type", true) => self.is_suite = unquoted == "suite",
            ("failureType", true) => self.by_subtests = unquoted == "subtestsFailed",
            ("location", true) => self.location = Some(unquoted.to_owned()),
            ("stack" | "code" | "name" | "signal" | "exitCode" | "at", _) => {}
            _ => {
                append(&mut self.message, text, TestResult::MAX_MESSAGE);
                append(&mut self.message, "\n", TestResult::MAX_MESSAGE);
            }
        }
    }
}
