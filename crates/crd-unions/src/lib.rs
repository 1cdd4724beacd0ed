//! Finds the unions that CRDs of other people declare, and the mistakes in them.
//!
//! Most CRDs declare unions by CEL rules, `oneOf` or counts of properties. This crate reads unions from what those rules
//! *allow*, never from their text: whatever a server accepts, a union that was read accepts too.
//!
//! ```
//! use serde_json::json;
//!
//! let reading = crd_unions::read(&json!({
//!     "type": "object",
//!     "properties": {
//!         "type": {"type": "string", "enum": ["Git", "Bucket", "None"]},
//!         "git": {"type": "object"},
//!         "bucket": {"type": "object"},
//!     },
//!     "required": ["type"],
//!     "x-kubernetes-validations": [
//!         {"rule": "self.type == 'Git' ? has(self.git) : !has(self.git)"},
//!         {"rule": "self.type == 'Bucket' ? has(self.bucket) : true"},
//!     ],
//! }));
//! let [union] = &*reading.unions else { panic!("one union") };
//! assert_eq!(union.discriminator.as_ref().unwrap().name, "type");
//! assert_eq!(union.members.len(), 1);
//!
//! // Nothing forbids `bucket` at other values.
//! assert_eq!(reading.findings[0].code.name(), "not-forbidden");
//! assert_eq!(reading.findings[0].object, Some(json!({"type": "Git", "git": {}, "bucket": {}})));
//! ```
#![forbid(unsafe_code)]
// Schemas come from anybody. What is left says why it cannot happen.
#![cfg_attr(
    not(test),
    warn(
        clippy::expect_used,
        clippy::get_unwrap,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::todo,
        clippy::unimplemented,
        clippy::unreachable,
        clippy::unwrap_used,
    )
)]

pub mod bounds;
mod by_value;
mod component;
mod convention;
mod declared;
mod eval;
mod exact;
mod exclusions;
mod fields;
mod finding;
mod gather;
mod groups;
mod holes;
mod items;
mod keywords;
mod lists;
mod lower;
mod mistakes;
mod model;
mod object;
mod places;
mod rank;
mod reading;
mod reasons;
mod remedy;
mod sample;
mod small_value;
mod solver;
mod table;
mod term;
mod together;
mod value;

pub use declared::declare;
pub use finding::{Code, Finding, Weight};
pub use lists::{ListRule, read_lists};
pub use places::{Place, ReadError, Version, read, read_at, read_crd, read_place, read_schema};
pub use reading::{
    Bundle, Convention, Discriminator, LeftOut, Member, Reading, Reason, Rule, Union,
};
pub use together::{Sort, Together};
pub use union_runtime::Arity;

// What the crates beside this one use, and users do not need.
#[doc(hidden)]
pub use small_value::small_value;
