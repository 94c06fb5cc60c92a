//! A file whose content did not change is not read again, and that never shows in the snapshot.

use rb_contracts::Memo;

use crate::support::{of_fixture, remembered};

const FIXTURE: &str = r#"
//- package.json
{"name": "shop", "main": "src/index.js", "dependencies": {"express": "4"}}
//- src/index.js
export { total } from './total.js';
export { router } from './routes.js';
//- src/total.js
export function total(cart) { return cart.length; }
//- src/routes.js
import { Router } from 'express';
export const router = Router();
router.get('/cart', (req, res) => res.end());
//- src/server.js
import express from 'express';
import { router } from './routes.js';
const app = express();
app.use('/shop', router);
//- schema.graphql
type Query { cart: Int }
//- py/pyproject.toml
[project]
name = "stock"
//- py/stock/__init__.py
from .count import count
//- py/stock/count.py
def count(shelf): return len(shelf)
//- crate/Cargo.toml
[package]
name = "tally"
//- crate/src/lib.rs
mod inner;
pub mod outer { pub fn three() -> u8 { 3 } }
pub use inner::four;
//- crate/src/inner.rs
pub fn four() -> u8 { 4 }
"#;

#[test]
fn rf8_contracts_are_read_again_from_changed_files_alone() {
    let memo = Memo::default();
    let (_, first) = remembered(FIXTURE, &memo);
    assert!(first.len() >= 10, "{first:?}");
    let (_, second) = remembered(FIXTURE, &memo);
    assert!(second.is_empty(), "{second:?}");

    // A file that comes first gives every other one another number in the index.
    let edited = FIXTURE
        .replace("'/shop'", "'/store'")
        .replace("-> u8 { 4 }", "-> u16 { 4 }")
        .replace("\n//- src/index.js", "\n//- a.js\nexport const a = 1;\n//- src/index.js");
    let (snapshot, read) = remembered(&edited, &memo);
    let expected = ["a.js", "crate/src/inner.rs", "src/server.js"].map(str::to_owned);
    assert_eq!(read, expected.into());
    assert_eq!(snapshot, of_fixture(&edited));
    assert!(snapshot.routes.iter().any(|route| route.path == "/store/cart"), "{snapshot:?}");
}
