//! The maximum sizes of values, which costs depend on: the bounds of the values, or else the limit
//! of a request.

use std::borrow::Cow;

use super::table::{Declaration, DeclaredId, DeclaredKind, Field, ListType};

/// The largest request that a server reads.
pub const MAX_REQUEST: u64 = 3 * 1024 * 1024;

/// The maximum size of a value between quotes or brackets.
const MAX_INNER: u64 = MAX_REQUEST - 2;

impl Declaration {
    /// Returns the declaration of a value with a minimum number of bytes, and of a single size in
    /// costs.
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

    /// Returns the declaration of bytes, as base64: format `byte`.
    #[must_use]
    pub const fn bytes() -> Self {
        Self::sized(DeclaredKind::Bytes, 2, MAX_INNER)
    }

    /// Returns the declaration of a day: format `date`.
    #[must_use]
    pub const fn date() -> Self {
        Self::sized(DeclaredKind::Date, 12, 12)
    }

    /// Returns the declaration of a point in time: format `date-time`.
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

    /// Returns the declaration of a list. `items` is the id of its elements, whose declaration is
    /// `of`.
    #[must_use]
    pub fn list(items: DeclaredId, of: &Self) -> Self {
        let kind = DeclaredKind::List {
            items,
            list_type: ListType::Atomic,
        };
        let mut list = Self::sized(kind, 2, MAX_INNER / of.min_size.saturating_add(1));
        list.is_exposed = of.is_exposed;
        list
    }

    /// Returns the declaration of an object with any keys. `values` is the id of its values, whose
    /// declaration is `of`.
    #[must_use]
    pub fn map(values: DeclaredId, of: &Self) -> Self {
        // A key in quotes, a colon and a comma.
        let most = MAX_INNER / of.min_size.saturating_add(6);
        let mut map = Self::sized(DeclaredKind::Map(values), 2, most);
        map.is_exposed = of.is_exposed;
        map
    }

    /// Returns the declaration of an object with these fields. If several fields have the same
    /// name, the last one counts.
    #[must_use]
    pub fn object(fields: impl IntoIterator<Item = Field>) -> Self {
        let mut fields: Vec<Field> = fields.into_iter().collect();
        fields.sort_by(|a, b| a.name.cmp(&b.name));
        fields.reverse();
        fields.dedup_by(|earlier, later| earlier.name == later.name);
        fields.reverse();
        Self::scalar(DeclaredKind::Object(fields.into()), 2)
    }

    /// Returns the declaration of a value that is preserved and not described. Expressions do not
    /// see it.
    #[must_use]
    pub const fn unknown() -> Self {
        Self::hidden(DeclaredKind::Unknown)
    }

    /// Returns the declaration of a list without a type of its elements. Expressions do not see it.
    #[must_use]
    pub const fn without_items() -> Self {
        Self::hidden(DeclaredKind::NoItems)
    }

    /// Returns the declaration of a value without a type. Expressions do not see it.
    #[must_use]
    pub const fn untyped() -> Self {
        Self::hidden(DeclaredKind::Untyped(Cow::Borrowed("")))
    }

    /// Returns the declaration of a type that does not exist, as a stored schema may contain it.
    /// Expressions do not see the value.
    #[must_use]
    pub fn of_unknown_type(name: &str) -> Self {
        Self::hidden(DeclaredKind::Untyped(Cow::Owned(name.to_owned())))
    }

    /// Sets the maximum number of elements, entries, bytes, or letters of a string. Other values
    /// have a single size.
    pub const fn set_max_size(&mut self, most: u64) {
        self.max_elements = match &self.kind {
            // A letter takes up to four bytes.
            DeclaredKind::String | DeclaredKind::IntOrString => most.saturating_mul(4),
            DeclaredKind::Bytes | DeclaredKind::List { .. } | DeclaredKind::Map(_) => most,
            _ => return,
        };
    }

    /// Sets the allowed values of a string, which bound its size by the longest.
    pub fn set_allowed_values<'t>(&mut self, texts: impl IntoIterator<Item = &'t str>) {
        if let DeclaredKind::String = self.kind {
            let lengths = texts.into_iter().map(|text| text.len() as u64);
            self.max_elements = lengths.max().unwrap_or_default();
        }
    }

    /// Adds a field that is always present, so the smallest object has it too. `of` is the
    /// declaration of the field.
    ///
    /// A field with a default, or a field that expressions do not see, does not count in the size
    /// of an object.
    pub fn require(&mut self, name: &str, of: &Self) {
        if of.is_exposed {
            // Quotes, a colon and a comma.
            let size = (name.len() as u64).saturating_add(of.min_size);
            self.min_size = self.min_size.saturating_add(size).saturating_add(4);
        }
    }

    /// Sets the type of a list, which defines when two lists are equal.
    pub fn set_list_type(&mut self, of_list: ListType) {
        if let DeclaredKind::List { list_type, .. } = &mut self.kind {
            *list_type = of_list;
        }
    }
}
