//! Tests of JSON pointers: a name is escaped to a token that leads to its field, and the token is
//! unescaped to the name.

use proptest::prelude::*;
use serde_json::{Value, json};
use union_json::pointer::{escape, unescape};

proptest! {
    #[test]
    fn a_pointer_of_escaped_names_leads_to_the_value(names in prop::collection::vec("[~/01a é]{0,6}", 1..4)) {
        let object = names.iter().rfold(json!("found"), |inner_value, name| json!({name: inner_value}));
        let pointer = names.iter().fold(String::new(), |pointer, name| pointer + "/" + &escape(name));
        prop_assert_eq!(object.pointer(&pointer), Some(&Value::from("found")));
        let tokens = pointer.split('/').skip(1).map(unescape);
        prop_assert!(tokens.eq(names.iter().map(String::as_str)));
    }
}
