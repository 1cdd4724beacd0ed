//! Objects that are types of Kubernetes by their shape.

mod lookup;
mod row;
mod table;

pub(crate) use self::lookup::core_type;
