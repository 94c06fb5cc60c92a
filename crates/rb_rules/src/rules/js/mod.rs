//! JavaScript: work that is done again and again where once would do.
//!
//! Most of these are worth something in hot code alone, and speak of nothing else: see `hot`.

pub mod hot;
pub mod lookup;
pub mod quiet;
pub mod shapes;
pub mod size;

pub mod js_batch_dom_css;
pub mod js_cache_function_results;
pub mod js_cache_property_access;
pub mod js_cache_storage;
pub mod js_combine_iterations;
pub mod js_early_exit;
pub mod js_flatmap_filter;
pub mod js_hoist_regexp;
pub mod js_index_maps;
pub mod js_length_check_first;
pub mod js_min_max_loop;
pub mod js_request_idle_callback;
pub mod js_set_map_lookups;
pub mod js_tosorted_immutable;
