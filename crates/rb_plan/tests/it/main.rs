//! Plans over real indexes of small repositories.

mod brief;
mod directed;
mod narrowed;
mod places;
mod properties;
mod refine;
mod support;
mod whole;
