//! The table of declarations. A declaration refers by id to the declarations of its elements,
//! values or fields.

use core::fmt;
use std::borrow::Cow;
use std::sync::Arc;

use k8s_json_internals::cel_name::escape_identifier;

use crate::types::feature::Feature;
use crate::types::version::KubeVersion;

/// The id of a declaration in [`DeclaredTypes`], which is its index in the table.
pub type DeclaredId = u32;

/// The maximum nesting of declarations. The comparison of values is recursive.
const MAX_DEPTH: u16 = 256;

/// A table of declared types. A declaration precedes the declarations of its elements, values or
/// fields.
#[derive(Clone, Debug, Default)]
pub struct DeclaredTypes {
    /// The declarations. They are shared, because a caller may try hundreds of size limits.
    table: Arc<[Declaration]>,
    size_caps: Option<SizeCaps>,
    server_version: KubeVersion,
}

/// A maximum size for values of some types, in addition to their declarations.
#[derive(Clone, Debug)]
struct SizeCaps {
    /// The ids of the types, sorted.
    ids: Box<[DeclaredId]>,
    max_size: u64,
}

/// A declared type: the CEL type and the maximum size of a value.
///
/// The constructors, such as [`Declaration::int`], set the sizes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Declaration {
    /// The kind of the type.
    pub kind: DeclaredKind,
    /// True if the value may be null.
    pub nullable: bool,
    /// True if expressions can read values of the type.
    pub is_exposed: bool,
    /// The minimum size of a value in bytes of JSON.
    pub min_size: u64,
    /// The maximum size of a value: elements, entries, or bytes of a string.
    pub max_elements: u64,
}

/// The kind of a declared type.
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
    /// Bytes in base64: format `byte`.
    Bytes,
    /// A date: format `date`.
    Date,
    /// A timestamp: format `date-time`.
    DateTime,
    /// A duration: format `duration`.
    Duration,
    /// A list.
    List {
        /// The id of the elements' declaration.
        items: DeclaredId,
        /// The list type, which defines the equality of lists.
        list_type: ListType,
    },
    /// An object with arbitrary keys. The id is the id of the values' declaration.
    Map(DeclaredId),
    /// An object with fields, sorted by name. A field that is null counts as absent.
    Object(Box<[Field]>),
    /// An object without declared fields, on a server without
    /// [`ObjectsWithoutFields`](Feature::ObjectsWithoutFields). A rule that reads the object fails.
    ObjectWithoutFields,
    /// A value that is preserved without a schema.
    PreserveUnknownFields,
    /// A list without an element type.
    ListWithoutItems,
    /// A value without a type, or of a type that does not exist. The string is the name of the
    /// type, which errors contain.
    Untyped(Cow<'static, str>),
}

/// The type of a list (`x-kubernetes-list-type`), which defines the equality of lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ListType {
    /// An atomic list, which is the default. Its order matters.
    #[default]
    Atomic,
    /// A list of unique elements, whose order does not matter.
    Set,
    /// A list whose elements are identified by these keys, and whose order does not matter.
    Map(Box<[Box<str>]>),
}

/// A field of an object.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Field {
    /// The JSON name. Compiled programs share the allocation.
    pub name: Arc<str>,
    /// The name in CEL, escaped if necessary; `None` if CEL cannot name the field.
    pub escaped: Option<Box<str>>,
    /// The id of the value's declaration.
    pub ty: DeclaredId,
}

/// The reason why declarations do not form a valid table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeclareError {
    /// A declaration refers to itself or to an earlier declaration.
    ChildBeforeParent {
        /// The index of the declaration that refers to itself or to an earlier one.
        position: usize,
    },
    /// The declarations are nested too deeply.
    TooDeep {
        /// The maximum number of levels.
        max_depth: u16,
    },
}

impl DeclaredTypes {
    /// The id of the outermost type, which is usually the type of `self`.
    pub const ROOT: DeclaredId = 0;

    /// Returns the table of these declarations. A declaration must precede the declarations that it
    /// refers to.
    ///
    /// # Errors
    ///
    /// Returns an error if a declaration refers to itself or an earlier declaration, or if the
    /// table has more than 256 levels.
    pub fn new(table: Vec<Declaration>) -> Result<Self, DeclareError> {
        let mut heights: Vec<u16> = vec![0; table.len()];
        for (index, declaration) in table.iter().enumerate().rev() {
            let mut height = 0;
            for child in declaration.children() {
                let child = child as usize;
                let child_height = heights.get(child).filter(|_| child > index);
                height = height.max(
                    child_height.ok_or(DeclareError::ChildBeforeParent { position: index })? + 1,
                );
            }
            if height >= MAX_DEPTH {
                return Err(DeclareError::TooDeep {
                    max_depth: MAX_DEPTH,
                });
            }
            if let Some(slot) = heights.get_mut(index) {
                *slot = height;
            }
        }
        Ok(Self {
            table: table.into(),
            size_caps: None,
            server_version: KubeVersion::LATEST,
        })
    }

    /// Sets the version of the server that compiles the expressions and converts the values. The
    /// default is [`KubeVersion::LATEST`].
    #[must_use]
    pub const fn with_server_version(mut self, version: KubeVersion) -> Self {
        self.server_version = version;
        self
    }

    /// Returns the version of the server that compiles the expressions and converts the values.
    #[must_use]
    pub const fn server_version(&self) -> KubeVersion {
        self.server_version
    }

    /// Returns true if the server that compiles the expressions has a feature.
    pub(crate) const fn has(&self, feature: Feature) -> bool {
        self.server_version.has(feature)
    }

    /// Returns the declaration with the id. For an unknown id, returns the declaration of a value
    /// without a type.
    #[must_use]
    #[inline]
    pub fn get(&self, id: DeclaredId) -> &Declaration {
        self.table
            .get(id as usize)
            .unwrap_or(const { &Declaration::untyped() })
    }

    /// Returns a copy of the table in which the values of some types have at most `max_size`
    /// elements, entries or bytes. Use the copy to find out how a limit would change costs.
    #[must_use]
    pub fn with_bounds(&self, ids: impl IntoIterator<Item = DeclaredId>, max_size: u64) -> Self {
        let mut table = self.table.to_vec();
        for id in ids {
            if let Some(declaration) = table.get_mut(id as usize) {
                declaration.max_elements = declaration.max_elements.min(max_size);
            }
        }
        Self {
            table: table.into(),
            size_caps: self.size_caps.clone(),
            server_version: self.server_version,
        }
    }

    /// Returns a table that limits sizes like [`with_bounds`](Self::with_bounds), but only for
    /// estimates and without copying the declarations. A later call replaces the limits of an
    /// earlier call.
    #[must_use]
    pub fn with_estimate_bounds(
        &self,
        ids: impl IntoIterator<Item = DeclaredId>,
        max_size: u64,
    ) -> Self {
        let mut ids: Vec<DeclaredId> = ids.into_iter().collect();
        ids.sort_unstable();
        Self {
            table: Arc::clone(&self.table),
            size_caps: Some(SizeCaps {
                ids: ids.into(),
                max_size,
            }),
            server_version: self.server_version,
        }
    }

    /// Returns true if the type is the type of an atomic list.
    pub(crate) fn is_atomic_list(&self, id: DeclaredId) -> bool {
        matches!(
            &self.get(id).kind,
            DeclaredKind::List {
                list_type: ListType::Atomic,
                ..
            }
        )
    }

    /// Returns the maximum size of a value of the type, including the limits for estimates.
    pub(crate) fn max_elements(&self, id: DeclaredId) -> u64 {
        let declared_max = self.get(id).max_elements;
        match &self.size_caps {
            Some(caps) if caps.ids.binary_search(&id).is_ok() => declared_max.min(caps.max_size),
            _ => declared_max,
        }
    }
}

impl Declaration {
    /// Returns the ids of the declarations that the declaration refers to.
    fn children(&self) -> impl Iterator<Item = DeclaredId> {
        let (element, fields): (_, &[Field]) = match &self.kind {
            DeclaredKind::List { items, .. } | DeclaredKind::Map(items) => (Some(*items), &[]),
            DeclaredKind::Object(fields) => (None, fields),
            _ => (None, &[]),
        };
        element
            .into_iter()
            .chain(fields.iter().map(|field| field.ty))
    }

    /// Adds an offset to the ids that the declaration refers to.
    pub(super) fn shift_ids(&mut self, offset: DeclaredId) {
        let shift = |id: &mut DeclaredId| *id = id.saturating_add(offset);
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

    /// Returns the field with the JSON name, if this is the declaration of an object.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Field> {
        find_field(self.fields(), name)
    }
}

impl DeclaredKind {
    /// Returns true if values of the kind are strings in JSON.
    #[must_use]
    pub const fn is_string(&self) -> bool {
        use DeclaredKind::{Bytes, Date, DateTime, Duration, String};
        matches!(self, String | Bytes | Date | DateTime | Duration)
    }
}

impl ListType {
    /// Returns the type of lists whose elements are identified by these keys, which are JSON names.
    #[must_use]
    pub fn map<'k>(keys: impl IntoIterator<Item = &'k str>) -> Self {
        // The server uses CEL names, or JSON names that CEL cannot express.
        let cel_name = |key| escape_identifier(key).map_or_else(|| key.into(), Into::into);
        Self::Map(keys.into_iter().map(cel_name).collect())
    }
}

impl Field {
    /// Returns a field with a JSON name.
    #[must_use]
    pub fn new(name: &str, ty: DeclaredId) -> Self {
        Self {
            name: name.into(),
            escaped: escape_identifier(name).map(Into::into),
            ty,
        }
    }
}

/// Returns the field with the JSON name.
pub(crate) fn find_field<'f>(fields: &'f [Field], name: &str) -> Option<&'f Field> {
    let index = fields
        .binary_search_by(|field| (*field.name).cmp(name))
        .ok()?;
    fields.get(index)
}

impl fmt::Display for DeclareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ChildBeforeParent { position } => {
                write!(
                    f,
                    "the types inside the value of declaration {position} must follow it"
                )
            }
            Self::TooDeep { max_depth } => {
                write!(
                    f,
                    "the declared types have more than {max_depth} levels; make them flatter"
                )
            }
        }
    }
}

impl core::error::Error for DeclareError {}
