//! Members that this build does not know, which are kept in a flattened map.

use core::hash::BuildHasher;
use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value};

/// A field with `#[union(unknown)]`: a map from field names to JSON values.
///
/// Unknown members can have any type, so deserialization would fail with a narrower type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot keep unknown members",
    label = "not a map from `String` to `serde_json::Value`",
    note = "use `std::collections::BTreeMap<String, serde_json::Value>`, a `HashMap` of these, or `serde_json::Map<String, serde_json::Value>`"
)]
pub trait UnknownMembers {
    /// Returns true if there are no unknown members.
    fn is_empty(&self) -> bool;

    /// Removes the members whose name equals `value`, ignoring ASCII case. Returns their names.
    ///
    /// The member of an unknown discriminator value has the name of the value, except for case
    /// (KEP-1027, "Go Markers").
    fn take_named(&mut self, value: &str) -> Vec<String>;

    /// Returns the value as a trait object, for generated code. Because of this method, a field
    /// whose type does not implement the trait causes one compile error instead of two.
    #[doc(hidden)]
    fn as_dyn(&mut self) -> &mut dyn UnknownMembers
    where
        Self: Sized,
    {
        self
    }
}

/// Implements [`UnknownMembers`] for a map type.
macro_rules! unknown_members {
    ($map:ty $(, $hasher:ident: $bound:path)?) => {
        #[diagnostic::do_not_recommend]
        impl$(<$hasher: $bound>)? UnknownMembers for $map {
            #[inline]
            fn is_empty(&self) -> bool {
                self.is_empty()
            }

            fn take_named(&mut self, value: &str) -> Vec<String> {
                let names = self.keys().filter(|name| name.eq_ignore_ascii_case(value));
                let mut names: Vec<String> = names.cloned().collect();
                // Hash maps have no order, so the names are sorted.
                names.sort();
                for name in &names {
                    self.remove(name);
                }
                names
            }
        }
    };
}

unknown_members!(BTreeMap<String, Value>);
unknown_members!(HashMap<String, Value, S>, S: BuildHasher);
unknown_members!(Map<String, Value>);
