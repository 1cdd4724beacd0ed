//! What values are in CEL: one shape for every kind of value, in a flat table.

use k8s_json_internals::cel_name::escape;

/// The place of a shape in [`Shapes`].
pub type ShapeId = u32;

/// The largest request that a server reads.
pub const MAX_REQUEST: u64 = 3 * 1024 * 1024;

#[derive(Clone, Debug, Default)]
pub struct Shapes {
    shapes: Vec<Shape>,
}

/// What a value of a schema is in CEL.
#[derive(Clone, Debug)]
pub struct Shape {
    pub kind: ShapeKind,
    pub nullable: bool,
    /// Whether rules see such values.
    pub is_exposed: bool,
    /// How many bytes the smallest value takes as JSON.
    pub min_size: u64,
    /// How large a value can be: elements, entries, bytes.
    pub max_elements: u64,
}

/// The type of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ListType {
    /// Atomic, or not said.
    #[default]
    Atomic,
    /// Every element once, in no order.
    Set,
    /// Elements have keys, and no order.
    Map,
}

#[derive(Clone, Debug)]
pub enum ShapeKind {
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
pub struct Field {
    pub name: Box<str>,
    /// As it is written in CEL, if it can be.
    pub escaped: Option<Box<str>>,
    pub shape: ShapeId,
}

impl Shapes {
    /// The same shapes, where values of some of them are no larger than this.
    pub fn bounded(&self, ids: impl IntoIterator<Item = ShapeId>, most: u64) -> Self {
        let mut bounded = self.clone();
        for id in ids {
            if let Some(shape) = bounded.shapes.get_mut(id as usize) {
                shape.max_elements = shape.max_elements.min(most);
            }
        }
        bounded
    }

    /// The table of these shapes; what one holds comes after it. `None` where that is not so.
    #[must_use]
    pub fn new(shapes: Vec<Shape>) -> Option<Self> {
        let count = shapes.len();
        let mut numbered = shapes.iter().enumerate();
        let is_table = numbered.all(|(own, shape)| {
            let mut children = shape.children();
            children.all(|child| own < child as usize && (child as usize) < count)
        });
        is_table.then_some(Self { shapes })
    }

    /// The shape at a place; that of a value without a type where there is none.
    #[must_use]
    #[inline]
    pub fn get(&self, id: ShapeId) -> &Shape {
        self.shapes.get(id as usize).unwrap_or(&UNTYPED)
    }
}

const UNTYPED: Shape = Shape {
    kind: ShapeKind::Untyped,
    nullable: false,
    is_exposed: false,
    min_size: 2,
    max_elements: 0,
};

impl Shape {
    /// The places of the shapes that it holds.
    fn children(&self) -> impl Iterator<Item = ShapeId> {
        let (one, fields): (_, &[Field]) = match &self.kind {
            ShapeKind::List { items, .. } | ShapeKind::Map(items) => (Some(*items), &[]),
            ShapeKind::Object { fields, .. } => (None, fields),
            _ => (None, &[]),
        };
        one.into_iter()
            .chain(fields.iter().map(|field| field.shape))
    }

    /// A text of any length.
    #[must_use]
    pub const fn text() -> Self {
        Self {
            kind: ShapeKind::Text,
            nullable: false,
            is_exposed: true,
            min_size: 2,
            max_elements: MAX_REQUEST - 2,
        }
    }

    /// An object with these fields, sorted by name.
    #[must_use]
    pub fn object(fields: Box<[Field]>) -> Self {
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
    /// Whether such a value is a text in JSON.
    #[must_use]
    pub const fn is_string(&self) -> bool {
        use ShapeKind::{Bytes, Date, DateTime, Duration, Text};
        matches!(self, Text | Bytes | Date | DateTime | Duration)
    }
}

impl Field {
    /// A field, with its name in JSON.
    #[must_use]
    pub fn new(name: &str, shape: ShapeId) -> Self {
        Self {
            name: name.into(),
            escaped: escape(name).map(Into::into),
            shape,
        }
    }
}

/// The field of that name.
pub fn find<'f>(fields: &'f [Field], name: &str) -> Option<&'f Field> {
    let at = fields
        .binary_search_by(|field| (*field.name).cmp(name))
        .ok()?;
    fields.get(at)
}

/// The name as it is written in CEL, or as it is where that cannot be.
#[must_use]
pub fn escaped_or_same(key: &str) -> Box<str> {
    escape(key).map_or_else(|| key.into(), Into::into)
}
