//! The checks of defaults, which must be pruned and valid.

use serde_json::{Map, Value, json};

use super::enforced_rules::EnforcedRules;
use super::errors::LintErrors;
use crate::decode::ratchet::OldObject;
use crate::metadata::meta;
use crate::schema::crd_path::CrdPath;
use crate::schema::{NodeId, Property, StructuralSchema, print};
use crate::settings::ServerSettings;
use crate::validate::Validation;
use crate::validate::errors::dotted_path::with_path_prefix;
use k8s_json_internals::deep;
use union_runtime::path::FieldPath;
use union_runtime::{Report, Violation, ViolationKind};

pub(super) fn check(
    schema: &StructuralSchema,
    path: &FieldPath,
    demands: EnforcedRules,
    errors: &mut LintErrors,
) {
    let root = StructuralSchema::ROOT;
    let mut check = DefaultsLint {
        schema,
        resource: root,
        steps: Vec::new(),
        demands,
        errors,
    };
    check.check_node(root, false, &CrdPath::root(path));
}

/// A step from a resource to a default.
#[derive(Clone)]
enum DefaultStep<'s> {
    Field(&'s str),
    Item,
}

struct DefaultsLint<'s> {
    schema: &'s StructuralSchema,
    /// The root or the embedded resource that contains the default.
    resource: NodeId,
    /// The path from `resource` to the default.
    steps: Vec<DefaultStep<'s>>,
    demands: EnforcedRules,
    errors: &'s mut LintErrors,
}

impl DefaultsLint<'_> {
    /// Checks the defaults of a node. `in_meta` is true if the node is in `apiVersion`, `kind` or
    /// `metadata` of a resource.
    fn check_node(&mut self, id: NodeId, in_meta: bool, at: &CrdPath<'_>) {
        let schema = self.schema;
        let node = schema.node(id);
        if !node.subtree.has_defaults {
            return;
        }
        if node.embedded {
            let mut inner = DefaultsLint {
                schema,
                resource: id,
                steps: Vec::new(),
                demands: self.demands,
                errors: &mut *self.errors,
            };
            inner.default_and_children(id, false, at);
        } else {
            self.default_and_children(id, in_meta, at);
        }
    }

    fn default_and_children(&mut self, id: NodeId, in_meta: bool, at: &CrdPath<'_>) {
        let node = self.schema.node(id);
        if let Some(default) = node.default.as_deref() {
            let at = at.field("default");
            let found = if in_meta {
                self.check_metadata_default(id, default, &at)
            } else {
                self.check_default(id, default, &at)
            };
            self.errors.extend(found);
        }
        // An API server does not check defaults under `additionalProperties`.
        if let Some(items) = node.items {
            self.steps.push(DefaultStep::Item);
            self.check_node(items, in_meta, &at.field("items"));
            self.steps.pop();
        }
        for Property {
            name, id: child, ..
        } in &node.properties
        {
            let of_all = matches!(&**name, "apiVersion" | "kind" | "metadata");
            let in_meta = in_meta || id == self.resource && of_all;
            self.steps.push(DefaultStep::Field(name));
            self.check_node(*child, in_meta, &at.key("properties", name));
            self.steps.pop();
        }
    }

    fn check_default(&mut self, id: NodeId, default: &Value, at: &CrdPath<'_>) -> Vec<Violation> {
        let schema = self.schema;
        let mut errors = Vec::new();
        if self.demands.pruned_defaults && !schema.is_pruned_at(id, default) {
            let detail = "must not have unknown fields";
            let found = print::bad_value(default);
            errors.push(at.violation(ViolationKind::Invalid, found, detail));
        }
        let path = at.to_field_path();
        let mut default = deep::copy(default);
        let mut found = Vec::new();
        match meta::coerce_default(schema, id, &mut default) {
            Err(violation) => found.push(violation),
            Ok(()) => meta::validate_default(schema, id, &default, &mut found),
        }
        if found.is_empty() {
            errors.extend(self.check_value(id, &default, &path));
        } else {
            let found = Report::from_iter(found).under(&path);
            errors.extend_from_slice(found.errors());
        }
        errors
    }

    /// Checks a default in `apiVersion`, `kind` or `metadata`, which must result in valid metadata.
    fn check_metadata_default(
        &mut self,
        id: NodeId,
        default: &Value,
        at: &CrdPath<'_>,
    ) -> Vec<Violation> {
        let mut object = deep::copy(default);
        for step in self.steps.iter().rev() {
            object = match step {
                DefaultStep::Field(name) => Map::from_iter([((*name).to_owned(), object)]).into(),
                DefaultStep::Item => Value::Array(vec![object]),
            };
        }
        if let Value::Object(object) = &mut object {
            for (name, value) in [("apiVersion", "validation/v1"), ("kind", "Validation")] {
                object.entry(name).or_insert_with(|| json!(value));
            }
        }
        let mut found = Vec::new();
        match meta::coerce_default(self.schema, self.resource, &mut object) {
            Err(violation) => found.push(violation),
            Ok(()) => {
                meta::validate_default(self.schema, self.resource, &object, &mut found);
            }
        }
        if found.is_empty() {
            return self.check_value(id, default, &at.to_field_path());
        }
        let mut texts: Vec<String> = Vec::new();
        for text in found.iter().map(ToString::to_string) {
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        let texts = match &*texts {
            [text] => text.clone(),
            texts => format!("[{}]", texts.join(", ")),
        };
        let detail = format!("must result in valid metadata: {texts}");
        vec![at.violation(ViolationKind::Invalid, print::bad_value(default), &detail)]
    }

    /// Checks a default by its own schema.
    fn check_value(&self, id: NodeId, default: &Value, path: &FieldPath) -> Vec<Violation> {
        let schema = self.schema;
        let settings = ServerSettings::default();
        let validation = Validation {
            schema,
            settings: &settings,
            formats: None,
            knows_all_formats: true,
        };
        if validation.is_valid(id, default) {
            return evaluate_rules(schema, id, default, path);
        }
        let (found, _) = validation
            .errors(id, default, None)
            .into_parts(&mut Vec::new());
        found
            .into_iter()
            .map(|violation| with_path_prefix(violation, path))
            .collect()
    }
}

/// Evaluates the rules on a default: first as an update without changes, then as a new value.
fn evaluate_rules(
    schema: &StructuralSchema,
    id: NodeId,
    default: &Value,
    path: &FieldPath,
) -> Vec<Violation> {
    let Some(programs) = &schema.compiled_rules else {
        return Vec::new();
    };
    let programs = programs.starting_at(schema, id);
    let judge = |old: Option<&Value>| {
        let judge = crate::rules::walk::RuleEvaluator {
            schema,
            compiled_rules: &programs,
            start: id,
            ratchets: false,
            is_deep: false,
            shows_values: true,
        };
        judge
            .evaluate(default, old.map(|old| -> &dyn OldObject { old }))
            .errors
    };
    let mut found = judge(Some(default));
    if found.is_empty() {
        found = judge(None);
    }
    let found = Report::from_iter(found).under(path);
    found.errors().to_vec()
}
