//! The types of all known fields of a CRD, except inside its schemas, which the lint checks.

use crate::metadata::meta::shape::{Field, META, Struct, TEXT, Type, field};

const BOOLEAN: Type = Type::Boolean;
const TEXTS: Type = Type::List("[]string", &TEXT);

pub(super) static CRD: Struct = Struct {
    name: "CustomResourceDefinition",
    fields: &[
        field("metadata", Type::Struct(&META)),
        field("spec", Type::Struct(&SPEC)),
        field("status", Type::Struct(&STATUS)),
    ],
};

static SPEC: Struct = Struct {
    name: "CustomResourceDefinitionSpec",
    fields: &[
        field("conversion", Type::Struct(&CONVERSION)),
        field("group", TEXT),
        field("names", Type::Struct(&NAMES)),
        field("preserveUnknownFields", BOOLEAN),
        field("scope", Type::Text("v1.ResourceScope")),
        field(
            "versions",
            Type::List(
                "[]v1.CustomResourceDefinitionVersion",
                &Type::Struct(&VERSION),
            ),
        ),
    ],
};

static NAMES: Struct = Struct {
    name: "CustomResourceDefinitionNames",
    fields: &[
        field("categories", TEXTS),
        field("kind", TEXT),
        field("listKind", TEXT),
        field("plural", TEXT),
        field("shortNames", TEXTS),
        field("singular", TEXT),
    ],
};

static VERSION: Struct = Struct {
    name: "CustomResourceDefinitionVersion",
    fields: &[
        field(
            "additionalPrinterColumns",
            Type::List(
                "[]v1.CustomResourceColumnDefinition",
                &Type::Struct(&COLUMN),
            ),
        ),
        field("deprecated", BOOLEAN),
        field("deprecationWarning", TEXT),
        field("name", TEXT),
        field("schema", Type::Struct(&VALIDATION)),
        field(
            "selectableFields",
            Type::List("[]v1.SelectableField", &Type::Struct(&SELECTABLE)),
        ),
        field("served", BOOLEAN),
        field("storage", BOOLEAN),
        field("subresources", Type::Struct(&SUBRESOURCES)),
    ],
};

static VALIDATION: Struct = Struct {
    name: "CustomResourceValidation",
    fields: &[field("openAPIV3Schema", Type::Struct(&SCHEMA))],
};

/// The type of a schema. The lint checks its content.
static SCHEMA: Struct = Struct {
    name: "JSONSchemaProps",
    fields: &[],
};

static COLUMN: Struct = Struct {
    name: "CustomResourceColumnDefinition",
    fields: &[
        field("description", TEXT),
        field("format", TEXT),
        field("jsonPath", TEXT),
        field("name", TEXT),
        field("priority", Type::Int32),
        field("type", TEXT),
    ],
};

static SELECTABLE: Struct = Struct {
    name: "SelectableField",
    fields: &[field("jsonPath", TEXT)],
};

static SUBRESOURCES: Struct = Struct {
    name: "CustomResourceSubresources",
    fields: &[
        field("scale", Type::Struct(&SCALE)),
        field("status", Type::Struct(&STATUS_SUBRESOURCE)),
    ],
};

static STATUS_SUBRESOURCE: Struct = Struct {
    name: "CustomResourceSubresourceStatus",
    fields: &[],
};

static SCALE: Struct = Struct {
    name: "CustomResourceSubresourceScale",
    fields: &[
        field("labelSelectorPath", TEXT),
        field("specReplicasPath", TEXT),
        field("statusReplicasPath", TEXT),
    ],
};

static CONVERSION: Struct = Struct {
    name: "CustomResourceConversion",
    fields: &[
        field("strategy", Type::Text("v1.ConversionStrategyType")),
        field("webhook", Type::Struct(&WEBHOOK)),
    ],
};

static WEBHOOK: Struct = Struct {
    name: "WebhookConversion",
    fields: &[
        field("clientConfig", Type::Struct(&CLIENT)),
        field("conversionReviewVersions", TEXTS),
    ],
};

static CLIENT: Struct = Struct {
    name: "WebhookClientConfig",
    fields: &[
        field("caBundle", Type::Bytes),
        field("service", Type::Struct(&SERVICE)),
        field("url", TEXT),
    ],
};

static SERVICE: Struct = Struct {
    name: "ServiceReference",
    fields: &[
        field("name", TEXT),
        field("namespace", TEXT),
        field("path", TEXT),
        field("port", Type::Int32),
    ],
};

static STATUS: Struct = Struct {
    name: "CustomResourceDefinitionStatus",
    fields: &[
        field("acceptedNames", Type::Struct(&NAMES)),
        field("conditions", CONDITIONS),
        field("storedVersions", TEXTS),
    ],
};

const CONDITIONS: Type = Type::List(
    "[]v1.CustomResourceDefinitionCondition",
    &Type::Struct(&CONDITION),
);

static CONDITION: Struct = Struct {
    name: "CustomResourceDefinitionCondition",
    fields: CONDITION_FIELDS,
};

const CONDITION_FIELDS: &[Field] = &[
    field("lastTransitionTime", Type::Time),
    field("message", TEXT),
    field("observedGeneration", Type::Integer),
    field("reason", TEXT),
    field("status", Type::Text("v1.ConditionStatus")),
    field(
        "type",
        Type::Text("v1.CustomResourceDefinitionConditionType"),
    ),
];
