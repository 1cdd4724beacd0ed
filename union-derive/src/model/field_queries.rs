//! Queries about the input, for the checks. A query returns a result and never reports an error.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::{
    Attribute, Expr, GenericArgument, GenericParam, Generics, Lit, Meta, Path, PathArguments,
    PathSegment, Type,
};

use super::checked_input::AbsentValue;
use super::input::{Container, FieldInput, UnionInput};
use super::type_syntax::without_groups;
use crate::name::{SerdeDefault, SerdeDirection};

impl Container<'_> {
    /// Returns the path of the runtime crate.
    pub(crate) fn krate(&self) -> Path {
        let krate = self.krate.clone();
        krate.unwrap_or_else(union_runtime)
    }

    /// Returns true if a schema hook must name the type with generic arguments. Lifetimes can be
    /// inferred, but type and const parameters cannot.
    pub(crate) fn needs_arguments(&self) -> bool {
        let generics = self.generics;
        generics.type_params().next().is_some() || generics.const_params().next().is_some()
    }
}

impl<'a> UnionInput<'a> {
    /// Returns true if the struct or a field has a `#[schemars(...)]` attribute. The struct then
    /// has a schema.
    pub(crate) fn has_schema_attrs(&self) -> bool {
        self.container.schemars.is_present
            || self.fields.iter().any(|field| field.schemars.is_present)
    }

    /// Returns the fields with `discriminator`.
    pub(crate) fn discriminators(&self) -> impl Iterator<Item = &FieldInput<'a>> {
        self.fields.iter().filter(|field| field.is_discriminator())
    }

    /// Returns true if the field is a member: it has `member`, or the struct has `all_members` and
    /// the field has no other role.
    pub(crate) fn is_member(&self, field: &FieldInput<'_>) -> bool {
        let has_all_members = self.attrs.all_members.is_some();
        field.unknown_span().is_none()
            && (field.attrs.member.is_some()
                || has_all_members
                    && !field.is_discriminator()
                    && !field.serde.is_skipped()
                    && field.attrs.inline.is_none())
    }

    /// Returns true if the struct's `nested(...)` names the field.
    pub(crate) fn names_nested(&self, field: &FieldInput<'_>) -> bool {
        self.attrs
            .nested
            .iter()
            .flatten()
            .any(|name| field.is_called(name))
    }

    /// Returns true if the field has `inline` or `nested`, so that the unions in its value are
    /// checked too.
    pub(crate) fn is_child(&self, field: &FieldInput<'_>) -> bool {
        let attrs = &field.attrs;
        let is_child = attrs.inline.is_some() || attrs.nested.is_some() || self.names_nested(field);
        is_child && field.unknown_span().is_none()
    }

    /// Returns the span of the field's `not_nested`, or of the field's name in the `not_nested` of
    /// the struct.
    pub(crate) fn not_nested_span(&self, field: &FieldInput<'_>) -> Option<Span> {
        let mut names = self.attrs.not_nested.iter().flatten();
        let own_name = names.find(|name| field.is_called(name));
        field.attrs.not_nested.or(own_name.map(Ident::span))
    }

    /// Returns true if the type contains the name of the struct or `Self`.
    pub(crate) fn is_mentioned_in(&self, ty: &Type) -> bool {
        let self_ident = Ident::new("Self", Span::call_site());
        mentions_type(ty, self.container.ident) || mentions_type(ty, &self_ident)
    }

    /// Returns true if the schema hook adds keywords for the field to the struct's schema.
    pub(crate) fn is_in_schema(&self, field: &FieldInput<'_>) -> bool {
        let attrs = &field.attrs;
        field.is_discriminator()
            || self.is_member(field)
            || attrs.inline.is_some()
            || attrs.list_map_keys.is_some()
            || attrs.patch_strategy.is_some()
    }

    /// Returns true if the type of a field depends on a parameter of the struct.
    pub(crate) fn is_generic(&self, field: &FieldInput<'_>) -> bool {
        let mut parameters = self.container.generics.params.iter();
        parameters.any(|parameter| field.depends_on(parameter))
    }
}

impl FieldInput<'_> {
    /// Returns the Rust name of the field, without `r#`.
    pub(crate) fn rust_name(&self) -> String {
        self.ident.unraw().to_string()
    }

    /// Returns true if `name` is the Rust name of the field, with or without `r#`.
    pub(crate) fn is_called(&self, name: &Ident) -> bool {
        self.ident.unraw() == name.unraw()
    }

    pub(crate) fn is_discriminator(&self) -> bool {
        self.attrs.discriminator.is_some()
    }

    /// Returns true if the field has `patch_strategy` or `patch_merge_key`.
    pub(crate) fn has_patch_attrs(&self) -> bool {
        self.attrs.patch_strategy.is_some() || self.attrs.patch_merge_key.is_some()
    }

    /// Returns true if the field is most likely optional: its type is written as `Option`, or it
    /// has `skip_serializing_if = "Option::is_none"`. An alias of `Option` without
    /// `skip_serializing_if` is not recognized.
    pub(crate) fn looks_optional(&self) -> bool {
        let skips_none = self
            .serde
            .skip_if
            .as_ref()
            .is_some_and(|function| function == "is_none");
        skips_none || is_option(self.ty)
    }

    /// Returns the function in `skip_serializing_if` if the function may omit an `Option` that is
    /// set. Other types, such as a member type that is implemented by hand, have functions of their
    /// own.
    pub(crate) fn lossy_skip(&self) -> Option<&Ident> {
        let is_lossy = |function: &&Ident| {
            *function == "is_some" || is_option(self.ty) && *function != "is_none"
        };
        self.serde.skip_if.as_ref().filter(is_lossy)
    }

    /// Returns the possible JSON values of a set member, according to the tokens of its type.
    pub(crate) fn set_form(&self) -> SetForm<'_> {
        match type_argument(self.ty, "Option") {
            None => pointer_to_option(self.ty).map_or(SetForm::Unknown, SetForm::Wrapped),
            Some(value) if is_option(value) => SetForm::Nullable,
            Some(value) if is_unit(value) => SetForm::Null,
            Some(_) => SetForm::Value,
        }
    }

    /// Returns true if serde writes the unset field as null.
    pub(crate) fn writes_null(&self) -> bool {
        let has_name = !self.serde.is_flattened && !self.serde.is_skipped();
        has_name && self.serde.skip_if.is_none()
    }

    /// Returns true if serde reads or writes the field.
    pub(crate) fn is_in_json(&self) -> bool {
        self.serde.direction != SerdeDirection::Neither
    }

    /// Returns true if the type of the field mentions this name.
    pub(crate) fn mentions(&self, name: &Ident) -> bool {
        mentions(self.ty.to_token_stream(), name, false)
    }

    /// Returns true if the type of the field depends on a parameter of its struct.
    pub(crate) fn depends_on(&self, parameter: &GenericParam) -> bool {
        match parameter {
            GenericParam::Type(parameter) => self.mentions(&parameter.ident),
            GenericParam::Const(parameter) => self.mentions(&parameter.ident),
            GenericParam::Lifetime(parameter) => {
                mentions(self.ty.to_token_stream(), &parameter.lifetime.ident, true)
            }
        }
    }

    /// Returns the span of `unknown`, unless the field is a discriminator. A field with `unknown`
    /// has no other role.
    pub(crate) fn unknown_span(&self) -> Option<Span> {
        self.attrs.unknown.filter(|_| !self.is_discriminator())
    }

    /// Returns the value of the field if it is absent in JSON: the serde default of the field, or
    /// otherwise of the struct.
    pub(crate) fn absent_value(&self, container: &Container<'_>) -> AbsentValue {
        match (&self.serde.default, &container.serde.default) {
            (SerdeDefault::Default, _) => AbsentValue::FieldDefault,
            (SerdeDefault::Path(path), _) => AbsentValue::FieldPath(path.clone()),
            // The default of a generic struct needs bounds on the type parameters that the
            // generated impl does not have.
            (SerdeDefault::None, _) if container.generics.type_params().next().is_some() => {
                AbsentValue::Nothing
            }
            (SerdeDefault::None, SerdeDefault::Default) => AbsentValue::StructDefault,
            (SerdeDefault::None, SerdeDefault::Path(path)) => AbsentValue::StructPath(path.clone()),
            (SerdeDefault::None, SerdeDefault::None) => AbsentValue::Nothing,
        }
    }
}

/// The possible JSON values of a member that is set.
#[derive(Clone, Copy)]
pub(crate) enum SetForm<'t> {
    /// A value that is not null.
    Value,
    /// Unknown, because the `Option` of this type is inside of a pointer.
    Wrapped(&'t Type),
    Null,
    /// A value or null.
    Nullable,
    /// Unknown, because the type is not written as `Option`.
    Unknown,
}

impl AbsentValue {
    pub(crate) fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }
}

/// Returns `::union_runtime`, the default of `crate = path`.
pub(crate) fn union_runtime() -> Path {
    let krate = Ident::new("union_runtime", Span::call_site());
    Path {
        leading_colon: Some(syn::token::PathSep::default()),
        segments: core::iter::once(PathSegment::from(krate)).collect(),
    }
}

/// The form of a member's type, as its tokens show it. Aliases are not resolved.
pub(crate) enum SyntacticType<'t> {
    /// An `Option` of this type.
    Option(&'t Type),
    /// A `Box` of an `Option`.
    BoxedOption,
    /// A type whose set value may be null in JSON.
    Null,
    /// Any other type.
    Value,
}

impl<'t> SyntacticType<'t> {
    pub(crate) fn from_type(ty: &'t Type) -> Self {
        let ty = without_groups(ty);
        match type_argument(ty, "Option") {
            Some(value) if is_option(value) || is_unit(value) => Self::Null,
            Some(_) if type_argument(ty, "Box").is_some() => Self::BoxedOption,
            Some(value) => Self::Option(value),
            None if is_unit(ty) => Self::Null,
            None => Self::Value,
        }
    }
}

/// Returns true if a type mentions a type parameter or a const parameter.
pub(crate) fn depends_on_parameters(ty: &Type, generics: &Generics) -> bool {
    let types = generics.type_params().map(|parameter| &parameter.ident);
    let consts = generics.const_params().map(|parameter| &parameter.ident);
    types.chain(consts).any(|name| mentions_type(ty, name))
}

/// Returns true if a constant outside of the item cannot name the type, because the type mentions a
/// parameter, a lifetime or `Self`.
pub(crate) fn is_local_type(ty: &Type, generics: &Generics) -> bool {
    let mut lifetimes = generics.lifetimes();
    depends_on_parameters(ty, generics)
        || mentions_type(ty, &Ident::new("Self", Span::call_site()))
        || lifetimes
            .any(|parameter| mentions(ty.to_token_stream(), &parameter.lifetime.ident, true))
}

/// Returns true if a type contains this name, other than as a lifetime.
pub(crate) fn mentions_type(ty: &Type, name: &Ident) -> bool {
    mentions(ty.to_token_stream(), name, false)
}

fn is_option(ty: &Type) -> bool {
    type_argument(ty, "Option").is_some()
}

/// Returns the `T` of a type whose tokens are `name<T>` or `Box<name<T>>`.
fn type_argument<'t>(ty: &'t Type, name: &str) -> Option<&'t Type> {
    match ty {
        Type::Path(path) => {
            let segment = path.path.segments.last()?;
            let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
                return None;
            };
            let GenericArgument::Type(argument) = arguments.args.first()? else {
                return None;
            };
            if segment.ident == name {
                Some(argument)
            } else if segment.ident == "Box" {
                type_argument(argument, name)
            } else {
                None
            }
        }
        Type::Group(group) => type_argument(&group.elem, name),
        Type::Paren(paren) => type_argument(&paren.elem, name),
        _ => None,
    }
}

/// Returns the `T` of a reference or a shared pointer to an `Option<T>`.
fn pointer_to_option(ty: &Type) -> Option<&Type> {
    match without_groups(ty) {
        Type::Reference(reference) => type_argument(&reference.elem, "Option"),
        ty @ Type::Path(_) => {
            let mut pointers = ["Arc", "Rc", "Cow", "Cell", "RefCell", "Mutex"].into_iter();
            let value = pointers.find_map(|name| last_type_argument(ty, name))?;
            type_argument(value, "Option")
        }
        _ => None,
    }
}

/// Returns the last type argument of a type whose tokens are `name<..., T>`.
fn last_type_argument<'t>(ty: &'t Type, name: &str) -> Option<&'t Type> {
    let Type::Path(path) = ty else {
        return None;
    };
    let segment = path
        .path
        .segments
        .last()
        .filter(|segment| segment.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return None;
    };
    match arguments.args.last()? {
        GenericArgument::Type(argument) => Some(argument),
        _ => None,
    }
}

fn is_unit(ty: &Type) -> bool {
    match ty {
        Type::Tuple(tuple) => tuple.elems.is_empty(),
        Type::Group(group) => is_unit(&group.elem),
        Type::Paren(paren) => is_unit(&paren.elem),
        Type::Path(path) => {
            let segment = path.path.segments.last();
            segment.is_some_and(|segment| segment.ident == "PhantomData")
                || type_argument(ty, "Box").is_some_and(is_unit)
        }
        _ => false,
    }
}

/// Returns true if the tokens contain a name: as a lifetime if `as_lifetime` is true, and otherwise
/// as another name.
fn mentions(tokens: TokenStream, name: &Ident, as_lifetime: bool) -> bool {
    let mut is_lifetime = false;
    tokens.into_iter().any(|token| {
        let was_lifetime = is_lifetime;
        is_lifetime = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '\'');
        match token {
            TokenTree::Ident(ident) => ident == *name && was_lifetime == as_lifetime,
            TokenTree::Group(group) => mentions(group.stream(), name, as_lifetime),
            TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        }
    })
}

/// Converts a `snake_case` name to `CamelCase`: `rolling_update` becomes `RollingUpdate`.
pub(crate) fn camel_case(name: &str) -> String {
    let mut camel_case = String::with_capacity(name.len());
    for word in name.split('_') {
        let mut chars = word.chars();
        camel_case.extend(chars.next().map(|first| first.to_ascii_uppercase()));
        camel_case.push_str(chars.as_str());
    }
    camel_case
}

/// Returns the doc comment, as the derive of schemars does: with line breaks, but without the space
/// at the start of each line.
pub(crate) fn doc(attrs: &[Attribute]) -> String {
    let attrs = attrs.iter().filter(|attr| attr.path().is_ident("doc"));
    let lines = attrs.filter_map(|attr| match &attr.meta {
        Meta::NameValue(doc) => string_literal(&doc.value),
        _ => None,
    });
    let lines = lines.map(|line| line.strip_prefix(' ').map_or(line.clone(), str::to_owned));
    let lines: Vec<String> = lines.collect();
    lines.join("\n").trim_ascii().to_owned()
}

/// Returns the doc comment in one line.
pub(crate) fn doc_in_one_line(attrs: &[Attribute]) -> String {
    let doc = doc(attrs);
    let words: Vec<&str> = doc.split_whitespace().collect();
    words.join(" ")
}

/// Returns the value of a string literal, which may be in an invisible group around a macro
/// fragment.
fn string_literal(value: &Expr) -> Option<String> {
    match value {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(string) => Some(string.value()),
            _ => None,
        },
        Expr::Group(group) => string_literal(&group.expr),
        _ => None,
    }
}
