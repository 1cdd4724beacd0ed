//! The form in which an API server stores a CRD: without fields whose value is empty, and with the
//! defaults of other fields. Tools that compare a manifest with the stored CRD report each such
//! field as a difference.

use serde_json::{Map, Value, json};

use union_runtime::path::{FieldPath, Path, PathStep};

/// The fields of a struct that a server drops if the value is empty: `false`, 0, `""`, `[]` or
/// `{}` (`omitempty` in the Go types). A server drops null in all fields.
struct StoredStruct {
    dropped_if_empty: &'static [&'static str],
    /// The fields that contain structs.
    children: &'static [(&'static str, StoredType)],
}

/// The type of a field with structs.
#[derive(Clone, Copy)]
enum StoredType {
    Struct(&'static StoredStruct),
    List(&'static StoredStruct),
    /// A schema of `JSONSchemaProps`.
    Schema,
    /// A list of schemas.
    Schemas,
    /// A map of schemas.
    SchemaMap,
    /// A schema, a list of schemas, or another value.
    SchemaOrOther,
}

static CRD: StoredStruct = StoredStruct {
    dropped_if_empty: &[],
    children: &[
        ("metadata", StoredType::Struct(&METADATA)),
        ("spec", StoredType::Struct(&SPEC)),
    ],
};

static METADATA: StoredStruct = StoredStruct {
    dropped_if_empty: &[
        "annotations",
        "finalizers",
        "generateName",
        "labels",
        "namespace",
        "ownerReferences",
    ],
    children: &[],
};

static SPEC: StoredStruct = StoredStruct {
    dropped_if_empty: &["preserveUnknownFields"],
    children: &[
        ("conversion", StoredType::Struct(&CONVERSION)),
        ("names", StoredType::Struct(&NAMES)),
        ("versions", StoredType::List(&VERSION)),
    ],
};

static CONVERSION: StoredStruct = StoredStruct {
    dropped_if_empty: &[],
    children: &[("webhook", StoredType::Struct(&WEBHOOK))],
};

static WEBHOOK: StoredStruct = StoredStruct {
    dropped_if_empty: &[],
    children: &[("clientConfig", StoredType::Struct(&CLIENT_CONFIG))],
};

static CLIENT_CONFIG: StoredStruct = StoredStruct {
    dropped_if_empty: &["caBundle"],
    children: &[("service", StoredType::Struct(&NO_CHILDREN))],
};

static NAMES: StoredStruct = StoredStruct {
    dropped_if_empty: &["categories", "listKind", "shortNames", "singular"],
    children: &[],
};

static VERSION: StoredStruct = StoredStruct {
    dropped_if_empty: &["additionalPrinterColumns", "deprecated", "selectableFields"],
    children: &[
        ("additionalPrinterColumns", StoredType::List(&COLUMN)),
        ("schema", StoredType::Struct(&VALIDATION)),
        ("selectableFields", StoredType::List(&NO_CHILDREN)),
        ("subresources", StoredType::Struct(&SUBRESOURCES)),
    ],
};

static COLUMN: StoredStruct = StoredStruct {
    dropped_if_empty: &["description", "format", "priority"],
    children: &[],
};

static SUBRESOURCES: StoredStruct = StoredStruct {
    dropped_if_empty: &[],
    children: &[("scale", StoredType::Struct(&NO_CHILDREN))],
};

static VALIDATION: StoredStruct = StoredStruct {
    dropped_if_empty: &[],
    children: &[("openAPIV3Schema", StoredType::Schema)],
};

static NO_CHILDREN: StoredStruct = StoredStruct {
    dropped_if_empty: &[],
    children: &[],
};

static RULE: StoredStruct = StoredStruct {
    dropped_if_empty: &["fieldPath", "message", "messageExpression"],
    children: &[],
};

static EXTERNAL_DOCS: StoredStruct = StoredStruct {
    dropped_if_empty: &["description", "url"],
    children: &[],
};

static SCHEMA: StoredStruct = StoredStruct {
    dropped_if_empty: &[
        "$schema",
        "allOf",
        "anyOf",
        "definitions",
        "dependencies",
        "description",
        "enum",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "format",
        "id",
        "nullable",
        "oneOf",
        "pattern",
        "patternProperties",
        "properties",
        "required",
        "title",
        "type",
        "uniqueItems",
        "x-kubernetes-embedded-resource",
        "x-kubernetes-int-or-string",
        "x-kubernetes-list-map-keys",
        "x-kubernetes-validations",
    ],
    children: &[
        ("additionalItems", StoredType::SchemaOrOther),
        ("additionalProperties", StoredType::SchemaOrOther),
        ("allOf", StoredType::Schemas),
        ("anyOf", StoredType::Schemas),
        ("definitions", StoredType::SchemaMap),
        ("dependencies", StoredType::SchemaMap),
        ("externalDocs", StoredType::Struct(&EXTERNAL_DOCS)),
        ("items", StoredType::SchemaOrOther),
        ("not", StoredType::Schema),
        ("oneOf", StoredType::Schemas),
        ("patternProperties", StoredType::SchemaMap),
        ("properties", StoredType::SchemaMap),
        ("x-kubernetes-validations", StoredType::List(&RULE)),
    ],
};

/// Removes the fields of a CRD that an API server does not store because their value is empty, such
/// as `shortNames: []`, `nullable: false` and null. Returns their paths.
///
/// A tool that compares a manifest with the stored CRD reports each such field as a difference that
/// never ends.
///
/// ```
/// use k8s_crd_validation::crd::remove_unstored_fields;
/// use serde_json::json;
///
/// let mut crd = json!({"spec": {"names": {"kind": "Doc", "shortNames": []}}});
/// let paths = remove_unstored_fields(&mut crd);
/// assert_eq!(paths, ["spec.names.shortNames"]);
/// assert_eq!(crd, json!({"spec": {"names": {"kind": "Doc"}}}));
/// ```
pub fn remove_unstored_fields(crd: &mut Value) -> Vec<FieldPath> {
    let mut paths = Vec::new();
    visit_struct(&CRD, crd, &Path::ROOT, &mut paths);
    paths
}

/// Changes a CRD to the form in which an API server stores it: removes the
/// [fields that are not stored](remove_unstored_fields), and adds the defaults of `spec.names` and
/// `spec.conversion`. The status and the metadata that a server sets are not added, and unknown
/// fields stay.
pub fn to_stored_form(crd: &mut Value) {
    remove_unstored_fields(crd);
    let Some(spec) = crd.get_mut("spec").and_then(Value::as_object_mut) else {
        return;
    };
    if let Some(names) = spec.get_mut("names").and_then(Value::as_object_mut) {
        let kind = names.get("kind").and_then(Value::as_str);
        let kind = kind.unwrap_or_default().to_owned();
        names
            .entry("singular")
            .or_insert_with(|| kind.to_lowercase().into());
        if !kind.is_empty() {
            names
                .entry("listKind")
                .or_insert_with(|| format!("{kind}List").into());
        }
    }
    let conversion = spec.entry("conversion");
    conversion.or_insert_with(|| json!({ "strategy": "None" }));
}

fn visit_struct(
    struct_type: &StoredStruct,
    value: &mut Value,
    path: &Path<'_>,
    removed_paths: &mut Vec<FieldPath>,
) {
    let Some(fields) = value.as_object_mut() else {
        return;
    };
    visit_fields(struct_type, fields, path, removed_paths);
    for (name, field_type) in struct_type.children {
        if let Some(child) = fields.get_mut(*name) {
            visit(*field_type, child, &path.field(name), removed_paths);
        }
    }
}

/// Removes the empty fields of an object.
fn visit_fields(
    struct_type: &StoredStruct,
    fields: &mut Map<String, Value>,
    path: &Path<'_>,
    removed_paths: &mut Vec<FieldPath>,
) {
    fields.retain(|name, value| {
        let is_dropped_if_empty = struct_type.dropped_if_empty.contains(&name.as_str());
        let is_removed = value.is_null() || is_dropped_if_empty && is_empty(value);
        if is_removed {
            removed_paths.push(path.field(name).to_field_path());
        }
        !is_removed
    });
}

fn visit(
    field_type: StoredType,
    value: &mut Value,
    path: &Path<'_>,
    removed_paths: &mut Vec<FieldPath>,
) {
    let (child_type, is_map) = match field_type {
        StoredType::Struct(struct_type) => {
            return visit_struct(struct_type, value, path, removed_paths);
        }
        StoredType::Schema => return visit_struct(&SCHEMA, value, path, removed_paths),
        StoredType::SchemaOrOther if value.is_object() => {
            return visit_struct(&SCHEMA, value, path, removed_paths);
        }
        StoredType::List(struct_type) => (struct_type, false),
        StoredType::Schemas | StoredType::SchemaOrOther => (&SCHEMA, false),
        StoredType::SchemaMap => (&SCHEMA, true),
    };
    match value {
        Value::Array(elements) => {
            for (index, element) in elements.iter_mut().enumerate() {
                let path = path.step(PathStep::Index(index));
                visit_struct(child_type, element, &path, removed_paths);
            }
        }
        Value::Object(entries) if is_map => {
            for (name, schema) in entries {
                let path = path.step(PathStep::Field(name));
                visit_struct(child_type, schema, &path, removed_paths);
            }
        }
        _ => {}
    }
}

/// Returns true for `false`, 0, `""`, `[]` and `{}`.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::Number(number) => number.as_f64().is_some_and(|number| number.abs() <= 0.0),
        Value::String(string) => string.is_empty(),
        Value::Array(elements) => elements.is_empty(),
        Value::Object(fields) => fields.is_empty(),
    }
}
