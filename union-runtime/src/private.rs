//! What generated code calls. Nobody else may: it changes with every version.

pub use crate::declare::{
    Declaration, beside_unknown, deduced, discriminator, enforced_by_one_of, member, member_as,
    member_at, not_enforced, refuse_unknown, state, undiscriminated, union, union_in_2019,
    union_in_both,
};
pub use crate::foreign::{check, check_value};
pub use crate::forgotten::beside_field;
pub use crate::list_map::key_position;
pub use crate::option_twice::{NoOptionTwice, refuse_option_twice};
pub use crate::probe::{NoList, NoScalars, NoSchema, Probe, require_hook, require_merge_key};
pub use crate::restore::{NotClone, Restore};
pub use crate::same_type::hook_is_for;
