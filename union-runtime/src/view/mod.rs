//! The view on objects that all rules share: judge a representation of your own with it.
//!
//! A [`Node`] is an object with unions, whatever represents it: a Rust struct, a JSON object, a
//! YAML tree with positions. Its unions are [`UnionSpec`](crate::UnionSpec)s, or
//! [`OwnedUnionSpec`]s that were read while the program runs. A walk shows each node of an object
//! to a [`Visitor`], at its [`Place`]; [`Requests`](crate::Requests) runs the rules over the walk.
//! The example `yaml_tree` judges a YAML tree and points errors to lines.

pub(crate) mod descent;
pub(crate) mod nested;
pub(crate) mod node;
pub(crate) mod place;
pub(crate) mod state;

pub use self::node::{Node, NodeMut, Visitor, VisitorMut, Walk, WalkMut};
pub use self::place::Place;
pub use self::state::{NoText, Selected, State, StateReader};
pub use crate::spec::members::OwnedMember;
pub use crate::spec::owned::{OwnedDiscriminator, OwnedUnionSpec};
pub use crate::spec::values::MOST_VALUES;
