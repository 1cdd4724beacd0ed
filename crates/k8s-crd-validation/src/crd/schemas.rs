//! The schemas of a CRD: their presence, their errors, and the errors that an update tolerates.

use std::collections::BTreeSet;

use serde_json::Value;

use super::definition::{Definition, Parts};
use crate::compile::lint::demands::Demands;
use crate::compile::lint::every_schema;
use crate::compile::{BARE, has_unpruned_defaults, is_structural, lint_schema, of_version};
use crate::schema::format::Format;
use crate::schema::go;
use crate::schema::libraries::{Libraries, Stored};
use crate::schema::place::Place;
use k8s_cel::Version;
use k8s_cel::format::Formats;
use k8s_json_internals::quote::Quoted;
use union_runtime::{Found, Violation, ViolationKind};

/// The conditions for the schemas of a CRD.
pub(super) struct Demanded<'o, 'v> {
    of_each: Demands,
    /// True if every version must have a schema.
    all_there: bool,
    old: Option<&'o Definition<'v>>,
    /// The functions that rules may call.
    libraries: Libraries,
}

impl<'o, 'v> Demanded<'o, 'v> {
    pub(super) const fn of_new(version: Version) -> Self {
        Self {
            of_each: Demands::ALL,
            all_there: true,
            old: None,
            libraries: Libraries::of(version),
        }
    }

    /// Returns the conditions for an update. Conditions that the stored CRD does not meet are
    /// omitted.
    pub(super) fn of_update(
        new: &Definition<'_>,
        old: &'o Definition<'v>,
        version: Version,
    ) -> Self {
        let mut stored = Stored::default();
        let mut demands = Demands::ALL;
        let mut all_structural = true;
        for schema in old.schemas() {
            every_schema(schema, &mut |props| {
                demands.forgive(props);
                stored.add(props.validations);
            });
            let is_sound = is_structural(schema);
            all_structural &= is_sound;
            demands.pruned_defaults &= !is_sound || !has_unpruned_defaults(schema);
        }
        // A schema with defaults must be structural in any case.
        demands.structural =
            all_structural || !new.preserves_unknown || new.schemas().any(has_default);
        let mut versions = old.versions().iter();
        Self {
            of_each: demands,
            all_there: versions.all(|version| old.schema_of(version.name).is_some()),
            old: Some(old),
            libraries: Libraries::in_place_of(version, stored),
        }
    }

    /// Returns true if the version had the same schema before.
    fn is_unchanged(&self, schema: &Value, version: &str) -> bool {
        let was = self.old.and_then(|old| old.schema_of(version));
        was.is_some_and(|was| go::same(Some(schema), Some(was)))
    }
}

fn has_default(schema: &Value) -> bool {
    let mut found = false;
    every_schema(schema, &mut |props| found |= props.default.is_some());
    found
}

/// Checks that schemas exist, and that `preserveUnknownFields` allows their defaults.
pub(super) fn check_presence(
    crd: &Definition<'_>,
    demanded: &Demanded<'_, '_>,
    at: &Place<'_>,
    errors: &mut Vec<Violation>,
) {
    for (i, version) in crd.versions().iter().enumerate() {
        if crd.common.schema().is_some() || version.parts.schema().is_some() {
            continue;
        }
        let at = at.index("versions", i);
        let at = at.field("schema");
        let at = at.field("openAPIV3Schema");
        if demanded.all_there {
            errors.push(at.required(""));
        } else if !crd.preserves_unknown && version.is_served {
            errors.push(at.required("because otherwise all fields are pruned"));
        }
    }
    if crd.preserves_unknown && crd.schemas().any(has_default) {
        let found = Found::Printed("true".to_owned());
        let detail = "must be false in order to use defaults in the schema";
        let at = at.field("preserveUnknownFields");
        errors.push(at.found(ViolationKind::Invalid, found, detail));
    }
}

/// Checks the schema that all versions share.
pub(super) fn check_common(
    crd: &Definition<'_>,
    demanded: &Demanded<'_, '_>,
    errors: &mut Vec<Violation>,
) {
    let Some(schema) = crd.common.schema() else {
        return;
    };
    let own = crd.versions().iter().map(|version| &version.parts);
    let has_status = core::iter::once(&crd.common)
        .chain(own)
        .any(Parts::has_status);
    // Seen: the first version represents all versions.
    let first = crd.versions().first();
    let is_old = first.is_some_and(|version| demanded.is_unchanged(schema, version.name));
    let demands = Demands {
        rule_costs: !is_old,
        ..demanded.of_each
    };
    errors.extend(lint_schema(
        schema,
        &BARE.into(),
        has_status,
        demands,
        &demanded.libraries,
    ));
}

/// Checks the schema of one version, if not all versions share it.
pub(super) fn check_own(
    crd: &Definition<'_>,
    number: usize,
    demanded: &Demanded<'_, '_>,
    errors: &mut Vec<Violation>,
) {
    let Some(version) = crd.versions().get(number) else {
        return;
    };
    let Some(schema) = version.parts.schema() else {
        return;
    };
    let has_status = crd.common.has_status() || version.parts.has_status();
    let demands = Demands {
        rule_costs: !demanded.is_unchanged(schema, version.name),
        ..demanded.of_each
    };
    errors.extend(lint_schema(
        schema,
        &of_version(number),
        has_status,
        demands,
        &demanded.libraries,
    ));
}

/// Returns a warning for each format that a server does not know and the stored CRD does not have.
pub(super) fn warnings(crd: &Definition<'_>, old: Option<&Definition<'_>>) -> Vec<String> {
    let mut had = BTreeSet::new();
    for schema in old.into_iter().flat_map(Definition::schemas) {
        each_unknown_format(schema, &mut |format| {
            had.insert(format.to_owned());
        });
    }
    let mut warnings = Vec::new();
    for schema in crd.schemas() {
        each_unknown_format(schema, &mut |format| {
            if !had.contains(format) {
                warnings.push(format!("unrecognized format {}", Quoted(format)));
            }
        });
    }
    warnings
}

fn each_unknown_format(schema: &Value, show: &mut dyn FnMut(&str)) {
    let formats = Formats::default();
    every_schema(schema, &mut |props| {
        let format = Format::of(props, &formats);
        if format.is_some_and(|format| !format.is_known(None)) {
            show(props.format);
        }
    });
}
