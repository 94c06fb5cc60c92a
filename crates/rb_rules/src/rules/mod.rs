//! The rules, one file each, in the order of the guide.
//!
//! To add one: its file, its `mod` line in its category, and its line in the list below.

pub mod advanced;
pub mod bundle;
pub mod client;
pub mod js;
pub mod rendering;
pub mod rerender;
pub mod server;
pub mod waterfalls;

use crate::rule::Rule;

macro_rules! rules {
    ($($category:ident: $($file:ident)*;)*) => {
        /// Every rule: the 57 of the guide in its order, category by category, then the newer ones.
        pub static ALL: &[&Rule] = &[$($(&$category::$file::RULE,)*)*];
    };
}

rules! {
    waterfalls: async_defer_await async_parallel async_dependencies async_api_routes async_suspense_boundaries;
    bundle: bundle_barrel_imports bundle_dynamic_imports bundle_defer_third_party bundle_conditional bundle_preload;
    server: server_auth_actions server_cache_react server_cache_lru server_dedup_props server_serialization server_parallel_fetching server_after_nonblocking;
    client: client_swr_dedup client_event_listeners client_passive_event_listeners client_localstorage_schema;
    rerender: rerender_defer_reads rerender_memo rerender_memo_with_default_value rerender_dependencies rerender_derived_state rerender_derived_state_no_effect rerender_functional_setstate rerender_lazy_state_init rerender_simple_expression_in_memo rerender_move_effect_to_event rerender_transitions rerender_use_ref_transient_values;
    rendering: rendering_animate_svg_wrapper rendering_content_visibility rendering_hoist_jsx rendering_svg_precision rendering_hydration_no_flicker rendering_hydration_suppress_warning rendering_activity rendering_conditional_render rendering_usetransition_loading;
    js: js_batch_dom_css js_index_maps js_cache_property_access js_cache_function_results js_cache_storage js_combine_iterations js_length_check_first js_early_exit js_hoist_regexp js_min_max_loop js_set_map_lookups js_tosorted_immutable;
    advanced: advanced_event_handler_refs advanced_init_once advanced_use_latest;
    // Newer than the 57.
    waterfalls: async_cheap_condition_before_await;
    server: server_parallel_nested_fetching server_hoist_static_io server_no_shared_module_state;
    bundle: bundle_analyzable_paths;
    rerender: rerender_no_inline_components rerender_split_combined_hooks rerender_use_deferred_value;
    rendering: rendering_resource_hints rendering_script_defer_async;
    js: js_request_idle_callback js_flatmap_filter;
    advanced: advanced_effect_event_deps;
}
