//! Declared types that are written by hand, from the inside out.

use std::collections::BTreeMap;

use super::table::{Declaration, DeclareError, DeclaredId, DeclaredTypes, Field, ListType};

/// A declared type, to be put into others and at last into a table.
///
/// ```
/// use k8s_cel::DeclaredType;
///
/// let types = DeclaredType::object([
///     ("replicas", DeclaredType::int()),
///     ("hosts", DeclaredType::list(DeclaredType::text().at_most(63)).at_most(10).as_set()),
///     ("labels", DeclaredType::map(DeclaredType::text()).nullable()),
/// ])
/// .required(["replicas"])
/// .declare()?;
/// # Ok::<(), k8s_cel::DeclareError>(())
/// ```
///
/// Bounds make the estimated cost smaller: without one, a list is as long as the largest request of 3 MiB has room for.
#[derive(Clone, Debug)]
pub struct DeclaredType {
    /// What is in it, the innermost first. Instead of a place, each has how far before it that stands.
    below: Vec<Declaration>,
    own: Declaration,
}

impl DeclaredType {
    const fn leaf(own: Declaration) -> Self {
        Self {
            below: Vec::new(),
            own,
        }
    }

    /// `true` or `false`.
    #[must_use]
    pub const fn bool() -> Self {
        Self::leaf(Declaration::bool())
    }

    /// An integer of 64 bits.
    #[must_use]
    pub const fn int() -> Self {
        Self::leaf(Declaration::int())
    }

    /// A float.
    #[must_use]
    pub const fn double() -> Self {
        Self::leaf(Declaration::double())
    }

    /// A text.
    #[must_use]
    pub const fn text() -> Self {
        Self::leaf(Declaration::text())
    }

    /// Bytes, which JSON has as base64: format `byte`.
    #[must_use]
    pub const fn bytes() -> Self {
        Self::leaf(Declaration::bytes())
    }

    /// A timestamp that JSON has as a day: format `date`.
    #[must_use]
    pub const fn date() -> Self {
        Self::leaf(Declaration::date())
    }

    /// A timestamp: format `date-time`.
    #[must_use]
    pub const fn date_time() -> Self {
        Self::leaf(Declaration::date_time())
    }

    /// A duration: format `duration`.
    #[must_use]
    pub const fn duration() -> Self {
        Self::leaf(Declaration::duration())
    }

    /// An integer or a text: `x-kubernetes-int-or-string`. For expressions it is `dyn`.
    #[must_use]
    pub const fn int_or_string() -> Self {
        Self::leaf(Declaration::int_or_string())
    }

    /// A value that is kept and that expressions do not see: `x-kubernetes-preserve-unknown-fields`.
    #[must_use]
    pub const fn unknown() -> Self {
        Self::leaf(Declaration::unknown())
    }

    /// A list.
    #[must_use]
    pub fn list(items: Self) -> Self {
        let own = Declaration::list(1, &items.own);
        items.around(own)
    }

    /// An object with any keys: `additionalProperties`.
    #[must_use]
    pub fn map(values: Self) -> Self {
        let own = Declaration::map(1, &values.own);
        values.around(own)
    }

    fn around(mut self, own: Declaration) -> Self {
        self.below.push(self.own);
        Self {
            below: self.below,
            own,
        }
    }

    /// An object with these fields: `properties`. They have their names in JSON; in an expression, a name that CEL cannot have is
    /// escaped as Kubernetes does it, so that `a-b` is `a__dash__b`. Of several with one name the last one counts.
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
                below = core::mem::take(&mut field.below);
            } else {
                below.append(&mut field.below);
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
            below,
        }
    }

    /// Says how many elements, entries, bytes, or letters of a text there are at most: `maxItems`, `maxProperties`, `maxLength`.
    /// It changes nothing for other types.
    #[must_use]
    pub const fn at_most(mut self, most: u64) -> Self {
        self.own.limit(most);
        self
    }

    /// Says that a text is one of these: `enum`. It changes nothing for other types.
    #[must_use]
    pub fn one_of<'t>(mut self, texts: impl IntoIterator<Item = &'t str>) -> Self {
        self.own.limit_to(texts);
        self
    }

    /// Says that these fields are always there: `required`, for fields without a default. It tells the cost of a list how many of
    /// such objects fit into a request. Names that no field has change nothing.
    #[must_use]
    pub fn required<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Self {
        let count = self.below.len();
        for name in names {
            let at = self.own.field(name).map(|field| field.ty as usize);
            let of = at.and_then(|distance| self.below.get(count.checked_sub(distance)?));
            if let Some(of) = of {
                self.own.require(name, of);
            }
        }
        self
    }

    /// Says that null is a value of it. Else, reading null fails.
    #[must_use]
    pub const fn nullable(mut self) -> Self {
        self.own.nullable = true;
        self
    }

    /// Says that two lists are equal in any order: `x-kubernetes-list-type: set`. It changes nothing for other types.
    #[must_use]
    pub fn as_set(mut self) -> Self {
        self.own.compare_as(ListType::Set);
        self
    }

    /// Says that elements are told apart by these keys, and are equal in any order: `x-kubernetes-list-type: map`. It changes
    /// nothing for other types.
    #[must_use]
    pub fn as_map<'k>(mut self, keys: impl IntoIterator<Item = &'k str>) -> Self {
        self.own.compare_as(ListType::map(keys));
        self
    }

    /// The table that an [`Environment`](crate::Environment) takes; this is its [`ROOT`](DeclaredTypes::ROOT).
    ///
    /// # Errors
    ///
    /// [`DeclareError::TooDeep`] for more than 256 levels.
    pub fn declare(mut self) -> Result<DeclaredTypes, DeclareError> {
        self.below.push(self.own);
        self.below.reverse();
        // What stood before now comes after, as far away as it was.
        for (at, declaration) in self.below.iter_mut().enumerate() {
            declaration.move_by(distance(at));
        }
        DeclaredTypes::new(self.below)
    }
}

/// There are never more declarations than numbers.
fn distance(places: usize) -> DeclaredId {
    DeclaredId::try_from(places).unwrap_or(DeclaredId::MAX)
}
