//! A structural schema as CEL sees it: one shape for every schema, which says what a value is in CEL.

mod size;

use crate::cel_name::escape;
use crate::crd::schema::{Additional, Kind, ListType, Node, NodeId, StructuralSchema};
use crate::table::{row, row_mut};

use size::{four_bytes_each, not_negative, text};

/// The place of a shape in [`Shapes`]. A schema's shape has the schema's number.
pub(super) type ShapeId = NodeId;

/// The largest request that a server reads.
pub(super) const MAX_REQUEST: u64 = 3 * 1024 * 1024;

#[derive(Clone, Debug)]
pub(super) struct Shapes {
    shapes: Vec<Shape>,
}

/// What a value of a schema is in CEL.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) kind: ShapeKind,
    pub(super) nullable: bool,
    /// Whether rules see such values.
    pub(super) is_exposed: bool,
    /// How many bytes the smallest value takes as JSON.
    pub(super) min_size: u64,
    /// How large a value can be: elements, entries, bytes.
    pub(super) max_elements: u64,
}

#[derive(Clone, Debug)]
pub(super) enum ShapeKind {
    IntOrString,
    Bool,
    Int,
    Double,
    Text,
    Bytes,
    Date,
    DateTime,
    Duration,
    List {
        items: ShapeId,
        list_type: ListType,
        keys: Box<[Box<str>]>,
    },
    Map(ShapeId),
    Object {
        /// Whether the schema has properties, so that a null counts as absent.
        has_properties: bool,
        /// Sorted by name.
        fields: Box<[Field]>,
    },
    /// A value that is kept and not described.
    Unknown,
    /// A list without items.
    NoItems,
    /// No type at all.
    Untyped,
}

#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: Box<str>,
    /// As it is written in CEL, if it can be.
    pub(super) escaped: Option<Box<str>>,
    pub(super) shape: ShapeId,
}

impl Shapes {
    pub(super) fn of(schema: &StructuralSchema) -> Self {
        let count = schema.nodes.len();
        let mut shapes = vec![Shape::text(); count + 2];
        let virtual_text = id(count);
        let virtual_meta = id(count + 1);
        *row_mut(&mut shapes, virtual_meta) = Shape::object(
            ["generateName", "name"]
                .map(|name| Field::new(name, virtual_text))
                .into(),
        );
        let mut table = Self { shapes };
        // What a schema holds comes after it.
        for number in (0..virtual_text).rev() {
            let node = schema.node(number);
            let mut shape = table.shape_of(schema, node);
            if number == 0 || node.embedded {
                table.add_type_and_meta(&mut shape, virtual_text, virtual_meta);
            }
            *row_mut(&mut table.shapes, number) = shape;
        }
        table
    }

    /// The same shapes, where values of some of them are no larger than this.
    pub(super) fn bounded(&self, ids: impl IntoIterator<Item = ShapeId>, most: u64) -> Self {
        let mut bounded = self.clone();
        for id in ids {
            if let Some(shape) = bounded.shapes.get_mut(id as usize) {
                shape.max_elements = shape.max_elements.min(most);
            }
        }
        bounded
    }

    pub(super) fn get(&self, id: ShapeId) -> &Shape {
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
            list_type: node.list_type(),
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

impl Shape {
    const fn text() -> Self {
        Self {
            kind: ShapeKind::Text,
            nullable: false,
            is_exposed: true,
            min_size: 2,
            max_elements: MAX_REQUEST - 2,
        }
    }

    fn object(fields: Box<[Field]>) -> Self {
        Self {
            kind: ShapeKind::Object {
                has_properties: true,
                fields,
            },
            max_elements: 0,
            ..Self::text()
        }
    }
}

impl ShapeKind {
    const fn is_string(&self) -> bool {
        use ShapeKind::{Bytes, Date, DateTime, Duration, Text};
        matches!(self, Text | Bytes | Date | DateTime | Duration)
    }
}

impl Field {
    fn new(name: &str, shape: ShapeId) -> Self {
        Self {
            name: name.into(),
            escaped: escape(name).map(Into::into),
            shape,
        }
    }
}

/// The field of that name.
pub(super) fn find<'f>(fields: &'f [Field], name: &str) -> Option<&'f Field> {
    let at = fields
        .binary_search_by(|field| (*field.name).cmp(name))
        .ok()?;
    fields.get(at)
}

/// The number of a shape; there are never more schemas than numbers.
fn id(number: usize) -> ShapeId {
    ShapeId::try_from(number).unwrap_or(ShapeId::MAX)
}

fn escaped_or_same(key: &str) -> Box<str> {
    escape(key).map_or_else(|| key.into(), Into::into)
}
