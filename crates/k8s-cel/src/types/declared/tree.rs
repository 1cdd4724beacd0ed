//! A builder of declared types, from the innermost types to the outermost.

use std::collections::BTreeMap;

use super::table::{Declaration, DeclareError, DeclaredId, DeclaredTypes, Field, ListType};

/// A declared type, which can be nested in other types or converted to a table.
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
/// Size limits reduce the estimated cost: a list without a limit may be as long as a request of 3
/// MiB allows.
#[derive(Clone, Debug)]
pub struct DeclaredType {
    /// The declarations inside, innermost first. In this list, a declaration refers to another by
    /// the distance between them, not by id.
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

    /// Returns the type of bools.
    #[must_use]
    pub const fn bool() -> Self {
        Self::leaf(Declaration::bool())
    }

    /// Returns the type of 64-bit integers.
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

    /// Returns the type of bytes, which are base64 strings in JSON: format `byte`.
    #[must_use]
    pub const fn bytes() -> Self {
        Self::leaf(Declaration::bytes())
    }

    /// Returns the type of timestamps that are dates in JSON: format `date`.
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

    /// Returns the type of values that are integers or strings: `x-kubernetes-int-or-string`. In
    /// expressions, the type is `dyn`.
    #[must_use]
    pub const fn int_or_string() -> Self {
        Self::leaf(Declaration::int_or_string())
    }

    /// Returns the type of values that are preserved without a schema, and that expressions cannot
    /// read: `x-kubernetes-preserve-unknown-fields`.
    #[must_use]
    pub const fn unknown() -> Self {
        Self::leaf(Declaration::unknown())
    }

    /// Returns the type of lists with elements of a type.
    #[must_use]
    pub fn list(items: Self) -> Self {
        let own = Declaration::list(1, &items.own);
        items.wrap(own)
    }

    /// Returns the type of objects with arbitrary keys: `additionalProperties`.
    #[must_use]
    pub fn map(values: Self) -> Self {
        let own = Declaration::map(1, &values.own);
        values.wrap(own)
    }

    /// Returns the type `own`, which refers to this type by the distance 1.
    fn wrap(mut self, own: Declaration) -> Self {
        self.descendants.push(self.own);
        Self {
            descendants: self.descendants,
            own,
        }
    }

    /// Returns the type of objects with these fields: `properties`. The names are JSON names.
    /// Expressions use the escaped names of Kubernetes for names that are not CEL identifiers:
    /// `a-b` is `a__dash__b`. If two fields have the same name, the last field is used.
    #[must_use]
    pub fn object<N: Into<Box<str>>>(fields: impl IntoIterator<Item = (N, Self)>) -> Self {
        let fields: BTreeMap<Box<str>, Self> = fields
            .into_iter()
            .map(|(name, field)| (name.into(), field))
            .collect();
        let mut descendants = Vec::new();
        let mut positions = Vec::with_capacity(fields.len());
        for (name, mut field) in fields {
            if descendants.is_empty() {
                descendants = core::mem::take(&mut field.descendants);
            } else {
                descendants.append(&mut field.descendants);
            }
            positions.push((name, descendants.len()));
            descendants.push(field.own);
        }
        let count = descendants.len();
        let fields = positions
            .into_iter()
            .map(|(name, position)| Field::new(&name, distance_as_id(count - position)));
        Self {
            own: Declaration::object(fields),
            descendants,
        }
    }

    /// Sets the maximum number of elements, entries or bytes, or of code points of a string:
    /// `maxItems`, `maxProperties`, `maxLength`. Other types do not change.
    #[must_use]
    pub const fn max_size(mut self, max_size: u64) -> Self {
        self.own.set_max_size(max_size);
        self
    }

    /// Sets the allowed values of a string: `enum`. Other types do not change.
    #[must_use]
    pub fn allowed_values<'t>(mut self, values: impl IntoIterator<Item = &'t str>) -> Self {
        self.own.set_allowed_values(values);
        self
    }

    /// Marks fields that every object has: `required`, for fields without a default. The maximum
    /// length of a list then depends on how many of these objects fit into a request. Unknown names
    /// are ignored.
    #[must_use]
    pub fn required<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Self {
        let count = self.descendants.len();
        for name in names {
            let distance = self.own.field(name).map(|field| field.ty as usize);
            let field =
                distance.and_then(|distance| self.descendants.get(count.checked_sub(distance)?));
            if let Some(field) = field {
                self.own.require(name, field);
            }
        }
        self
    }

    /// Allows null as a value. For other types, reading null is an error.
    #[must_use]
    pub const fn nullable(mut self) -> Self {
        self.own.nullable = true;
        self
    }

    /// Sets the list type `set` (`x-kubernetes-list-type`): the order does not matter for equality.
    /// Other types do not change.
    #[must_use]
    pub fn list_set(mut self) -> Self {
        self.own.set_list_type(ListType::Set);
        self
    }

    /// Sets the list type `map` (`x-kubernetes-list-type`): the keys identify elements, and the
    /// order does not matter for equality. Other types do not change.
    #[must_use]
    pub fn list_map<'k>(mut self, keys: impl IntoIterator<Item = &'k str>) -> Self {
        self.own.set_list_type(ListType::map(keys));
        self
    }

    /// Returns the table for an [`Environment`](crate::Environment), with this type as its
    /// [`ROOT`](DeclaredTypes::ROOT).
    ///
    /// # Errors
    ///
    /// Returns an error if the type has more than 256 levels: [`DeclareError::TooDeep`].
    pub fn build(mut self) -> Result<DeclaredTypes, DeclareError> {
        self.descendants.push(self.own);
        self.descendants.reverse();
        // Reversing the list keeps the distances; adding the index turns a distance into an id.
        for (index, declaration) in self.descendants.iter_mut().enumerate() {
            declaration.shift_ids(distance_as_id(index));
        }
        DeclaredTypes::new(self.descendants)
    }
}

/// Returns a distance in the table as an id, or the maximum id if the distance is larger.
fn distance_as_id(distance: usize) -> DeclaredId {
    DeclaredId::try_from(distance).unwrap_or(DeclaredId::MAX)
}
