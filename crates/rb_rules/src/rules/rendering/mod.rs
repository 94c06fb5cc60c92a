//! Rendering: what is drawn, and how often.

mod children;
mod hydration;
mod jsx;
mod numbers;

pub mod rendering_activity;
pub mod rendering_animate_svg_wrapper;
pub mod rendering_conditional_render;
pub mod rendering_content_visibility;
pub mod rendering_hoist_jsx;
pub mod rendering_hydration_no_flicker;
pub mod rendering_hydration_suppress_warning;
pub mod rendering_resource_hints;
pub mod rendering_script_defer_async;
pub mod rendering_svg_precision;
pub mod rendering_usetransition_loading;
