//! `indexed-lookup` over generated programs.

use rb_recipes::recipes::indexed_lookup::RECIPE;

use crate::differential::compare;
use crate::indexed_lookup_programs::programs;

#[test]
fn ru3_indexed_lookup_keeps_what_programs_do() {
    let programs = programs(1_000);
    compare(&RECIPE, &programs).assert_same(&programs, 32);
}
