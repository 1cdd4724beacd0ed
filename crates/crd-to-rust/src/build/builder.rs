//! The builder of the types of a version.

use std::collections::{HashMap, VecDeque};

use serde_json::Value;

use crate::model::{Body, Presence, Struct, Ty, Type, TypeId};
use crate::rust_text::names::{self, Names};
use crate::schema::shape::{Graph, Id, Use};
use crate::settings::{Settings, Unions};

use super::nested;
use super::paths::{MICRO_TIME, TIME};

/// The keyword of CEL rules.
pub(super) const RULES: &str = "x-kubernetes-validations";

/// A type whose body is not yet built.
pub(super) struct Waiting<'a> {
    pub(super) id: TypeId,
    pub(super) used: Use<'a>,
    /// The prefix of the names of types in it.
    pub(super) prefix: String,
}

/// The builder of the types of a version; types near the root come first.
pub(crate) struct Builder<'a, 'g> {
    pub(super) graph: &'g Graph<'a>,
    pub(super) settings: &'g Settings,
    pub(crate) names: Names,
    types: Vec<Option<Type>>,
    /// The node of each type, by the index of the type.
    nodes: Vec<Id>,
    of_node: HashMap<Id, TypeId>,
    /// The spec and the status, which are fields of kube's root type.
    pub(super) roots: Vec<TypeId>,
    waiting: VecDeque<Waiting<'a>>,
}

impl<'a, 'g> Builder<'a, 'g> {
    pub(crate) fn new(graph: &'g Graph<'a>, settings: &'g Settings) -> Self {
        Self {
            graph,
            settings,
            names: Names::default(),
            types: Vec::new(),
            nodes: Vec::new(),
            of_node: HashMap::new(),
            roots: Vec::new(),
            waiting: VecDeque::new(),
        }
    }

    /// Adds a struct that no other type shares, even if it has the same fields: the spec or the
    /// status.
    pub(crate) fn root_struct(&mut self, name: &str, prefix: &str, used: Use<'a>) -> TypeId {
        let name = names::type_name(name, "Type", &mut self.names);
        let id = self.reserve(name, prefix.to_owned(), used);
        self.roots.push(id);
        id
    }

    fn reserve(&mut self, name: String, prefix: String, used: Use<'a>) -> TypeId {
        let id = self.types.len();
        self.types.push(Some(Type {
            name,
            doc: String::new(),
            comments: Vec::new(),
            body: Body::Struct(Struct::default()),
            has_default: false,
        }));
        self.nodes.push(used.node);
        self.waiting.push_back(Waiting { id, used, prefix });
        id
    }

    /// Builds the bodies of all requested types. `left_out` are properties of the first struct that
    /// do not become fields.
    pub(crate) fn finish(mut self, left_out: &[&str]) -> Vec<Type> {
        while let Some(next) = self.waiting.pop_front() {
            let left_out = if next.id == 0 { left_out } else { &[] };
            let body = self.body(&next, left_out);
            if let Some(Some(of)) = self.types.get_mut(next.id) {
                of.doc = description(next.used.schema);
                of.body = body;
            }
        }
        let mut types: Vec<Type> = self.types.into_iter().flatten().collect();
        // Children have smaller node indices.
        let mut order: Vec<(Id, TypeId)> = self.nodes.iter().copied().zip(0..).collect();
        order.sort_unstable();
        let order: Vec<TypeId> = order.into_iter().map(|(_, id)| id).collect();
        if self.settings.unions != Unions::Off {
            nested::mark(&mut types, &order);
        }
        for id in order {
            let has_default = types.get(id).is_some_and(|of| has_default(of, &types));
            if let Some(of) = types.get_mut(id) {
                of.has_default = has_default;
            }
        }
        types
    }

    /// Returns the type of a node, which is named after the place of its first use.
    pub(super) fn named(&mut self, used: Use<'a>, path: &str) -> TypeId {
        if let Some(id) = self.of_node.get(&used.node) {
            return *id;
        }
        let name = names::type_name(path, "Type", &mut self.names);
        let id = self.reserve(name, path.to_owned(), used);
        self.of_node.insert(used.node, id);
        id
    }
}

pub(super) fn description(schema: &Value) -> String {
    let text = schema.get("description").and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}

fn has_default(of: &Type, types: &[Type]) -> bool {
    let Body::Struct(body) = &of.body else {
        return false;
    };
    body.fields.iter().all(|field| {
        field.presence != Presence::Required
            || match &field.ty {
                Ty::Named(id) => types.get(*id).is_some_and(|of| of.has_default),
                Ty::Path(path) => {
                    *path != TIME && *path != MICRO_TIME && !path.ends_with("::Condition")
                }
                Ty::List(_) | Ty::Map(_) | Ty::Option(_) => true,
            }
    })
}
