//! Flattened structs: their unions count as those of the struct that holds them.

use super::union::{Absent, NewAndOld, Union};
use crate::generated::inlined::Inlined;
use crate::spec::UnionSpec;
use crate::view::nested::Nested as _;
use crate::view::node::{Visitor, VisitorMut};
use crate::view::place::Place;

/// What a field with `inline` can be: a flattened struct with `#[derive(Union)]`, or an `Option` or `Box` of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no unions that could count as this struct's",
    label = "neither a struct with `#[derive(Union)]` nor an `Option` or `Box` of one",
    note = "add `#[derive(union_runtime::Union)]` to the flattened struct, or remove `inline`"
)]
pub trait Inline {
    /// Whether reading keeps what this build does not know, by `#[union(unknown)]` in it.
    const KEEPS_UNKNOWN: bool;

    /// What the struct must know of it.
    const INLINED: Inlined;

    /// Whether every union in it is settled.
    fn inline_is_settled(&self) -> bool;

    /// Shows the unions of the struct to `visit`, in source order, without looking at a value.
    fn visit_unions(visit: &mut dyn FnMut(&'static UnionSpec<'static>));

    /// Shows the nodes in it, as [`walk`](crate::Nested::walk) does, at the place of the struct
    /// that it is flattened into. `old` is `Some(None)` where the old struct did not have it: then
    /// the old unions said nothing.
    fn walk_inline<'v>(
        &self,
        old: Option<Option<&'v Self>>,
        at: &Place<'_, 'v>,
        visitor: &mut dyn Visitor,
    );

    /// As [`walk_inline`](Self::walk_inline), to be changed.
    fn walk_inline_mut<'v>(
        &mut self,
        old: Option<Option<&'v Self>>,
        at: &Place<'_, 'v>,
        visitor: &mut dyn VisitorMut,
    );
}

#[diagnostic::do_not_recommend]
impl<T: Union> Inline for T {
    const KEEPS_UNKNOWN: bool = T::KEEPS_UNKNOWN;
    const INLINED: Inlined = Inlined::new(T::AS_ENUM);

    #[inline]
    fn inline_is_settled(&self) -> bool {
        self.is_settled()
    }

    fn visit_unions(visit: &mut dyn FnMut(&'static UnionSpec<'static>)) {
        T::visit_unions(visit);
    }

    fn walk_inline<'v>(
        &self,
        old: Option<Option<&'v Self>>,
        at: &Place<'_, 'v>,
        visitor: &mut dyn Visitor,
    ) {
        if let Some(None) = old {
            visitor.visit(self, Some(&Absent(T::unions())), at);
            self.walk_values(None, &mut Some((at, visitor)));
            self.walk_children(None, at, visitor);
        } else {
            self.walk(old.flatten(), at, visitor);
        }
    }

    fn walk_inline_mut<'v>(
        &mut self,
        old: Option<Option<&'v Self>>,
        at: &Place<'_, 'v>,
        visitor: &mut dyn VisitorMut,
    ) {
        if let Some(None) = old {
            visitor.visit(&mut NewAndOld::appeared(self), at);
            self.walk_children_mut(None, at, visitor);
        } else {
            self.walk_mut(old.flatten(), at, visitor);
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: Inline> Inline for Option<T> {
    const KEEPS_UNKNOWN: bool = T::KEEPS_UNKNOWN;
    const INLINED: Inlined = T::INLINED.optional();

    #[inline]
    fn inline_is_settled(&self) -> bool {
        self.as_ref().is_none_or(Inline::inline_is_settled)
    }

    fn visit_unions(visit: &mut dyn FnMut(&'static UnionSpec<'static>)) {
        T::visit_unions(visit);
    }

    fn walk_inline<'v>(
        &self,
        old: Option<Option<&'v Self>>,
        at: &Place<'_, 'v>,
        visitor: &mut dyn Visitor,
    ) {
        if let Some(new) = self {
            let old = old.map(|old| old.and_then(Option::as_ref));
            new.walk_inline(old, at, visitor);
        }
    }

    fn walk_inline_mut<'v>(
        &mut self,
        old: Option<Option<&'v Self>>,
        at: &Place<'_, 'v>,
        visitor: &mut dyn VisitorMut,
    ) {
        if let Some(new) = self {
            let old = old.map(|old| old.and_then(Option::as_ref));
            new.walk_inline_mut(old, at, visitor);
        }
    }
}
