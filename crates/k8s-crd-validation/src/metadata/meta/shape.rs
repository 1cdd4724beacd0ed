//! The types of all known fields of metadata, by which it is decoded, checked and rewritten, and
//! the building blocks of such tables.

use k8s_json_internals::names::is_same;

/// The type of a value, with its name in messages.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Type {
    Text(&'static str),
    Integer,
    /// An integer of 32 bits.
    Int32,
    /// Bytes in base64.
    Bytes,
    Boolean,
    Time,
    /// A map of strings.
    Texts,
    List(&'static str, &'static Type),
    Struct(&'static Struct),
    /// A value of any type.
    Anything,
}

#[derive(Debug)]
pub(crate) struct Struct {
    pub(crate) name: &'static str,
    /// The fields, sorted by name: a server decodes them in this order and reports the first error.
    pub(crate) fields: &'static [Field],
}

#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) of: Type,
    pub(crate) empty: Empty,
}

/// The treatment of an empty field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Empty {
    /// An empty field is removed: an empty string or list, or zero.
    Dropped,
    /// A field is removed only if it is null, because zero and false are significant.
    Said,
    /// The field is always written, as an empty string if it is missing.
    Written,
}

pub(crate) const TEXT: Type = Type::Text("string");
const UID: Type = Type::Text("types.UID");

pub(crate) const fn field(name: &'static str, of: Type) -> Field {
    Field {
        name,
        of,
        empty: Empty::Dropped,
    }
}

const fn said(name: &'static str, of: Type) -> Field {
    Field {
        name,
        of,
        empty: Empty::Said,
    }
}

const fn written(name: &'static str, of: Type) -> Field {
    Field {
        name,
        of,
        empty: Empty::Written,
    }
}

pub(crate) static META: Struct = Struct {
    name: "ObjectMeta",
    fields: &[
        field("annotations", Type::Texts),
        field("creationTimestamp", Type::Time),
        said("deletionGracePeriodSeconds", Type::Integer),
        said("deletionTimestamp", Type::Time),
        field("finalizers", Type::List("[]string", &TEXT)),
        field("generateName", TEXT),
        field("generation", Type::Integer),
        field("labels", Type::Texts),
        field(
            "managedFields",
            Type::List("[]v1.ManagedFieldsEntry", &Type::Struct(&MANAGED)),
        ),
        field("name", TEXT),
        field("namespace", TEXT),
        field(
            "ownerReferences",
            Type::List("[]v1.OwnerReference", &Type::Struct(&OWNER)),
        ),
        field("resourceVersion", TEXT),
        field("selfLink", TEXT),
        field("uid", UID),
    ],
};

static OWNER: Struct = Struct {
    name: "OwnerReference",
    fields: &[
        written("apiVersion", TEXT),
        said("blockOwnerDeletion", Type::Boolean),
        said("controller", Type::Boolean),
        written("kind", TEXT),
        written("name", TEXT),
        written("uid", UID),
    ],
};

static MANAGED: Struct = Struct {
    name: "ManagedFieldsEntry",
    fields: &[
        field("apiVersion", TEXT),
        field("fieldsType", TEXT),
        said("fieldsV1", Type::Anything),
        field("manager", TEXT),
        field("operation", Type::Text("v1.ManagedFieldsOperationType")),
        field("subresource", TEXT),
        said("time", Type::Time),
    ],
};

impl Struct {
    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        self.next_field(name, &mut 0)
    }

    /// Returns a field. Faster than [`field`](Self::field) if names are looked up in the order of
    /// the fields: the search begins after the last field found, whose position is in `next`.
    #[inline]
    pub(super) fn next_field(&self, name: &str, next: &mut usize) -> Option<&Field> {
        let is = |field: &Field| is_same(field.name, name);
        let ahead = self.fields.get(*next..).unwrap_or_default();
        let ahead = ahead.iter().position(is).map(|at| at + *next);
        let found = ahead.or_else(|| self.fields.iter().take(*next).position(is))?;
        *next = found + 1;
        self.fields.get(found)
    }
}
