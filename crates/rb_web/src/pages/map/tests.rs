use expect_test::{Expect, expect};

use super::page;
use crate::pages::code::testing::TestSite;
use crate::reply::Problem;

const FILES: &str = "\
//- src/app.js
import { a } from './lib/a.js';
import './lib/b.js';
a();
//- src/lib/a.js
export function a() {
  return 1;
}
//- src/lib/b.js
export const b = 2;
//- src/<script>alert(1)</script>.js
let x;
let y;
//- empty.js
";

fn check(site: &TestSite, query: &[(&str, &str)], expected: &Expect) {
    expected.assert_eq(&site.page(page, &[], query).unwrap());
}

#[test]
fn ux4_the_map_shows_every_file_with_its_numbers() {
    let site = TestSite::new(FILES);
    check(
        &site,
        &[],
        &expect![[r#"
        <main id="main" class="wide-page"><h1>Code map</h1><nav class="tabs" aria-label="Code map">
        <a href="/map" aria-current="page">Files</a>
        <a href="/map/graph">Dependencies</a>
        <a href="/map/layers">Layers</a>
        </nav>
        <ul class="tiles">
        <li><b>5</b><span>files</span></li>
        <li><b>9</b><span>lines</span></li>
        <li><b>JavaScript</b><span>language</span></li>
        <li><b>0</b><span>import cycles with 0 files</span></li>
        <li><b>0</b><span>of 5 source files with tests</span></li>
        </ul>
        <div class="toolbar">
        <nav class="crumbs" aria-label="Folder">
        <span aria-current="page">project</span>
        </nav>
        <div class="labelled">
        <nav class="segments" aria-label="Files">
        <a href="/map" aria-current="page">Code</a>
        <a href="/map?files=all">All files</a>
        </nav>
        <nav class="segments" aria-label="Colour by">
        <a href="/map" aria-current="page">Importance</a>
        <a href="/map?by=churn">Churn</a>
        <a href="/map?by=findings">Findings</a>
        </nav>
        </div>
        </div>
        <div class="map">
        <svg class="treemap by-importance" viewBox="0 0 1200 640" role="group" aria-label="Treemap of 4 files by lines, coloured by importance. The table below has the same numbers.">
        <a href="/map?folder=src" aria-label="src/ · 9 lines"><title>src/ · 9 lines</title><rect class="frame" x="0" y="0" width="1200" height="640"></rect><text class="frame" x="4" y="13">src</text></a>
        <a href="/map?folder=src/lib" aria-label="src/lib/ · 4 lines"><title>src/lib/ · 4 lines</title><rect class="frame" x="2" y="19" width="531.6" height="619"></rect><text class="frame" x="6" y="32">lib</text></a>
        <a href="/code/src/lib/a.js" tabindex="-1"><title>src/lib/a.js · 3 lines · importance 0.71</title><rect class="step-3" x="4" y="38" width="527.6" height="448.5"></rect><text class="step-3" x="8" y="51">a.js</text></a>
        <a href="/code/src/lib/b.js" tabindex="-1"><title>src/lib/b.js · 1 line · importance 0.53</title><rect class="step-2" x="4" y="486.5" width="527.6" height="149.5"></rect><text class="step-2" x="8" y="499.5">b.js</text></a>
        <a href="/code/src/app.js" tabindex="-1"><title>src/app.js · 3 lines · importance 0.46</title><rect class="step-1" x="533.6" y="19" width="398.7" height="619"></rect><text class="step-1" x="537.6" y="32">app.js</text></a>
        <a href="/map?folder=src/%3Cscript%3Ealert%281%29%3C" aria-label="src/&lt;script&gt;alert(1)&lt;/ · 2 lines"><title>src/&lt;script&gt;alert(1)&lt;/ · 2 lines</title><rect class="frame" x="932.2" y="19" width="265.8" height="619"></rect><text class="frame" x="936.2" y="32">&lt;script&gt;alert(1)&lt;</text></a>
        <a href="/code/src/%3Cscript%3Ealert%281%29%3C/script%3E.js" tabindex="-1"><title>src/&lt;script&gt;alert(1)&lt;/script&gt;.js · 2 lines · importance 0.30</title><rect class="step-0" x="934.2" y="38" width="261.8" height="598"></rect><text class="step-0" x="938.2" y="51">script&gt;.js</text></a>
        </svg>
        </div>
        <ul class="legend by-importance" aria-label="Colours"><li><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="step-0" width="10" height="10"></rect></svg> 0.30 <span class="soft">1 file</span></li>
        <li><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="step-1" width="10" height="10"></rect></svg> 0.46 <span class="soft">1 file</span></li>
        <li><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="step-2" width="10" height="10"></rect></svg> 0.53 <span class="soft">1 file</span></li>
        <li><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="step-3" width="10" height="10"></rect></svg> 0.71 <span class="soft">1 file</span></li>
        </ul>
        <p class="soft caption">4 files with 9 lines. A block of several files has the colour of the highest of them. Not drawn: 1 file (no code, empty, generated, vendored or trivial).</p><h2>Most important files</h2>
        <div class="wide">
        <table>
        <thead><tr><th>File</th><th>Language</th><th class="number">Lines</th><th>Importance</th><th class="number">Commits</th><th class="number">Used by</th></tr></thead>
        <tbody>
        <tr><td class="long"><a href="/code/src/lib/a.js">src/lib/a.js</a></td><td>JavaScript</td><td class="number">3</td><td class="meter"><svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="71" height="8"></rect></svg> 71</td><td class="number">1</td><td class="number">1</td></tr>
        <tr><td class="long"><a href="/code/src/lib/b.js">src/lib/b.js</a></td><td>JavaScript</td><td class="number">1</td><td class="meter"><svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="53" height="8"></rect></svg> 53</td><td class="number">1</td><td class="number">1</td></tr>
        <tr><td class="long"><a href="/code/src/app.js">src/app.js</a></td><td>JavaScript</td><td class="number">3</td><td class="meter"><svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="46" height="8"></rect></svg> 46</td><td class="number">1</td><td class="number">0</td></tr>
        <tr><td class="long"><a href="/code/src/%3Cscript%3Ealert%281%29%3C/script%3E.js">src/&lt;script&gt;alert(1)&lt;/script&gt;.js</a></td><td>JavaScript</td><td class="number">2</td><td class="meter"><svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="30" height="8"></rect></svg> 30</td><td class="number">1</td><td class="number">0</td></tr>
        </tbody>
        </table>
        </div>
    "#]],
    );
}

#[test]
fn ux4_a_folder_can_be_looked_at_and_colours_show_commits() {
    let site = TestSite::new(FILES);
    site.repo.write("src/lib/b.js", "export const b = 3;\n");
    site.repo.commit_all("second");
    check(
        &site,
        &[("folder", "src/lib"), ("by", "churn")],
        &expect![[r#"
        <main id="main" class="wide-page"><h1>Code map</h1><nav class="tabs" aria-label="Code map">
        <a href="/map?folder=src/lib" aria-current="page">Files</a>
        <a href="/map/graph?folder=src/lib">Dependencies</a>
        <a href="/map/layers">Layers</a>
        </nav>
        <div class="toolbar">
        <nav class="crumbs" aria-label="Folder">
        <a href="/map?by=churn">project</a><span class="soft">/</span><a href="/map?by=churn&amp;folder=src">src</a><span class="soft">/</span><span aria-current="page">lib</span>
        </nav>
        <div class="labelled">
        <nav class="segments" aria-label="Files">
        <a href="/map?by=churn&amp;folder=src/lib" aria-current="page">Code</a>
        <a href="/map?by=churn&amp;files=all&amp;folder=src/lib">All files</a>
        </nav>
        <nav class="segments" aria-label="Colour by">
        <a href="/map?folder=src/lib">Importance</a>
        <a href="/map?by=churn&amp;folder=src/lib" aria-current="page">Churn</a>
        <a href="/map?by=findings&amp;folder=src/lib">Findings</a>
        </nav>
        </div>
        </div>
        <div class="map">
        <svg class="treemap by-churn" viewBox="0 0 1200 640" role="group" aria-label="Treemap of 2 files by lines, coloured by number of commits. The table below has the same numbers.">
        <a href="/code/src/lib/a.js" tabindex="-1"><title>src/lib/a.js · 3 lines · 1 commit</title><rect class="step-0" x="0" y="0" width="900" height="640"></rect><text class="step-0" x="4" y="13">a.js</text></a>
        <a href="/code/src/lib/b.js" tabindex="-1"><title>src/lib/b.js · 1 line · 2 commits</title><rect class="step-1" x="900" y="0" width="300" height="640"></rect><text class="step-1" x="904" y="13">b.js</text></a>
        </svg>
        </div>
        <ul class="legend by-churn" aria-label="Colours"><li><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="step-0" width="10" height="10"></rect></svg> 1 <span class="soft">1 file</span></li>
        <li><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="step-1" width="10" height="10"></rect></svg> 2 <span class="soft">1 file</span></li>
        </ul>
        <p class="soft caption">2 files with 4 lines. A block of several files has the colour of the highest of them.</p><h2>Most changed files</h2>
        <div class="wide">
        <table>
        <thead><tr><th>File</th><th>Language</th><th class="number">Lines</th><th>Importance</th><th class="number">Commits</th><th class="number">Used by</th></tr></thead>
        <tbody>
        <tr><td class="long"><a href="/code/src/lib/b.js">src/lib/b.js</a></td><td>JavaScript</td><td class="number">1</td><td class="meter"><svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="53" height="8"></rect></svg> 53</td><td class="number">2</td><td class="number">1</td></tr>
        <tr><td class="long"><a href="/code/src/lib/a.js">src/lib/a.js</a></td><td>JavaScript</td><td class="number">3</td><td class="meter"><svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="70" height="8"></rect></svg> 70</td><td class="number">1</td><td class="number">1</td></tr>
        </tbody>
        </table>
        </div>
    "#]],
    );
}

#[test]
fn ux4_a_name_of_a_file_is_never_markup() {
    let page = TestSite::new(FILES).page(page, &[], &[]).unwrap();
    assert!(!page.contains("<script"), "{page}");
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;.js"), "{page}");
}

#[test]
fn ux4_a_folder_that_does_not_exist_is_not_found() {
    let site = TestSite::new(FILES);
    let error = site.page(page, &[], &[("folder", "src/none")]).unwrap_err();
    assert!(matches!(error, Problem::NotFound(_)), "{error:?}");
    // A path that leads out is the root.
    assert!(site.page(page, &[], &[("folder", "../..")]).is_ok());
}

#[test]
fn ux4_an_empty_repository_has_a_map_that_says_so() {
    let page = TestSite::new("").page(page, &[], &[]).unwrap();
    assert!(page.contains("There is no source file here. Choose"), "{page}");
}
