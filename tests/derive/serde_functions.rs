//! Tests of fields with serde functions that do not affect the union.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use union_runtime::{EnumType, Union};

use crate::wrong;

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
fn a_member_may_be_written_in_another_form() {
    let text = r#"{"kind":"Text","text":"5"}"#;
    let choice: Choice = serde_json::from_str(text).expect("a readable value");
    assert_eq!(choice.text, Some(5));
    assert_eq!(wrong(&choice), "");
    assert_eq!(
        serde_json::to_string(&choice).expect("a serializable value"),
        text
    );
}

#[test]
fn an_unset_member_is_read_as_it_is_written() {
    let text = r#"{"kind":"Other"}"#;
    let choice: Choice = serde_json::from_str(text).expect("a readable value");
    assert_eq!(
        serde_json::to_string(&choice).expect("a serializable value"),
        text
    );
}

#[test]
fn nested_fields_may_have_lenient_deserializers() {
    let choices: Choices = serde_json::from_str(r#"{"all": null}"#).expect("a readable value");
    assert_eq!(wrong(&choices), "");
    let choices: Choices =
        serde_json::from_str(r#"{"all": [{"kind": "Text"}]}"#).expect("a readable value");
    assert_eq!(wrong(&choices), "all[0].text");
}
