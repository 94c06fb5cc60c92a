//! Re-renders: components that render more often than what they show changes, and work that is done again for nothing.

mod hooks;
mod imports;
mod places;
pub mod rerender_defer_reads;
pub mod rerender_dependencies;
pub mod rerender_derived_state;
pub mod rerender_derived_state_no_effect;
pub mod rerender_functional_setstate;
pub mod rerender_lazy_state_init;
pub mod rerender_memo;
pub mod rerender_memo_with_default_value;
pub mod rerender_move_effect_to_event;
pub mod rerender_no_inline_components;
pub mod rerender_simple_expression_in_memo;
pub mod rerender_split_combined_hooks;
pub mod rerender_transitions;
pub mod rerender_use_deferred_value;
pub mod rerender_use_ref_transient_values;
