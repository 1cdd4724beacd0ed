//! Kubernetes types, recognized by the shape of their schemas.

mod lookup;
mod row;
mod table;

pub(crate) use self::lookup::find_core_type;
