//! The checks that convert the input of a derive to a checked type. Each rule is a function, whose
//! comment names the Kubernetes document with the rule.

mod children;
mod enforcement;
mod enum_type;
mod not_nested;
mod patch;
mod schema_hook;
mod serde_compat;
mod union;
mod union_enum;
mod union_fields;
mod unknown;
mod unmarked;
mod values;
mod variant_fields;

pub(crate) use enum_type::check_enum;
pub(crate) use not_nested::NO_UNIONS;
pub(crate) use schema_hook::{check_enum_hook, check_struct_hook};
pub(crate) use union::check_union;
pub(crate) use union_enum::check_union_enum;
pub(crate) use union_fields::NO_UNION;
pub(crate) use unknown::NO_UNION_TO_KEEP;
