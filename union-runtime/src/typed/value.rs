//! Values of enum types (KEP-2887) in fields that belong to no union.

use super::probes::Probe;
use super::union::{UnionType, state};
use crate::generated::declaration::{discriminator, union};
use crate::typed::discriminator::Discriminator;
use crate::union_spec::{EnumType, EnumValue, UnionSpec};
use crate::view::{Descent, Nested, Node, State, ValueNodes, Visitor, VisitorMut};

#[diagnostic::do_not_recommend]
impl<E: EnumType> Nested<ValueNodes> for E {
    #[inline]
    fn is_settled(&self) -> bool {
        matches!(self.value(), EnumValue::Known(_))
    }

    fn walk(&self, descent: Descent<'_, '_, Self, dyn Visitor + '_>) {
        let (new, old) = (EnumValueUnion(self), descent.old.map(EnumValueUnion));
        let old = old.as_ref().map(|old| -> &dyn Node { old });
        descent.visitor.visit(&new, old, descent.cursor);
    }

    /// Does nothing, because normalization never changes values of enum types.
    fn walk_mut(&mut self, _: Descent<'_, '_, Self, dyn VisitorMut + '_>) {}
}

/// A value of an enum type as a union. The union has no members, and its discriminator has no name.
struct EnumValueUnion<'e, E>(&'e E);

impl<E: EnumType> UnionType for EnumValueUnion<'_, E> {
    fn unions() -> &'static [UnionSpec<'static>] {
        const { &union(discriminator("", E::FACTS, true, false, &[])) }
    }

    fn union_state(&self, union: usize) -> Option<State<'_>> {
        state(self, union, [], self.0.selected())
    }

    fn reset_member(&mut self, _: Option<&Self>, _: usize, _: usize) -> bool {
        false
    }
}

impl<E: EnumType> Probe<E> {
    /// True if deserialization keeps an unknown value.
    pub const KEEPS_UNKNOWN: bool = E::KEEPS_UNKNOWN;
}

impl<T: Nested<ValueNodes>> Probe<T> {
    /// True, because the field contains values of an enum type.
    pub const HOLDS_VALUES: bool = true;

    /// Passes each value in the field to the visitor, if there is a visitor. Returns true if the
    /// type knows all of the values. `old_field` returns the field of the old holder. `read_raw`
    /// reads the field with this name from an old holder that fits no variant. `name` is the JSON
    /// name of the field.
    #[inline]
    pub fn walk_values<'v, Holder>(
        self,
        field: &T,
        old_field: fn(&'v Holder) -> Option<&'v T>,
        read_raw: fn(&str, Option<&Holder>) -> Option<T>,
        name: &str,
        descent: &mut Option<Descent<'_, 'v, Holder, dyn Visitor + '_>>,
    ) -> bool {
        if let Some(descent) = descent {
            let (raw, old) = (read_raw(name, descent.old), descent.old.and_then(old_field));
            descent.member(name, raw, old, |descent| field.walk(descent));
        }
        field.is_settled()
    }
}

/// Implements `walk_values` for the fields of a struct that may contain values of an enum type.
/// Each field is passed with its JSON name. Probes decide which types have such values.
#[doc(hidden)]
#[macro_export]
macro_rules! __values {
    ($($field:ident $name:literal),+) => {
        #[inline]
        fn walk_values<'v>(
            &self,
            descent: &mut ::core::option::Option<$crate::__private::Descent<'_, 'v, Self, dyn $crate::Visitor + '_>>,
        ) -> ::core::primitive::bool {
            use $crate::__private::ProbeDefaults as _;
            true $(& $crate::__private::Probe::from_value(&self.$field).walk_values(
                &self.$field,
                |old| ::core::option::Option::Some(&old.$field),
                |_, _| ::core::option::Option::None,
                $name,
                descent,
            ))+
        }
    };
}
