//! A derive's input, as written ([`UnionInput`], [`EnumInput`]) and checked ([`Struct`], [`EnumType`]): data, no tokens.
//! Code is generated from checked input only, which the types see to.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt as _;
use syn::{Attribute, Data, DeriveInput, Expr, Fields, Generics, Lit, LitStr, Meta, Path, Type};

use crate::attr::{ContainerAttrs, Enforce, FieldAttrs, Shape, StructAttrs, VariantAttrs};
use crate::diag::Diag;
use crate::hook::Schemars;
use crate::name::{SerdeContainer, SerdeDefault, SerdeField, SerdeVariant};

/// A struct with `#[derive(Union)]`, as written.
pub(crate) struct UnionInput<'a> {
    pub(crate) container: Container<'a>,
    pub(crate) attrs: StructAttrs,
    pub(crate) fields: Vec<FieldInput<'a>>,
    /// All attributes could be read, so what is not there was not written.
    pub(crate) is_complete: bool,
}

/// What structs and enums have in common.
pub(crate) struct Container<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) generics: &'a Generics,
    pub(crate) attrs: ContainerAttrs,
    pub(crate) syn_attrs: &'a [Attribute],
    pub(crate) schemars: Schemars,
    pub(crate) serde: SerdeContainer,
}

/// A field, as written.
pub(crate) struct FieldInput<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) ty: &'a Type,
    pub(crate) attrs: FieldAttrs,
    pub(crate) schemars: Schemars,
    pub(crate) serde: SerdeField,
}

/// An enum with `#[derive(EnumType)]`, as written.
pub(crate) struct EnumInput<'a> {
    pub(crate) container: Container<'a>,
    pub(crate) variants: Vec<VariantInput<'a>>,
}

/// A variant, as written.
pub(crate) struct VariantInput<'a> {
    pub(crate) syn: &'a syn::Variant,
    pub(crate) attrs: VariantAttrs,
    /// Its attributes could be read.
    pub(crate) is_complete: bool,
    pub(crate) serde: SerdeVariant,
}

/// A struct whose unions are well formed, as far as a macro can see.
pub(crate) struct Struct<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) generics: &'a Generics,
    pub(crate) krate: Path,
    pub(crate) unions: Vec<Union<'a>>,
    /// What it holds, to be descended into.
    pub(crate) children: Vec<Child<'a>>,
    /// The fields that name it in a list.
    pub(crate) keys: Vec<KeyField<'a>>,
    /// The map of members that are not known.
    pub(crate) unknown: Option<UnknownField<'a>>,
    /// What the schema says of patches.
    pub(crate) patches: Vec<PatchField<'a>>,
    pub(crate) shape: Shape,
    pub(crate) enforce: Enforce,
    pub(crate) hook: HookCheck,
}

/// A field to be descended into.
pub(crate) struct Child<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) ty: &'a Type,
    pub(crate) name: String,
    pub(crate) kind: ChildKind,
}

/// How a child's nodes are reached.
pub(crate) enum ChildKind {
    /// It is flattened: its nodes are at the place of the struct.
    Inline(Flattened),
    Nested,
    /// A list whose elements correlate by these keys.
    List {
        keys: Vec<LitStr>,
        /// The elements depend on a parameter of the struct.
        is_generic: bool,
    },
}

/// What a flattened struct may do beside the other fields of the struct.
pub(crate) enum Flattened {
    /// It may keep unknown members.
    Keeps,
    /// It may not; the text says why.
    KeepsNothing(String),
    /// Its type depends on a parameter, so that cannot be asked here.
    Generic,
}

/// A field with `key`.
pub(crate) struct KeyField<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) ty: &'a Type,
    pub(crate) name: String,
}

/// A field with `unknown`.
pub(crate) struct UnknownField<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) ty: &'a Type,
    pub(crate) span: Span,
}

/// A field with `patch_strategy`.
pub(crate) struct PatchField<'a> {
    pub(crate) ty: &'a Type,
    pub(crate) name: String,
    /// As Kubernetes writes it: with a comma.
    pub(crate) strategy: String,
    /// `""` where there is none.
    pub(crate) merge_key: String,
    /// Where it is to be said that elements need a merge key, if they are objects.
    pub(crate) asks_for_key: Option<Span>,
}

/// A union of a struct.
pub(crate) struct Union<'a> {
    pub(crate) kind: UnionKind<'a>,
    pub(crate) members: Vec<Member<'a>>,
}

/// What decides which member is to be set.
pub(crate) enum UnionKind<'a> {
    /// The discriminator: the 2022 model.
    Discriminated(Discriminator<'a>),
    /// The members, and the discriminator follows: the 2019 model.
    Deduced(Discriminator<'a>),
    /// There is no discriminator.
    Undiscriminated { exactly_one: bool },
}

/// The field that names the member to respect.
pub(crate) struct Discriminator<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) ty: &'a Type,
    pub(crate) span: Span,
    pub(crate) name: String,
    pub(crate) has_skip_if: bool,
    pub(crate) default: Absent,
}

/// What an absent discriminator stands for.
pub(crate) enum Absent {
    Nothing,
    /// The field's `#[serde(default)]`.
    FieldDefault,
    /// The field's `#[serde(default = "path")]`.
    FieldPath(syn::ExprPath),
    /// The struct's `#[serde(default)]`.
    StructDefault,
    /// The struct's `#[serde(default = "path")]`.
    StructPath(syn::ExprPath),
}

/// A field of the union.
pub(crate) struct Member<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) ty: &'a Type,
    pub(crate) span: Span,
    pub(crate) name: String,
    pub(crate) value: MemberValue,
    pub(crate) optional: bool,
}

/// How the discriminator names a member.
pub(crate) enum MemberValue {
    /// The value that fits the JSON name, or this form of the Rust name.
    ByName {
        camel: String,
    },
    Written(LitStr),
}

/// An enum that is an enum type.
pub(crate) struct EnumType<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) generics: &'a Generics,
    pub(crate) krate: Path,
    pub(crate) values: Vec<EnumValue<'a>>,
    /// The variant that keeps unknown values.
    pub(crate) other: Option<&'a Ident>,
    pub(crate) hook: HookCheck,
}

/// A value of an enum type.
pub(crate) struct EnumValue<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) text: String,
    pub(crate) doc: String,
}

/// What is still to be found out about the schema hook once types are known.
pub(crate) enum HookCheck {
    /// It is there, or not wanted.
    Done,
    /// It is not there, and nothing in sight says that there is a schema: where the type implements `JsonSchema` after all, a
    /// use of this deprecated constant warns of it.
    IfSchema(&'static str),
}

impl<'a> UnionInput<'a> {
    /// `None` where there is nothing to check, after an error.
    pub(crate) fn from_syn(input: &'a DeriveInput, diag: &Diag) -> Option<Self> {
        let fields = named_fields(input, diag)?;
        let before = diag.count();
        let (attrs, of_struct) = ContainerAttrs::of_struct(&input.attrs, diag);
        let mut container = Container::from_syn(input, attrs, diag)?;
        let serde = std::mem::take(&mut container.serde.fields);
        let fields = fields
            .iter()
            .zip(serde)
            .filter_map(|(field, serde)| {
                Some(FieldInput {
                    ident: field.ident.as_ref()?,
                    ty: &field.ty,
                    attrs: FieldAttrs::from_syn(&field.attrs, diag),
                    schemars: Schemars::from_syn(&field.attrs),
                    serde,
                })
            })
            .collect();
        Some(Self {
            container,
            attrs: of_struct,
            fields,
            is_complete: diag.count() == before,
        })
    }
}

impl<'a> EnumInput<'a> {
    /// `None` where there is nothing to check, after an error.
    pub(crate) fn from_syn(input: &'a DeriveInput, diag: &Diag) -> Option<Self> {
        let Data::Enum(data) = &input.data else {
            diag.error(
                input.ident.span(),
                "an enum type is an enum of unit variants; `#[derive(EnumType)]` does not fit here, for a struct with a union use `#[derive(Union)]`",
            );
            return None;
        };
        let attrs = ContainerAttrs::of_enum(&input.attrs, diag);
        let mut container = Container::from_syn(input, attrs, diag)?;
        let serde = std::mem::take(&mut container.serde.variants);
        let variants = data
            .variants
            .iter()
            .zip(serde)
            .map(|(variant, serde)| {
                let before = diag.count();
                VariantInput {
                    syn: variant,
                    attrs: VariantAttrs::from_syn(&variant.attrs, diag),
                    is_complete: diag.count() == before,
                    serde,
                }
            })
            .collect();
        Some(Self {
            container,
            variants,
        })
    }
}

impl<'a> Container<'a> {
    fn from_syn(input: &'a DeriveInput, attrs: ContainerAttrs, diag: &Diag) -> Option<Self> {
        Some(Self {
            ident: &input.ident,
            generics: &input.generics,
            attrs,
            syn_attrs: &input.attrs,
            schemars: Schemars::from_syn(&input.attrs),
            serde: SerdeContainer::from_syn(input, diag)?,
        })
    }
}

impl FieldInput<'_> {
    /// The Rust name, without `r#`.
    pub(crate) fn rust_name(&self) -> String {
        self.ident.unraw().to_string()
    }

    /// The Rust name is this one, however it is written: `type` or `r#type`.
    pub(crate) fn is_called(&self, name: &Ident) -> bool {
        self.ident.unraw() == name.unraw()
    }

    pub(crate) fn is_discriminator(&self) -> bool {
        self.attrs.discriminator.is_some()
    }

    /// Where `unknown` stands, which leaves no room for anything else; a discriminator that claims it too remains one.
    pub(crate) fn unknown(&self) -> Option<Span> {
        self.attrs.unknown.filter(|_| !self.is_discriminator())
    }

    /// What an absent field stands for: serde's default for it, the struct's coming second.
    pub(crate) fn absent(&self, container: &Container<'_>) -> Absent {
        match (&self.serde.default, &container.serde.default) {
            (SerdeDefault::Default, _) => Absent::FieldDefault,
            (SerdeDefault::Path(path), _) => Absent::FieldPath(path.clone()),
            // The struct's default needs bounds on its type parameters that this impl does not have.
            (SerdeDefault::None, _) if container.generics.type_params().next().is_some() => {
                Absent::Nothing
            }
            (SerdeDefault::None, SerdeDefault::Default) => Absent::StructDefault,
            (SerdeDefault::None, SerdeDefault::Path(path)) => Absent::StructPath(path.clone()),
            (SerdeDefault::None, SerdeDefault::None) => Absent::Nothing,
        }
    }
}

impl Absent {
    pub(crate) fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }
}

fn named_fields<'a>(
    input: &'a DeriveInput,
    diag: &Diag,
) -> Option<&'a syn::punctuated::Punctuated<syn::Field, syn::Token![,]>> {
    let what = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => return Some(&fields.named),
            Fields::Unnamed(_) => "a tuple struct has none; name them",
            Fields::Unit => "a unit struct has none; add a discriminator and members",
        },
        Data::Enum(_) => {
            "an enum has none; write a struct with a discriminator and an `Option` for each variant"
        }
        Data::Union(_) => "a Rust `union` is another thing; write a struct",
    };
    diag.error(
        input.ident.span(),
        format_args!("a union is a struct with named fields, and {what}"),
    );
    None
}

/// `rolling_update` as `RollingUpdate`.
pub(crate) fn camel_case(name: &str) -> String {
    let mut camel = String::with_capacity(name.len());
    for word in name.split('_') {
        let mut chars = word.chars();
        camel.extend(chars.next().map(|first| first.to_ascii_uppercase()));
        camel.push_str(chars.as_str());
    }
    camel
}

/// The doc comment, lines joined by a space.
pub(crate) fn doc(attrs: &[Attribute]) -> String {
    let lines: Vec<String> = attrs
        .iter()
        .filter(|attr| attr.path().is_ident("doc"))
        .filter_map(|attr| match &attr.meta {
            Meta::NameValue(doc) => match &doc.value {
                Expr::Lit(literal) => match &literal.lit {
                    Lit::Str(text) => Some(text.value().trim().to_owned()),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        })
        .collect();
    lines.join(" ").trim().to_owned()
}
