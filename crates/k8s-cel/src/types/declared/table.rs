//! The table: one declaration for every kind of value, which names those of the values in it by their places.

use core::fmt;
use std::borrow::Cow;
use std::sync::Arc;

use k8s_json_internals::cel_name::escape;

/// The place of a declaration in [`DeclaredTypes`].
pub type DeclaredId = u32;

/// How many declarations may stand in each other: each level takes stack where values are compared.
const DEEPEST: u16 = 256;

/// Declared types, in a table. What is in a value stands after it.
#[derive(Clone, Debug, Default)]
pub struct DeclaredTypes {
    /// Shared, as bounds are tried by the hundreds.
    table: Arc<[Declaration]>,
    bounds: Option<Bounds>,
}

/// What is no larger than its declaration allows, and no larger than that.
#[derive(Clone, Debug)]
struct Bounds {
    /// Sorted.
    ids: Box<[DeclaredId]>,
    most: u64,
}

/// One declared type: what a value is in CEL, and how large it can be.
///
/// It is made by the functions that are named after the types, which know the sizes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Declaration {
    /// What the value is.
    pub kind: DeclaredKind,
    /// Whether it may be null.
    pub nullable: bool,
    /// Whether expressions see such values.
    pub is_exposed: bool,
    /// How many bytes the smallest value takes as JSON.
    pub min_size: u64,
    /// How large a value can be: elements, entries, bytes of a text.
    pub max_elements: u64,
}

/// What a value is.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum DeclaredKind {
    /// An integer or a text: `x-kubernetes-int-or-string`.
    IntOrString,
    /// `true` or `false`.
    Bool,
    /// An integer of 64 bits.
    Int,
    /// A float.
    Double,
    /// A text.
    Text,
    /// Bytes, as base64: format `byte`.
    Bytes,
    /// A day: format `date`.
    Date,
    /// A point in time: format `date-time`.
    DateTime,
    /// Format `duration`.
    Duration,
    /// A list.
    List {
        /// What its elements are.
        items: DeclaredId,
        /// How two of them are compared.
        list_type: ListType,
    },
    /// An object with any keys.
    Map(DeclaredId),
    /// An object with fields, sorted by name. A null counts as absent.
    Object(Box<[Field]>),
    /// A value that is kept and not described.
    Unknown,
    /// A list of nobody knows what.
    NoItems,
    /// No type, or a type that does not exist, which errors name.
    Untyped(Cow<'static, str>),
}

/// The type of a list, which says when two are equal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ListType {
    /// Atomic, or not said.
    #[default]
    Atomic,
    /// Every element once, in no order.
    Set,
    /// Elements have these keys, and no order.
    Map(Box<[Box<str>]>),
}

/// A field of an object.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Field {
    /// Its name in JSON, which programs share.
    pub name: Arc<str>,
    /// As it is written in CEL, if it can be.
    pub escaped: Option<Box<str>>,
    /// What it holds.
    pub ty: DeclaredId,
}

/// Why declarations make no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeclareError {
    /// What is in a value does not stand after it.
    Order {
        /// The place of the value's declaration.
        at: usize,
    },
    /// There are more levels than that.
    TooDeep {
        /// How many there may be.
        most: u16,
    },
}

impl DeclaredTypes {
    /// The place of what all the others are in: `self`, for most expressions.
    pub const ROOT: DeclaredId = 0;

    /// The table of these declarations. What is in a value comes after it.
    ///
    /// # Errors
    ///
    /// Where that is not so, and for more than 256 levels.
    pub fn new(table: Vec<Declaration>) -> Result<Self, DeclareError> {
        let mut heights: Vec<u16> = vec![0; table.len()];
        for (at, declaration) in table.iter().enumerate().rev() {
            let mut height = 0;
            for child in declaration.children() {
                let child = child as usize;
                let below = heights.get(child).filter(|_| child > at);
                height = height.max(below.ok_or(DeclareError::Order { at })? + 1);
            }
            if height >= DEEPEST {
                return Err(DeclareError::TooDeep { most: DEEPEST });
            }
            if let Some(place) = heights.get_mut(at) {
                *place = height;
            }
        }
        Ok(Self {
            table: table.into(),
            bounds: None,
        })
    }

    /// The declaration at a place; that of a value without a type where there is none.
    #[must_use]
    #[inline]
    pub fn get(&self, id: DeclaredId) -> &Declaration {
        self.table
            .get(id as usize)
            .unwrap_or(const { &Declaration::untyped() })
    }

    /// The same types, where values of some of them are no larger than this: elements, entries, bytes. It answers what a bound
    /// would do to costs.
    #[must_use]
    pub fn bounded(&self, ids: impl IntoIterator<Item = DeclaredId>, most: u64) -> Self {
        let mut table = self.table.to_vec();
        for id in ids {
            if let Some(declaration) = table.get_mut(id as usize) {
                declaration.max_elements = declaration.max_elements.min(most);
            }
        }
        Self {
            table: table.into(),
            bounds: self.bounds.clone(),
        }
    }

    /// As [`bounded`](Self::bounded), for estimates alone, and without a copy: the declarations are what they were. Bounds that were set
    /// so before are forgotten.
    #[must_use]
    pub fn priced_as(&self, ids: impl IntoIterator<Item = DeclaredId>, most: u64) -> Self {
        let mut ids: Vec<DeclaredId> = ids.into_iter().collect();
        ids.sort_unstable();
        Self {
            table: Arc::clone(&self.table),
            bounds: Some(Bounds {
                ids: ids.into(),
                most,
            }),
        }
    }

    /// How large a value can be, bounds included.
    pub(crate) fn max_elements(&self, id: DeclaredId) -> u64 {
        let declared = self.get(id).max_elements;
        match &self.bounds {
            Some(bounds) if bounds.ids.binary_search(&id).is_ok() => declared.min(bounds.most),
            _ => declared,
        }
    }
}

impl Declaration {
    /// The places of what is in it.
    fn children(&self) -> impl Iterator<Item = DeclaredId> {
        let (one, fields): (_, &[Field]) = match &self.kind {
            DeclaredKind::List { items, .. } | DeclaredKind::Map(items) => (Some(*items), &[]),
            DeclaredKind::Object(fields) => (None, fields),
            _ => (None, &[]),
        };
        one.into_iter().chain(fields.iter().map(|field| field.ty))
    }

    /// Moves the places of what is in it by so many.
    pub(super) fn move_by(&mut self, places: DeclaredId) {
        let shift = |id: &mut DeclaredId| *id = id.saturating_add(places);
        match &mut self.kind {
            DeclaredKind::List { items, .. } | DeclaredKind::Map(items) => shift(items),
            DeclaredKind::Object(fields) => {
                fields.iter_mut().for_each(|field| shift(&mut field.ty));
            }
            _ => {}
        }
    }

    /// The fields of an object.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        match &self.kind {
            DeclaredKind::Object(fields) => fields,
            _ => &[],
        }
    }

    /// The field of that name, where it is an object.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Field> {
        find(self.fields(), name)
    }
}

impl DeclaredKind {
    /// Whether such a value is a text in JSON.
    #[must_use]
    pub const fn is_string(&self) -> bool {
        use DeclaredKind::{Bytes, Date, DateTime, Duration, Text};
        matches!(self, Text | Bytes | Date | DateTime | Duration)
    }
}

impl ListType {
    /// Lists whose elements have these keys, with their names in JSON.
    #[must_use]
    pub fn map<'k>(keys: impl IntoIterator<Item = &'k str>) -> Self {
        // As they are written in CEL, or as they are where that cannot be.
        let written = |key| escape(key).map_or_else(|| key.into(), Into::into);
        Self::Map(keys.into_iter().map(written).collect())
    }
}

impl Field {
    /// A field, with its name in JSON.
    #[must_use]
    pub fn new(name: &str, ty: DeclaredId) -> Self {
        Self {
            name: name.into(),
            escaped: escape(name).map(Into::into),
            ty,
        }
    }
}

/// The field of that name.
pub(crate) fn find<'f>(fields: &'f [Field], name: &str) -> Option<&'f Field> {
    let at = fields
        .binary_search_by(|field| (*field.name).cmp(name))
        .ok()?;
    fields.get(at)
}

impl fmt::Display for DeclareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Order { at } => {
                write!(
                    f,
                    "what is in the value of declaration {at} does not come after it"
                )
            }
            Self::TooDeep { most } => {
                write!(
                    f,
                    "the declared types have more than {most} levels; make them flatter"
                )
            }
        }
    }
}

impl core::error::Error for DeclareError {}
