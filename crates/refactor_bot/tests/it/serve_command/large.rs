//! A large repository: every page opens, and all of it is there.

use std::fmt::Write as _;

use rb_testkit::{Repo, in_time};

use super::Served;
use super::browser::{Watched, css};

/// A folder holds so many files.
const FOLDER: usize = 50;

/// Files that each have one call that a recipe makes async.
fn repository(files: usize) -> Repo {
    let mut fixture = String::from("//- package.json\n{ \"type\": \"module\" }\n");
    for number in 0..files {
        let folder = number / FOLDER;
        let _ = write!(
            fixture,
            "//- src/part{folder}/load{number}.js\nimport fs from 'node:fs';\n\n\
             export async function load{number}(path) {{\n  return fs.readFileSync(path, 'utf8');\n}}\n",
        );
    }
    Repo::git_repo(&fixture)
}

fn served(files: usize) -> Served {
    let (repo, cli) = (repository(files), crate::cli());
    cli.run(["index", repo.root().to_str().unwrap(), "--quiet"]).expect_code(0);
    Served::over(cli, repo, &[])
}

#[test]
fn ux4_the_map_of_five_thousand_files_opens() {
    let Some(watched) = Watched::over(|| served(5000)) else { return };
    in_time(move || {
        let page = watched.page();
        watched.open(&page, "/map");
        let label = page.attribute(&css("svg.treemap"), "aria-label").unwrap().unwrap();
        let digits: String = label.chars().filter(char::is_ascii_digit).collect();
        assert_eq!(digits, "5000", "{label}");
        assert!(page.count(&css("svg.treemap a")).unwrap() >= 100);
        watched.assert_clean(&page);
        for path in ["/map/graph", "/code/src/part99/load4999.js", "/search?q=load4999"] {
            watched.open(&page, path);
            watched.assert_clean(&page);
        }
    });
}
