//! Flattened structs, whose unions are unions of the outer struct too.

use super::union::UnionType;
use crate::generated::flattened::FlattenedType;
use crate::union_spec::UnionSpec;
use crate::view::{Descent, Nested, Visitor, VisitorMut};

/// A field with `inline`: a flattened struct with `#[derive(Union)]`, or an `Option` or `Box` of
/// such a struct.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no unions, so it cannot be `inline`",
    label = "neither a struct with `#[derive(Union)]` nor an `Option` or `Box` of one",
    note = "add `#[derive(union_runtime::Union)]` to the flattened struct, or remove `inline`"
)]
pub trait Inline {
    /// True if deserialization keeps unknown members in a field with `#[union(unknown)]` of the
    /// struct.
    const KEEPS_UNKNOWN: bool;

    /// The facts about the type that the outer struct needs.
    const INLINED: FlattenedType;

    /// Calls `visit` with the spec of each union of the type, in source order.
    fn visit_unions(visit: &mut dyn FnMut(&'static UnionSpec<'static>));

    /// Returns true if every union in the struct is settled.
    fn inline_is_settled(&self) -> bool;

    /// Passes the nodes in the struct to a visitor, with the cursor of the outer struct.
    fn walk_inline(&self, descent: Descent<'_, '_, Self, dyn Visitor + '_>);

    /// Passes the nodes in the struct to a visitor that may change the nodes.
    fn walk_inline_mut(&mut self, descent: Descent<'_, '_, Self, dyn VisitorMut + '_>);
}

/// Implements the walk with the methods of `Nested`. If `Inline` required `Nested`, the error for a
/// type that cannot be flattened would name `Nested` instead of `Inline`.
macro_rules! as_nested {
    () => {
        #[inline]
        fn inline_is_settled(&self) -> bool {
            self.is_settled()
        }

        fn walk_inline(&self, descent: Descent<'_, '_, Self, dyn Visitor + '_>) {
            self.walk(descent);
        }

        fn walk_inline_mut(&mut self, descent: Descent<'_, '_, Self, dyn VisitorMut + '_>) {
            self.walk_mut(descent);
        }
    };
}

#[diagnostic::do_not_recommend]
impl<T: UnionType> Inline for T {
    const KEEPS_UNKNOWN: bool = T::KEEPS_UNKNOWN;
    const INLINED: FlattenedType = FlattenedType::new(T::AS_ENUM);

    fn visit_unions(visit: &mut dyn FnMut(&'static UnionSpec<'static>)) {
        T::visit_unions(visit);
    }

    as_nested!();
}

#[diagnostic::do_not_recommend]
impl<T: Inline + Nested> Inline for Option<T> {
    const KEEPS_UNKNOWN: bool = T::KEEPS_UNKNOWN;
    const INLINED: FlattenedType = T::INLINED.optional();

    fn visit_unions(visit: &mut dyn FnMut(&'static UnionSpec<'static>)) {
        T::visit_unions(visit);
    }

    as_nested!();
}
