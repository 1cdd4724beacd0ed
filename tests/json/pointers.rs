//! Tests of JSON pointers: a name is escaped to a token that leads to its field, and the token is
//! unescaped to the name.

use proptest::prelude::*;
use serde_json::{Value, json};
use union_json::pointer::{escape, unescape};

proptest! {
    #[test]
    fn names_are_found_by_their_tokens(names in prop::collection::vec("[~/01a é]{0,6}", 1..4)) {
        let object = names.iter().rfold(json!("found"), |inner, name| json!({name: inner}));
        let pointer = names.iter().fold(String::new(), |pointer, name| pointer + "/" + &escape(name));
        prop_assert_eq!(object.pointer(&pointer), Some(&Value::from("found")));
        let tokens = pointer.split('/').skip(1).map(unescape);
        prop_assert!(tokens.eq(names.iter().map(String::as_str)));
    }
}
