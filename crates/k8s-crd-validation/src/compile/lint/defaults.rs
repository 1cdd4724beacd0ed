//! The checks of defaults, which must be pruned and valid.

use serde_json::{Map, Value, json};

use super::demands::Demands;
use super::errors::Errors;
use crate::decode::correlate::Past;
use crate::metadata::meta;
use crate::schema::place::Place;
use crate::schema::{NodeId, Property, StructuralSchema, print};
use crate::settings::ServerSettings;
use crate::validate::Validation;
use crate::validate::errors::dotted::within;
use k8s_json_internals::deep;
use union_runtime::path::FieldPath;
use union_runtime::{Report, Violation, ViolationKind};

pub(super) fn check(
    schema: &StructuralSchema,
    path: &FieldPath,
    demands: Demands,
    errors: &mut Errors,
) {
    let root = StructuralSchema::ROOT;
    let mut check = Check {
        schema,
        resource: root,
        steps: Vec::new(),
        demands,
        errors,
    };
    check.node(root, false, &Place::root(path));
}

/// A step from a resource to a default.
#[derive(Clone)]
enum Step<'s> {
    Field(&'s str),
    Item,
}

struct Check<'s> {
    schema: &'s StructuralSchema,
    /// The resource around the default, embedded or not. `steps` lead from there to the default.
    resource: NodeId,
    steps: Vec<Step<'s>>,
    demands: Demands,
    errors: &'s mut Errors,
}

impl Check<'_> {
    /// Checks the defaults of a node. `in_meta` is true if the node is in a field that every
    /// resource has.
    fn node(&mut self, id: NodeId, in_meta: bool, at: &Place<'_>) {
        let schema = self.schema;
        let node = schema.node(id);
        if !node.below.has_defaults {
            return;
        }
        if node.embedded {
            let mut inner = Check {
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

    fn default_and_children(&mut self, id: NodeId, in_meta: bool, at: &Place<'_>) {
        let node = self.schema.node(id);
        if let Some(default) = node.default.as_deref() {
            let at = at.field("default");
            let found = if in_meta {
                self.in_meta(id, default, &at)
            } else {
                self.elsewhere(id, default, &at)
            };
            self.errors.extend(found);
        }
        // Seen: defaults under `additionalProperties` are not checked.
        if let Some(items) = node.items {
            self.steps.push(Step::Item);
            self.node(items, in_meta, &at.field("items"));
            self.steps.pop();
        }
        for Property {
            name, id: child, ..
        } in &node.properties
        {
            let of_all = matches!(&**name, "apiVersion" | "kind" | "metadata");
            let in_meta = in_meta || id == self.resource && of_all;
            self.steps.push(Step::Field(name));
            self.node(*child, in_meta, &at.key("properties", name));
            self.steps.pop();
        }
    }

    fn elsewhere(&mut self, id: NodeId, default: &Value, at: &Place<'_>) -> Vec<Violation> {
        let schema = self.schema;
        let mut errors = Vec::new();
        if self.demands.pruned_defaults && !schema.is_pruned_at(id, default) {
            let detail = "must not have unknown fields";
            let found = print::found(default);
            errors.push(at.found(ViolationKind::Invalid, found, detail));
        }
        let place = at.to_field_path();
        let mut default = deep::copy(default);
        let mut found = Vec::new();
        match meta::coerce_default(schema, id, &mut default) {
            Err(violation) => found.push(violation),
            Ok(()) => meta::validate_default(schema, id, &default, &mut found),
        }
        if found.is_empty() {
            errors.extend(self.value(id, &default, &place));
        } else {
            let found = Report::from_iter(found).under(&place);
            errors.extend_from_slice(found.errors());
        }
        errors
    }

    /// Checks a default in metadata, which has to result in a valid resource.
    fn in_meta(&mut self, id: NodeId, default: &Value, at: &Place<'_>) -> Vec<Violation> {
        let mut object = deep::copy(default);
        for step in self.steps.iter().rev() {
            object = match step {
                Step::Field(name) => Map::from_iter([((*name).to_owned(), object)]).into(),
                Step::Item => Value::Array(vec![object]),
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
            return self.value(id, default, &at.to_field_path());
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
        vec![at.found(ViolationKind::Invalid, print::found(default), &detail)]
    }

    /// Checks a default by its own schema.
    fn value(&self, id: NodeId, default: &Value, place: &FieldPath) -> Vec<Violation> {
        let schema = self.schema;
        let settings = ServerSettings::default();
        let validation = Validation {
            schema,
            settings: &settings,
            formats: None,
            knows_all_formats: true,
        };
        if validation.is_valid(id, default) {
            return by_rules(schema, id, default, place);
        }
        let (found, _) = validation
            .errors(id, default, None)
            .into_parts(&mut Vec::new());
        found
            .into_iter()
            .map(|violation| within(violation, place))
            .collect()
    }
}

/// Evaluates the rules on a default: first as an update without changes, then as a new value.
fn by_rules(
    schema: &StructuralSchema,
    id: NodeId,
    default: &Value,
    place: &FieldPath,
) -> Vec<Violation> {
    let Some(programs) = &schema.programs else {
        return Vec::new();
    };
    let programs = programs.from(schema, id);
    let judge = |old: Option<&Value>| {
        let judge = crate::rules::walk::Judge {
            schema,
            programs: &programs,
            start: id,
            ratchets: false,
            is_deep: false,
            shows_values: true,
        };
        judge
            .judge(default, old.map(|old| -> &dyn Past { old }))
            .errors
    };
    let mut found = judge(Some(default));
    if found.is_empty() {
        found = judge(None);
    }
    let found = Report::from_iter(found).under(place);
    found.errors().to_vec()
}
