//! Bundle size: what is loaded at once, and what could wait.

pub mod bundle_analyzable_paths;
pub mod bundle_barrel_imports;
pub mod bundle_conditional;
pub mod bundle_defer_third_party;
pub mod bundle_dynamic_imports;
pub mod bundle_preload;
mod heavy;
mod lazy;
mod shown;
mod uses;
