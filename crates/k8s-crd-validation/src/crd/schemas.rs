//! The schemas of a CRD: their presence, their errors, and the errors that an update tolerates.

use std::collections::BTreeSet;

use serde_json::Value;

use super::definition::{CrdDefinition, VersionFields};
use crate::compile::lint::enforced_rules::EnforcedRules;
use crate::compile::lint::for_each_schema;
use crate::compile::{
    SHARED_SCHEMA_PATH, has_unpruned_defaults, is_structural, lint_schema, version_schema_path,
};
use crate::schema::allowed_functions::{AllowedFunctions, StoredExpressions};
use crate::schema::crd_path::CrdPath;
use crate::schema::format::Format;
use crate::schema::go_schema;
use k8s_cel::KubeVersion;
use k8s_cel::format::Formats;
use k8s_json_internals::quote::GoQuoted;
use union_runtime::{BadValue, Violation, ViolationKind};

/// The conditions for the schemas of a CRD.
pub(super) struct SchemaRequirements<'o, 'v> {
    enforced_rules: EnforcedRules,
    /// True if every version must have a schema.
    requires_schemas: bool,
    old: Option<&'o CrdDefinition<'v>>,
    /// The functions that rules may call.
    allowed_functions: AllowedFunctions,
}

impl<'o, 'v> SchemaRequirements<'o, 'v> {
    pub(super) const fn for_create(version: KubeVersion) -> Self {
        Self {
            enforced_rules: EnforcedRules::ALL,
            requires_schemas: true,
            old: None,
            allowed_functions: AllowedFunctions::for_create(version),
        }
    }

    /// Returns the conditions for an update. Conditions that the stored CRD does not meet are
    /// omitted.
    pub(super) fn for_update(
        new: &CrdDefinition<'_>,
        old: &'o CrdDefinition<'v>,
        version: KubeVersion,
    ) -> Self {
        let mut stored = StoredExpressions::default();
        let mut demands = EnforcedRules::ALL;
        let mut all_structural = true;
        for schema in old.schemas() {
            for_each_schema(schema, &mut |props| {
                demands.drop_unmet(props);
                stored.add(props.validations);
            });
            let is_sound = is_structural(schema);
            all_structural &= is_sound;
            demands.pruned_defaults &= !is_sound || !has_unpruned_defaults(schema, version);
        }
        // A schema with defaults must be structural in any case.
        demands.structural =
            all_structural || !new.preserves_unknown || new.schemas().any(has_default);
        let mut versions = old.versions().iter();
        Self {
            enforced_rules: demands,
            requires_schemas: versions.all(|version| old.find_schema(version.name).is_some()),
            old: Some(old),
            allowed_functions: AllowedFunctions::for_update(version, stored),
        }
    }

    /// Returns true if the version had the same schema before.
    fn is_unchanged(&self, schema: &Value, version: &str) -> bool {
        let was = self.old.and_then(|old| old.find_schema(version));
        was.is_some_and(|was| go_schema::is_same_schema(Some(schema), Some(was)))
    }
}

fn has_default(schema: &Value) -> bool {
    let mut found = false;
    for_each_schema(schema, &mut |props| found |= props.default.is_some());
    found
}

/// Checks that schemas exist, and that `preserveUnknownFields` allows their defaults.
pub(super) fn check_presence(
    crd: &CrdDefinition<'_>,
    demanded: &SchemaRequirements<'_, '_>,
    at: &CrdPath<'_>,
    errors: &mut Vec<Violation>,
) {
    for (i, version) in crd.versions().iter().enumerate() {
        if crd.shared.schema().is_some() || version.fields.schema().is_some() {
            continue;
        }
        let at = at.index("versions", i);
        let at = at.field("schema");
        let at = at.field("openAPIV3Schema");
        if demanded.requires_schemas {
            errors.push(at.required(""));
        } else if !crd.preserves_unknown && version.is_served {
            errors.push(at.required("because otherwise all fields are pruned"));
        }
    }
    if crd.preserves_unknown && crd.schemas().any(has_default) {
        let found = BadValue::Formatted("true".to_owned());
        let detail = "must be false in order to use defaults in the schema";
        let at = at.field("preserveUnknownFields");
        errors.push(at.violation(ViolationKind::Invalid, found, detail));
    }
}

/// Checks the schema that all versions share.
pub(super) fn check_shared_schema(
    crd: &CrdDefinition<'_>,
    demanded: &SchemaRequirements<'_, '_>,
    errors: &mut Vec<Violation>,
) {
    let Some(schema) = crd.shared.schema() else {
        return;
    };
    let own = crd.versions().iter().map(|version| &version.fields);
    let has_status = core::iter::once(&crd.shared)
        .chain(own)
        .any(VersionFields::has_status);
    // Seen: the first version represents all versions.
    let first = crd.versions().first();
    let is_old = first.is_some_and(|version| demanded.is_unchanged(schema, version.name));
    let demands = EnforcedRules {
        rule_costs: !is_old,
        ..demanded.enforced_rules
    };
    errors.extend(lint_schema(
        schema,
        &SHARED_SCHEMA_PATH.into(),
        has_status,
        demands,
        &demanded.allowed_functions,
    ));
}

/// Checks the schema of one version, if not all versions share it.
pub(super) fn check_version_schema(
    crd: &CrdDefinition<'_>,
    number: usize,
    demanded: &SchemaRequirements<'_, '_>,
    errors: &mut Vec<Violation>,
) {
    let Some(version) = crd.versions().get(number) else {
        return;
    };
    let Some(schema) = version.fields.schema() else {
        return;
    };
    let has_status = crd.shared.has_status() || version.fields.has_status();
    let demands = EnforcedRules {
        rule_costs: !demanded.is_unchanged(schema, version.name),
        ..demanded.enforced_rules
    };
    errors.extend(lint_schema(
        schema,
        &version_schema_path(number),
        has_status,
        demands,
        &demanded.allowed_functions,
    ));
}

/// Returns a warning for each format that a server does not know and the stored CRD does not have.
pub(super) fn format_warnings(
    crd: &CrdDefinition<'_>,
    old: Option<&CrdDefinition<'_>>,
) -> Vec<String> {
    let mut had = BTreeSet::new();
    for schema in old.into_iter().flat_map(CrdDefinition::schemas) {
        for_each_unknown_format(schema, &mut |format| {
            had.insert(format.to_owned());
        });
    }
    let mut warnings = Vec::new();
    for schema in crd.schemas() {
        for_each_unknown_format(schema, &mut |format| {
            if !had.contains(format) {
                warnings.push(format!("unrecognized format {}", GoQuoted(format)));
            }
        });
    }
    warnings
}

fn for_each_unknown_format(schema: &Value, show: &mut dyn FnMut(&str)) {
    let formats = Formats::default();
    for_each_schema(schema, &mut |props| {
        let format = Format::from_keywords(props, &formats);
        if format.is_some_and(|format| !format.is_known(None)) {
            show(props.format);
        }
    });
}
