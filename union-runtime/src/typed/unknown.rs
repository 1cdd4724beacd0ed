//! Members that this build does not know, kept in a flattened map.

use core::hash::BuildHasher;
use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value};

/// A field with `#[union(unknown)]`: a map from field names to any JSON values.
///
/// The values are of any kind, or reading would fail at those of another one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot keep unknown members",
    label = "no map from `String` to `serde_json::Value`",
    note = "use `std::collections::BTreeMap<String, serde_json::Value>`, a `HashMap` of these, or `serde_json::Map<String, serde_json::Value>`"
)]
pub trait UnknownMembers {
    /// Returns true if no unknown member is kept.
    fn is_empty(&self) -> bool;

    /// Takes out those whose name is `value`, ASCII case ignored, and tells their names.
    ///
    /// That is how a member is called when its discriminator value is not known (KEP-1027, "Go
    /// Markers": they are equal but for case).
    fn take_named(&mut self, value: &str) -> Vec<String>;

    /// Itself, for generated code: by way of the trait, so that a field of another type is one
    /// error and not two.
    #[doc(hidden)]
    fn as_dyn(&mut self) -> &mut dyn UnknownMembers
    where
        Self: Sized,
    {
        self
    }
}

/// Takes the entries with a name out of a map, whatever kind of map it is.
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
                // Not every map has an order of its own.
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
