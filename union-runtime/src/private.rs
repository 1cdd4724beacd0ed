//! What generated code calls. Nobody else may: it changes with every version.

pub use crate::consteval::declaration::{
    Declaration, beside_unknown, deduced, discriminator, enforced_by_one_of, member, member_as,
    member_of_either, not_enforced, refuse_unknown, undiscriminated, union, union_in_2019,
    union_in_both,
};
pub use crate::consteval::forgotten::beside_field;
pub use crate::consteval::key_position::key_position;
pub use crate::consteval::union_spec::{check, check_value};
pub use crate::typed::members::{position, reset};
pub use crate::typed::merge_key::{NoList, NoScalars, require_merge_key};
pub use crate::typed::option_twice::{NoOptionTwice, refuse_option_twice};
pub use crate::typed::same_type::hook_is_for;
pub use crate::typed::schema_hook::{NoSchema, Probe};
pub use crate::typed::union::{member_at, state};
