//! Questions asked of fixture repositories, from the index to the checked answer.

mod citations;
mod extract;
mod extract_world;
mod important_files;
mod tour;
