//! Tables of the fields of Go structs: the types of the tables, and the table of `ObjectMeta`. The
//! tables control the decoding of metadata and of CRDs.

use crate::schema::unknown::unknown_fields::FieldNames;
use k8s_json_internals::names::is_same_name;

/// The Go type of a value. A `&str` is the name of the type in error messages.
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
    /// An object whose values are strings.
    StringMap,
    List(&'static str, &'static GoType),
    Struct(&'static GoStruct),
    /// A schema of a CRD. The lint of the schema checks the content.
    Schema,
    /// A value of any type.
    Anything,
}

/// A Go struct.
#[derive(Debug)]
pub(crate) struct GoStruct {
    pub(crate) name: &'static str,
    /// The fields, sorted by name: a server decodes them in this order and reports the first error.
    pub(crate) fields: &'static [GoField],
}

/// A field of a Go struct.
#[derive(Debug)]
pub(crate) struct GoField {
    pub(crate) name: &'static str,
    pub(crate) ty: GoType,
    pub(crate) omit_empty: OmitEmpty,
}

/// The treatment of an empty field when Go encodes the struct: the JSON option `omitempty`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OmitEmpty {
    /// The field is omitted if the value is empty: null, zero, or an empty string, list or object.
    Yes,
    /// The field is omitted only if the value is null, because a pointer to zero or false is not
    /// empty.
    Pointer,
    /// The field is never omitted. A missing field is written as an empty string.
    No,
}

pub(crate) const STRING: GoType = GoType::String("string");
const UID: GoType = GoType::String("types.UID");

/// Returns a field with `omitempty`.
pub(crate) const fn field(name: &'static str, ty: GoType) -> GoField {
    GoField {
        name,
        ty,
        omit_empty: OmitEmpty::Yes,
    }
}

/// Returns a pointer field with `omitempty`.
const fn pointer_field(name: &'static str, ty: GoType) -> GoField {
    GoField {
        name,
        ty,
        omit_empty: OmitEmpty::Pointer,
    }
}

/// Returns a field without `omitempty`.
const fn always_written_field(name: &'static str, ty: GoType) -> GoField {
    GoField {
        name,
        ty,
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
    /// Returns a field, or `None` if the name is unknown.
    pub(super) fn field(&self, name: &str) -> Option<&GoField> {
        self.next_field(name, &mut 0)
    }

    /// Returns a field. Faster than [`field`](Self::field) if a caller looks up names in sorted
    /// order: the search starts at the index `next`. The method sets `next` to the index after the
    /// found field.
    #[inline]
    pub(super) fn next_field(&self, name: &str, next: &mut usize) -> Option<&GoField> {
        let has_name = |field: &GoField| is_same_name(field.name, name);
        let rest = self.fields.get(*next..).unwrap_or_default();
        let index = rest.iter().position(has_name).map(|offset| offset + *next);
        let index = index.or_else(|| self.fields.iter().take(*next).position(has_name))?;
        *next = index + 1;
        self.fields.get(index)
    }
}
