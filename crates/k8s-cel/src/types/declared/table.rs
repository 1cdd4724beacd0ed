//! The table of declarations. Each value has a declaration, which refers to the declarations of the
//! values inside by their ids.

use core::fmt;
use std::borrow::Cow;
use std::sync::Arc;

use k8s_json_internals::cel_name::escape_identifier;

/// The id of a declaration in [`DeclaredTypes`]: its position in the table.
pub type DeclaredId = u32;

/// The maximum number of nested declarations: each level takes stack when values are compared.
const MAX_DEPTH: u16 = 256;

/// Declared types, in a table. The values inside a value are after the value in the table.
#[derive(Clone, Debug, Default)]
pub struct DeclaredTypes {
    /// The table, which is shared, as programs try hundreds of bounds.
    table: Arc<[Declaration]>,
    size_caps: Option<SizeCaps>,
}

/// A bound for the size of some values, in addition to their declarations.
#[derive(Clone, Debug)]
struct SizeCaps {
    /// The ids of the values, sorted.
    ids: Box<[DeclaredId]>,
    max_size: u64,
}

/// A declared type: the type of a value in CEL, and its maximum size.
///
/// The functions that are named after the types create declarations, with the right sizes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Declaration {
    /// The type of the value.
    pub kind: DeclaredKind,
    /// True if the value may be null.
    pub nullable: bool,
    /// True if expressions see such values.
    pub is_exposed: bool,
    /// The number of bytes of the smallest value as JSON.
    pub min_size: u64,
    /// The maximum size of a value: elements, entries, bytes of a string.
    pub max_elements: u64,
}

/// The type of a value.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum DeclaredKind {
    /// An integer or a string: `x-kubernetes-int-or-string`.
    IntOrString,
    /// A bool: `true` or `false`.
    Bool,
    /// An integer of 64 bits.
    Int,
    /// A float.
    Double,
    /// A string.
    String,
    /// Bytes, as base64: format `byte`.
    Bytes,
    /// A day: format `date`.
    Date,
    /// A point in time: format `date-time`.
    DateTime,
    /// A duration: format `duration`.
    Duration,
    /// A list.
    List {
        /// The id of the elements.
        items: DeclaredId,
        /// The type of the list, which defines when two lists are equal.
        list_type: ListType,
    },
    /// An object with any keys. The id is the id of the values.
    Map(DeclaredId),
    /// An object with fields, sorted by name. A null counts as absent.
    Object(Box<[Field]>),
    /// A value that is preserved and not described.
    Unknown,
    /// A list without a type of its elements.
    NoItems,
    /// A value without a type, or of a type that does not exist. Errors contain the name.
    Untyped(Cow<'static, str>),
}

/// The type of a list, which defines when two lists are equal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ListType {
    /// An atomic list. This is the default.
    #[default]
    Atomic,
    /// A list that contains every element once, in any order.
    Set,
    /// A list whose elements have these keys, in any order.
    Map(Box<[Box<str>]>),
}

/// A field of an object.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Field {
    /// The name in JSON, which programs share.
    pub name: Arc<str>,
    /// The name in CEL, if CEL has a name for the field.
    pub escaped: Option<Box<str>>,
    /// The id of the value's declaration.
    pub ty: DeclaredId,
}

/// The reason why declarations are not a valid table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeclareError {
    /// A value inside another value is not after that value in the table.
    ChildBeforeParent {
        /// The position of the outer value's declaration.
        position: usize,
    },
    /// The declarations have too many levels.
    TooDeep {
        /// The maximum number of levels.
        max_depth: u16,
    },
}

impl DeclaredTypes {
    /// The id of the outermost value: `self`, for most expressions.
    pub const ROOT: DeclaredId = 0;

    /// Returns the table of these declarations. The values inside a value must be after the value.
    ///
    /// # Errors
    ///
    /// Returns an error if the order is wrong, or if the table has more than 256 levels.
    pub fn new(table: Vec<Declaration>) -> Result<Self, DeclareError> {
        let mut heights: Vec<u16> = vec![0; table.len()];
        for (at, declaration) in table.iter().enumerate().rev() {
            let mut height = 0;
            for child in declaration.children() {
                let child = child as usize;
                let below = heights.get(child).filter(|_| child > at);
                height =
                    height.max(below.ok_or(DeclareError::ChildBeforeParent { position: at })? + 1);
            }
            if height >= MAX_DEPTH {
                return Err(DeclareError::TooDeep {
                    max_depth: MAX_DEPTH,
                });
            }
            if let Some(place) = heights.get_mut(at) {
                *place = height;
            }
        }
        Ok(Self {
            table: table.into(),
            size_caps: None,
        })
    }

    /// Returns the declaration with an id. For an unknown id, returns the declaration of a value
    /// without a type.
    #[must_use]
    #[inline]
    pub fn get(&self, id: DeclaredId) -> &Declaration {
        self.table
            .get(id as usize)
            .unwrap_or(const { &Declaration::untyped() })
    }

    /// Returns the same types with a maximum size of values of some types: elements, entries,
    /// bytes. Programs can find out how a bound would change costs.
    #[must_use]
    pub fn with_bounds(&self, ids: impl IntoIterator<Item = DeclaredId>, most: u64) -> Self {
        let mut table = self.table.to_vec();
        for id in ids {
            if let Some(declaration) = table.get_mut(id as usize) {
                declaration.max_elements = declaration.max_elements.min(most);
            }
        }
        Self {
            table: table.into(),
            size_caps: self.size_caps.clone(),
        }
    }

    /// Returns the same types as [`with_bounds`](Self::with_bounds), but without a copy, and only
    /// for estimates: the declarations do not change. This replaces earlier bounds for estimates.
    #[must_use]
    pub fn with_estimate_bounds(
        &self,
        ids: impl IntoIterator<Item = DeclaredId>,
        most: u64,
    ) -> Self {
        let mut ids: Vec<DeclaredId> = ids.into_iter().collect();
        ids.sort_unstable();
        Self {
            table: Arc::clone(&self.table),
            size_caps: Some(SizeCaps {
                ids: ids.into(),
                max_size: most,
            }),
        }
    }

    /// Returns the maximum size of a value, including bounds.
    pub(crate) fn max_elements(&self, id: DeclaredId) -> u64 {
        let declared = self.get(id).max_elements;
        match &self.size_caps {
            Some(bounds) if bounds.ids.binary_search(&id).is_ok() => declared.min(bounds.max_size),
            _ => declared,
        }
    }
}

impl Declaration {
    /// Returns the ids of the values inside the value.
    fn children(&self) -> impl Iterator<Item = DeclaredId> {
        let (one, fields): (_, &[Field]) = match &self.kind {
            DeclaredKind::List { items, .. } | DeclaredKind::Map(items) => (Some(*items), &[]),
            DeclaredKind::Object(fields) => (None, fields),
            _ => (None, &[]),
        };
        one.into_iter().chain(fields.iter().map(|field| field.ty))
    }

    /// Adds a number to the ids of the values inside the value.
    pub(super) fn shift_ids(&mut self, places: DeclaredId) {
        let shift = |id: &mut DeclaredId| *id = id.saturating_add(places);
        match &mut self.kind {
            DeclaredKind::List { items, .. } | DeclaredKind::Map(items) => shift(items),
            DeclaredKind::Object(fields) => {
                fields.iter_mut().for_each(|field| shift(&mut field.ty));
            }
            _ => {}
        }
    }

    /// Returns the fields of an object.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        match &self.kind {
            DeclaredKind::Object(fields) => fields,
            _ => &[],
        }
    }

    /// Returns the field with a name, if the value is an object.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Field> {
        find_field(self.fields(), name)
    }
}

impl DeclaredKind {
    /// Returns true if such a value is a string in JSON.
    #[must_use]
    pub const fn is_string(&self) -> bool {
        use DeclaredKind::{Bytes, Date, DateTime, Duration, String};
        matches!(self, String | Bytes | Date | DateTime | Duration)
    }
}

impl ListType {
    /// Returns the type of lists whose elements have these keys. The keys are the names in JSON.
    #[must_use]
    pub fn map<'k>(keys: impl IntoIterator<Item = &'k str>) -> Self {
        // The names in CEL, or in JSON if CEL does not have a name.
        let written = |key| escape_identifier(key).map_or_else(|| key.into(), Into::into);
        Self::Map(keys.into_iter().map(written).collect())
    }
}

impl Field {
    /// Returns a field, with its name in JSON.
    #[must_use]
    pub fn new(name: &str, ty: DeclaredId) -> Self {
        Self {
            name: name.into(),
            escaped: escape_identifier(name).map(Into::into),
            ty,
        }
    }
}

/// Returns the field with a name.
pub(crate) fn find_field<'f>(fields: &'f [Field], name: &str) -> Option<&'f Field> {
    let at = fields
        .binary_search_by(|field| (*field.name).cmp(name))
        .ok()?;
    fields.get(at)
}

impl fmt::Display for DeclareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ChildBeforeParent { position: at } => {
                write!(
                    f,
                    "the types inside the value of declaration {at} must follow it"
                )
            }
            Self::TooDeep { max_depth: most } => {
                write!(
                    f,
                    "the declared types have more than {most} levels; make them flatter"
                )
            }
        }
    }
}

impl core::error::Error for DeclareError {}
