//! The Go types of a CRD: a table of fields for each struct. The tables for schemas are in
//! [`go_schema`](crate::schema::raw::go_schema).

use crate::metadata::meta::go_types::{GoField, GoStruct, GoType, OBJECT_META, STRING, field};

const BOOLEAN: GoType = GoType::Boolean;
const STRINGS: GoType = GoType::List("[]string", &STRING);

pub(super) static CRD: GoStruct = GoStruct {
    name: "CustomResourceDefinition",
    fields: &[
        field("apiVersion", STRING),
        field("kind", STRING),
        field("metadata", GoType::Struct(&OBJECT_META)),
        field("spec", GoType::Struct(&SPEC)),
        field("status", GoType::Struct(&STATUS)),
    ],
};

static SPEC: GoStruct = GoStruct {
    name: "CustomResourceDefinitionSpec",
    fields: &[
        field("conversion", GoType::Struct(&CONVERSION)),
        field("group", STRING),
        field("names", GoType::Struct(&NAMES)),
        field("preserveUnknownFields", BOOLEAN),
        field("scope", GoType::String("v1.ResourceScope")),
        field(
            "versions",
            GoType::List(
                "[]v1.CustomResourceDefinitionVersion",
                &GoType::Struct(&VERSION),
            ),
        ),
    ],
};

static NAMES: GoStruct = GoStruct {
    name: "CustomResourceDefinitionNames",
    fields: &[
        field("categories", STRINGS),
        field("kind", STRING),
        field("listKind", STRING),
        field("plural", STRING),
        field("shortNames", STRINGS),
        field("singular", STRING),
    ],
};

static VERSION: GoStruct = GoStruct {
    name: "CustomResourceDefinitionVersion",
    fields: &[
        field(
            "additionalPrinterColumns",
            GoType::List(
                "[]v1.CustomResourceColumnDefinition",
                &GoType::Struct(&COLUMN),
            ),
        ),
        field("deprecated", BOOLEAN),
        field("deprecationWarning", STRING),
        field("name", STRING),
        field("schema", GoType::Struct(&VALIDATION)),
        field(
            "selectableFields",
            GoType::List("[]v1.SelectableField", &GoType::Struct(&SELECTABLE)),
        ),
        field("served", BOOLEAN),
        field("storage", BOOLEAN),
        field("subresources", GoType::Struct(&SUBRESOURCES)),
    ],
};

static VALIDATION: GoStruct = GoStruct {
    name: "CustomResourceValidation",
    fields: &[field("openAPIV3Schema", GoType::Schema)],
};

static COLUMN: GoStruct = GoStruct {
    name: "CustomResourceColumnDefinition",
    fields: &[
        field("description", STRING),
        field("format", STRING),
        field("jsonPath", STRING),
        field("name", STRING),
        field("priority", GoType::Int32),
        field("type", STRING),
    ],
};

static SELECTABLE: GoStruct = GoStruct {
    name: "SelectableField",
    fields: &[field("jsonPath", STRING)],
};

static SUBRESOURCES: GoStruct = GoStruct {
    name: "CustomResourceSubresources",
    fields: &[
        field("scale", GoType::Struct(&SCALE)),
        field("status", GoType::Struct(&STATUS_SUBRESOURCE)),
    ],
};

static STATUS_SUBRESOURCE: GoStruct = GoStruct {
    name: "CustomResourceSubresourceStatus",
    fields: &[],
};

static SCALE: GoStruct = GoStruct {
    name: "CustomResourceSubresourceScale",
    fields: &[
        field("labelSelectorPath", STRING),
        field("specReplicasPath", STRING),
        field("statusReplicasPath", STRING),
    ],
};

static CONVERSION: GoStruct = GoStruct {
    name: "CustomResourceConversion",
    fields: &[
        field("strategy", GoType::String("v1.ConversionStrategyType")),
        field("webhook", GoType::Struct(&WEBHOOK)),
    ],
};

static WEBHOOK: GoStruct = GoStruct {
    name: "WebhookConversion",
    fields: &[
        field("clientConfig", GoType::Struct(&CLIENT)),
        field("conversionReviewVersions", STRINGS),
    ],
};

static CLIENT: GoStruct = GoStruct {
    name: "WebhookClientConfig",
    fields: &[
        field("caBundle", GoType::Bytes),
        field("service", GoType::Struct(&SERVICE)),
        field("url", STRING),
    ],
};

static SERVICE: GoStruct = GoStruct {
    name: "ServiceReference",
    fields: &[
        field("name", STRING),
        field("namespace", STRING),
        field("path", STRING),
        field("port", GoType::Int32),
    ],
};

static STATUS: GoStruct = GoStruct {
    name: "CustomResourceDefinitionStatus",
    fields: &[
        field("acceptedNames", GoType::Struct(&NAMES)),
        field("conditions", CONDITIONS),
        field("observedGeneration", GoType::Integer),
        field("storedVersions", STRINGS),
    ],
};

const CONDITIONS: GoType = GoType::List(
    "[]v1.CustomResourceDefinitionCondition",
    &GoType::Struct(&CONDITION),
);

static CONDITION: GoStruct = GoStruct {
    name: "CustomResourceDefinitionCondition",
    fields: CONDITION_FIELDS,
};

const CONDITION_FIELDS: &[GoField] = &[
    field("lastTransitionTime", GoType::Time),
    field("message", STRING),
    field("observedGeneration", GoType::Integer),
    field("reason", STRING),
    field("status", GoType::String("v1.ConditionStatus")),
    field(
        "type",
        GoType::String("v1.CustomResourceDefinitionConditionType"),
    ),
];
