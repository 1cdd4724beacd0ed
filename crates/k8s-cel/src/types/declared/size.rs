//! The maximum sizes of values, which determine estimated costs. Without a declared limit, the
//! maximum size of a request limits a value. The sizes of dates, timestamps and durations are
//! constants of apiserver's `pkg/cel/limits.go`, and include the quotes of JSON.

use std::borrow::Cow;

use super::table::{Declaration, DeclaredId, DeclaredKind, Field, ListType};

/// The maximum size of a request in bytes.
pub const MAX_REQUEST: u64 = 3 * 1024 * 1024;

/// The maximum size of the content of a string, list or object, without its delimiters.
const MAX_INNER: u64 = MAX_REQUEST - 2;

impl Declaration {
    /// Returns the declaration of a value whose maximum size does not affect costs. `min_size` is
    /// the minimum number of bytes in JSON.
    const fn scalar(kind: DeclaredKind, min_size: u64) -> Self {
        Self::sized(kind, min_size, 0)
    }

    const fn sized(kind: DeclaredKind, min_size: u64, max_elements: u64) -> Self {
        Self {
            kind,
            nullable: false,
            is_exposed: true,
            min_size,
            max_elements,
        }
    }

    /// Returns the declaration of a value that expressions cannot read.
    const fn hidden(kind: DeclaredKind) -> Self {
        let mut hidden = Self::scalar(kind, 2);
        hidden.is_exposed = false;
        hidden
    }

    /// Returns the declaration of a bool: `true` or `false`.
    #[must_use]
    pub const fn bool() -> Self {
        Self::scalar(DeclaredKind::Bool, 4)
    }

    /// Returns the declaration of an integer of 64 bits.
    #[must_use]
    pub const fn int() -> Self {
        Self::scalar(DeclaredKind::Int, 1)
    }

    /// Returns the declaration of a float.
    #[must_use]
    pub const fn double() -> Self {
        Self::scalar(DeclaredKind::Double, 1)
    }

    /// Returns the declaration of a string.
    #[must_use]
    pub const fn string() -> Self {
        Self::sized(DeclaredKind::String, 2, MAX_INNER)
    }

    /// Returns the declaration of bytes in base64: format `byte`.
    #[must_use]
    pub const fn bytes() -> Self {
        Self::sized(DeclaredKind::Bytes, 2, MAX_INNER)
    }

    /// Returns the declaration of a date: format `date`.
    #[must_use]
    pub const fn date() -> Self {
        Self::sized(DeclaredKind::Date, 12, 12)
    }

    /// Returns the declaration of a timestamp: format `date-time`.
    #[must_use]
    pub const fn date_time() -> Self {
        Self::sized(DeclaredKind::DateTime, 21, 32)
    }

    /// Returns the declaration of a duration: format `duration`.
    #[must_use]
    pub const fn duration() -> Self {
        Self::sized(DeclaredKind::Duration, 3, 32)
    }

    /// Returns the declaration of an integer or a string: `x-kubernetes-int-or-string`.
    #[must_use]
    pub const fn int_or_string() -> Self {
        Self::sized(DeclaredKind::IntOrString, 1, MAX_INNER)
    }

    /// Returns the declaration of a list. `items` is the id of `items_declaration`, the
    /// declaration of the elements.
    #[must_use]
    pub fn list(items: DeclaredId, items_declaration: &Self) -> Self {
        let kind = DeclaredKind::List {
            items,
            list_type: ListType::Atomic,
        };
        let mut list = Self::sized(
            kind,
            2,
            MAX_INNER / items_declaration.min_size.saturating_add(1),
        );
        list.is_exposed = items_declaration.is_exposed;
        list
    }

    /// Returns the declaration of an object with arbitrary keys. `values` is the id of
    /// `values_declaration`, the declaration of the values.
    #[must_use]
    pub fn map(values: DeclaredId, values_declaration: &Self) -> Self {
        // Each entry has at least a key in quotes, a colon and a comma.
        let max_size = MAX_INNER / values_declaration.min_size.saturating_add(6);
        let mut map = Self::sized(DeclaredKind::Map(values), 2, max_size);
        map.is_exposed = values_declaration.is_exposed;
        map
    }

    /// Returns the declaration of an object with these fields. If two fields have the same name,
    /// the last field is used.
    #[must_use]
    pub fn object(fields: impl IntoIterator<Item = Field>) -> Self {
        let mut fields: Vec<Field> = fields.into_iter().collect();
        // The sort is stable. In the reversed list, `dedup_by` keeps the last field of each name.
        fields.sort_by(|a, b| a.name.cmp(&b.name));
        fields.reverse();
        fields.dedup_by(|earlier, later| earlier.name == later.name);
        fields.reverse();
        Self::scalar(DeclaredKind::Object(fields.into()), 2)
    }

    /// Returns the declaration of an object without fields. Reading a value is an error.
    #[must_use]
    pub const fn unreadable_object() -> Self {
        Self::scalar(DeclaredKind::ObjectWithoutFields, 2)
    }

    /// Returns the declaration of a value that is preserved without a schema. Expressions cannot
    /// read it.
    #[must_use]
    pub const fn unknown() -> Self {
        Self::hidden(DeclaredKind::PreserveUnknownFields)
    }

    /// Returns the declaration of a list without an element type. Expressions cannot read it.
    #[must_use]
    pub const fn without_items() -> Self {
        Self::hidden(DeclaredKind::ListWithoutItems)
    }

    /// Returns the declaration of a value without a type. Expressions cannot read it.
    #[must_use]
    pub const fn untyped() -> Self {
        Self::hidden(DeclaredKind::Untyped(Cow::Borrowed("")))
    }

    /// Returns the declaration of a value whose type has an unknown name, which a stored schema may
    /// contain. Expressions cannot read it.
    #[must_use]
    pub fn of_unknown_type(name: &str) -> Self {
        Self::hidden(DeclaredKind::Untyped(Cow::Owned(name.to_owned())))
    }

    /// Sets the maximum number of elements, entries or bytes, or of code points of a string.
    /// Declarations of other kinds do not change.
    pub const fn set_max_size(&mut self, max_size: u64) {
        self.max_elements = match &self.kind {
            // A code point has at most four bytes.
            DeclaredKind::String | DeclaredKind::IntOrString => max_size.saturating_mul(4),
            DeclaredKind::Bytes | DeclaredKind::List { .. } | DeclaredKind::Map(_) => max_size,
            _ => return,
        };
    }

    /// Sets the allowed values of a string. The longest value is the maximum size.
    pub fn set_allowed_values<'t>(&mut self, values: impl IntoIterator<Item = &'t str>) {
        if let DeclaredKind::String = self.kind {
            let lengths = values.into_iter().map(|value| value.len() as u64);
            self.max_elements = lengths.max().unwrap_or_default();
        }
    }

    /// Adds the required field `name` with its declaration to the minimum size of an object.
    ///
    /// Do not call this for a field with a default. A field that expressions cannot read does not
    /// change the size.
    pub fn require(&mut self, name: &str, declaration: &Self) {
        if declaration.is_exposed {
            // Quotes, a colon and a comma.
            let size = (name.len() as u64).saturating_add(declaration.min_size);
            self.min_size = self.min_size.saturating_add(size).saturating_add(4);
        }
    }

    /// Sets the list type, which defines the equality of lists.
    pub fn set_list_type(&mut self, new_type: ListType) {
        if let DeclaredKind::List { list_type, .. } = &mut self.kind {
            *list_type = new_type;
        }
    }
}
