//! Serialization of public data that is built as JSON.

/// Implements `Serialize` by the JSON that the method `json` of a type returns. Keys are sorted, so
/// that the output does not depend on the feature `preserve_order` of `serde_json`.
macro_rules! serialize_as_json {
    ($($ty:ty),+) => {$(
        impl ::serde::Serialize for $ty {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut json = self.json();
                json.sort_all_objects();
                ::serde::Serialize::serialize(&json, serializer)
            }
        }
    )+};
}

pub(crate) use serialize_as_json;
