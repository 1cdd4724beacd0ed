//! Creates values at the edges of schemas: just valid and just invalid values.

mod fields;
pub(crate) mod placement;
pub(crate) mod probes;
mod rules;
mod strings;
mod value_set;
pub(crate) mod values;

pub(crate) use rules::satisfying_values;
