//! The model of the generated code: types with names, documentation and attributes, as data instead
//! of tokens.

use serde_json::Value;

/// The index of a type in [`Module::items`].
pub(crate) type ItemId = usize;

/// The module of a version of a kind.
#[derive(Debug)]
pub(crate) struct Module {
    /// The module name of the kind, such as `http_route`.
    pub(crate) kind_mod: String,
    /// The module name of the version, such as `v1`.
    pub(crate) version_mod: String,
    pub(crate) kind: String,
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) root: RootType,
    /// The types. The first type is the spec.
    pub(crate) items: Vec<Item>,
}

/// The arguments of kube's derive.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "these are flags of kube's derive"
)]
pub(crate) struct RootType {
    /// The name of the type that kube's derive generates.
    pub(crate) name: String,
    pub(crate) doc: Option<String>,
    pub(crate) plural: Option<String>,
    pub(crate) singular: Option<String>,
    pub(crate) namespaced: bool,
    pub(crate) no_spec: bool,
    pub(crate) status: Option<ItemId>,
    /// The fields of kube's root type that contain unions.
    pub(crate) fields_with_unions: Vec<&'static str>,
    pub(crate) short_names: Vec<String>,
    pub(crate) categories: Vec<String>,
    pub(crate) columns: Vec<Column>,
    pub(crate) selectable_fields: Vec<String>,
    pub(crate) scale: Option<Scale>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) is_storage: bool,
    pub(crate) is_served: bool,
    /// The deprecation warning; empty for kube's default warning.
    pub(crate) deprecation_warning: Option<String>,
    pub(crate) annotations: Vec<(String, String)>,
}

#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) data_type: String,
    pub(crate) json_path: String,
    pub(crate) description: Option<String>,
    pub(crate) format: Option<String>,
    pub(crate) priority: Option<i32>,
}

#[derive(Debug)]
pub(crate) struct Scale {
    pub(crate) spec_replicas: String,
    pub(crate) status_replicas: String,
    pub(crate) label_selector: Option<String>,
}

/// A type of a module.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) name: String,
    pub(crate) doc: String,
    /// Comments for users, with facts that the schema does not contain.
    pub(crate) comments: Vec<String>,
    pub(crate) body: Body,
    /// True if `Default` can be derived.
    pub(crate) has_default: bool,
}

#[derive(Debug)]
pub(crate) enum Body {
    Struct(Struct),
    /// An enum of strings, with an optional variant for other strings.
    StringEnum {
        variants: Vec<NamedValue<String>>,
        other_variant: Option<String>,
    },
    /// An enum of integers, with an optional variant for other integers.
    IntegerEnum {
        integer_type: &'static str,
        variants: Vec<NamedValue<i64>>,
        other_variant: Option<String>,
    },
    Union(UnionEnum),
    /// A struct around the value of a spec or a status that is not an object.
    Newtype(Box<Field>),
}

/// A value of an enum, with the name of its variant.
#[derive(Debug)]
pub(crate) struct NamedValue<T> {
    pub(crate) value: T,
    pub(crate) name: String,
}

/// A union as an enum.
#[derive(Debug)]
pub(crate) struct UnionEnum {
    /// The field whose value selects the variant.
    pub(crate) discriminator: Option<String>,
    pub(crate) discriminator_doc: String,
    /// The variant for an object with neither a member nor a discriminator, if such an object is
    /// valid.
    pub(crate) empty_variant: Option<String>,
    pub(crate) variants: Vec<Variant>,
    /// The variant for objects that no other variant can represent.
    pub(crate) other_variant: Option<String>,
}

#[derive(Debug)]
pub(crate) struct Variant {
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) member: Option<VariantMember>,
}

/// The member of a variant.
#[derive(Debug)]
pub(crate) struct VariantMember {
    pub(crate) field: Field,
    pub(crate) is_optional: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Struct {
    pub(crate) fields: Vec<Field>,
    /// The name of the field that keeps unknown fields.
    pub(crate) unknown_fields: Option<String>,
    /// True if kube's root type flattens the struct, so that the type of the object is among the
    /// unknown fields.
    pub(crate) is_flattened_in_root: bool,
    pub(crate) rules: Vec<Rule>,
    /// True if the struct itself has unions.
    pub(crate) has_unions: bool,
    /// True if the struct or a type inside it has unions.
    pub(crate) contains_unions: bool,
    /// The groups of members of which exactly one must be set.
    pub(crate) exactly_one: Vec<String>,
    /// The keywords of the schema that the fields do not express.
    pub(crate) keywords: Vec<(String, Value)>,
}

#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) ident: String,
    pub(crate) json_name: String,
    pub(crate) doc: String,
    pub(crate) comments: Vec<String>,
    pub(crate) ty: RustType,
    pub(crate) presence: Presence,
    /// The type whose schema replaces the schema of the field's type.
    pub(crate) with: Option<RustType>,
    /// The keywords that are added to the schema of the field.
    pub(crate) keywords: Vec<(String, Value)>,
    /// The keywords that are added to subschemas of the field, each with the JSON pointer of the
    /// subschema.
    pub(crate) subschema_keywords: Vec<(String, Vec<(String, Value)>)>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) role: Option<UnionRole>,
    /// The keys of a list of the type `map`.
    pub(crate) list_keys: Vec<String>,
    /// True if a type inside the field has unions.
    pub(crate) is_nested: bool,
    /// True if the field is a key of a list whose elements have unions.
    pub(crate) is_key: bool,
}

/// The role of a field in the unions of its struct.
#[derive(Debug)]
pub(crate) enum UnionRole {
    Discriminator,
    Member {
        value: Option<String>,
        optional: bool,
        discriminated_by: Option<String>,
        group: Option<String>,
    },
    /// A field whose name may equal a value of the discriminator, but that is not a member.
    NotMember,
}

/// The presence of a field in the JSON object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    Required,
    /// The field must be present, and may be null.
    Nullable,
    Optional,
}

/// The type of a field.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RustType {
    /// A Rust type, given by its path.
    Path(&'static str),
    Named(ItemId),
    List(Box<RustType>),
    Map(Box<RustType>),
    Option(Box<RustType>),
}

/// A CEL rule.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) expression: String,
    pub(crate) message: Option<Message>,
    pub(crate) reason: Option<String>,
    pub(crate) field_path: Option<String>,
    pub(crate) optional_old_self: Option<bool>,
}

#[derive(Clone, Debug)]
pub(crate) enum Message {
    Literal(String),
    Expression(String),
}

impl RustType {
    pub(crate) const ANY: Self = Self::Path("::serde_json::Value");
    pub(crate) const STRING: Self = Self::Path("String");

    /// Returns the generated type inside this type, if there is one.
    pub(crate) fn item_id(&self) -> Option<ItemId> {
        let mut ty = self;
        loop {
            match ty {
                Self::Named(id) => return Some(*id),
                Self::Path(_) => return None,
                Self::List(element) | Self::Map(element) | Self::Option(element) => ty = element,
            }
        }
    }
}
