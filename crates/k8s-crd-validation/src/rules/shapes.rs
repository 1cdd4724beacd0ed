//! A structural schema as CEL sees it: one shape for every schema, which says what a value is in CEL.

mod size;

use k8s_cel::shapes::{
    Field, ListType, MAX_REQUEST, Shape, ShapeId, ShapeKind, Shapes, escaped_or_same, find,
};
use k8s_json_internals::rows::{row, row_mut};

use crate::schema::{self, Additional, Kind, Node, StructuralSchema};

use size::{four_bytes_each, not_negative, text};

/// The shapes of a schema. A schema's shape has the schema's number.
pub(super) fn shapes_of(schema: &StructuralSchema) -> Shapes {
    let count = schema.nodes.len();
    let mut shapes = vec![Shape::text(); count + 2];
    let virtual_meta = id(count);
    let virtual_text = id(count + 1);
    *row_mut(&mut shapes, virtual_meta) = Shape::object(
        ["generateName", "name"]
            .map(|name| Field::new(name, virtual_text))
            .into(),
    );
    let mut table = Reader { shapes };
    // What a schema holds comes after it.
    for number in (0..virtual_meta).rev() {
        let node = schema.node(number);
        let mut shape = table.shape_of(schema, node);
        if number == 0 || node.embedded {
            table.add_type_and_meta(&mut shape, virtual_text, virtual_meta);
        }
        *row_mut(&mut table.shapes, number) = shape;
    }
    Shapes::new(table.shapes).unwrap_or_default()
}

struct Reader {
    shapes: Vec<Shape>,
}

impl Reader {
    fn get(&self, id: ShapeId) -> &Shape {
        row(&self.shapes, id)
    }

    fn shape_of(&self, schema: &StructuralSchema, node: &Node) -> Shape {
        let mut shape = Shape {
            kind: ShapeKind::Untyped,
            nullable: node.nullable,
            is_exposed: true,
            min_size: 2,
            max_elements: 0,
        };
        if node.int_or_string {
            shape.kind = ShapeKind::IntOrString;
            shape.min_size = 1;
            shape.max_elements = four_bytes_each(node).unwrap_or(MAX_REQUEST - 2);
            return shape;
        }
        match node.kind {
            Some(Kind::Boolean) => {
                shape.kind = ShapeKind::Bool;
                shape.min_size = 4;
            }
            Some(kind @ (Kind::Integer | Kind::Number)) => {
                let is_integer = kind == Kind::Integer;
                shape.kind = if is_integer {
                    ShapeKind::Int
                } else {
                    ShapeKind::Double
                };
                shape.min_size = 1;
            }
            Some(Kind::String) => text(node, &mut shape),
            Some(Kind::Array) => self.list(node, &mut shape),
            Some(Kind::Object) => self.object(schema, node, &mut shape),
            None => {
                shape.is_exposed = false;
                if node.preserves_unknown {
                    shape.kind = ShapeKind::Unknown;
                }
            }
        }
        shape
    }

    fn list(&self, node: &Node, shape: &mut Shape) {
        let Some(items) = node.items else {
            shape.kind = ShapeKind::NoItems;
            shape.is_exposed = false;
            return;
        };
        shape.kind = ShapeKind::List {
            items,
            list_type: match node.list_type() {
                schema::ListType::Atomic => ListType::Atomic,
                schema::ListType::Set => ListType::Set,
                schema::ListType::Map => ListType::Map,
            },
            keys: node
                .list_keys()
                .iter()
                .map(|key| escaped_or_same(key))
                .collect(),
        };
        let items = self.get(items);
        shape.is_exposed = items.is_exposed;
        let max_items = node.list.as_ref().and_then(|list| list.max_items);
        shape.max_elements =
            max_items.map_or((MAX_REQUEST - 2) / (items.min_size + 1), not_negative);
    }

    fn object(&self, schema: &StructuralSchema, node: &Node, shape: &mut Shape) {
        let has_properties = node.has_properties || node.embedded;
        if let (Additional::Schema(values), false) = (node.additional, has_properties) {
            shape.kind = ShapeKind::Map(values);
            let values = self.get(values);
            shape.is_exposed = values.is_exposed;
            let most = (MAX_REQUEST - 2) / (values.min_size + 6);
            shape.max_elements = node.max_properties.map_or(most, not_negative);
            return;
        }
        let properties = node.properties.iter();
        let fields = properties.map(|(name, id)| Field::new(name, *id)).collect();
        for (name, id) in &node.properties {
            let is_required = node.required.contains(name);
            let property = self.get(*id);
            let has_default = schema.node(*id).default.is_some();
            if is_required && property.is_exposed && !has_default {
                shape.min_size += name.len() as u64 + property.min_size + 4;
            }
        }
        shape.kind = ShapeKind::Object {
            has_properties,
            fields,
        };
    }

    /// Resources always have a type and a name, whatever their schema says.
    fn add_type_and_meta(&self, shape: &mut Shape, text: ShapeId, meta: ShapeId) {
        let ShapeKind::Object {
            has_properties,
            fields,
        } = &mut shape.kind
        else {
            return;
        };
        let is_text = |fields: &[Field], name: &str| {
            find(fields, name).is_some_and(|field| self.get(field.shape).kind.is_string())
        };
        let has_meta =
            find(fields, "metadata").is_some_and(|field| match &self.get(field.shape).kind {
                ShapeKind::Object { fields, .. } => {
                    is_text(fields, "name") && is_text(fields, "generateName")
                }
                _ => false,
            });
        *has_properties = true;
        if has_meta && is_text(fields, "kind") && is_text(fields, "apiVersion") {
            return;
        }
        let own = [("apiVersion", text), ("kind", text), ("metadata", meta)];
        let others = fields
            .iter()
            .filter(|field| own.iter().all(|(name, _)| *field.name != **name));
        let mut fields: Vec<Field> = others.cloned().collect();
        fields.extend(own.map(|(name, shape)| Field::new(name, shape)));
        fields.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        if let ShapeKind::Object { fields: slot, .. } = &mut shape.kind {
            *slot = fields.into();
        }
    }
}

/// The number of a shape; there are never more schemas than numbers.
fn id(number: usize) -> ShapeId {
    ShapeId::try_from(number).unwrap_or(ShapeId::MAX)
}
