//! Unions for Rust authors of Kubernetes API types.

mod admit;
mod declare;
mod lookup;
mod message;
mod normalize;
mod path;
mod probe;
mod ratchet;
mod settled;
mod spec;
mod traits;
mod validate;
mod view;
mod violation;

#[cfg(feature = "schemars")]
pub mod schema;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use admit::{Admitted, Outcome, Settings, admit, normalize, validate, validate_update};
pub use normalize::{Change, ChangeKind, Changes};
pub use ratchet::Ratchet;
#[cfg(feature = "schemars")]
pub use schema::{PruneEnums, add_enum, add_rules, add_unions, schema_for};
pub use spec::{DiscriminatorFacts, DiscriminatorSpec, MemberSpec, UnionSpec};
pub use traits::{Discriminator, EnumType, EnumValue, Union, UnionMember};
#[cfg(feature = "derive")]
pub use union_derive::{EnumType, Union};
pub use view::{Node, Selected, State};
pub use violation::{Violation, ViolationKind, Violations};
