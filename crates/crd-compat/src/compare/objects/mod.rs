//! The objects that a comparison tries.

pub(crate) mod base_objects;
pub(crate) mod distinct_items;
pub(crate) mod near_proofs;
pub(crate) mod place_search;
pub(crate) mod random;
pub(crate) mod satisfied_rules;
pub(crate) mod smaller;
pub(crate) mod transitions;
pub(crate) mod unknown_fields;
