//! Plans over real indexes of small repositories.

mod brief;
mod directed;
mod language_servers;
mod languages;
mod meaning;
mod named;
mod narrowed;
mod places;
mod properties;
mod reach;
mod refine;
mod structural;
mod support;
mod whole;
