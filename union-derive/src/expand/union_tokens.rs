//! The tokens of one union of a struct.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream};
use quote::{ToTokens, TokenStreamExt as _, quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned as _;

use super::tokens::{SpannedFunction, SpannedPath, call_site_at, lookup_key, respan, set_spans};
use crate::model::{
    AbsentValue, Discriminator, Member, MemberValue, Union, UnionKind, UnmarkedOption,
};

/// The tokens of one union.
pub(super) struct UnionTokens {
    /// The constant expression that declares the union.
    pub(super) declaration: TokenStream,
    /// The expression for the value of the discriminator.
    pub(super) selected: TokenStream,
    /// The expression that sets the discriminator to `__union_member`, if the discriminator follows
    /// the members.
    pub(super) select: Option<TokenStream>,
    /// The name of the discriminator, and the expression for its default, if serde may omit the
    /// default.
    pub(super) omitted_default: Option<TokenStream>,
}

/// Returns the tokens of a union.
pub(super) fn union_tokens(
    union: &Union<'_>,
    unmarked_options: &[UnmarkedOption<'_>],
    krate: &Path,
) -> UnionTokens {
    let member_rows = &member_rows(&union.members);
    let (innermost_call, selected, select, omitted_default) = match &union.kind {
        UnionKind::Discriminated(discriminator) => {
            let discriminator_trait = discriminator_trait(discriminator, "Discriminator", krate);
            let innermost_call =
                discriminator_call(discriminator, &discriminator_trait, member_rows, krate);
            (
                innermost_call,
                selected(discriminator, &discriminator_trait, krate),
                None,
                omitted_default(discriminator, &discriminator_trait),
            )
        }
        UnionKind::Deduced(discriminator) => {
            let ident = discriminator.ident;
            let discriminator_trait =
                discriminator_trait(discriminator, "DeducedDiscriminator", krate);
            (
                deduced_call(
                    discriminator,
                    &discriminator_trait,
                    member_rows,
                    &union.members,
                    krate,
                ),
                quote!(#discriminator_trait::selected(&self.#ident)),
                Some(quote!(#discriminator_trait::select(&mut self.#ident, __union_member))),
                omitted_default(discriminator, &discriminator_trait),
            )
        }
        UnionKind::Undiscriminated { exactly_one } => (
            {
                let values = discriminator_values(&union.members);
                quote!(#krate::__private::undiscriminated(#exactly_one, &#member_rows, &[#(#values),*]))
            },
            quote!(#krate::Selected::Missing),
            None,
            None,
        ),
    };
    // A union without a discriminator has no values that the name of an unmarked field could match.
    let unmarked_options = match union.kind {
        UnionKind::Undiscriminated { .. } => &[],
        UnionKind::Discriminated(_) | UnionKind::Deduced(_) => unmarked_options,
    };
    UnionTokens {
        declaration: check_unmarked_fields(
            add_members(innermost_call, union, krate),
            unmarked_options,
            krate,
        ),
        selected,
        select,
        omitted_default,
    }
}

/// Returns the tokens of `<Kind as ::union_runtime::Discriminator>`. `name` is the name of the
/// trait.
fn discriminator_trait(discriminator: &Discriminator<'_>, name: &str, krate: &Path) -> TokenStream {
    let ty = discriminator.ty;
    let span = call_site_at(ty.span());
    let ty = set_spans(ty.to_token_stream(), span);
    let names = &[name];
    let name = SpannedPath { krate, names, span };
    quote_spanned!(span=> <#ty as #name>)
}

/// Returns the tokens of `discriminator("type", FACTS, true, false, &[...])`, the innermost call in
/// the declaration of a union whose discriminator selects the member.
fn discriminator_call(
    discriminator: &Discriminator<'_>,
    discriminator_trait: &TokenStream,
    member_rows: &TokenStream,
    krate: &Path,
) -> TokenStream {
    let Discriminator {
        name,
        span,
        has_skip_if,
        default,
        ..
    } = discriminator;
    let has_default = !default.is_nothing();
    let span = call_site_at(*span);
    let function = SpannedFunction {
        krate,
        name: "discriminator",
        span,
    };
    quote_spanned! {span=>
        #function(#name, #discriminator_trait::FACTS, #has_skip_if, #has_default, &#member_rows)
    }
}

/// Returns the tokens of `deduced("type", FACTS, true, false, false, &[...], &["Alpha", ...])`,
/// the innermost call in the declaration of a union whose discriminator follows the members.
fn deduced_call(
    discriminator: &Discriminator<'_>,
    discriminator_trait: &TokenStream,
    member_rows: &TokenStream,
    members: &[Member<'_>],
    krate: &Path,
) -> TokenStream {
    let Discriminator {
        name,
        span,
        has_skip_if,
        default,
        ..
    } = discriminator;
    let has_default = !default.is_nothing();
    let values = discriminator_values(members);
    let has_default_function = matches!(
        default,
        AbsentValue::FieldPath(_) | AbsentValue::StructPath(_)
    );
    let span = call_site_at(*span);
    let function = SpannedFunction {
        krate,
        name: "deduced",
        span,
    };
    quote_spanned! {span=>
        #function(#name, #discriminator_trait::FACTS, #has_skip_if, #has_default, #has_default_function, &#member_rows, &[#(#values),*])
    }
}

/// Returns the discriminator values of the members, such as `"Alpha"` and `"Beta"`, for a
/// discriminator whose type lists no values.
fn discriminator_values<'a>(members: &'a [Member<'_>]) -> impl Iterator<Item = String> + 'a {
    members.iter().map(|member| match &member.value {
        MemberValue::ByName { camel_name } => camel_name.clone(),
        MemberValue::Explicit(value) => value.value(),
    })
}

/// Returns the tokens of `[("alpha", 0x.., false), ...]`. A row contains the JSON name of a member,
/// the lookup key of its value, and true if the member is optional.
fn member_rows(members: &[Member<'_>]) -> TokenStream {
    let rows = members.iter().map(|member| {
        let (name, optional) = (&member.name, member.optional);
        let key = Literal::u64_unsuffixed(match &member.value {
            MemberValue::ByName { .. } => lookup_key(name),
            MemberValue::Explicit(value) => lookup_key(&value.value()),
        });
        quote!((#name, #key, #optional),)
    });
    quote!([#(#rows)*])
}

/// Returns the tokens of `member(member_with_value(INNERMOST_CALL, "CORS"))`. Each call finds the
/// discriminator value of the next row.
///
/// The calls are nested, so that each call has its own span. rustc reports the error of a call from
/// the first to the last token of the call, and both have the span of the call's member.
fn add_members(innermost_call: TokenStream, union: &Union<'_>, krate: &Path) -> TokenStream {
    let mut declaration = innermost_call;
    for member in &union.members {
        let (name, span) = match &member.value {
            _ if is_found_by_json_name(member) => {
                let span = call_site_at(member.span);
                declaration = call(Ident::new(MEMBER_FUNCTION, span), span, declaration);
                continue;
            }
            MemberValue::Explicit(value) => {
                declaration.append(Punct::new(',', Spacing::Alone));
                declaration.append(Literal::string(&value.value()));
                ("member_with_value", value.span())
            }
            MemberValue::ByName { camel_name } => {
                declaration.append(Punct::new(',', Spacing::Alone));
                declaration.append(Literal::string(camel_name));
                declaration.append(Punct::new(',', Spacing::Alone));
                declaration.append(Literal::u64_unsuffixed(lookup_key(camel_name)));
                ("member_by_two_names", member.span)
            }
        };
        let span = call_site_at(span);
        declaration = call(SpannedFunction { krate, name, span }, span, declaration);
    }
    declaration
}

/// The name of the function that declarations call most often. The generated code imports the
/// function, because a name has fewer tokens than a path.
pub(super) const MEMBER_FUNCTION: &str = "member";

/// Returns true if the function [`MEMBER_FUNCTION`] can find the discriminator value by the JSON
/// name of the member.
pub(super) fn is_found_by_json_name(member: &Member<'_>) -> bool {
    matches!(&member.value, MemberValue::ByName { camel_name } if is_capitalized(&member.name, camel_name))
}

/// Returns true if `camel_name` is `name` with a capital first letter.
fn is_capitalized(name: &str, camel_name: &str) -> bool {
    let (mut name, mut camel_name) = (name.bytes(), camel_name.bytes());
    name.next().map(|first| first.to_ascii_uppercase()) == camel_name.next() && name.eq(camel_name)
}

/// Returns the tokens of `check_unmarked_field(DECLARATION, "b", "Beta", [0x.., 0x..])`, nested for
/// each unmarked field. The call checks that the field's name does not match a discriminator value
/// without a member.
fn check_unmarked_fields(
    declaration: TokenStream,
    unmarked_options: &[UnmarkedOption<'_>],
    krate: &Path,
) -> TokenStream {
    unmarked_options
        .iter()
        .fold(declaration, |mut arguments, field| {
            let UnmarkedOption {
                ident,
                name,
                camel_name,
            } = field;
            let span = call_site_at(ident.span());
            arguments.append(Punct::new(',', Spacing::Alone));
            arguments.append(Literal::string(name));
            arguments.append(Punct::new(',', Spacing::Alone));
            let [json_key, camel_key] =
                [name, camel_name].map(|name| Literal::u64_unsuffixed(lookup_key(name)));
            arguments.extend(quote!(#camel_name, [#json_key, #camel_key]));
            let name = "check_unmarked_field";
            call(SpannedFunction { krate, name, span }, span, arguments)
        })
}

/// Returns the tokens of `function(arguments)`. The parentheses have this span.
fn call(function: impl ToTokens, span: Span, arguments: TokenStream) -> TokenStream {
    let mut arguments = Group::new(Delimiter::Parenthesis, arguments);
    arguments.set_span(span);
    let mut call = function.into_token_stream();
    call.append(arguments);
    call
}

/// Returns the tokens of an expression for the value of the discriminator:
/// `::union_runtime::Discriminator::selected(&self.r#type)` without a default, and
/// `<Kind as ::union_runtime::Discriminator>::selected_or(&self.r#type, DEFAULT)` with a default.
fn selected(
    discriminator: &Discriminator<'_>,
    discriminator_trait: &TokenStream,
    krate: &Path,
) -> TokenStream {
    let Discriminator {
        ident, ty, default, ..
    } = discriminator;
    let Some(value) = default_value(discriminator) else {
        let span = call_site_at(ty.span());
        let names = &["Discriminator", "selected"];
        let selected = SpannedPath { krate, names, span };
        return quote_spanned!(span=> #selected(&self.#ident));
    };
    let default = match default {
        AbsentValue::FieldPath(path) => quote!(#path),
        // rustc reports a missing `Default` once for a call, but twice for the path of a function.
        AbsentValue::FieldDefault => respan(quote!(|| #value), ty.span()),
        _ => quote!(|| #value),
    };
    quote!(#discriminator_trait::selected_or(&self.#ident, #default))
}

/// Returns the tokens of an expression for the default of the discriminator, if it has one.
fn default_value(discriminator: &Discriminator<'_>) -> Option<TokenStream> {
    let Discriminator { ident, ty, .. } = discriminator;
    Some(match &discriminator.default {
        AbsentValue::Nothing => return None,
        AbsentValue::FieldDefault => respan(
            quote!(<#ty as ::core::default::Default>::default()),
            ty.span(),
        ),
        AbsentValue::FieldPath(path) => quote!((#path)()),
        AbsentValue::StructDefault => quote!(<Self as ::core::default::Default>::default().#ident),
        AbsentValue::StructPath(path) => quote!((#path)().#ident),
    })
}

/// Returns the tokens of `"kind", VALUE`, the arguments for a default of the discriminator that
/// serde may omit. `VALUE` is the known value of the default:
///
/// ```text
/// <Kind as ::union_runtime::Discriminator>::selected(&DEFAULT)
///     .known()
///     .and_then(|__value| <Kind as ::union_runtime::Discriminator>::FACTS.values().get(__value))
/// ```
fn omitted_default(
    discriminator: &Discriminator<'_>,
    discriminator_trait: &TokenStream,
) -> Option<TokenStream> {
    let default = default_value(discriminator).filter(|_| discriminator.has_skip_if)?;
    let name = &discriminator.name;
    Some(quote! {
        #name,
        #discriminator_trait::selected(&#default)
            .known()
            .and_then(|__value| #discriminator_trait::FACTS.values().get(__value))
    })
}
