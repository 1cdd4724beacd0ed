//! Unions that are Rust enums.

use schemars::JsonSchema;
mod kinds;
mod world;
mod worlds;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{RawUnion, Union, UnionEnum};

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
struct S3 {
    bucket: String,
}

/// Where.
#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(discriminator = "type")]
enum Target {
    /// Nowhere.
    None,
    /// A bucket.
    S3(S3),
    Volume(Option<String>),
    #[union(member = "CORS")]
    Cors(Box<S3>),
    #[union(other)]
    Other(RawUnion),
}

#[test]
fn smoke() {
    for object in [
        json!({"type":"None"}),
        json!({"type":"S3","s3":{"bucket":"b"}}),
        json!({"type":"Volume"}),
        json!({"type":"Tape","tape":1}),
        json!({"type":"S3"}),
        json!({"type":"S3","s3":{}}),
        json!({"type":5}),
        json!({}),
        json!({"type":"S3","s3":{"bucket":"b"},"volume":""}),
    ] {
        let t: Target = serde_json::from_value(object.clone()).unwrap();
        println!(
            "{t:?} {:?} {}",
            t.validate_unions().map_err(|e| e.to_string()),
            t.raw().map(ToString::to_string).unwrap_or_default()
        );
        assert_eq!(serde_json::to_value(&t).unwrap(), object);
    }
    println!("{:#}", union_runtime::schema_for::<Target>().as_value());
    let _: Option<Value> = None;
}
