//! A schema as a tree of subschemas, in which each subschema has its parent.

use std::collections::BTreeMap;

use k8s_cel::syntax::Ast;
use serde_json::{Map, Value, json};
use union_json::document::{SchemaPath, SchemaStep};

use crate::bounds::SUBSCHEMAS;
use crate::terms::fields::is_required;
use crate::terms::small_value::{Emptiness, small_value_of};

/// The position of a subschema in a [`SchemaTree`].
pub(crate) type NodeId = usize;

/// The subschemas of a schema. Parents precede their children.
pub(crate) struct SchemaTree<'s> {
    nodes: Vec<SchemaNode<'s>>,
    children: BTreeMap<(NodeId, SchemaStep<'s>), NodeId>,
    /// For each node, the number of values in its small value.
    value_sizes: Vec<u64>,
}

/// A subschema.
pub(crate) struct SchemaNode<'s> {
    pub(crate) schema: &'s Map<String, Value>,
    /// The parent, and the step from the parent.
    pub(crate) parent: Option<(NodeId, SchemaStep<'s>)>,
}

/// A CEL rule of a schema.
pub(crate) struct SchemaRule<'s> {
    /// The position in the list of rules.
    pub(crate) index: usize,
    pub(crate) expression: &'s str,
    /// The entry in the list of rules.
    pub(crate) entry: &'s Value,
    pub(crate) ast: &'s Ast,
}

/// The key of an example entry in a map.
const EXAMPLE_KEY: &str = "key1";

impl<'s> SchemaTree<'s> {
    pub(crate) fn new(root: &'s Map<String, Value>) -> Self {
        let mut nodes = vec![SchemaNode {
            schema: root,
            parent: None,
        }];
        let mut position = 0;
        while let Some(node) = nodes.get(position) {
            let schema = node.schema;
            for (step, child) in SchemaStep::subschemas(schema) {
                if let Some(child) = child.as_object()
                    && nodes.len() < SUBSCHEMAS
                {
                    nodes.push(SchemaNode {
                        schema: child,
                        parent: Some((position, step)),
                    });
                }
            }
            position += 1;
        }
        let mut children = BTreeMap::new();
        let mut value_sizes: Vec<u64> = vec![1; nodes.len()];
        // Children precede their parents here.
        for (id, node) in nodes.iter().enumerate().rev() {
            let Some((parent, step)) = node.parent else {
                continue;
            };
            children.insert((parent, step), id);
            let parent_schema = nodes.get(parent).map(|parent| parent.schema);
            let is_in_value = match step {
                SchemaStep::Property(name) => {
                    parent_schema.is_some_and(|schema| is_required(schema, name))
                }
                SchemaStep::Items | SchemaStep::AdditionalProperties => true,
            };
            let size = value_sizes.get(id).copied().unwrap_or(1);
            if let Some(parent_size) = value_sizes.get_mut(parent).filter(|_| is_in_value) {
                *parent_size = size.saturating_add(*parent_size);
            }
        }
        Self {
            nodes,
            children,
            value_sizes,
        }
    }

    pub(crate) fn node(&self, id: NodeId) -> Option<&SchemaNode<'s>> {
        self.nodes.get(id)
    }

    pub(crate) fn nodes(&self) -> impl Iterator<Item = (NodeId, &SchemaNode<'s>)> {
        self.nodes.iter().enumerate()
    }

    /// Returns the child of a node at a step.
    pub(crate) fn child(&self, id: NodeId, step: SchemaStep<'_>) -> Option<NodeId> {
        self.children.get(&(id, step)).copied()
    }

    /// Returns a node, its parent and so on, up to the root.
    pub(crate) fn ancestors(&self, id: NodeId) -> Vec<NodeId> {
        let mut ancestors = vec![id];
        let mut current = id;
        while let Some((parent, _)) = self.node(current).and_then(|node| node.parent) {
            ancestors.push(parent);
            current = parent;
        }
        ancestors
    }

    /// Returns the steps from an ancestor to a node.
    pub(crate) fn steps_between(&self, ancestor: NodeId, id: NodeId) -> Vec<SchemaStep<'s>> {
        let mut steps = Vec::new();
        let mut current = id;
        while current != ancestor
            && let Some((parent, step)) = self.node(current).and_then(|node| node.parent)
        {
            steps.push(step);
            current = parent;
        }
        steps.reverse();
        steps
    }

    pub(crate) fn path(&self, id: NodeId) -> SchemaPath {
        let steps = self.steps_between(0, id).into_iter();
        steps.fold(SchemaPath::root(), SchemaPath::step)
    }

    /// Returns a small value of an ancestor that contains a value of a node.
    pub(crate) fn value_around(&self, ancestor: NodeId, id: NodeId, value: Value) -> Value {
        let mut value = value;
        let mut current = id;
        while current != ancestor
            && let Some((parent, step)) = self.node(current).and_then(|node| node.parent)
        {
            value = match step {
                SchemaStep::Property(name) => {
                    let mut object = self.small_object(parent);
                    object.insert(name.to_owned(), value);
                    Value::Object(object)
                }
                SchemaStep::Items => json!([value]),
                SchemaStep::AdditionalProperties => json!({EXAMPLE_KEY: value}),
            };
            current = parent;
        }
        value
    }

    /// Returns the number of values that the examples of a node and of the nodes above contain.
    pub(crate) fn example_size(&self, id: NodeId) -> u64 {
        let ancestors = self.ancestors(id);
        let sizes = ancestors.iter().filter_map(|id| self.value_sizes.get(*id));
        sizes.fold(0, |sum, size| size.saturating_add(sum))
    }

    /// Returns an object of a node with the required fields.
    pub(crate) fn small_object(&self, id: NodeId) -> Map<String, Value> {
        let schema = self.node(id).map(|node| node.schema);
        match schema.map(|schema| small_value_of(schema, Emptiness::Allowed, 0)) {
            Some(Value::Object(object)) => object,
            _ => Map::new(),
        }
    }

    /// Returns true if an update may omit the value of a node, so that the server does not evaluate
    /// the transition rules of the node.
    pub(crate) fn is_removable(&self, id: NodeId) -> bool {
        let Some(node) = self.node(id) else {
            return false;
        };
        let Some((parent, step)) = node.parent else {
            return false;
        };
        let Some(parent) = self.node(parent).map(|node| node.schema) else {
            return false;
        };
        match step {
            SchemaStep::Property(name) => {
                let is_nullable = node.schema.get("nullable") == Some(&Value::Bool(true));
                !node.schema.contains_key("default") && (is_nullable || !is_required(parent, name))
            }
            // Items of other lists have no old values, so that a server rejects the CRD.
            SchemaStep::Items => {
                let list_type = parent.get("x-kubernetes-list-type");
                list_type.and_then(Value::as_str) == Some("map") && self.may_be_empty(id)
            }
            SchemaStep::AdditionalProperties => self.may_be_empty(id),
        }
    }

    /// Returns true if the list or map of the entries that a node describes may be empty.
    pub(crate) fn may_be_empty(&self, id: NodeId) -> bool {
        let parent = self.parent(id).and_then(|parent| self.node(parent));
        let has_min = |keyword: &str| {
            let min = parent.and_then(|parent| parent.schema.get(keyword)?.as_u64());
            min.is_some_and(|min| min > 0)
        };
        !has_min("minItems") && !has_min("minProperties")
    }

    pub(crate) fn parent(&self, id: NodeId) -> Option<NodeId> {
        Some(self.node(id)?.parent?.0)
    }

    /// Returns true if a node is a property that its object requires.
    pub(crate) fn is_required(&self, id: NodeId) -> bool {
        match self.node(id).and_then(|node| node.parent) {
            Some((parent, SchemaStep::Property(name))) => self
                .node(parent)
                .is_some_and(|parent| is_required(parent.schema, name)),
            _ => false,
        }
    }
}
