//! The map of the code: every file a rectangle in its folder, as large as it is long.

mod draw;
mod files;
mod layout;
mod steps;
mod tree;

use std::sync::Arc;

use rb_html::Page;
use rb_index::search::Searchable;
use rb_index::{IndexError, Indexed, Overview};
use rb_repo::Repo;

use self::draw::Drawing;
use self::files::{Extent, MapFile, MapFiles, Measure};
use self::steps::Steps;
use self::tree::{Branch, Leaf};
use super::code::address::{self, Address};
use super::code::findings::{self, Findings};
use super::code::folder::{End, Folder};
use super::code::navigation::{self, Choice, View};
use super::code::numbers::{count, percent, plural};
use super::code::paging::Paging;
use crate::layout::{Frame, Tab};
use crate::reply::{Problem, Reply};
use crate::request::Request;
use crate::site::Site;

/// Rows of the table.
const ROWS: usize = 50;

pub(crate) fn page(site: &Site, request: &Request) -> Result<Reply, Problem> {
    let body =
        site.indexed(Searchable::Nothing, |repo, indexed| body(site, request, repo, indexed))??;
    let frame = Frame { title: "Code map", tab: Tab::Map, scripts: &["code.js"], is_wide: true };
    Ok(frame.reply(site, &body))
}

fn body(
    site: &Site,
    request: &Request,
    repo: &Repo,
    indexed: &Indexed,
) -> Result<Result<Page, Problem>, IndexError> {
    let (folder, measure) = (Folder::of(request), Measure::of(request));
    let found = match measure {
        Measure::Findings => match findings::all(site, repo, indexed)? {
            Ok(found) => Some(found),
            Err(problem) => return Ok(Err(problem)),
        },
        Measure::Importance | Measure::Churn => None,
    };
    let view = indexed.view()?;
    let list = found.as_deref().map_or(&[][..], |found| &found.checked.findings);
    let files = MapFiles::of(&view, &folder, measure, Extent::of(request), list);
    if files.list.is_empty() && files.left_out == 0 && !folder.is_root() {
        return Ok(Err(Problem::not_found(format_args!("The folder {}", folder.path()))));
    }
    let mut body = Page::new();
    body.element("h1", "", "Code map");
    navigation::tabs(&mut body, View::Treemap, &folder);
    if folder.is_root() {
        overview(&mut body, indexed.overview()?);
    }
    let name = site.root.file_name().unwrap_or_default().to_string_lossy();
    let address = map_address(measure, files.extent);
    body.raw("<div class=\"toolbar\">\n");
    folder.crumbs(&mut body, &name, &address, End::Here);
    body.raw("<div class=\"labelled\">\n");
    kinds(&mut body, measure, &folder, files.extent);
    colours(&mut body, measure, &folder, files.extent);
    body.raw("</div>\n</div>\n");
    picture(&mut body, &files, measure, &address, &folder, found.as_ref());
    table(&mut body, request, &files, measure, &address.with("folder", folder.path()));
    Ok(Ok(body))
}

fn overview(body: &mut Page, overview: &Overview) {
    let languages: Vec<String> =
        overview.languages.iter().take(3).map(|share| share.language.name().to_owned()).collect();
    let more = overview.languages.len().saturating_sub(languages.len());
    let more = match (more, languages.len()) {
        (0, 1) => "language".to_owned(),
        (0, _) => "languages".to_owned(),
        (more, _) => format!("and {}", plural(more as u64, "more language")),
    };
    let pattern = overview.architecture.patterns.first();
    let tests = &overview.tests;
    let tested = format!("of {} with tests", plural(tests.source_files, "source file"));
    let mut tiles = vec![
        (count(overview.totals.files), "files".to_owned()),
        (count(overview.totals.lines), "lines".to_owned()),
    ];
    if !languages.is_empty() {
        tiles.push((languages.join(", "), more));
    }
    if let Some(finding) = pattern {
        tiles.push((finding.pattern.name().to_owned(), "architecture".to_owned()));
    }
    let files = plural(overview.cycles.files, "file");
    tiles.push((count(overview.cycles.groups), format!("import cycles with {files}")));
    tiles.push((count(tests.tested), tested));
    navigation::tiles(body, &tiles);
}

fn map_address(measure: Measure, extent: Extent) -> Address {
    Address::new("/map").with("by", measure.in_address()).with("files", extent.in_address())
}

fn kinds(body: &mut Page, measure: Measure, folder: &Folder, extent: Extent) {
    let items = Extent::ALL.map(|item| Choice {
        address: map_address(measure, item).with("folder", folder.path()),
        words: item.title(),
        is_current: item == extent,
    });
    navigation::choices(body, "segments", "Files", &items);
}

fn colours(body: &mut Page, measure: Measure, folder: &Folder, extent: Extent) {
    let items = Measure::ALL.map(|item| Choice {
        address: map_address(item, extent).with("folder", folder.path()),
        words: item.title(),
        is_current: item == measure,
    });
    navigation::choices(body, "segments", "Colour by", &items);
}

fn picture(
    body: &mut Page,
    files: &MapFiles<'_>,
    measure: Measure,
    address: &Address,
    folder: &Folder,
    found: Option<&Arc<Findings>>,
) {
    if files.list.is_empty() {
        body.element(
            "p",
            "empty",
            "There is no source file here. Choose “All files” or another folder.",
        );
        return;
    }
    let mut leaves: Vec<Leaf<'_>> = files
        .list
        .iter()
        .map(|file| Leaf { path: file.path, lines: file.lines.into(), value: file.value(measure) })
        .collect();
    leaves.sort_by(|a, b| a.path.cmp(b.path));
    let steps = Steps::of(leaves.iter().map(|leaf| leaf.value));
    let tree = Branch::of(folder.path(), &leaves);
    Drawing { measure, steps: &steps, address, folder: folder.path() }.draw(body, &tree);
    legend(body, &leaves, &steps, measure);
    let mut notes = vec![format!(
        "{} with {}. A block of several files has the colour of the highest of them.",
        plural(tree.count() as u64, "file"),
        plural(tree.lines(), "line")
    )];
    if files.left_out > 0 {
        let left = plural(files.left_out as u64, "file");
        let why = match files.extent {
            Extent::Code => "no code, empty, generated, vendored or trivial",
            Extent::All => "empty, binary, generated, vendored or trivial",
        };
        notes.push(format!("Not drawn: {left} ({why})."));
    }
    if steps.count() == 1 && measure != Measure::Importance {
        notes.push(match measure {
            Measure::Churn => "No commits are known: the folder has no git history.".to_owned(),
            Measure::Findings | Measure::Importance => "The rules found nothing here.".to_owned(),
        });
    }
    if let Some(found) = found {
        let checked = plural(found.checked.files as u64, "file");
        notes.push(format!("The rules looked at {checked}."));
    }
    body.element("p", "soft caption", &notes.join(" "));
}

/// What each colour stands for, with the number of files that have it.
fn legend(body: &mut Page, leaves: &[Leaf<'_>], steps: &Steps, measure: Measure) {
    body.open(
        "ul",
        &[("class", &*format!("legend {}", measure.class())), ("aria-label", "Colours")],
    );
    for step in 0..steps.count() {
        let values =
            leaves.iter().map(|leaf| leaf.value).filter(|&value| steps.step(value) == step);
        let (least, most, files) = values
            .fold((f64::INFINITY, 0.0_f64, 0), |(least, most, files), value| {
                (least.min(value), most.max(value), files + 1)
            });
        if files == 0 {
            continue;
        }
        let (least, most) = (measure.number(least), measure.number(most));
        let range = if least == most { least } else { format!("{least}–{most}") };
        body.raw("<li><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\">");
        let class = ["step-0", "step-1", "step-2", "step-3", "step-4"][step];
        body.open("rect", &[("class", class), ("width", "10"), ("height", "10")]);
        body.raw("</rect></svg> ");
        body.text(&range);
        body.raw(" ");
        body.element("span", "soft", &plural(files, "file"));
        body.raw("</li>\n");
    }
    body.raw("</ul>\n");
}

fn table(
    body: &mut Page,
    request: &Request,
    files: &MapFiles<'_>,
    measure: Measure,
    address: &Address,
) {
    if files.list.is_empty() {
        return;
    }
    let paging = Paging::of(request, files.list.len(), ROWS);
    body.raw("<h2>");
    body.text(match measure {
        Measure::Importance => "Most important files",
        Measure::Churn => "Most changed files",
        Measure::Findings => "Files with the most findings",
    });
    body.raw("</h2>\n");
    let shows_findings = measure == Measure::Findings;
    let headings: &[&'static str] = if shows_findings {
        &["File", "Language", "Lines#", "Importance", "Commits#", "Used by#", "Findings#"]
    } else {
        &["File", "Language", "Lines#", "Importance", "Commits#", "Used by#"]
    };
    body.table(headings);
    for file in paging.shown(&files.list) {
        row(body, file, shows_findings);
    }
    body.end_table();
    paging.links(body, address);
}

fn row(body: &mut Page, file: &MapFile<'_>, shows_findings: bool) {
    body.raw("<tr><td class=\"long\">");
    body.link(&address::file(file.path), file.path);
    body.raw("</td>");
    body.cell("", file.language.map_or("", |language| language.name()));
    body.cell("number", &count(file.lines.into()));
    body.raw("<td class=\"meter\">");
    body.bar(percent(file.importance));
    body.raw("</td>");
    body.cell("number", &count(file.commits.into()));
    body.cell("number", &count(file.used_by.into()));
    if shows_findings {
        body.cell("number", &count(file.findings.into()));
    }
    body.raw("</tr>\n");
}

#[cfg(test)]
mod tests;
