use expect_test::expect;

use super::page;
use crate::pages::code::testing::TestSite;

const FILES: &str = "\
//- src/index.js
import './web/page.js';
//- src/web/page.js
import { cart } from '../shop/cart.js';
import '../data/price.js';
//- src/shop/cart.js
import { price } from '../data/price.js';
export const cart = price;
//- src/data/price.js
import '../web/page.js';
export const price = 1;
";

#[test]
fn ux4_layers_are_shown_with_what_goes_against_their_order() {
    let site = TestSite::new(FILES);
    expect![[r#"
        <main id="main" class="wide-page"><h1>Layers</h1><nav class="tabs" aria-label="Code map">
        <a href="/map">Files</a>
        <a href="/map/graph">Dependencies</a>
        <a href="/map/layers" aria-current="page">Layers</a>
        </nav>
        <h2>Layers by imports</h2>
        <p class="soft">A layer imports those below it.</p>
        <ol class="layers">
        <li><ul class="folders">
        <li><a href="/map?folder=src/web">src/web</a> <span class="soft">1 file</span></li>
        </ul>
        <p class="soft">2 imports to lower layers</p></li>
        <li><ul class="folders">
        <li><a href="/map?folder=src/shop">src/shop</a> <span class="soft">1 file</span></li>
        </ul>
        <p class="soft">1 import to lower layers</p></li>
        <li><ul class="folders">
        <li><a href="/map?folder=src/data">src/data</a> <span class="soft">1 file</span></li>
        </ul>
        <p class="soft">0 imports to lower layers, <span class="bad">1 to higher ones</span></p></li>
        </ol>
        <details>
        <summary>Dependencies between layers</summary>
        <div>
        <div class="wide">
        <table>
        <thead><tr><th>From</th><th>To</th><th class="number">Imports</th><th>Direction</th></tr></thead>
        <tbody>
        <tr><td class="long">web</td><td class="long">shop</td><td class="number">1</td><td class="soft">down</td></tr>
        <tr><td class="long">web</td><td class="long">data</td><td class="number">1</td><td class="soft">down</td></tr>
        <tr><td class="long">shop</td><td class="long">data</td><td class="number">1</td><td class="soft">down</td></tr>
        <tr><td class="long">data</td><td class="long">web</td><td class="number">1</td><td class="bad">up</td></tr>
        </tbody>
        </table>
        </div>
        </div>
        </details>
        <h3>Against the order</h3>
        <div class="wide">
        <table>
        <thead><tr><th>From</th><th>To</th><th class="number">Imports</th><th>For example</th></tr></thead>
        <tbody>
        <tr><td>src/data</td><td>src/web</td><td class="number bad">1</td><td class="long"><a href="/code/src/data/price.js">src/data/price.js</a> → <a href="/code/src/web/page.js">src/web/page.js</a></td></tr>
        </tbody>
        </table>
        </div>
        <h2>Entry points</h2>
        <p class="empty">No entry point was found.</p>"#]].assert_eq(&site.page(page, &[], &[]).unwrap());
}

#[test]
fn ux4_a_repository_without_layers_says_so() {
    let page = TestSite::new("//- a.js\nlet a;\n").page(page, &[], &[]).unwrap();
    assert!(page.contains("No layers were found"), "{page}");
}
