//! Serialization of public data that is built as JSON.

/// Serializes a type as the JSON that its method `json` returns. Keys are in order, whatever order
/// maps of `serde_json` keep.
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
