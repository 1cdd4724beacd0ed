//! The way from a schema or a CRD to the places with their readings.

pub(crate) mod declared;
mod object;
pub(crate) mod places;
