//! The tokens of one union.

use proc_macro2::{Literal, TokenStream};
use quote::{quote, quote_spanned};
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

pub(super) fn parts(union: &Union<'_>, unmarked: &[Unmarked<'_>], krate: &Path) -> Parts {
    let count = Literal::usize_unsuffixed(union.members.len());
    let (open, selected, select) = match &union.kind {
        UnionKind::Discriminated(discriminator) => {
            let as_trait = as_trait(discriminator, &quote!(#krate::Discriminator));
            let open = open(discriminator, &as_trait, &count, krate);
            (open, selected(discriminator, &as_trait, krate), None)
        }
        UnionKind::Deduced(discriminator) => {
            let ident = discriminator.ident;
            let as_trait = as_trait(discriminator, &quote!(#krate::DeducedDiscriminator));
            (
                open_deduced(discriminator, &as_trait, &count, krate),
                quote!(#as_trait::selected(&self.#ident)),
                Some(quote!(#as_trait::select(&mut self.#ident, __union_member))),
            )
        }
        UnionKind::Undiscriminated { exactly_one } => (
            quote!(#krate::__private::undiscriminated::<#count>(#exactly_one)),
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

/// `discriminator::<2>("type", FACTS, false, false)`
fn open(
    discriminator: &Discriminator<'_>,
    as_trait: &TokenStream,
    count: &Literal,
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
        name: "discriminator",
        span,
    };
    quote_spanned! {span=>
        #function::<#count>(#name, #as_trait::FACTS, #has_skip_if, #defaulted)
    }
}

/// `deduced::<2>("type", FACTS, true, false, false)`
fn open_deduced(
    discriminator: &Discriminator<'_>,
    as_trait: &TokenStream,
    count: &Literal,
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
    let by_path = matches!(default, Absent::FieldPath(_) | Absent::StructPath(_));
    let span = located(*span);
    let function = Function {
        krate,
        name: "deduced",
        span,
    };
    quote_spanned! {span=>
        #function::<#count>(#name, #as_trait::FACTS, #has_skip_if, #defaulted, #by_path)
    }
}

/// `member(member(OPEN, "alpha", "Alpha", 0x.., false), ...)`
///
/// Plain calls in each other, as a call's error has the span of its first and last token: those of its own field.
fn declaration(open: TokenStream, union: &Union<'_>, krate: &Path) -> TokenStream {
    union.members.iter().fold(open, |before, member| {
        let Member { name, optional, .. } = member;
        let (function, value, key, other, span) = match &member.value {
            MemberValue::ByName { camel } => {
                let (key, other) = (key(name), key(camel));
                if key == other {
                    ("member", camel.clone(), key, None, member.span)
                } else {
                    let function = "member_of_either";
                    (function, camel.clone(), key, Some(other), member.span)
                }
            }
            MemberValue::Written(text) => {
                let value = text.value();
                let key = key(&value);
                ("member_as", value, key, None, text.span())
            }
        };
        let span = located(span);
        let key = Literal::u64_unsuffixed(key);
        let other = other.map(Literal::u64_unsuffixed);
        let function = Function {
            krate,
            name: function,
            span,
        };
        match other {
            None => quote_spanned!(span=> #function(#before, #name, #value, #key, #optional)),
            Some(other) => {
                quote_spanned!(span=> #function(#before, #name, #value, [#key, #other], #optional))
            }
        }
    })
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
