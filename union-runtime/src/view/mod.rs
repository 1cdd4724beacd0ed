//! The view of objects that all rules use, for every representation of objects.

pub(crate) mod cursor;
pub(crate) mod descent;
pub(crate) mod nested;
pub(crate) mod node;
pub(crate) mod state;

pub use self::cursor::Cursor;
pub(crate) use self::cursor::are_equal_at;
pub use self::descent::Descent;
pub(crate) use self::nested::ValueNodes;
pub use self::nested::{Nested, UnionNodes};
pub use self::node::{Node, NodeMut, Visitor, VisitorMut, Walk, WalkMut};
pub(crate) use self::state::{RawReason, UnreadableMember};
pub use self::state::{Selected, State, StateBuilder};
