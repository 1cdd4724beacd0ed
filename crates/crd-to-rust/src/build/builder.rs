//! Builds the types of a version.

use std::collections::{HashMap, VecDeque};

use serde_json::Value;

use crate::model::{Body, Item, ItemId, Presence, RustType, Struct};
use crate::rust_text::identifiers::{self, NameScope};
use crate::schema::schema_graph::{NodeId, SchemaGraph, SchemaUse};
use crate::settings::{Settings, UnionStyle};

use super::nested;
use super::paths::{MICRO_TIME, TIME};

/// The keyword of CEL rules.
pub(super) const RULES: &str = "x-kubernetes-validations";

/// A type whose body is not yet built.
pub(super) struct PendingType<'a> {
    pub(super) id: ItemId,
    pub(super) schema_use: SchemaUse<'a>,
    pub(super) name: String,
    /// The prefix of the names of types in this type.
    pub(super) prefix: String,
}

/// A builder of the types of a version. Types near the root have smaller indices.
pub(crate) struct Builder<'a, 'g> {
    pub(super) graph: &'g SchemaGraph<'a>,
    pub(super) settings: &'g Settings,
    pub(crate) names: NameScope,
    items: Vec<Option<Item>>,
    /// The schema node of each type, by the index of the type.
    nodes: Vec<NodeId>,
    type_of_node: HashMap<NodeId, ItemId>,
    /// The types of the spec and the status, which are fields of kube's root type.
    pub(super) roots: Vec<ItemId>,
    pending: VecDeque<PendingType<'a>>,
}

impl<'a, 'g> Builder<'a, 'g> {
    pub(crate) fn new(graph: &'g SchemaGraph<'a>, settings: &'g Settings) -> Self {
        Self {
            graph,
            settings,
            names: NameScope::default(),
            items: Vec::new(),
            nodes: Vec::new(),
            type_of_node: HashMap::new(),
            roots: Vec::new(),
            pending: VecDeque::new(),
        }
    }

    /// Adds a type for the spec or the status. No other type shares the type, even if it has equal
    /// fields.
    pub(crate) fn add_root_type(
        &mut self,
        name: &str,
        prefix: &str,
        schema_use: SchemaUse<'a>,
    ) -> ItemId {
        let name = identifiers::type_name(name, "Type", &mut self.names);
        let id = self.add_pending_item(name, prefix.to_owned(), schema_use);
        self.roots.push(id);
        id
    }

    /// Adds an item without a body, which [`finish`](Self::finish) builds.
    fn add_pending_item(
        &mut self,
        name: String,
        prefix: String,
        schema_use: SchemaUse<'a>,
    ) -> ItemId {
        let id = self.items.len();
        self.items.push(Some(Item {
            name: name.clone(),
            doc: String::new(),
            comments: Vec::new(),
            body: Body::Struct(Struct::default()),
            has_default: false,
        }));
        self.nodes.push(schema_use.node);
        self.pending.push_back(PendingType {
            id,
            schema_use,
            name,
            prefix,
        });
        id
    }

    /// Builds the bodies of all pending types. `omitted_properties` of the first struct do not
    /// become fields.
    pub(crate) fn finish(mut self, omitted_properties: &[&str]) -> Vec<Item> {
        while let Some(pending) = self.pending.pop_front() {
            let omitted = if pending.id == 0 {
                omitted_properties
            } else {
                &[]
            };
            let body = self.build_body(&pending, omitted);
            if let Some(Some(item)) = self.items.get_mut(pending.id) {
                item.doc = description(pending.schema_use.schema);
                item.body = body;
            }
        }
        let mut items: Vec<Item> = self.items.into_iter().flatten().collect();
        // A type has a larger node index than the types inside it.
        let mut order: Vec<(NodeId, ItemId)> = self.nodes.iter().copied().zip(0..).collect();
        order.sort_unstable();
        let order: Vec<ItemId> = order.into_iter().map(|(_, id)| id).collect();
        if self.settings.unions != UnionStyle::Off {
            nested::mark_union_fields(&mut items, &order);
        }
        for id in order {
            let has_default = items.get(id).is_some_and(|item| has_default(item, &items));
            if let Some(item) = items.get_mut(id) {
                item.has_default = has_default;
            }
        }
        items
    }

    /// Returns the type for a schema node. The type is named after the path of its first use.
    pub(super) fn item_for_node(&mut self, schema_use: SchemaUse<'a>, path: &str) -> ItemId {
        if let Some(id) = self.type_of_node.get(&schema_use.node) {
            return *id;
        }
        let name = identifiers::type_name(path, "Type", &mut self.names);
        let id = self.add_pending_item(name, path.to_owned(), schema_use);
        self.type_of_node.insert(schema_use.node, id);
        id
    }
}

pub(super) fn description(schema: &Value) -> String {
    let description = schema.get("description").and_then(Value::as_str);
    description.unwrap_or_default().to_owned()
}

/// Returns true if `Default` can be derived for the item. The items inside it are already marked.
fn has_default(item: &Item, items: &[Item]) -> bool {
    let Body::Struct(body) = &item.body else {
        return false;
    };
    body.fields.iter().all(|field| {
        field.presence != Presence::Required
            || match &field.ty {
                RustType::Named(id) => items.get(*id).is_some_and(|item| item.has_default),
                RustType::Path(path) => {
                    *path != TIME && *path != MICRO_TIME && !path.ends_with("::Condition")
                }
                RustType::List(_) | RustType::Map(_) | RustType::Option(_) => true,
            }
    })
}
