//! The types of all known fields of metadata, by which it is decoded, checked and rewritten, and
//! the building blocks of such tables.

use crate::schema::unknown_fields::FieldNames;
use k8s_json_internals::names::is_same_name;

/// The type of a value, with its name in messages.
#[derive(Clone, Copy, Debug)]
pub(crate) enum GoType {
    String(&'static str),
    Integer,
    /// An integer of 32 bits.
    Int32,
    /// Bytes in base64.
    Bytes,
    Boolean,
    Time,
    /// A map of strings.
    StringMap,
    List(&'static str, &'static GoType),
    Struct(&'static GoStruct),
    /// A schema of a CRD. The lint checks its content.
    Schema,
    /// A value of any type.
    Anything,
}

#[derive(Debug)]
pub(crate) struct GoStruct {
    pub(crate) name: &'static str,
    /// The fields, sorted by name: a server decodes them in this order and reports the first error.
    pub(crate) fields: &'static [GoField],
}

#[derive(Debug)]
pub(crate) struct GoField {
    pub(crate) name: &'static str,
    pub(crate) ty: GoType,
    pub(crate) omit_empty: OmitEmpty,
}

/// The treatment of an empty field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OmitEmpty {
    /// An empty field is removed: an empty string or list, or zero.
    Yes,
    /// A field is removed only if it is null, because zero and false are significant.
    Pointer,
    /// The field is always written, as an empty string if it is missing.
    No,
}

pub(crate) const STRING: GoType = GoType::String("string");
const UID: GoType = GoType::String("types.UID");

pub(crate) const fn field(name: &'static str, of: GoType) -> GoField {
    GoField {
        name,
        ty: of,
        omit_empty: OmitEmpty::Yes,
    }
}

const fn pointer_field(name: &'static str, of: GoType) -> GoField {
    GoField {
        name,
        ty: of,
        omit_empty: OmitEmpty::Pointer,
    }
}

const fn always_written_field(name: &'static str, of: GoType) -> GoField {
    GoField {
        name,
        ty: of,
        omit_empty: OmitEmpty::No,
    }
}

pub(crate) static OBJECT_META: GoStruct = GoStruct {
    name: "ObjectMeta",
    fields: &[
        field("annotations", GoType::StringMap),
        field("creationTimestamp", GoType::Time),
        pointer_field("deletionGracePeriodSeconds", GoType::Integer),
        pointer_field("deletionTimestamp", GoType::Time),
        field("finalizers", GoType::List("[]string", &STRING)),
        field("generateName", STRING),
        field("generation", GoType::Integer),
        field("labels", GoType::StringMap),
        field(
            "managedFields",
            GoType::List(
                "[]v1.ManagedFieldsEntry",
                &GoType::Struct(&MANAGED_FIELDS_ENTRY),
            ),
        ),
        field("name", STRING),
        field("namespace", STRING),
        field(
            "ownerReferences",
            GoType::List("[]v1.OwnerReference", &GoType::Struct(&OWNER_REFERENCE)),
        ),
        field("resourceVersion", STRING),
        field("selfLink", STRING),
        field("uid", UID),
    ],
};

static OWNER_REFERENCE: GoStruct = GoStruct {
    name: "OwnerReference",
    fields: &[
        always_written_field("apiVersion", STRING),
        pointer_field("blockOwnerDeletion", GoType::Boolean),
        pointer_field("controller", GoType::Boolean),
        always_written_field("kind", STRING),
        always_written_field("name", STRING),
        always_written_field("uid", UID),
    ],
};

static MANAGED_FIELDS_ENTRY: GoStruct = GoStruct {
    name: "ManagedFieldsEntry",
    fields: &[
        field("apiVersion", STRING),
        field("fieldsType", STRING),
        pointer_field("fieldsV1", GoType::Anything),
        field("manager", STRING),
        field("operation", GoType::String("v1.ManagedFieldsOperationType")),
        field("subresource", STRING),
        pointer_field("time", GoType::Time),
    ],
};

impl FieldNames for GoStruct {
    fn visit_names<'n>(&'n self, visit: &mut dyn FnMut(&'n str)) {
        self.fields.iter().for_each(|field| visit(field.name));
    }
}

impl GoStruct {
    pub(super) fn field(&self, name: &str) -> Option<&GoField> {
        self.next_field(name, &mut 0)
    }

    /// Returns a field. Faster than [`field`](Self::field) if names are looked up in the order of
    /// the fields: the search begins after the last field found, whose position is in `next`.
    #[inline]
    pub(super) fn next_field(&self, name: &str, next: &mut usize) -> Option<&GoField> {
        let is = |field: &GoField| is_same_name(field.name, name);
        let ahead = self.fields.get(*next..).unwrap_or_default();
        let ahead = ahead.iter().position(is).map(|at| at + *next);
        let found = ahead.or_else(|| self.fields.iter().take(*next).position(is))?;
        *next = found + 1;
        self.fields.get(found)
    }
}
