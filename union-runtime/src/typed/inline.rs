//! Flattened structs: their unions count as those of the struct that holds them.

use super::new_and_old::NewAndOld;
use super::union::Union;
use crate::consteval::inlined::Inlined;
use crate::spec::UnionSpec;
use crate::state::{Selected, State};
use crate::walk::nested::Nested as _;
use crate::walk::node::{Node, Visitor, VisitorMut};
use crate::walk::place::Place;

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

    /// As [`walk`](crate::Nested::walk), at the place of the struct that it is flattened into: what appears in it appears
    /// in an object that was there.
    fn walk_inline<'v>(&self, old: Option<&'v Self>, at: &Place<'_, 'v>, visitor: &mut dyn Visitor);

    /// As [`walk_inline`](Self::walk_inline), to be changed.
    fn walk_inline_mut<'v>(
        &mut self,
        old: Option<&'v Self>,
        at: &Place<'_, 'v>,
        visitor: &mut dyn VisitorMut,
    );

    /// Shows the nodes in it against an old object that said nothing.
    fn appear<'v>(&self, at: &Place<'_, 'v>, visitor: &mut dyn Visitor)
    where
        Self: 'v;

    /// As [`appear`](Self::appear), to be changed.
    fn appear_mut<'v>(&mut self, at: &Place<'_, 'v>, visitor: &mut dyn VisitorMut)
    where
        Self: 'v;
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
        old: Option<&'v Self>,
        at: &Place<'_, 'v>,
        visitor: &mut dyn Visitor,
    ) {
        self.walk(old, at, visitor);
    }

    fn walk_inline_mut<'v>(
        &mut self,
        old: Option<&'v Self>,
        at: &Place<'_, 'v>,
        visitor: &mut dyn VisitorMut,
    ) {
        self.walk_mut(old, at, visitor);
    }

    fn appear<'v>(&self, at: &Place<'_, 'v>, visitor: &mut dyn Visitor)
    where
        Self: 'v,
    {
        visitor.visit(self, Some(&Absent(T::unions())), at);
        self.walk_children(None, at, visitor);
    }

    fn appear_mut<'v>(&mut self, at: &Place<'_, 'v>, visitor: &mut dyn VisitorMut)
    where
        Self: 'v,
    {
        visitor.visit(&mut NewAndOld::appeared(self), at);
        self.walk_children_mut(None, at, visitor);
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
        old: Option<&'v Self>,
        at: &Place<'_, 'v>,
        visitor: &mut dyn Visitor,
    ) {
        match (self, old) {
            (Some(new), Some(None)) => new.appear(at, visitor),
            (Some(new), old) => new.walk_inline(old.and_then(Option::as_ref), at, visitor),
            (None, _) => {}
        }
    }

    fn walk_inline_mut<'v>(
        &mut self,
        old: Option<&'v Self>,
        at: &Place<'_, 'v>,
        visitor: &mut dyn VisitorMut,
    ) {
        match (self, old) {
            (Some(new), Some(None)) => new.appear_mut(at, visitor),
            (Some(new), old) => new.walk_inline_mut(old.and_then(Option::as_ref), at, visitor),
            (None, _) => {}
        }
    }

    fn appear<'v>(&self, at: &Place<'_, 'v>, visitor: &mut dyn Visitor)
    where
        Self: 'v,
    {
        if let Some(new) = self {
            new.appear(at, visitor);
        }
    }

    fn appear_mut<'v>(&mut self, at: &Place<'_, 'v>, visitor: &mut dyn VisitorMut)
    where
        Self: 'v,
    {
        if let Some(new) = self {
            new.appear_mut(at, visitor);
        }
    }
}

/// An old object that says nothing: the flattened struct was not there.
pub(crate) struct Absent(pub(crate) &'static [UnionSpec<'static>]);

impl Node for Absent {
    fn union_count(&self) -> usize {
        self.0.len()
    }

    fn spec(&self, union: usize) -> Option<UnionSpec<'_>> {
        self.0.get(union).copied()
    }

    fn state(&self, union: usize) -> Option<State<'_>> {
        let spec = self.0.get(union)?;
        Some(State::new(spec, Selected::Missing, []))
    }
}
