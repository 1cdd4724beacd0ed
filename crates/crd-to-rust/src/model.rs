//! What is written: types with names, docs and attributes. Data, and no tokens.

use serde_json::Value;

/// A type, by its place in [`Module::types`].
pub(crate) type TypeId = usize;

/// A version of a kind.
#[derive(Debug)]
pub(crate) struct Module {
    /// `http_route`
    pub(crate) of_kind: String,
    /// `v1`
    pub(crate) of_version: String,
    pub(crate) kind: String,
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) root: Root,
    /// The spec is the first one.
    pub(crate) types: Vec<Type>,
}

/// What kube's derive needs to know.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are the flags of kube's derive"
)]
pub(crate) struct Root {
    /// The name of the type that kube makes.
    pub(crate) name: String,
    pub(crate) doc: Option<String>,
    pub(crate) plural: Option<String>,
    pub(crate) singular: Option<String>,
    pub(crate) namespaced: bool,
    pub(crate) no_spec: bool,
    pub(crate) status: Option<TypeId>,
    /// The fields of kube's root type that have unions in them.
    pub(crate) walked: Vec<&'static str>,
    pub(crate) short_names: Vec<String>,
    pub(crate) categories: Vec<String>,
    pub(crate) columns: Vec<Column>,
    pub(crate) selectable: Vec<String>,
    pub(crate) scale: Option<Scale>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) is_storage: bool,
    pub(crate) is_served: bool,
    /// The warning; empty where kube is to say that it is deprecated and no more.
    pub(crate) deprecated: Option<String>,
    pub(crate) annotations: Vec<(String, String)>,
}

#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) of: String,
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

/// What stands at the top of a module.
#[derive(Debug)]
pub(crate) struct Type {
    pub(crate) name: String,
    pub(crate) doc: String,
    /// What a reader has to know and the schema does not say: comments.
    pub(crate) comments: Vec<String>,
    pub(crate) body: Body,
    /// Whether `Default` can be derived.
    pub(crate) has_default: bool,
}

#[derive(Debug)]
pub(crate) enum Body {
    Struct(Struct),
    /// Texts, and the variant for others.
    Enum {
        variants: Vec<NamedValue<String>>,
        other: Option<String>,
    },
    /// Integers, in the same way; `of` is the type that holds them.
    Numbers {
        of: &'static str,
        variants: Vec<NamedValue<i64>>,
        other: Option<String>,
    },
    Union(UnionEnum),
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
    /// The field that names the variant, if there is one.
    pub(crate) discriminator: Option<String>,
    pub(crate) discriminator_doc: String,
    /// The variant for an object without a member or a discriminator, if there may be one.
    pub(crate) none: Option<String>,
    pub(crate) variants: Vec<Variant>,
    /// The variant for what cannot be read.
    pub(crate) other: Option<String>,
}

#[derive(Debug)]
pub(crate) struct Variant {
    pub(crate) name: String,
    pub(crate) value: String,
    /// The member, and whether it may be unset.
    pub(crate) field: Option<(Field, bool)>,
}

#[derive(Debug, Default)]
pub(crate) struct Struct {
    pub(crate) fields: Vec<Field>,
    /// The field for what no other one is for.
    pub(crate) rest: Option<String>,
    pub(crate) rules: Vec<Rule>,
    /// Whether it has unions.
    pub(crate) is_union: bool,
    /// Whether it, or what is in it, has some.
    pub(crate) is_walked: bool,
    /// The groups of which one member has to be set.
    pub(crate) exactly_one: Vec<String>,
    /// Keywords of the schema that the fields do not say.
    pub(crate) keywords: Vec<(String, Value)>,
}

#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) ident: String,
    pub(crate) json: String,
    pub(crate) doc: String,
    pub(crate) comments: Vec<String>,
    pub(crate) ty: Ty,
    pub(crate) presence: Presence,
    /// The type whose schema is taken in place of the field's own.
    pub(crate) with: Option<Ty>,
    /// What is added to that schema.
    pub(crate) keywords: Vec<(String, Value)>,
    /// What is added below it: where, and what.
    pub(crate) inner: Vec<(String, Vec<(String, Value)>)>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) role: Option<Role>,
    /// What a list says its elements are told apart by.
    pub(crate) list_keys: Vec<String>,
    /// Whether what is in it has unions.
    pub(crate) is_nested: bool,
    /// Whether a list that is descended into has it for a key.
    pub(crate) is_key: bool,
}

/// What a field is to the unions of its struct.
#[derive(Debug)]
pub(crate) enum Role {
    Discriminator,
    Member {
        value: Option<String>,
        optional: bool,
        discriminated_by: Option<String>,
        group: Option<String>,
    },
    /// It may be named like a value, and is none of the members.
    NotMember,
}

/// Whether a field may be absent or null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    Required,
    /// There, and perhaps null.
    Nullable,
    Optional,
}

/// The type of a field.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ty {
    /// A type of Rust, or of a crate, by its path.
    Path(&'static str),
    Named(TypeId),
    List(Box<Ty>),
    Map(Box<Ty>),
    Option(Box<Ty>),
}

/// A CEL rule.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) text: String,
    pub(crate) message: Option<Message>,
    pub(crate) reason: Option<String>,
    pub(crate) field_path: Option<String>,
    pub(crate) optional_old_self: Option<bool>,
}

#[derive(Clone, Debug)]
pub(crate) enum Message {
    Text(String),
    Expression(String),
}

impl Ty {
    pub(crate) const ANY: Self = Self::Path("::serde_json::Value");
    pub(crate) const TEXT: Self = Self::Path("String");

    /// The types of a module that it is made of.
    pub(crate) fn named(&self) -> Option<TypeId> {
        let mut ty = self;
        loop {
            match ty {
                Self::Named(id) => return Some(*id),
                Self::Path(_) => return None,
                Self::List(inner) | Self::Map(inner) | Self::Option(inner) => ty = inner,
            }
        }
    }
}
