//! Builds the root of a kind: the arguments of kube's derive, and the types of the spec and the
//! status.

use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::build::builder::Builder;
use crate::build::keywords;
use crate::error::GenerateError;
use crate::model::{Body, Column, Item, Module, RootType, Scale};
use crate::rust_text::identifiers::{self, NameScope};
use crate::schema::crd::{self, RequestedVersion};
use crate::schema::schema_graph::{NodeKind, SchemaGraph, SchemaUse};
use crate::settings::{RootStyle, Settings};

/// The fields that kube's root type declares itself.
const ROOT_FIELDS: [&str; 4] = ["apiVersion", "kind", "metadata", "status"];

const OMITTED_RULES_COMMENT: &str =
    "Left out: the CEL rules of the root, because kube does not support one of them.";

/// The schema of a status that the schema of the root does not name.
static ANY_STATUS: LazyLock<Value> =
    LazyLock::new(|| json!({ "x-kubernetes-preserve-unknown-fields": true }));

const UNKNOWN_ROOT_FIELDS_COMMENT: &str = "Left out: unknown fields beside `spec`, which an API server keeps. `RootStyle::Fields` keeps them.";

const REQUIRED_SPEC_COMMENT: &str = "The schema does not require `spec`, but kube's root type does: an object without `spec` fails to deserialize, except with `RootStyle::Fields`.";

/// Returns the model of a version.
pub(crate) fn build_module(
    version: &RequestedVersion<'_>,
    kind_mod: &str,
    version_names: &mut NameScope,
    settings: &Settings,
) -> Result<Module, GenerateError> {
    let mut graph = SchemaGraph::default();
    let root = graph.add_schema(version.schema);
    let root = root.map_err(|error| error.under(&version.path))?;
    let any_status = graph.add_schema(&ANY_STATUS)?;
    let (properties, keeps_unknown_fields) = root_fields(&graph, root).ok_or_else(|| {
        GenerateError::new(&version.path, "the schema of a kind must be an object")
    })?;
    let kind = crd::require_kind(version.crd)?;
    let kind_name = identifiers::kind_name(kind);
    let mut builder = Builder::new(&graph, settings);
    let name = identifiers::type_name(&kind_name, "Kind", &mut builder.names);
    let find_property = |name: &str| {
        let mut properties = properties.iter();
        properties.find_map(|(property, schema_use)| (*property == name).then_some(*schema_use))
    };
    // A root with unknown fields may have a status that its schema does not name.
    let has_any_status = keeps_unknown_fields && version.entry.has_status_subresource();
    let status = find_property("status").or(has_any_status.then_some(any_status));
    let property_names = properties.iter().map(|(name, _)| *name);
    let has_only_spec = property_names
        .filter(|name| !ROOT_FIELDS.contains(name))
        .eq(["spec"]);
    let is_spec_style = has_only_spec && settings.root == RootStyle::Spec;
    let spec = find_property("spec").filter(|_| is_spec_style);
    let mut comments = root_comments(version, spec.is_some(), status.is_some());
    let (no_spec, omitted): (bool, &[&str]) = if let Some(spec) = spec {
        builder.add_root_type(&format!("{kind_name}Spec"), &kind_name, spec);
        (false, &[])
    } else {
        builder.add_root_type(&format!("{kind_name}Fields"), &kind_name, root);
        (true, &ROOT_FIELDS)
    };
    let status = status.map(|status| {
        let name = format!("{kind_name}Status");
        builder.add_root_type(&name, &name, status)
    });
    let mut items = builder.finish(omitted);
    let rules = keywords::parse_rules(version.schema).unwrap_or_else(|| {
        comments.push(OMITTED_RULES_COMMENT.to_owned());
        Vec::new()
    });
    if let Some(spec) = spec {
        comments.extend(spec_comments(version, spec, keeps_unknown_fields));
    }
    if let Some(root_item) = items.first_mut() {
        add_root_comments(root_item, comments, no_spec);
    }
    let fields_with_unions = fields_with_unions(&items, no_spec, status);
    Ok(Module {
        kind_mod: kind_mod.to_owned(),
        version_mod: identifiers::field_name(version.name, version_names),
        kind: kind.to_owned(),
        group: crd::require_group(version.crd)?.to_owned(),
        version: version.name.to_owned(),
        root: RootType {
            fields_with_unions,
            ..root_type(version, name, no_spec, status, rules)
        },
        items,
    })
}

/// Returns the properties of the root, and true if the root keeps unknown fields. Returns `None` if
/// the root is not an object.
fn root_fields<'g, 'a>(
    graph: &'g SchemaGraph<'a>,
    root: SchemaUse<'a>,
) -> Option<(&'g [(&'a str, SchemaUse<'a>)], bool)> {
    match &graph.node(root.node)?.kind {
        NodeKind::Object {
            properties,
            keeps_unknown_fields,
        } => Some((properties, *keeps_unknown_fields)),
        NodeKind::Any => Some((&[], true)),
        _ => None,
    }
}

/// Returns comments about the objects that a root type with a spec cannot represent.
fn spec_comments(
    version: &RequestedVersion<'_>,
    spec: SchemaUse<'_>,
    keeps_unknown_fields: bool,
) -> Vec<String> {
    let mut comments = Vec::new();
    if keeps_unknown_fields {
        comments.push(UNKNOWN_ROOT_FIELDS_COMMENT.to_owned());
    }
    let is_required = crd::strings_at(version.schema, "/required").any(|name| name == "spec");
    if !is_required && spec.schema.get("default").is_none() {
        comments.push(REQUIRED_SPEC_COMMENT.to_owned());
    }
    comments
}

/// Returns the fields of the root type that contain unions. If the root has no spec, the root type
/// flattens a struct with the fields, and the unions are visited through the struct.
fn fields_with_unions(items: &[Item], no_spec: bool, status: Option<usize>) -> Vec<&'static str> {
    let has_unions = |id: usize| {
        let body = items.get(id).map(|item| &item.body);
        matches!(body, Some(Body::Struct(body)) if body.contains_unions)
    };
    let fields = [("spec", (!no_spec).then_some(0)), ("status", status)];
    let fields = fields.into_iter();
    let fields_with_unions = fields.filter(|(_, id)| id.is_some_and(has_unions));
    fields_with_unions.map(|(name, _)| name).collect()
}

/// Adds the comments of the root to its struct. Without a spec, removes the rules of the struct,
/// because kube's derive has the rules as arguments.
fn add_root_comments(item: &mut Item, comments: Vec<String>, no_spec: bool) {
    item.comments.splice(0..0, comments);
    if let (true, Body::Struct(body)) = (no_spec, &mut item.body) {
        body.rules.clear();
        body.keywords
            .retain(|(name, _)| name != "x-kubernetes-validations");
    }
}

/// Returns comments about the facts of the root schema that kube's root type does not express.
fn root_comments(version: &RequestedVersion<'_>, has_spec: bool, has_status: bool) -> Vec<String> {
    let mut comments = Vec::new();
    let required: Vec<&str> = crd::strings_at(version.schema, "/required").collect();
    if has_status && required.contains(&"status") {
        comments.push("The schema requires `status`, but kube's root type does not.".to_owned());
    }
    if has_status && !version.entry.has_status_subresource() {
        comments.push(
            "`status` is not a subresource in this CRD, but kube's derive makes it one.".to_owned(),
        );
    }
    if let Some(Value::Object(keywords)) = version.schema.pointer("/properties/metadata")
        && keywords
            .keys()
            .any(|name| name != "type" && name != "description")
    {
        comments.push(
            "Left out: the schema of `metadata`, which kube's root type does not support."
                .to_owned(),
        );
    }
    let supported = [
        "description",
        "properties",
        "required",
        "type",
        "x-kubernetes-validations",
        "x-kubernetes-preserve-unknown-fields",
    ];
    let keywords = version.schema.as_object().into_iter().flatten();
    for (name, _) in keywords.filter(|(name, _)| has_spec && !supported.contains(&&***name)) {
        comments.push(format!(
            "Left out: `{name}` of the root, which kube's root type does not support."
        ));
    }
    comments
}

fn string(value: &Value, pointer: &str) -> Option<String> {
    crd::string_at(value, pointer).map(str::to_owned)
}

/// Returns the printer column, or `None` if a required property is missing.
fn printer_column(column: &Value) -> Option<Column> {
    Some(Column {
        name: string(column, "/name")?,
        data_type: string(column, "/type")?,
        json_path: string(column, "/jsonPath")?,
        description: string(column, "/description"),
        format: string(column, "/format"),
        priority: column
            .get("priority")
            .and_then(Value::as_i64)
            .and_then(|priority| i32::try_from(priority).ok()),
    })
}

/// Returns the subresource `scale`, or `None` if a required property is missing.
fn scale_subresource(scale: &Value) -> Option<Scale> {
    Some(Scale {
        spec_replicas: string(scale, "/specReplicasPath")?,
        status_replicas: string(scale, "/statusReplicasPath")?,
        label_selector: string(scale, "/labelSelectorPath"),
    })
}

/// Returns the properties of kube's root type: the description of the schema, and what the CRD
/// declares outside of the schema.
fn root_type(
    version: &RequestedVersion<'_>,
    name: String,
    no_spec: bool,
    status: Option<usize>,
    rules: Vec<crate::model::Rule>,
) -> RootType {
    let (crd, version_json) = (version.crd, version.entry.json());

    let strings = |pointer: &str| {
        crd::strings_at(crd.json(), pointer)
            .map(str::to_owned)
            .collect()
    };
    let columns = crd::array_at(version_json, "/additionalPrinterColumns");
    let selectable_fields = crd::array_at(version_json, "/selectableFields")
        .filter_map(|field| string(field, "/jsonPath"));
    let scale = version_json.pointer("/subresources/scale");
    let approval_name = "api-approved.kubernetes.io";
    let approval = crd
        .json()
        .pointer("/metadata/annotations")
        .and_then(|annotations| annotations.get(approval_name));
    let approval = approval.and_then(Value::as_str);
    let is_deprecated = crd::is_true_at(version_json, "/deprecated");
    RootType {
        name,
        doc: string(version.schema, "/description"),
        plural: crd.plural().map(str::to_owned),
        singular: string(crd.json(), "/spec/names/singular"),
        namespaced: crd.is_namespaced(),
        no_spec,
        status,
        fields_with_unions: Vec::new(),
        short_names: strings("/spec/names/shortNames"),
        categories: strings("/spec/names/categories"),
        columns: columns.filter_map(printer_column).collect(),
        selectable_fields: selectable_fields.collect(),
        scale: scale.and_then(scale_subresource),
        rules,
        is_storage: version.entry.is_stored(),
        is_served: version.entry.served() == Some(true),
        deprecation_warning: is_deprecated
            .then(|| string(version_json, "/deprecationWarning").unwrap_or_default()),
        annotations: approval
            .map(|value| (approval_name.to_owned(), value.to_owned()))
            .into_iter()
            .collect(),
    }
}
