//! Pruning of defaults. An API server prunes them when it loads a schema.

use serde_json::{Map, Value};

use crate::metadata::meta;
use crate::schema::crd_path::CrdPath;
use crate::schema::{NodeId, StructuralSchema, print};
use k8s_json_internals::deep;
use k8s_json_internals::equality::deep_equal;
use union_runtime::path::FieldPath;
use union_runtime::{Report, ViolationKind};

/// A key that stands for all keys of a map.
const ANY: &str = "*";

impl StructuralSchema {
    /// Removes from defaults the fields that no schema describes, and invalid metadata.
    ///
    /// # Errors
    ///
    /// Returns an error if the default of the root is not an object: a server does not serve such a
    /// stored schema.
    pub(super) fn prune_defaults(&mut self, path: &FieldPath) -> Result<(), Report> {
        let default = self.node(Self::ROOT).default.as_deref();
        if let Some(default) = default.filter(|default| !default.is_object()) {
            let path = CrdPath::root(path);
            let bad_value = print::bad_value(default);
            let detail = "the default of the root must be an object";
            let violation =
                path.field("default")
                    .violation(ViolationKind::Invalid, bad_value, detail);
            return Err(Report::from_iter(vec![violation]));
        }
        let mut pruned = Vec::new();
        let mut pruning = DefaultsPruning {
            schema: self,
            steps: Vec::new(),
            pruned: &mut pruned,
        };
        pruning.visit_node(Self::ROOT);
        for (id, default) in pruned {
            if let Some(node) = self.nodes.get_mut(id as usize) {
                node.default = default;
            }
        }
        Ok(())
    }
}

/// A step from the root to a default.
#[derive(Clone, Copy)]
enum DefaultStep<'s> {
    Field(&'s str),
    Item,
}

/// A walk over a schema that prunes the defaults.
struct DefaultsPruning<'s> {
    schema: &'s StructuralSchema,
    steps: Vec<DefaultStep<'s>>,
    /// The changed defaults. `None` removes a default.
    pruned: &'s mut Vec<(NodeId, Option<Box<Value>>)>,
}

impl<'s> DefaultsPruning<'s> {
    fn visit_node(&mut self, id: NodeId) {
        let schema = self.schema;
        let node = schema.node(id);
        if !node.subtree.has_defaults {
            return;
        }
        if let Some(default) = &node.default {
            let pruned_default = self.prune_default(default);
            if pruned_default
                .as_ref()
                .is_none_or(|pruned_default| !deep_equal(pruned_default, default))
            {
                self.pruned.push((id, pruned_default.map(Box::new)));
            }
        }
        for property in &node.properties {
            self.visit_child(DefaultStep::Field(&property.name), property.id);
        }
        if let Some(items) = node.items {
            self.visit_child(DefaultStep::Item, items);
        }
        if let Some(values) = node.additional_properties_schema() {
            self.visit_child(DefaultStep::Field(ANY), values);
        }
    }

    fn visit_child(&mut self, step: DefaultStep<'s>, id: NodeId) {
        self.steps.push(step);
        self.visit_node(id);
        self.steps.pop();
    }

    /// Returns the pruned default, or `None` if nothing remains. Prunes an object that contains
    /// only the default, because the enclosing resources affect the result.
    fn prune_default(&self, default: &Value) -> Option<Value> {
        let mut object = deep::copy(default);
        for step in self.steps.iter().rev() {
            object = match step {
                DefaultStep::Field(name) => Map::from_iter([((*name).to_owned(), object)]).into(),
                DefaultStep::Item => Value::Array(vec![object]),
            };
        }
        meta::coerce_object_around_default(self.schema, &mut object);
        self.schema.prune_object(&mut object);
        let mut steps = self.steps.iter();
        steps.try_fold(object, |value, step| match (step, value) {
            (DefaultStep::Field(name), Value::Object(mut object)) => object.remove(*name),
            (DefaultStep::Item, Value::Array(elements)) => elements.into_iter().next(),
            _ => None,
        })
    }
}
