//! Declared types that are written by hand, from the inside to the outside.

use std::collections::BTreeMap;

use super::table::{Declaration, DeclareError, DeclaredId, DeclaredTypes, Field, ListType};

/// A declared type, for use in other types or in a table.
///
/// ```
/// use k8s_cel::DeclaredType;
///
/// let types = DeclaredType::object([
///     ("replicas", DeclaredType::int()),
///     ("hosts", DeclaredType::list(DeclaredType::string().max_size(63)).max_size(10).list_set()),
///     ("labels", DeclaredType::map(DeclaredType::string()).nullable()),
/// ])
/// .required(["replicas"])
/// .build()?;
/// # Ok::<(), k8s_cel::DeclareError>(())
/// ```
///
/// Bounds reduce the estimated cost: a list without a bound may be as long as the largest request
/// of 3 MiB allows.
#[derive(Clone, Debug)]
pub struct DeclaredType {
    /// The declarations inside, the innermost first. Instead of an id, each declaration contains
    /// the distance to the declarations inside.
    descendants: Vec<Declaration>,
    own: Declaration,
}

impl DeclaredType {
    const fn leaf(own: Declaration) -> Self {
        Self {
            descendants: Vec::new(),
            own,
        }
    }

    /// Returns a bool type: `true` or `false`.
    #[must_use]
    pub const fn bool() -> Self {
        Self::leaf(Declaration::bool())
    }

    /// Returns the type of integers of 64 bits.
    #[must_use]
    pub const fn int() -> Self {
        Self::leaf(Declaration::int())
    }

    /// Returns the type of floats.
    #[must_use]
    pub const fn double() -> Self {
        Self::leaf(Declaration::double())
    }

    /// Returns the type of strings.
    #[must_use]
    pub const fn string() -> Self {
        Self::leaf(Declaration::string())
    }

    /// Returns the type of bytes, which are base64 in JSON: format `byte`.
    #[must_use]
    pub const fn bytes() -> Self {
        Self::leaf(Declaration::bytes())
    }

    /// Returns the type of timestamps that are days in JSON: format `date`.
    #[must_use]
    pub const fn date() -> Self {
        Self::leaf(Declaration::date())
    }

    /// Returns the type of timestamps: format `date-time`.
    #[must_use]
    pub const fn date_time() -> Self {
        Self::leaf(Declaration::date_time())
    }

    /// Returns the type of durations: format `duration`.
    #[must_use]
    pub const fn duration() -> Self {
        Self::leaf(Declaration::duration())
    }

    /// Returns the type of an integer or a string: `x-kubernetes-int-or-string`. In expressions the
    /// type is `dyn`.
    #[must_use]
    pub const fn int_or_string() -> Self {
        Self::leaf(Declaration::int_or_string())
    }

    /// Returns the type of a value that is preserved and that expressions do not see:
    /// `x-kubernetes-preserve-unknown-fields`.
    #[must_use]
    pub const fn unknown() -> Self {
        Self::leaf(Declaration::unknown())
    }

    /// Returns the type of a list.
    #[must_use]
    pub fn list(items: Self) -> Self {
        let own = Declaration::list(1, &items.own);
        items.wrap(own)
    }

    /// Returns the type of an object with any keys: `additionalProperties`.
    #[must_use]
    pub fn map(values: Self) -> Self {
        let own = Declaration::map(1, &values.own);
        values.wrap(own)
    }

    fn wrap(mut self, own: Declaration) -> Self {
        self.descendants.push(self.own);
        Self {
            descendants: self.descendants,
            own,
        }
    }

    /// Returns the type of an object with these fields: `properties`. The names are the names in
    /// JSON. In an expression, a name that CEL does not allow is escaped as Kubernetes does it, so
    /// that `a-b` is `a__dash__b`. If several fields have the same name, the last one counts.
    #[must_use]
    pub fn object<N: Into<Box<str>>>(fields: impl IntoIterator<Item = (N, Self)>) -> Self {
        let fields: BTreeMap<Box<str>, Self> = fields
            .into_iter()
            .map(|(name, field)| (name.into(), field))
            .collect();
        let mut below = Vec::new();
        let mut places = Vec::with_capacity(fields.len());
        for (name, mut field) in fields {
            if below.is_empty() {
                below = core::mem::take(&mut field.descendants);
            } else {
                below.append(&mut field.descendants);
            }
            places.push((name, below.len()));
            below.push(field.own);
        }
        let count = below.len();
        let fields = places
            .into_iter()
            .map(|(name, at)| Field::new(&name, distance(count - at)));
        Self {
            own: Declaration::object(fields),
            descendants: below,
        }
    }

    /// Sets the maximum number of elements, entries, bytes, or letters of a string: `maxItems`,
    /// `maxProperties`, `maxLength`. Other types do not change.
    #[must_use]
    pub const fn max_size(mut self, most: u64) -> Self {
        self.own.set_max_size(most);
        self
    }

    /// Sets the allowed values of a string: `enum`. Other types do not change.
    #[must_use]
    pub fn allowed_values<'t>(mut self, texts: impl IntoIterator<Item = &'t str>) -> Self {
        self.own.set_allowed_values(texts);
        self
    }

    /// Marks fields as always present: `required`, for fields without a default. The cost of a list
    /// then depends on the number of such objects that fit into a request. Names without a field
    /// are ignored.
    #[must_use]
    pub fn required<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Self {
        let count = self.descendants.len();
        for name in names {
            let at = self.own.field(name).map(|field| field.ty as usize);
            let of = at.and_then(|distance| self.descendants.get(count.checked_sub(distance)?));
            if let Some(of) = of {
                self.own.require(name, of);
            }
        }
        self
    }

    /// Allows null as a value. Without this, reading null fails.
    #[must_use]
    pub const fn nullable(mut self) -> Self {
        self.own.nullable = true;
        self
    }

    /// Makes two lists equal in any order: `x-kubernetes-list-type: set`. Other types do not
    /// change.
    #[must_use]
    pub fn list_set(mut self) -> Self {
        self.own.set_list_type(ListType::Set);
        self
    }

    /// Identifies elements by these keys, and makes two lists equal in any order:
    /// `x-kubernetes-list-type: map`. Other types do not change.
    #[must_use]
    pub fn list_map<'k>(mut self, keys: impl IntoIterator<Item = &'k str>) -> Self {
        self.own.set_list_type(ListType::map(keys));
        self
    }

    /// Returns the table for an [`Environment`](crate::Environment). This type is its
    /// [`ROOT`](DeclaredTypes::ROOT).
    ///
    /// # Errors
    ///
    /// Returns an error if the type has more than 256 levels: [`DeclareError::TooDeep`].
    pub fn build(mut self) -> Result<DeclaredTypes, DeclareError> {
        self.descendants.push(self.own);
        self.descendants.reverse();
        // The order of the declarations is reversed, and their distances stay the same.
        for (at, declaration) in self.descendants.iter_mut().enumerate() {
            declaration.shift_ids(distance(at));
        }
        DeclaredTypes::new(self.descendants)
    }
}

/// Returns a distance as an id. A table never has more declarations than ids.
fn distance(places: usize) -> DeclaredId {
    DeclaredId::try_from(places).unwrap_or(DeclaredId::MAX)
}
