//! A report in a folder that the person named. Only what an earlier report put there is ever replaced.
//!
//! The mark lists every file of the report: it tells our folder from any other, and our files from those that somebody else
//! laid beside them. It is written first and last, so that a copy that was cut off is known as ours. A folder inside of the repository
//! tells git to look away: a report is no change of the checkout.

use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rb_core::fs::{self, BehindLink, Durability, FsError};
use rb_core::{RepoPath, RunId};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What tells a folder with a report.
const MARK: &str = ".refactor-bot-report";

/// Of the mark.
const VERSION: u32 = 1;

#[derive(Debug, Error)]
pub enum OutputError {
    #[error("{} is inside the .git folder; choose a folder outside it", .0.display())]
    InGit(PathBuf),
    #[error("{} is a symbolic link; use the folder that it points to", .0.display())]
    Link(PathBuf),
    #[error("{} is not a folder; choose another place", .0.display())]
    NoFolder(PathBuf),
    #[error("{} is not writable; choose another place", .0.display())]
    ReadOnly(PathBuf),
    #[error("{} contains other files and no earlier report; choose a new or empty folder", .0.display())]
    NotOurs(PathBuf),
    #[error("{} already exists and is not part of an earlier report; move it, or choose another folder", .0.display())]
    InTheWay(PathBuf),
    #[error("{} is not a valid report marker; remove it, or choose another folder", .0.display())]
    BadMark(PathBuf),
    #[error("{0}; remove the link, or choose another folder")]
    BehindLink(#[from] BehindLink),
    #[error(transparent)]
    Fs(#[from] FsError),
}

/// The files of a report, relative to its folder.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Mark {
    version: u32,
    /// Whose report it is; nobody's in one of before this was written down.
    #[serde(default)]
    run: Option<RunId>,
    files: BTreeSet<RepoPath>,
}

/// Looks whether a report could be put there, and writes nothing.
pub(crate) fn look(output: &Path) -> Result<(), OutputError> {
    outside_of_git(output)?;
    earlier(output)?;
    let existing = output.ancestors().find(|place| place.symlink_metadata().is_ok());
    let existing = existing.unwrap_or(output);
    if !existing.is_dir() {
        return Err(OutputError::NoFolder(existing.to_owned()));
    }
    if !fs::is_writable(existing) {
        return Err(OutputError::ReadOnly(existing.to_owned()));
    }
    Ok(())
}

/// Whether the report of this run is there: another run may have put its own in the place.
pub fn holds_report(output: &Path, run: &RunId) -> bool {
    earlier(output).is_ok_and(|mark| mark.run.as_ref() == Some(run))
}

/// Copies a report of the repository at `repo` into `output`, in the place of an earlier one. Files that are of no report stay as they are.
pub(crate) fn copy(
    report: &Path,
    output: &Path,
    repo: &Path,
    run: &RunId,
) -> Result<(), OutputError> {
    outside_of_git(output)?;
    let earlier = earlier(output)?;
    let mut files = files_below(report)?;
    let hides = lies_below(output, repo);
    if hides {
        files.insert(ignored());
    }
    for path in files.iter().chain(&earlier.files) {
        let place = fs::contained(output, path)?;
        if !earlier.files.contains(path) && place.symlink_metadata().is_ok() {
            return Err(OutputError::InTheWay(place));
        }
    }
    fs::create_dir_all(output)?;
    let both = files.union(&earlier.files).cloned().collect();
    write_mark(output, run, both)?;
    for path in earlier.files.difference(&files) {
        let place = fs::contained(output, path)?;
        fs::remove_file(&place)?;
        fs::remove_empty_dirs(place.parent().unwrap_or(output), output)?;
    }
    for path in &files {
        let place = fs::contained(output, path)?;
        fs::create_dir_all(place.parent().unwrap_or(output))?;
        let bytes = if hides && *path == ignored() {
            b"*\n".to_vec()
        } else {
            fs::read(&path.below(report))?
        };
        fs::write(&place, &bytes, Durability::Relaxed)?;
    }
    write_mark(output, run, files)
}

/// What makes git pass over the whole folder.
fn ignored() -> RepoPath {
    RepoPath::new(".gitignore").expect("a plain name")
}

/// By the places that the paths lead to.
fn lies_below(output: &Path, repo: &Path) -> bool {
    let existing = output.ancestors().find(|place| place.exists()).unwrap_or(output);
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    real(existing).starts_with(real(repo))
}

/// What an earlier report left there; nothing for a folder that is new or empty.
fn earlier(output: &Path) -> Result<Mark, OutputError> {
    let Ok(meta) = output.symlink_metadata() else { return Ok(Mark::default()) };
    if meta.is_symlink() {
        return Err(OutputError::Link(output.to_owned()));
    }
    if !meta.is_dir() {
        return Err(OutputError::NoFolder(output.to_owned()));
    }
    if fs::list(output)?.is_empty() {
        return Ok(Mark::default());
    }
    let place = output.join(MARK);
    if !place.symlink_metadata().is_ok_and(|meta| meta.is_file()) {
        return Err(OutputError::NotOurs(output.to_owned()));
    }
    let mark: Option<Mark> = serde_json::from_slice(&fs::read(&place)?).ok();
    mark.filter(|mark| mark.version == VERSION).ok_or(OutputError::BadMark(place))
}

fn write_mark(output: &Path, run: &RunId, files: BTreeSet<RepoPath>) -> Result<(), OutputError> {
    let mark = Mark { version: VERSION, run: Some(run.clone()), files };
    let mut text = serde_json::to_vec_pretty(&mark).expect("a mark is plain data");
    text.push(b'\n');
    Ok(fs::write(&output.join(MARK), &text, Durability::Relaxed)?)
}

/// Every file of a report; a link is none.
fn files_below(report: &Path) -> Result<BTreeSet<RepoPath>, OutputError> {
    let mut files = BTreeSet::new();
    let mut folders: Vec<Option<RepoPath>> = vec![None];
    while let Some(folder) = folders.pop() {
        let place = folder.as_ref().map_or_else(|| report.to_owned(), |it| it.below(report));
        for name in fs::list(&place)? {
            let path = match &folder {
                Some(folder) => folder.child(name.as_bytes()),
                None => RepoPath::new(name.as_bytes()),
            };
            let Ok(path) = path else { continue };
            let Ok(meta) = path.below(report).symlink_metadata() else { continue };
            if meta.is_dir() {
                folders.push(Some(path));
            } else if meta.is_file() {
                files.insert(path);
            }
        }
    }
    Ok(files)
}

/// Looks at the place that the path leads to, and at what it says.
fn outside_of_git(output: &Path) -> Result<(), OutputError> {
    let existing = output.ancestors().find(|place| place.exists()).unwrap_or(output);
    let real = existing.canonicalize().unwrap_or_else(|_| existing.to_owned());
    let is_git = |name: &std::ffi::OsStr| name.eq_ignore_ascii_case(".git");
    let named = |path: &Path| path.iter().any(is_git);
    let is_store = |place: &Path| {
        place.join("HEAD").is_file()
            && place.join("objects").is_dir()
            && place.join("refs").is_dir()
    };
    if named(output) || named(&real) || real.ancestors().any(is_store) {
        return Err(OutputError::InGit(output.to_owned()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use rb_core::fs::symlink;

    use super::*;

    struct Desk(tempfile::TempDir);

    fn run() -> RunId {
        "20260131T120000Z".parse().expect("the id of a run")
    }

    impl Desk {
        fn new(files: &[&str]) -> Desk {
            let desk = Desk(tempfile::tempdir().unwrap());
            desk.report(files);
            desk
        }

        fn at(&self, name: &str) -> PathBuf {
            self.0.path().canonicalize().unwrap().join(name)
        }

        fn put(&self, name: &str, text: &str) {
            fs::create_dir_all(self.at(name).parent().unwrap()).unwrap();
            fs::write(&self.at(name), text.as_bytes(), Durability::Relaxed).unwrap();
        }

        fn report(&self, files: &[&str]) {
            fs::remove_dir_all(&self.at("report")).unwrap();
            for name in files {
                self.put(&format!("report/{name}"), name);
            }
        }

        fn copy(&self) -> Result<(), String> {
            copy(&self.at("report"), &self.at("out"), &self.at("repo"), &run())
                .map_err(|error| error.to_string().replace(&self.at("").display().to_string(), ""))
        }

        fn out(&self) -> Vec<String> {
            let files = files_below(&self.at("out")).unwrap();
            files.iter().map(ToString::to_string).collect()
        }
    }

    #[test]
    fn rf9_an_earlier_report_is_replaced_and_nothing_else() {
        let desk = Desk::new(&["pr-summary.md", "diffs/a.patch", "diffs/b.patch"]);
        desk.copy().unwrap();
        desk.put("out/mine.txt", "mine");
        desk.put("out/diffs/mine.patch", "mine");
        desk.report(&["pr-summary.md", "tasks/batch-001.patch"]);
        desk.copy().unwrap();
        let left = [MARK, "diffs/mine.patch", "mine.txt", "pr-summary.md", "tasks/batch-001.patch"];
        assert_eq!(desk.out(), left);
        // The mark names what is of the report, so that a third copy does the same.
        desk.report(&["pr-summary.md"]);
        desk.copy().unwrap();
        assert_eq!(desk.out(), [MARK, "diffs/mine.patch", "mine.txt", "pr-summary.md"]);
        assert!(!desk.at("out/tasks").exists());
    }

    #[test]
    fn rf9_a_folder_tells_whose_report_it_holds() {
        let desk = Desk::new(&["pr-summary.md"]);
        assert!(!holds_report(&desk.at("out"), &run()));
        desk.copy().unwrap();
        assert!(holds_report(&desk.at("out"), &run()));
        let other: RunId = "20260131T120001Z".parse().expect("the id of a run");
        copy(&desk.at("report"), &desk.at("out"), &desk.at("repo"), &other).unwrap();
        assert!(!holds_report(&desk.at("out"), &run()));
    }

    #[test]
    fn rf9_a_folder_of_somebody_else_is_refused_untouched() {
        let desk = Desk::new(&["pr-summary.md"]);
        desk.put("out/thesis.txt", "years of work");
        let refused = desk.copy().unwrap_err();
        assert_eq!(
            refused,
            "out contains other files and no earlier report; choose a new or empty folder"
        );
        assert_eq!(desk.out(), ["thesis.txt"]);

        let desk = Desk::new(&["pr-summary.md"]);
        desk.copy().unwrap();
        desk.put("out/report.html", "mine");
        desk.report(&["pr-summary.md", "report.html"]);
        let refused = desk.copy().unwrap_err();
        assert!(refused.starts_with("out/report.html already exists"), "{refused}");
        assert_eq!(fs::read(&desk.at("out/report.html")).unwrap(), b"mine");

        let desk = Desk::new(&["pr-summary.md"]);
        desk.put("out", "a file");
        assert_eq!(desk.copy().unwrap_err(), "out is not a folder; choose another place");
    }

    #[test]
    fn rf9_no_link_leads_out_of_the_folder() {
        let desk = Desk::new(&["pr-summary.md", "diffs/a.patch"]);
        fs::create_dir_all(&desk.at("elsewhere")).unwrap();
        symlink(&desk.at("elsewhere"), &desk.at("out")).unwrap();
        assert!(desk.copy().unwrap_err().contains("is a symbolic link"));

        let desk = Desk::new(&["pr-summary.md", "diffs/a.patch"]);
        desk.copy().unwrap();
        desk.put("elsewhere/a.patch", "precious");
        fs::remove_dir_all(&desk.at("out/diffs")).unwrap();
        symlink(&desk.at("elsewhere"), &desk.at("out/diffs")).unwrap();
        let refused = desk.copy().unwrap_err();
        assert!(refused.contains("lies behind `diffs`, a symbolic link"), "{refused}");
        assert_eq!(fs::read(&desk.at("elsewhere/a.patch")).unwrap(), b"precious");

        // A link in the place of a file is replaced, and what it led to is not written.
        let desk = Desk::new(&["pr-summary.md"]);
        desk.copy().unwrap();
        desk.put("elsewhere", "precious");
        fs::remove_file(&desk.at("out/pr-summary.md")).unwrap();
        symlink(&desk.at("elsewhere"), &desk.at("out/pr-summary.md")).unwrap();
        desk.copy().unwrap();
        assert_eq!(fs::read(&desk.at("elsewhere")).unwrap(), b"precious");
        assert_eq!(fs::read(&desk.at("out/pr-summary.md")).unwrap(), b"pr-summary.md");
    }

    #[test]
    fn rf9_git_is_left_alone() {
        let desk = Desk::new(&["pr-summary.md"]);
        let check = |output: &str| {
            let copied = copy(&desk.at("report"), &desk.at(output), &desk.at("repo"), &run());
            for refused in [copied.unwrap_err(), look(&desk.at(output)).unwrap_err()] {
                assert!(matches!(refused, OutputError::InGit(_)), "{output}: {refused}");
            }
        };
        fs::create_dir_all(&desk.at("repo/.git")).unwrap();
        check("repo/.git/out");
        check("new/.GIT/out");
        for folder in ["bare/objects", "bare/refs"] {
            fs::create_dir_all(&desk.at(folder)).unwrap();
        }
        desk.put("bare/HEAD", "ref: refs/heads/main");
        check("bare/out");
        symlink(&desk.at("repo/.git"), &desk.at("way-in")).unwrap();
        check("way-in/out");
    }

    #[test]
    fn rf9_what_cannot_be_is_seen_before_anything_is_written() {
        let desk = Desk::new(&["pr-summary.md"]);
        let look = |output: &str| match look(&desk.at(output)) {
            Ok(()) => "fits".to_owned(),
            Err(error) => error.to_string().replace(&desk.at("").display().to_string(), ""),
        };
        desk.put("file", "a file");
        desk.put("thesis/thesis.txt", "years of work");
        desk.copy().unwrap();
        assert_eq!(look("new"), "fits");
        assert_eq!(look("new/and/deep"), "fits");
        assert_eq!(look("out"), "fits");
        assert_eq!(look("file"), "file is not a folder; choose another place");
        assert_eq!(look("file/out"), "file is not a folder; choose another place");
        let other =
            "thesis contains other files and no earlier report; choose a new or empty folder";
        assert_eq!(look("thesis"), other);
        symlink(&desk.at("thesis"), &desk.at("link")).unwrap();
        assert_eq!(look("link"), "link is a symbolic link; use the folder that it points to");
        assert!(!desk.at("new").exists());
    }

    #[test]
    fn rf9_git_looks_away_from_a_report_inside_of_the_repository() {
        let desk = Desk::new(&["pr-summary.md"]);
        fs::create_dir_all(&desk.at("repo")).unwrap();
        let into = |output: &str| {
            copy(&desk.at("report"), &desk.at(output), &desk.at("repo"), &run()).unwrap();
            files_below(&desk.at(output)).unwrap().contains(&ignored())
        };
        assert!(into("repo/out"));
        assert_eq!(fs::read(&desk.at("repo/out/.gitignore")).unwrap(), b"*\n");
        assert!(into("repo/out"), "a second time");
        assert!(!into("beside"));
    }

    #[test]
    fn rf9_a_mark_that_leads_elsewhere_is_not_followed() {
        let desk = Desk::new(&["pr-summary.md"]);
        desk.put("precious", "precious");
        desk.put(&format!("out/{MARK}"), r#"{"version":1,"files":["../precious"]}"#);
        assert!(desk.copy().unwrap_err().contains("is not a valid report marker"));
        assert!(desk.at("precious").exists());
    }
}
