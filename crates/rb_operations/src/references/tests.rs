//! References, each with its line and the name in brackets. `?` is a doubt, `~` a mention.

mod member;
mod module;
mod parameter;
mod top_level;

use expect_test::Expect;

use super::*;
use crate::testing::MemoryFiles;

fn line_with(project: &Project<'_>, path: &str, range: TextRange) -> String {
    let Some(source) = project.source(path) else { return path.to_owned() };
    let line = source.line(range.start());
    let (start, end) = (source.line_start(range.start()), source.line_end(range.start()));
    let before = source.slice(TextRange::new(start, range.start())).trim_start().to_owned();
    let after = source.slice(TextRange::new(range.end(), end.max(range.end())));
    format!("{path}:{line} {before}[{}]{}", source.slice(range), after.trim_end())
}

fn dump(project: &Project<'_>, found: &Found) -> String {
    let mut lines = Vec::new();
    for one in &found.references {
        let kind = match one.kind {
            ReferenceKind::Import { .. } => "Import".to_owned(),
            other => format!("{other:?}"),
        };
        lines.push(format!("{kind:<10} {}", line_with(project, &one.path, one.range)));
    }
    for (mark, doubts) in [("?", &found.doubts), ("~", &found.mentions)] {
        for one in doubts {
            lines.push(format!("{mark} {}: {}", line_with(project, &one.path, one.range), one.why));
        }
    }
    lines.join("\n") + "\n"
}

#[expect(clippy::needless_pass_by_value, reason = "`expect!` makes values")]
fn check(fixture: &str, symbol: &str, expected: Expect) {
    let files = MemoryFiles::new(fixture);
    let project = Project::new(&files);
    let found = project.references(&symbol.parse().unwrap());
    expected.assert_eq(&dump(&project, &found));
}

#[expect(clippy::needless_pass_by_value, reason = "`expect!` makes values")]
fn check_parameter(fixture: &str, function: &str, parameter: &str, expected: Expect) {
    let files = MemoryFiles::new(fixture);
    let project = Project::new(&files);
    let found = project.parameter_references(&function.parse().unwrap(), parameter);
    expected.assert_eq(&dump(&project, &found));
}

#[expect(clippy::needless_pass_by_value, reason = "`expect!` makes values")]
fn check_module(fixture: &str, path: &str, expected: Expect) {
    let files = MemoryFiles::new(fixture);
    let project = Project::new(&files);
    let mut lines = Vec::new();
    for one in project.module_references(path).references {
        let source = project.source(&one.path).unwrap();
        let (kind, range) = match one.kind {
            ModuleReferenceKind::From { import } => ("From", source.imports()[import].range),
            ModuleReferenceKind::FromParent { import, name } => {
                ("FromParent", source.imports()[import].names[name].range)
            }
            ModuleReferenceKind::Import { import, name } => {
                ("Import", source.imports()[import].names[name].range)
            }
            ModuleReferenceKind::Attribute { range } => ("Attribute", range),
            ModuleReferenceKind::Name { range } => ("Name", range),
            ModuleReferenceKind::String { range } => ("String", range),
        };
        lines.push(format!("{kind:<10} {}\n", line_with(&project, &one.path, range)));
    }
    expected.assert_eq(&lines.concat());
}
