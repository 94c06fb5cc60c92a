use expect_test::expect;

use super::page;
use crate::pages::code::testing::TestSite;

const FILES: &str = "\
//- web/page.js
import { cart } from '../shop/cart.js';
//- shop/cart.js
import { price } from '../data/price.js';
export const cart = price;
//- data/price.js
import '../shop/cart.js';
export const price = 1;
//- <b>/x.js
import '../web/page.js';
";

#[test]
fn ux4_folders_stand_above_those_they_import_and_cycles_are_listed() {
    let site = TestSite::new(FILES);
    expect![[r#"
        <main id="main" class="wide-page"><h1>Dependencies</h1><nav class="tabs" aria-label="Code map">
        <a href="/map">Files</a>
        <a href="/map/graph" aria-current="page">Dependencies</a>
        <a href="/map/layers">Layers</a>
        </nav>
        <div class="toolbar">
        <nav class="crumbs" aria-label="Folder">
        <span aria-current="page">project</span>
        </nav>
        <div class="labelled"><span class="soft">Folder levels</span>
        <nav class="segments" aria-label="Folder levels">
        <a href="/map/graph?depth=1" aria-current="page">1</a>
        <a href="/map/graph?depth=2">2</a>
        <a href="/map/graph?depth=3">3</a>
        <a href="/map/graph?depth=4">4</a>
        <a href="/map/graph?depth=5">5</a>
        </nav>
        </div>
        </div>
        <div class="map folder-graph" data-zoom>
        <svg viewBox="0 0 340 325" role="group" aria-label="4 folders and the imports between them. The table below has the same numbers.">
        <defs>
        <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z"></path></marker>
        <marker id="tip-bad" class="cyclic" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z"></path></marker>
        </defs>
        <g class="edges">
        <path class="" d="M176.2 170.0C176.2 199.0 240.8 199.0 240.8 228.0" stroke-width="1.0" marker-end="url(#tip)" data-from="3" data-to="1"><title>web → shop: 1 import</title></path>
        <path class="" d="M170.0 68.0C170.0 97.0 170.0 97.0 170.0 126.0" stroke-width="1.0" marker-end="url(#tip)" data-from="2" data-to="3"><title>&lt;b&gt; → web: 1 import</title></path>
        <path class="cyclic" d="M234.7 272.0C234.7 303.9 105.3 303.9 105.3 272.0" stroke-width="1.0" marker-end="url(#tip-bad)" data-from="1" data-to="0"><title>shop → data: 1 import, part of a cycle</title></path>
        <path class="cyclic" d="M105.3 272.0C105.3 303.9 234.7 303.9 234.7 272.0" stroke-width="1.0" marker-end="url(#tip-bad)" data-from="0" data-to="1"><title>data → shop: 1 import, part of a cycle</title></path>
        </g>
        <a href="/map?folder=%3Cb%3E" data-node="2"><title>&lt;b&gt;: 1 file, 1 line</title><rect x="101.0" y="24.0" width="138.0" height="44.0" rx="6"></rect><text x="170.0" y="43.0">&lt;b&gt;</text><text class="soft" x="170.0" y="58.0">1 file</text></a>
        <a href="/map?folder=web" data-node="3"><title>web: 1 file, 1 line</title><rect x="101.0" y="126.0" width="138.0" height="44.0" rx="6"></rect><text x="170.0" y="145.0">web</text><text class="soft" x="170.0" y="160.0">1 file</text></a>
        <a href="/map?folder=data" data-node="0"><title>data: 1 file, 2 lines</title><rect x="24.0" y="228.0" width="138.0" height="44.0" rx="6"></rect><text x="93.0" y="247.0">data</text><text class="soft" x="93.0" y="262.0">1 file</text></a>
        <a href="/map?folder=shop" data-node="1"><title>shop: 1 file, 2 lines</title><rect x="178.0" y="228.0" width="138.0" height="44.0" rx="6"></rect><text x="247.0" y="247.0">shop</text><text class="soft" x="247.0" y="262.0">1 file</text></a>
        </svg>
        </div>
        <p class="soft caption">Folders above import those below. A thicker line means more imports. Red lines are part of a cycle; the strong ones lead upwards.</p><h2>Cycles</h2>
        <ul class="cards">
        <li><b>2 folders import each other</b><ol class="way">
        <li><code>data</code> imports <code>shop</code><span class="soft">: <a href="/code/data/price.js">data/price.js</a> → <a href="/code/shop/cart.js">shop/cart.js</a></span></li>
        <li><code>shop</code> imports <code>data</code><span class="soft">: <a href="/code/shop/cart.js">shop/cart.js</a> → <a href="/code/data/price.js">data/price.js</a></span></li>
        </ol></li>
        </ul>
        <h2>All dependencies</h2>
        <div class="wide">
        <table>
        <thead><tr><th>Folder</th><th>Imports</th><th class="number">Imports</th><th>In a cycle</th><th>For example</th></tr></thead>
        <tbody>
        <tr><td>data</td><td>shop</td><td class="number">1</td><td class="bad">yes</td><td class="long"><a href="/code/data/price.js">data/price.js</a></td></tr>
        <tr><td>shop</td><td>data</td><td class="number">1</td><td class="bad">yes</td><td class="long"><a href="/code/shop/cart.js">shop/cart.js</a></td></tr>
        <tr><td>&lt;b&gt;</td><td>web</td><td class="number">1</td><td class="bad"></td><td class="long"><a href="/code/%3Cb%3E/x.js">&lt;b&gt;/x.js</a></td></tr>
        <tr><td>web</td><td>shop</td><td class="number">1</td><td class="bad"></td><td class="long"><a href="/code/web/page.js">web/page.js</a></td></tr>
        </tbody>
        </table>
        </div>
    "#]].assert_eq(&site.page(page, &[], &[]).unwrap());
}

#[test]
fn ux4_without_imports_the_page_says_what_to_do() {
    let page = TestSite::new("//- a.js\nlet a;\n").page(page, &[], &[("depth", "99")]).unwrap();
    assert!(page.contains("No folder here imports another."), "{page}");
}
