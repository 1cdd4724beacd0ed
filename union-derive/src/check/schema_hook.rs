//! The rules of the schema hook.

use syn::ext::IdentExt as _;
use syn::{Ident, Type};

use crate::attr::schemars::Hook;
use crate::diag::Diag;
use crate::model::{Container, EnumInput, HookCheck, UnionInput};

/// Checks that a struct whose schema has keywords for unions has a hook for them.
pub(crate) fn hook_of_struct(input: &UnionInput<'_>, diag: &Diag) -> HookCheck {
    let mut fields = input.fields.iter();
    let is_in_schema = fields.any(|field| input.is_in_schema(field));
    check_hook(
        &input.container,
        "add_unions",
        is_in_schema,
        input.has_schema_attrs(),
        diag,
    )
}

/// Checks that an enum that accepts any string has a hook for its values.
pub(crate) fn hook_of_enum(input: &EnumInput<'_>, diag: &Diag) -> HookCheck {
    let mut variants = input.variants.iter();
    let keeps_unknown = variants.any(|variant| variant.attrs.other.is_some());
    let container = &input.container;
    check_hook(
        container,
        "add_enum",
        keeps_unknown,
        container.schemars.is_there,
        diag,
    )
}

/// Reports `with` and `schema_with` beside a hook: schemars does not call the hook for the schema
/// of another type.
fn check_schema_is_its_own(container: &Container<'_>, has_hook: bool, diag: &Diag) {
    if !has_hook || container.schema.is_some() {
        return;
    }
    for key in &container.schemars.keys {
        if key == "with" || key == "schema_with" {
            diag.error(
                key.span(),
                format_args!("the schema of another type says nothing of this one; remove `{key}`"),
            );
        }
    }
}

/// Checks that a hook is present, or that the author declares that none is needed
/// (`docs/design.md`, "Attributes").
fn check_hook(
    container: &Container<'_>,
    function: &str,
    demanded: bool,
    has_schema_attrs: bool,
    diag: &Diag,
) -> HookCheck {
    if container.serde.converts.is_some() {
        // The derive is on the wrong type.
        return HookCheck::Done;
    }
    let hooks = &container.schemars.hooks;
    let ident = container.ident;
    let generics = container.generics;
    let argument = if container.needs_arguments() {
        "Self".to_owned()
    } else {
        ident.to_string()
    };
    let wanted = format!("#[schemars(transform = union_runtime::{function}::<{argument}>)]");
    for second in hooks.iter().skip(1) {
        diag.error(second.span, "the hook is a duplicate; keep one");
    }
    let first = hooks.first();
    check_schema_is_its_own(container, demanded || first.is_some(), diag);
    let names =
        first.and_then(|hook| check_hook_argument(hook, container, function, &wanted, diag));
    if let Some(schema) = &container.schema {
        if schema.value {
            diag.error(
                schema.span(),
                format_args!("a schema is the default; remove `schema = true`, and add `{wanted}` where the type derives JsonSchema"),
            );
        } else if let Some(hook) = hooks.first() {
            diag.error(
                hook.span,
                "`schema = false` says that no hook is wanted, and here is one; remove one of the two",
            );
        }
        return HookCheck::Done;
    }
    if let Some(ty) = names {
        return HookCheck::Names(Box::new(ty.clone()));
    }
    if !demanded || !hooks.is_empty() {
        return HookCheck::Done;
    }
    let (what, warning) = if function == "add_enum" {
        ("its values", "SCHEMA_WITHOUT_VALUES")
    } else {
        ("its union", "SCHEMA_WITHOUT_UNION")
    };
    // An error must not depend on features, which another crate of the build may enable: only the
    // attributes decide.
    if has_schema_attrs {
        diag.error(
            ident.span(),
            format_args!("`{ident}` has a schema without {what}; add `{wanted}`, or `schema = false` to the attributes of this derive if that is meant"),
        );
        return HookCheck::Done;
    }
    // The compiler cannot check for all arguments of a generic type at once that it has a schema.
    if generics.params.is_empty() {
        HookCheck::IfSchema(warning)
    } else {
        HookCheck::Done
    }
}

/// Checks that the hook is the function of this derive, with the type itself. Returns the argument
/// if only the compiler knows which type it is.
fn check_hook_argument<'h>(
    hook: &'h Hook,
    container: &Container<'_>,
    function: &str,
    wanted: &str,
    diag: &Diag,
) -> Option<&'h Type> {
    let name = hook.argument.as_ref().and_then(plain_name);
    let is_self = name.is_some_and(|name| name == "Self");
    if hook.function != function {
        diag.error(
            hook.span,
            format_args!(
                "`{}` is the hook of the other derive; write `{wanted}`",
                hook.function
            ),
        );
    } else if is_self && !container.needs_arguments() {
        diag.error(
            hook.span,
            format_args!(
                "`Self` is another type where KubeSchema copies the attribute; write `{wanted}`"
            ),
        );
    } else if hook.argument.is_none() && !hook.is_bare {
        diag.error(
            hook.span,
            format_args!("the hook must name the type that it is on; write `{wanted}`"),
        );
    } else if !is_self && name.is_none_or(|name| name.unraw() != container.ident.unraw()) {
        return hook.argument.as_ref();
    }
    None
}

/// Returns the name of a type that is only a name.
fn plain_name(ty: &Type) -> Option<&Ident> {
    match ty {
        Type::Path(ty) if ty.qself.is_none() => ty.path.get_ident(),
        Type::Group(group) => plain_name(&group.elem),
        Type::Paren(paren) => plain_name(&paren.elem),
        _ => None,
    }
}
