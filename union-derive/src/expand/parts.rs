//! The tokens of one union.

use core::fmt::Write as _;

use proc_macro2::{Delimiter, Group, Literal, Punct, Spacing, TokenStream};
use quote::{ToTokens as _, TokenStreamExt as _, quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned as _;

use super::{Function, key, located, respan};
use crate::model::{Absent, Discriminator, Member, MemberValue, Union, UnionKind, Unmarked};

pub(super) struct Parts {
    /// The declaration, a constant expression.
    pub(super) declaration: TokenStream,
    /// What the discriminator says.
    pub(super) selected: TokenStream,
    /// Makes the discriminator say `__union_member`, where it follows the members.
    pub(super) select: Option<TokenStream>,
}

/// `rows` are the tokens of [`rows`].
pub(super) fn parts(
    union: &Union<'_>,
    rows: &TokenStream,
    unmarked: &[Unmarked<'_>],
    krate: &Path,
) -> Parts {
    let (open, selected, select) = match &union.kind {
        UnionKind::Discriminated(discriminator) => {
            let as_trait = as_trait(discriminator, &quote!(#krate::Discriminator));
            let open = open(discriminator, &as_trait, rows, krate);
            (open, selected(discriminator, &as_trait, krate), None)
        }
        UnionKind::Deduced(discriminator) => {
            let ident = discriminator.ident;
            let as_trait = as_trait(discriminator, &quote!(#krate::DeducedDiscriminator));
            (
                open_deduced(discriminator, &as_trait, rows, &union.members, krate),
                quote!(#as_trait::selected(&self.#ident)),
                Some(quote!(#as_trait::select(&mut self.#ident, __union_member))),
            )
        }
        UnionKind::Undiscriminated { exactly_one } => (
            {
                let values = values(&union.members);
                quote!(#krate::__private::undiscriminated(#exactly_one, &#rows, &[#(#values),*]))
            },
            quote!(#krate::Selected::Missing),
            None,
        ),
    };
    // A union without a discriminator has no values that could fit them.
    let unmarked = match union.kind {
        UnionKind::Undiscriminated { .. } => &[],
        UnionKind::Discriminated(_) | UnionKind::Deduced(_) => unmarked,
    };
    Parts {
        declaration: beside_fields(declaration(open, union, krate), unmarked, krate),
        selected,
        select,
    }
}

/// `<Kind as ::union_runtime::Discriminator>`
fn as_trait(discriminator: &Discriminator<'_>, name: &TokenStream) -> TokenStream {
    let ty = discriminator.ty;
    respan(quote!(<#ty as #name>), ty.span())
}

/// `discriminator("type", FACTS, &[...])`, or `discriminator_or_none("type", FACTS, true, false, &[...])`
fn open(
    discriminator: &Discriminator<'_>,
    as_trait: &TokenStream,
    rows: &TokenStream,
    krate: &Path,
) -> TokenStream {
    let Discriminator {
        name,
        span,
        has_skip_if,
        default,
        ..
    } = discriminator;
    let defaulted = !default.is_nothing();
    let span = located(*span);
    let function = Function {
        krate,
        name: if *has_skip_if || defaulted {
            "discriminator_or_none"
        } else {
            "discriminator"
        },
        span,
    };
    if !*has_skip_if && !defaulted {
        return quote_spanned!(span=> #function(#name, #as_trait::FACTS, &#rows));
    }
    quote_spanned! {span=>
        #function(#name, #as_trait::FACTS, #has_skip_if, #defaulted, &#rows)
    }
}

/// `deduced("type", FACTS, true, false, false, &[...], &["Alpha", ...])`
fn open_deduced(
    discriminator: &Discriminator<'_>,
    as_trait: &TokenStream,
    rows: &TokenStream,
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
    let defaulted = !default.is_nothing();
    let values = values(members);
    let by_path = matches!(default, Absent::FieldPath(_) | Absent::StructPath(_));
    let span = located(*span);
    let function = Function {
        krate,
        name: "deduced",
        span,
    };
    quote_spanned! {span=>
        #function(#name, #as_trait::FACTS, #has_skip_if, #defaulted, #by_path, &#rows, &[#(#values),*])
    }
}

/// `"Alpha", "Beta"`: the values of the members, should the discriminator's type list none.
fn values<'a>(members: &'a [Member<'_>]) -> impl Iterator<Item = String> + 'a {
    members.iter().map(|member| match &member.value {
        MemberValue::ByName { camel } => camel.clone(),
        MemberValue::Written(text) => text.value(),
    })
}

/// `[("alpha", 0x.., false), ...]`: what is known of the members here.
pub(super) fn rows(members: &[Member<'_>]) -> String {
    let mut rows = String::from("[");
    for Member {
        name,
        optional,
        value,
        ..
    } in members
    {
        let key = match value {
            MemberValue::ByName { .. } => key(name),
            MemberValue::Written(text) => key(&text.value()),
        };
        // A text takes all that is written to it.
        let _ = write!(rows, "({name:?}, {key}, {optional}),");
    }
    rows + "]"
}

/// `member(member_as(OPEN, "CORS"))`: each finds the value of the next row.
///
/// Plain calls in each other, as a call's error has the span of its first and last token: those of its own field.
fn declaration(open: TokenStream, union: &Union<'_>, krate: &Path) -> TokenStream {
    let mut declaration = open;
    for member in &union.members {
        let (name, span) = match &member.value {
            MemberValue::Written(text) => {
                declaration.append(Punct::new(',', Spacing::Alone));
                declaration.append(Literal::string(&text.value()));
                ("member_as", text.span())
            }
            MemberValue::ByName { camel } if is_capitalized(&member.name, camel) => {
                ("member", member.span)
            }
            MemberValue::ByName { camel } => {
                declaration.append(Punct::new(',', Spacing::Alone));
                declaration.append(Literal::string(camel));
                declaration.append(Punct::new(',', Spacing::Alone));
                declaration.append(Literal::u64_unsuffixed(key(camel)));
                ("member_of_either", member.span)
            }
        };
        let span = located(span);
        let mut arguments = Group::new(Delimiter::Parenthesis, declaration);
        arguments.set_span(span);
        declaration = Function { krate, name, span }.to_token_stream();
        declaration.append(arguments);
    }
    declaration
}

/// Whether the one is the other with a capital letter in front.
fn is_capitalized(name: &str, camel: &str) -> bool {
    let (mut name, mut camel) = (name.bytes(), camel.bytes());
    name.next().map(|first| first.to_ascii_uppercase()) == camel.next() && name.eq(camel)
}

/// `beside_field(beside_field(DECLARATION, "beta", "Beta", [0x.., 0x..]), ...)`: none of them is a member of a value
/// that has no other.
fn beside_fields(declaration: TokenStream, unmarked: &[Unmarked<'_>], krate: &Path) -> TokenStream {
    unmarked.iter().fold(declaration, |before, field| {
        let Unmarked { ident, name, camel } = field;
        let span = located(ident.span());
        let keys = [name, camel].map(|name| Literal::u64_unsuffixed(key(name)));
        let function = Function {
            krate,
            name: "beside_field",
            span,
        };
        quote_spanned!(span=> #function(#before, #name, #camel, [#(#keys),*]))
    })
}

/// `<Kind as ::union_runtime::Discriminator>::selected(&self.r#type)`
fn selected(
    discriminator: &Discriminator<'_>,
    as_trait: &TokenStream,
    krate: &Path,
) -> TokenStream {
    let Discriminator {
        ident, ty, default, ..
    } = discriminator;
    let default = match default {
        Absent::Nothing => {
            let span = ty.span();
            let discriminator = respan(quote!(#krate::Discriminator), span);
            return quote_spanned!(located(span)=> #discriminator::selected(&self.#ident));
        }
        Absent::FieldDefault => quote!(<#ty as ::core::default::Default>::default),
        Absent::FieldPath(path) => quote!(#path),
        Absent::StructDefault => quote!(|| <Self as ::core::default::Default>::default().#ident),
        Absent::StructPath(path) => quote!(|| (#path)().#ident),
    };
    quote!(#as_trait::selected_or(&self.#ident, #default))
}
