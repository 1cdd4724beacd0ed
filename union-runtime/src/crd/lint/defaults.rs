//! Defaults are pruned and valid.

use serde_json::Value;

use super::super::correlate::Equality;
use super::super::meta;
use super::super::print;
use super::super::schema::{Additional, NodeId, StructuralSchema};
use super::super::settings::Settings;
use super::super::validate::Validation;
use super::{Errors, Place};
use crate::violation::ViolationKind;
#[cfg(feature = "cel")]
use crate::violation::Violations;

pub(super) fn check(schema: &StructuralSchema, path: &str, errors: &mut Errors) {
    if schema.node(StructuralSchema::ROOT).below.has_defaults {
        check_node(schema, StructuralSchema::ROOT, &Place::root(path), errors);
    }
}

fn check_node(schema: &StructuralSchema, id: NodeId, at: &Place<'_>, errors: &mut Errors) {
    let node = schema.node(id);
    if let Some(default) = node.default.as_deref() {
        check_default(schema, id, default, &at.field("default"), errors);
    }
    schema.each_child(id, at, &mut |child, at| {
        // Seen: what is under additionalProperties is not looked at.
        let is_value = node.additional == Additional::Schema(child);
        if !is_value && schema.node(child).below.has_defaults {
            check_node(schema, child, at, errors);
        }
    });
}

fn check_default(
    schema: &StructuralSchema,
    id: NodeId,
    default: &Value,
    at: &Place<'_>,
    errors: &mut Errors,
) {
    if !schema.is_pruned_at(id, default) {
        let detail = "must not have unknown fields";
        let found = print::found(default);
        errors.push((at.found(ViolationKind::Invalid, found, detail), false));
    }
    let settings = Settings::default();
    let equality = Equality::default();
    let validation = Validation {
        schema,
        settings: &settings,
        equality: &equality,
        formats: None,
        knows_all_formats: true,
    };
    let place = at.to_string();
    let mut of_resources = Vec::new();
    meta::validate_embedded_part(schema, id, default, &mut of_resources);
    let of_resources = of_resources.into_iter();
    errors.extend(of_resources.map(|violation| (violation.within(&place), false)));
    if validation.is_valid(id, default) {
        check_rules(schema, id, default, &place, errors);
        return;
    }
    let (found, _) = validation.errors(id, default, None).into_parts();
    errors.extend(
        found
            .into_iter()
            .map(|violation| (violation.within(&place), false)),
    );
}

/// The rules about a default, as it becomes itself.
#[cfg(feature = "cel")]
fn check_rules(
    schema: &StructuralSchema,
    id: NodeId,
    default: &Value,
    place: &str,
    errors: &mut Errors,
) {
    let Some(programs) = &schema.programs else {
        return;
    };
    let equality = Equality::default();
    let judge = super::super::cel::Judge {
        schema,
        programs,
        equality: &equality,
        start: id,
        ratchets: false,
        shows_values: true,
    };
    let found = judge.judge(default, Some(default)).errors;
    let found = Violations::new(found, Vec::new()).under(place);
    errors.extend(found.iter().map(|violation| (violation.clone(), false)));
}

#[cfg(not(feature = "cel"))]
fn check_rules(_: &StructuralSchema, _: NodeId, _: &Value, _: &str, _: &mut Errors) {}
