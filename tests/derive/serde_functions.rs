//! Tests of fields with serde functions that do not affect the union.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use union_runtime::{EnumType, Union};

use crate::error_paths;

#[derive(EnumType, Serialize, Deserialize)]
enum Kind {
    Text,
    Other,
}

/// Serde functions for a number that is written as a string.
mod as_text {
    use super::{Deserialize, Deserializer, Serializer};

    #[expect(
        clippy::ref_option,
        clippy::trivially_copy_pass_by_ref,
        reason = "serde calls it so"
    )]
    pub(super) fn serialize<S: Serializer>(
        number: &Option<u32>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match number {
            Some(number) => serializer.collect_str(number),
            None => serializer.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<u32>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        Ok(text.and_then(|text| text.parse().ok()))
    }
}

/// Deserializes null as the default value. Go clients serialize an empty list as null.
fn null_is_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    deserializer: D,
) -> Result<T, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

#[derive(Union, Serialize, Deserialize)]
struct Choice {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(with = "as_text", default, skip_serializing_if = "Option::is_none")]
    text: Option<u32>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<u32>,
}

#[derive(Union, Serialize, Deserialize)]
struct Choices {
    #[union(nested)]
    #[serde(deserialize_with = "null_is_default")]
    all: Vec<Choice>,
}

#[test]
fn a_member_may_be_serialized_and_deserialized_by_functions() {
    let json = r#"{"kind":"Text","text":"5"}"#;
    let choice: Choice = serde_json::from_str(json).expect("a readable value");
    assert_eq!(choice.text, Some(5));
    assert_eq!(error_paths(&choice), "");
    assert_eq!(
        serde_json::to_string(&choice).expect("a serializable value"),
        json
    );
}

#[test]
fn an_unset_member_with_functions_is_omitted_and_may_be_missing() {
    let json = r#"{"kind":"Other"}"#;
    let choice: Choice = serde_json::from_str(json).expect("a readable value");
    assert_eq!(
        serde_json::to_string(&choice).expect("a serializable value"),
        json
    );
}

#[test]
fn a_nested_list_may_be_deserialized_by_a_function() {
    let choices: Choices = serde_json::from_str(r#"{"all": null}"#).expect("a readable value");
    assert_eq!(error_paths(&choices), "");
    let choices: Choices =
        serde_json::from_str(r#"{"all": [{"kind": "Text"}]}"#).expect("a readable value");
    assert_eq!(error_paths(&choices), "all[0].text");
}
