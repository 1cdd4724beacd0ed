//! The tokens of types: the type inside of groups, and the name of a path.

use proc_macro2::{Ident, Span};
use syn::{GenericArgument, PathArguments, Type};

/// Returns the type without parentheses, and without the invisible group around a macro fragment.
pub(super) fn without_groups(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => without_groups(&group.elem),
        Type::Paren(paren) => without_groups(&paren.elem),
        _ => ty,
    }
}

/// Returns the name in the last segment of a type that is a path.
pub(crate) fn last_name(ty: &Type) -> Option<&Ident> {
    match without_groups(ty) {
        Type::Path(path) => path.path.segments.last().map(|segment| &segment.ident),
        _ => None,
    }
}

/// Returns true if two types are the same name, without a path and without arguments.
pub(crate) fn is_same_name(left: &Type, right: &Type) -> bool {
    match (without_groups(left), without_groups(right)) {
        (Type::Path(left), Type::Path(right)) => {
            let name = left.path.get_ident();
            name.is_some() && name == right.path.get_ident()
        }
        _ => false,
    }
}

/// Returns the span of the `&` of a reference, or of a reference in an `Option`, `Box` or `Vec`.
pub(crate) fn borrow_span(ty: &Type) -> Option<Span> {
    match without_groups(ty) {
        Type::Reference(reference) => Some(reference.and_token.span),
        Type::Path(path) => {
            let segment = path.path.segments.last()?;
            let is_container = ["Box", "Option", "Vec"]
                .iter()
                .any(|name| segment.ident == name);
            match &segment.arguments {
                PathArguments::AngleBracketed(arguments) if is_container => {
                    match arguments.args.first()? {
                        GenericArgument::Type(ty) => borrow_span(ty),
                        _ => None,
                    }
                }
                _ => None,
            }
        }
        _ => None,
    }
}
