//! Tests of descriptions: first the doc comment of the field, then the list of values (KEP-2887).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union, add_enum, add_unions};

use crate::property;

/// What is done.
///
/// In short.
#[derive(EnumType, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_enum::<Action>)]
enum Action {
    /// Says "yes", with `ticks`.
    Accept,
    Refuse,
}

/// A union.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<DocumentedField>)]
struct DocumentedField {
    /// Which one counts.
    #[union(discriminator)]
    action: Action,
    /// When it is accepted.
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    accept: Option<i32>,
}

#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<UndocumentedField>)]
struct UndocumentedField {
    #[union(discriminator)]
    action: Action,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    accept: Option<i32>,
}

const VALUE_LIST: &str =
    "Possible enum values:\n - `\"Accept\"` Says \"yes\", with `ticks`.\n - `\"Refuse\"`";

#[test]
fn the_docs_of_the_discriminator_precede_the_values() {
    assert_eq!(
        property::<DocumentedField>("action")["description"],
        format!("Which one counts.\n\n{VALUE_LIST}")
    );
}

#[test]
fn without_docs_of_the_field_the_docs_of_the_enum_precede_the_values() {
    assert_eq!(
        property::<UndocumentedField>("action")["description"],
        format!("What is done.\n\nIn short.\n\n{VALUE_LIST}")
    );
}

#[test]
fn members_and_struct_keep_their_docs() {
    assert_eq!(
        property::<DocumentedField>("accept")["description"],
        "When it is accepted."
    );
    let schema = union_runtime::schema_for::<DocumentedField>();
    assert_eq!(schema.get("description"), Some(&"A union.".into()));
}

#[test]
fn the_list_of_values_is_added_once() {
    for description in [
        property::<DocumentedField>("action")["description"].to_string(),
        property::<UndocumentedField>("action")["description"].to_string(),
    ] {
        assert_eq!(description.matches("Possible enum values").count(), 1);
    }
}

/// A union with a list of values that the author wrote by hand, as `kubectl explain` shows it. The
/// list is out of date.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<HandwrittenList>)]
struct HandwrittenList {
    #[union(discriminator)]
    #[schemars(description = "Which.\n\nPossible enum values:\n - `\"Old\"` Gone by now.")]
    action: Action,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    accept: Option<i32>,
}

#[test]
fn a_list_that_the_author_wrote_is_replaced() {
    assert_eq!(
        property::<HandwrittenList>("action")["description"],
        format!("Which.\n\n{VALUE_LIST}")
    );
}

/// A union with a description that looks like the heading of the list.
#[derive(Union, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = add_unions::<SimilarProse>)]
struct SimilarProse {
    /// Possible enum values: see the handbook.
    #[union(discriminator)]
    action: Action,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    accept: Option<i32>,
}

#[test]
fn prose_that_begins_like_the_list_is_kept() {
    assert_eq!(
        property::<SimilarProse>("action")["description"],
        format!("Possible enum values: see the handbook.\n\n{VALUE_LIST}")
    );
}
