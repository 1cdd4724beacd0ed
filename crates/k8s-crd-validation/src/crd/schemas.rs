//! Validation of the schemas of a CRD. An update may keep some errors of the stored schemas.

use std::collections::BTreeSet;

use serde_json::Value;

use super::definition::{CrdDefinition, VersionFields};
use super::selectable_fields;
use crate::compile::lint::for_each_schema;
use crate::compile::lint::validation_options::ValidationOptions;
use crate::compile::{
    SHARED_SCHEMA_PATH, has_unpruned_defaults, is_structural, lint_schema, version_schema_path,
};
use crate::schema::allowed_functions::{AllowedFunctions, StoredExpressions};
use crate::schema::crd_path::CrdPath;
use crate::schema::format::Format;
use crate::schema::raw::go_schema;
use crate::schema::raw::keywords::{Items, Keywords};
use k8s_cel::format::Formats;
use k8s_cel::{Feature, KubeVersion};
use k8s_json_internals::quote::GoQuoted;
use union_runtime::{BadValue, Violation, ViolationKind};

/// The requirements that the schemas of a CRD must meet.
pub(super) struct SchemaRequirements<'o, 'v> {
    options: ValidationOptions,
    /// True if every version must have a schema.
    requires_schemas: bool,
    /// The stored CRD, if the request is an update.
    old: Option<&'o CrdDefinition<'v>>,
    /// The functions that CEL rules may call.
    allowed_functions: AllowedFunctions,
}

impl<'o, 'v> SchemaRequirements<'o, 'v> {
    /// Returns the requirements for a new CRD.
    pub(super) const fn for_create(version: KubeVersion) -> Self {
        Self {
            options: ValidationOptions::ALL,
            requires_schemas: true,
            old: None,
            allowed_functions: AllowedFunctions::for_create(version),
        }
    }

    /// Returns the requirements for an update, without those that the stored CRD does not meet.
    pub(super) fn for_update(
        new: &CrdDefinition<'_>,
        old: &'o CrdDefinition<'v>,
        version: KubeVersion,
    ) -> Self {
        let mut stored_expressions = StoredExpressions::default();
        let mut options = ValidationOptions::ALL;
        let mut all_structural = true;
        for schema in old.schemas() {
            for_each_schema(schema, &mut |keywords| {
                options.drop_unmet(keywords);
                stored_expressions.add(keywords.validations);
            });
            let is_structural = is_structural(schema, version);
            all_structural &= is_structural;
            options.pruned_defaults &= !is_structural || !has_unpruned_defaults(schema, version);
        }
        // New schemas with defaults or extensions, and schemas of a CRD that prunes unknown fields,
        // must be structural even if the stored schemas are not.
        options.structural = all_structural
            || !new.preserves_unknown
            || new
                .schemas()
                .any(|schema| has_default(schema) || has_extension(schema));
        let mut versions = old.versions().iter();
        Self {
            options,
            requires_schemas: old.shared.schema().is_some()
                || versions.all(|version| version.fields.schema().is_some()),
            old: Some(old),
            allowed_functions: AllowedFunctions::for_update(version, stored_expressions),
        }
    }

    /// Returns true if the number of selectable fields is limited. From 1.35 on, the number is not
    /// limited if the stored CRD has the same fields. `version` is `None` for the fields that all
    /// versions share.
    pub(super) fn limits_selectable(
        &self,
        selectable: Option<&[Value]>,
        version: Option<&str>,
    ) -> bool {
        let server_exempts = self.server().has(Feature::StoredSelectableFields);
        let Some(old) = self.old.filter(|_| server_exempts) else {
            return true;
        };
        let old_fields = match version {
            None => Some(&old.shared),
            Some(name) => {
                let mut versions = old.versions().iter();
                // Of several versions with one name, a server uses the last.
                let old_version = versions.rfind(|version| version.name == name);
                old_version.map(|version| &version.fields)
            }
        };
        let old_selectable = old_fields.and_then(|fields| fields.selectable);
        !selectable_fields::are_equal(selectable, old_selectable)
    }

    const fn server(&self) -> KubeVersion {
        self.allowed_functions.server()
    }

    /// Returns the options for the schema of a version. From 1.29 on, the cost of each rule is not
    /// limited if the stored CRD has the same schema for the version.
    fn options(&self, new: &CrdDefinition<'_>, version: &str) -> ValidationOptions {
        let server_exempts = self.server().has(Feature::StoredRuleCosts);
        let old_schema = self.old.and_then(|old| old.find_schema(version));
        let is_unchanged =
            old_schema.is_some() && go_schema::is_same_schema(new.find_schema(version), old_schema);
        ValidationOptions {
            rule_costs: !server_exempts || !is_unchanged,
            ..self.options
        }
    }
}

/// Returns true if the schema, or a schema inside it, has a default.
fn has_default(schema: &Value) -> bool {
    has_schema_with(schema, |keywords| keywords.default.is_some())
}

/// Returns true if the schema, or a schema inside it, has an extension that a server implements
/// only for structural schemas.
fn has_extension(schema: &Value) -> bool {
    has_schema_with(schema, |keywords| {
        keywords.embedded_resource
            || keywords.preserve_unknown_fields.is_some()
            || keywords.int_or_string
            || !keywords.list_map_keys.is_empty()
            || keywords.list_type.is_some()
            || !keywords.validations.is_empty()
    })
}

/// Returns true if a predicate holds for the schema, or for a schema inside it.
fn has_schema_with(schema: &Value, predicate: impl Fn(&Keywords<'_>) -> bool) -> bool {
    let mut is_found = false;
    for_each_schema(schema, &mut |keywords| is_found |= predicate(keywords));
    is_found
}

/// Checks that required schemas exist, and that `preserveUnknownFields` is off if a schema has a
/// default.
pub(super) fn check_presence(
    crd: &CrdDefinition<'_>,
    requirements: &SchemaRequirements<'_, '_>,
    path: &CrdPath<'_>,
    errors: &mut Vec<Violation>,
) {
    for (i, version) in crd.versions().iter().enumerate() {
        if crd.shared.schema().is_some() || version.fields.schema().is_some() {
            continue;
        }
        let version_path = path.index("versions", i);
        let field_path = version_path.field("schema");
        let schema_path = field_path.field("openAPIV3Schema");
        if requirements.requires_schemas {
            errors.push(schema_path.required(""));
        } else if !crd.preserves_unknown && version.is_served {
            errors.push(schema_path.required("because otherwise all fields are pruned"));
        }
    }
    if crd.preserves_unknown && crd.schemas().any(has_default) {
        let bad_value = BadValue::Formatted("true".to_owned());
        let detail = "must be false in order to use defaults in the schema";
        let path = path.field("preserveUnknownFields");
        errors.push(path.violation(ViolationKind::Invalid, bad_value, detail));
    }
}

/// Checks the schema that all versions share.
pub(super) fn check_shared_schema(
    crd: &CrdDefinition<'_>,
    requirements: &SchemaRequirements<'_, '_>,
    errors: &mut Vec<Violation>,
) {
    let Some(schema) = crd.shared.schema() else {
        return;
    };
    let versions = crd.versions().iter().map(|version| &version.fields);
    let has_status = core::iter::once(&crd.shared)
        .chain(versions)
        .any(VersionFields::has_status);
    // For a shared schema, servers compare only with the stored schema of the first version.
    let options = match crd.versions().first() {
        Some(version) => requirements.options(crd, version.name),
        None => requirements.options,
    };
    errors.extend(lint_schema(
        schema,
        &SHARED_SCHEMA_PATH.into(),
        has_status,
        options,
        &requirements.allowed_functions,
    ));
}

/// Checks the schema of the version at an index, unless all versions share the schema.
pub(super) fn check_version_schema(
    crd: &CrdDefinition<'_>,
    index: usize,
    requirements: &SchemaRequirements<'_, '_>,
    errors: &mut Vec<Violation>,
) {
    let Some(version) = crd.versions().get(index) else {
        return;
    };
    let Some(schema) = version.fields.schema() else {
        return;
    };
    let has_status = crd.shared.has_status() || version.fields.has_status();
    let options = requirements.options(crd, version.name);
    errors.extend(lint_schema(
        schema,
        &version_schema_path(index),
        has_status,
        options,
        &requirements.allowed_functions,
    ));
}

/// Returns a warning for each format that a server of the version does not know, except the formats
/// that the stored CRD already has.
pub(super) fn format_warnings(
    crd: &CrdDefinition<'_>,
    old: Option<&CrdDefinition<'_>>,
    version: KubeVersion,
) -> Vec<String> {
    if !version.has(Feature::FormatWarnings) {
        return Vec::new();
    }
    let mut stored_formats = BTreeSet::new();
    for schema in old.into_iter().flat_map(CrdDefinition::schemas) {
        for_each_unknown_format(schema, version, &mut |format| {
            stored_formats.insert(format.to_owned());
        });
    }
    let mut warnings = Vec::new();
    for schema in crd.schemas() {
        for_each_unknown_format(schema, version, &mut |format| {
            if !stored_formats.contains(format) {
                warnings.push(format!("unrecognized format {}", GoQuoted(format)));
            }
        });
    }
    warnings
}

/// Returns a warning for each type of the items of sets that is not scalar, except the types that
/// the stored CRD already has. The warnings are sorted.
pub(super) fn set_items_warnings(
    crd: &CrdDefinition<'_>,
    old: Option<&CrdDefinition<'_>>,
) -> Vec<String> {
    let stored_types = old.map(find_set_item_types).unwrap_or_default();
    let item_types = find_set_item_types(crd);
    let new_types = item_types.difference(&stored_types);
    new_types
        .map(|item_type| {
            format!(
                "x-kubernetes-list-type: set for items of type {} is not supported by server-side apply or CEL validation rules",
                GoQuoted(item_type)
            )
        })
        .collect()
}

/// Returns the types of the items of sets in the schemas of a CRD, except the scalar types.
fn find_set_item_types(crd: &CrdDefinition<'_>) -> BTreeSet<&'static str> {
    let mut types = BTreeSet::new();
    for schema in crd.schemas() {
        for_each_schema(schema, &mut |keywords| {
            let Some(Items::Schema(items)) = keywords.items else {
                return;
            };
            if keywords.list_type != Some("set") {
                return;
            }
            let item_type = Keywords::decode(items).map(|items| items.schema_type);
            let non_scalar = ["array", "object"].into_iter();
            types.extend(non_scalar.filter(|name| item_type.as_ref() == Ok(name)));
        });
    }
    types
}

/// Calls `visit` with each unknown format in a schema.
fn for_each_unknown_format(schema: &Value, version: KubeVersion, visit: &mut dyn FnMut(&str)) {
    let formats = Formats::for_version(version.of_new_rules());
    for_each_schema(schema, &mut |keywords| {
        let format = Format::from_keywords(keywords, &formats);
        let is_relevant = version.has(Feature::FormatsByType) || keywords.schema_type == "string";
        if is_relevant && format.is_some_and(|format| !format.is_known(None, version)) {
            visit(keywords.format);
        }
    });
}
