//! The checks of defaults, which must be pruned and valid.

use serde_json::{Map, Value, json};

use super::errors::LintErrors;
use super::validation_options::ValidationOptions;
use crate::decode::ratchet::OldObject;
use crate::metadata::meta;
use crate::schema::crd_path::CrdPath;
use crate::schema::{NodeId, Property, StructuralSchema, print};
use crate::settings::ServerSettings;
use crate::validate::Validation;
use crate::validate::errors::dedup_errors::dedup_metadata_errors;
use crate::validate::errors::dotted_path::with_path_prefix;
use k8s_cel::KubeVersion;
use k8s_cel::format::Formats;
use k8s_json_internals::deep;
use union_runtime::path::FieldPath;
use union_runtime::{Report, Violation, ViolationKind};

/// Adds the errors of the defaults of a schema to `errors`.
pub(super) fn check(
    schema: &StructuralSchema,
    path: &FieldPath,
    options: ValidationOptions,
    version: KubeVersion,
    errors: &mut LintErrors,
) {
    let root = StructuralSchema::ROOT;
    let mut lint = DefaultsLint {
        schema,
        resource: root,
        steps: Vec::new(),
        options,
        version,
        errors,
    };
    lint.check_node(root, false, &CrdPath::root(path));
}

/// A step from a resource to a default.
#[derive(Clone)]
enum DefaultStep<'s> {
    Field(&'s str),
    Item,
}

/// A walk that checks the defaults in one resource.
struct DefaultsLint<'s> {
    schema: &'s StructuralSchema,
    /// The root or the embedded resource that contains the default.
    resource: NodeId,
    /// The path from `resource` to the default.
    steps: Vec<DefaultStep<'s>>,
    options: ValidationOptions,
    /// The version of the server.
    version: KubeVersion,
    errors: &'s mut LintErrors,
}

impl DefaultsLint<'_> {
    /// Checks the defaults of a node. `in_metadata` is true if the node is in `apiVersion`, `kind`
    /// or `metadata` of a resource.
    fn check_node(&mut self, id: NodeId, in_metadata: bool, path: &CrdPath<'_>) {
        let schema = self.schema;
        let node = schema.node(id);
        if !node.subtree.has_defaults {
            return;
        }
        if node.embedded {
            let mut resource_lint = DefaultsLint {
                schema,
                resource: id,
                steps: Vec::new(),
                options: self.options,
                version: self.version,
                errors: &mut *self.errors,
            };
            resource_lint.check_default_and_children(id, false, path);
        } else {
            self.check_default_and_children(id, in_metadata, path);
        }
    }

    fn check_default_and_children(&mut self, id: NodeId, in_metadata: bool, path: &CrdPath<'_>) {
        let node = self.schema.node(id);
        if let Some(default) = node.default.as_deref() {
            let path = path.field("default");
            let errors = if in_metadata {
                self.check_metadata_default(id, default, &path)
            } else {
                self.check_default(id, default, &path)
            };
            self.errors.extend(errors);
        }
        // An API server does not check defaults under `additionalProperties`.
        if let Some(items) = node.items {
            self.steps.push(DefaultStep::Item);
            self.check_node(items, in_metadata, &path.field("items"));
            self.steps.pop();
        }
        for Property {
            name, id: child, ..
        } in &node.properties
        {
            let is_type_meta = matches!(&**name, "apiVersion" | "kind" | "metadata");
            let in_metadata = in_metadata || id == self.resource && is_type_meta;
            self.steps.push(DefaultStep::Field(name));
            self.check_node(*child, in_metadata, &path.key("properties", name));
            self.steps.pop();
        }
    }

    /// Checks a default outside of `apiVersion`, `kind` and `metadata`.
    fn check_default(&mut self, id: NodeId, default: &Value, path: &CrdPath<'_>) -> Vec<Violation> {
        let schema = self.schema;
        let mut errors = Vec::new();
        if self.options.pruned_defaults && !schema.is_pruned_at(id, default) {
            let detail = "must not have unknown fields";
            let bad_value = print::bad_value(default);
            errors.push(path.violation(ViolationKind::Invalid, bad_value, detail));
        }
        let field_path = path.to_field_path();
        let mut default = deep::copy(default);
        let mut default_errors = Vec::new();
        let version = self.version;
        match meta::coerce_default(schema, id, &mut default) {
            Err(violation) => default_errors.push(violation),
            Ok(()) => meta::validate_default(schema, id, &default, version, &mut default_errors),
        }
        if default_errors.is_empty() {
            errors.extend(self.check_value(id, &default, &field_path));
        } else {
            let default_errors = dedup_metadata_errors(default_errors, version);
            let default_errors = Report::from_iter(default_errors).under(&field_path);
            errors.extend_from_slice(default_errors.errors());
        }
        errors
    }

    /// Checks a default in `apiVersion`, `kind` or `metadata`, which must result in valid metadata.
    fn check_metadata_default(
        &mut self,
        id: NodeId,
        default: &Value,
        path: &CrdPath<'_>,
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
        let mut metadata_errors = Vec::new();
        let version = self.version;
        match meta::coerce_default(self.schema, self.resource, &mut object) {
            Err(violation) => metadata_errors.push(violation),
            Ok(()) => meta::validate_default(
                self.schema,
                self.resource,
                &object,
                version,
                &mut metadata_errors,
            ),
        }
        if metadata_errors.is_empty() {
            return self.check_value(id, default, &path.to_field_path());
        }
        let mut messages: Vec<String> = Vec::new();
        for message in metadata_errors.iter().map(ToString::to_string) {
            if !messages.contains(&message) {
                messages.push(message);
            }
        }
        let messages = match &*messages {
            [message] => message.clone(),
            messages => format!("[{}]", messages.join(", ")),
        };
        let detail = format!("must result in valid metadata: {messages}");
        vec![path.violation(ViolationKind::Invalid, print::bad_value(default), &detail)]
    }

    /// Checks a default by its own schema.
    fn check_value(&self, id: NodeId, default: &Value, path: &FieldPath) -> Vec<Violation> {
        let schema = self.schema;
        let settings = ServerSettings::default().version(self.version);
        let formats = Formats::for_version(self.version);
        let validation = Validation {
            schema,
            settings: &settings,
            formats: Some(&formats),
            validates_default: true,
        };
        if validation.is_valid(id, default) {
            return evaluate_rules(schema, id, default, self.version, path);
        }
        let (errors, _) = validation
            .errors(id, default, None)
            .into_parts(&mut Vec::new());
        errors
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
    version: KubeVersion,
    path: &FieldPath,
) -> Vec<Violation> {
    let Some(compiled_rules) = &schema.compiled_rules else {
        return Vec::new();
    };
    let compiled_rules = compiled_rules.starting_at(schema, id);
    let evaluate = |old: Option<&Value>| {
        let evaluator = crate::rules::walk::RuleEvaluator {
            schema,
            compiled_rules: &compiled_rules,
            start: id,
            ratchets: false,
            is_deep: false,
            version,
            explains: false,
        };
        evaluator
            .evaluate(default, old.map(|old| -> &dyn OldObject { old }))
            .errors
    };
    let mut errors = evaluate(Some(default));
    if errors.is_empty() {
        errors = evaluate(None);
    }
    let errors = Report::from_iter(errors).under(path);
    errors.errors().to_vec()
}
