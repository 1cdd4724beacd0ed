//! How large values can be, which is what costs depend on: by what bounds them, or else by what fits into a request.

use std::borrow::Cow;

use super::table::{Declaration, DeclaredId, DeclaredKind, Field, ListType};

/// The largest request that a server reads.
pub const MAX_REQUEST: u64 = 3 * 1024 * 1024;

/// What is left of it between quotes or brackets.
const MAX_INNER: u64 = MAX_REQUEST - 2;

impl Declaration {
    /// A value of so many bytes at least, and of one size as far as costs are concerned.
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

    /// `true` or `false`.
    #[must_use]
    pub const fn bool() -> Self {
        Self::scalar(DeclaredKind::Bool, 4)
    }

    /// An integer of 64 bits.
    #[must_use]
    pub const fn int() -> Self {
        Self::scalar(DeclaredKind::Int, 1)
    }

    /// A float.
    #[must_use]
    pub const fn double() -> Self {
        Self::scalar(DeclaredKind::Double, 1)
    }

    /// A text.
    #[must_use]
    pub const fn text() -> Self {
        Self::sized(DeclaredKind::Text, 2, MAX_INNER)
    }

    /// Bytes, as base64: format `byte`.
    #[must_use]
    pub const fn bytes() -> Self {
        Self::sized(DeclaredKind::Bytes, 2, MAX_INNER)
    }

    /// A day: format `date`.
    #[must_use]
    pub const fn date() -> Self {
        Self::sized(DeclaredKind::Date, 12, 12)
    }

    /// A point in time: format `date-time`.
    #[must_use]
    pub const fn date_time() -> Self {
        Self::sized(DeclaredKind::DateTime, 21, 32)
    }

    /// Format `duration`.
    #[must_use]
    pub const fn duration() -> Self {
        Self::sized(DeclaredKind::Duration, 3, 32)
    }

    /// An integer or a text: `x-kubernetes-int-or-string`.
    #[must_use]
    pub const fn int_or_string() -> Self {
        Self::sized(DeclaredKind::IntOrString, 1, MAX_INNER)
    }

    /// A list of what stands at `items`, whose declaration is `of`.
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

    /// An object with any keys and values as at `values`, whose declaration is `of`.
    #[must_use]
    pub fn map(values: DeclaredId, of: &Self) -> Self {
        // A key in quotes, a colon and a comma.
        let most = MAX_INNER / of.min_size.saturating_add(6);
        let mut map = Self::sized(DeclaredKind::Map(values), 2, most);
        map.is_exposed = of.is_exposed;
        map
    }

    /// An object with these fields. Of several with one name the last one counts.
    #[must_use]
    pub fn object(fields: impl IntoIterator<Item = Field>) -> Self {
        let mut fields: Vec<Field> = fields.into_iter().collect();
        fields.sort_by(|a, b| a.name.cmp(&b.name));
        fields.reverse();
        fields.dedup_by(|earlier, later| earlier.name == later.name);
        fields.reverse();
        Self::scalar(DeclaredKind::Object(fields.into()), 2)
    }

    /// A value that is kept and not described. Expressions do not see it.
    #[must_use]
    pub const fn unknown() -> Self {
        Self::hidden(DeclaredKind::Unknown)
    }

    /// A list of nobody knows what. Expressions do not see it.
    #[must_use]
    pub const fn without_items() -> Self {
        Self::hidden(DeclaredKind::NoItems)
    }

    /// No type at all. Expressions do not see the value.
    #[must_use]
    pub const fn untyped() -> Self {
        Self::hidden(DeclaredKind::Untyped(Cow::Borrowed("")))
    }

    /// A type that does not exist, as a stored schema may have it. Expressions do not see the
    /// value.
    #[must_use]
    pub fn of_unknown_type(name: &str) -> Self {
        Self::hidden(DeclaredKind::Untyped(Cow::Owned(name.to_owned())))
    }

    /// Says how many elements, entries, bytes, or letters of a text there are at most. Other values have one size.
    pub const fn limit(&mut self, most: u64) {
        self.max_elements = match &self.kind {
            // A letter takes up to four bytes.
            DeclaredKind::Text | DeclaredKind::IntOrString => most.saturating_mul(4),
            DeclaredKind::Bytes | DeclaredKind::List { .. } | DeclaredKind::Map(_) => most,
            _ => return,
        };
    }

    /// Says that a text is one of these, so that it is as large as the longest.
    pub fn limit_to<'t>(&mut self, texts: impl IntoIterator<Item = &'t str>) {
        if let DeclaredKind::Text = self.kind {
            let lengths = texts.into_iter().map(|text| text.len() as u64);
            self.max_elements = lengths.max().unwrap_or_default();
        }
    }

    /// Says that a field is always there, so that the smallest object has it too. `of` is the declaration of the field.
    ///
    /// A field with a default, or one that expressions do not see, makes no object larger.
    pub fn require(&mut self, name: &str, of: &Self) {
        if of.is_exposed {
            // Quotes, a colon and a comma.
            let size = (name.len() as u64).saturating_add(of.min_size);
            self.min_size = self.min_size.saturating_add(size).saturating_add(4);
        }
    }

    /// Says when two lists are equal.
    pub fn compare_as(&mut self, of_list: ListType) {
        if let DeclaredKind::List { list_type, .. } = &mut self.kind {
            *list_type = of_list;
        }
    }
}
