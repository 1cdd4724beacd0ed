//! The unions that KEP-1027 itself defines.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, Union};

use crate::unions::real_types::model::{Absence, Member, Model};
use crate::unions::real_types::states::Sample;

#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
pub(crate) enum UnionType {
    FieldA,
    FieldB,
    /// The value for users who need no settings.
    FieldC,
    FieldD,
    /// The value that selects no member.
    #[serde(rename = "")]
    Nothing,
}

/// The first example: a union with two members and five values.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<Strict>)]
pub(crate) struct Strict {
    #[union(discriminator)]
    union_type: UnionType,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    field_a: Option<i64>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    field_b: Option<i64>,
}

/// The second example: the same union with an optional member.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<Lenient>)]
pub(crate) struct Lenient {
    #[union(discriminator)]
    union_type: UnionType,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    field_a: Option<i64>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    field_b: Option<i64>,
}

/// The `OpenAPI` example: the discriminator has the name of the union and may be absent.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = union_runtime::add_unions::<Absent>)]
pub(crate) struct Absent {
    #[union(discriminator)]
    #[serde(skip_serializing_if = "Option::is_none")]
    union1: Option<UnionType>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    field_a: Option<i64>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    field_b: Option<i64>,
}

#[derive(EnumType, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Union2Type {
    Alpha,
    Beta,
}

/// The third example: the values are the names of the fields in another case.
#[derive(Union, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[schemars(transform = union_runtime::add_unions::<Union2>)]
pub(crate) struct Union2 {
    #[union(discriminator)]
    r#type: Union2Type,
    #[union(member = "ALPHA")]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<i64>,
    #[union(member = "BETA", optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<i64>,
}

const VALUES: &[&str] = &["FieldA", "FieldB", "FieldC", "FieldD", ""];

const FIELD_A: Member = Member {
    field: "fieldA",
    value: "FieldA",
    optional: false,
    json: "1",
};

const FIELD_B: Member = Member {
    field: "fieldB",
    value: "FieldB",
    optional: false,
    json: "0",
};

const OPTIONAL_FIELD_B: Member = Member {
    optional: true,
    ..FIELD_B
};

impl Sample for Strict {
    const MODEL: Model = Model {
        discriminator: "unionType",
        values: VALUES,
        members: &[FIELD_A, FIELD_B],
        absence: Absence::Unreadable,
        is_lenient: false,
    };
}

impl Sample for Lenient {
    const MODEL: Model = Model {
        members: &[FIELD_A, OPTIONAL_FIELD_B],
        ..Strict::MODEL
    };
}

impl Sample for Absent {
    const MODEL: Model = Model {
        discriminator: "union1",
        absence: Absence::Kept,
        ..Lenient::MODEL
    };
}

impl Sample for Union2 {
    const MODEL: Model = Model {
        discriminator: "type",
        values: &["ALPHA", "BETA"],
        members: &[
            Member {
                field: "alpha",
                value: "ALPHA",
                optional: false,
                json: "1",
            },
            Member {
                field: "beta",
                value: "BETA",
                optional: true,
                json: "2",
            },
        ],
        absence: Absence::Unreadable,
        is_lenient: false,
    };
}
