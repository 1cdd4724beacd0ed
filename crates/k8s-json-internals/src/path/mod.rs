//! Paths of JSON values: their steps, and the search for a printed path.

pub mod path_step;
pub mod printed_path;
