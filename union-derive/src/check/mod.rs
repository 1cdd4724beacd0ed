//! The checks that convert the input of a derive to a checked type. Each rule is a function, whose
//! comment names the Kubernetes document with the rule.

mod enforcement;
mod enums;
mod not_nested;
mod schema_hook;
mod serde_compat;
mod structs;

pub(crate) use enums::{check_enum, check_union_enum};
pub(crate) use not_nested::NO_UNIONS;
pub(crate) use schema_hook::{check_enum_hook, check_struct_hook};
pub(crate) use structs::{NO_UNION, NO_UNION_TO_KEEP, check_union};
