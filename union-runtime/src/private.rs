//! What generated code calls. Nobody else may: it changes with every version.

pub use crate::__if_schema as if_schema;
pub use crate::__values as values;
pub use crate::consteval::declaration::{
    beside_unknown, deduced, discriminator, discriminator_or_none, enforced_by_one_of,
    enforced_with_same_reason, member, member_as, member_of_either, not_enforced, refuse_if,
    undiscriminated, union, union_in_2019, union_in_both,
};
pub use crate::consteval::enum_form::{
    EnumForm, discriminated_enum, enum_member, undiscriminated_enum,
};
pub use crate::consteval::forgotten::{beside_field, beside_field_of_either};
pub use crate::consteval::inlined::{check_inlined, require_enum};
pub use crate::consteval::key_position::key_position;
pub use crate::consteval::union_spec::{check, check_value};
#[cfg(feature = "schemars")]
pub use crate::schema::enum_form::enum_schema;
pub use crate::spec::members::Row;
pub use crate::typed::enum_form::{
    Held, enum_reread, enum_reset, enum_state, enum_unions, enum_unknown, read_enum,
};
pub use crate::typed::enum_member::EnumMember;
pub use crate::typed::if_schema::Itself;
pub use crate::typed::members::{And, reset};
pub use crate::typed::probes::{Otherwise, Probe};
pub use crate::typed::same_type::hook_is_for;
pub use crate::typed::union::{member_at, state};
pub use crate::view::nested::Unions;
#[cfg(feature = "schemars")]
pub use schemars;
pub use serde;
pub use serde_json;
pub use std::borrow::Cow;
