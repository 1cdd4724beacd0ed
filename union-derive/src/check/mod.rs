//! The checks that turn the input of a derive into a checked type. Each rule is a function, whose
//! comment names the Kubernetes document from which the rule comes.

mod assign;
mod children;
mod enforcement;
mod enum_type;
mod forgotten;
mod patch;
mod schema_hook;
mod union;
mod union_enum;
mod unknown;
mod values;
mod wire;

pub(crate) use enum_type::check_enum;
pub(crate) use schema_hook::{hook_of_enum, hook_of_struct};
pub(crate) use union::check_union;
pub(crate) use union_enum::check_union_enum;
pub(crate) use unknown::NO_UNION_TO_KEEP;
