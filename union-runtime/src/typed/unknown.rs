//! Members that this build does not know, kept in a flattened map.

use core::hash::BuildHasher;
use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value};

/// A field with `#[union(unknown)]`: a map from field names to any JSON values.
///
/// The values are JSON values, because unknown members can have any type: with a narrower type,
/// deserialization would fail.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot keep unknown members",
    label = "not a map from `String` to `serde_json::Value`",
    note = "use `std::collections::BTreeMap<String, serde_json::Value>`, a `HashMap` of these, or `serde_json::Map<String, serde_json::Value>`"
)]
pub trait UnknownMembers {
    /// Returns true if no unknown member is kept.
    fn is_empty(&self) -> bool;

    /// Removes the members whose name is `value`, ASCII case ignored, and returns their names.
    ///
    /// If a discriminator value is unknown, the name of its member is known all the same: it equals
    /// the value, but for case (KEP-1027, "Go Markers").
    fn take_named(&mut self, value: &str) -> Vec<String>;

    /// Returns the value as a trait object, for generated code. A method of the trait makes one
    /// error, not two, for a field of another type.
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
                let keys = self.keys();
                let mut named: Vec<String> =
                    keys.filter(|key| key.eq_ignore_ascii_case(value)).cloned().collect();
                // Some maps do not have an order, so the names are sorted.
                named.sort();
                for key in &named {
                    self.remove(key);
                }
                named
            }
        }
    };
}

unknown_members!(BTreeMap<String, Value>);
unknown_members!(HashMap<String, Value, S>, S: BuildHasher);
unknown_members!(Map<String, Value>);
