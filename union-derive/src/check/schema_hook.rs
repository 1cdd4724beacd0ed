//! The rules of the schema hooks.

use syn::ext::IdentExt as _;
use syn::{Ident, Type};

use crate::attr::schemars::SchemaHook;
use crate::errors::Errors;
use crate::model::{Container, DeferredHookCheck, EnumInput, UnionInput};

/// Checks that a struct has the hook `add_unions` if its schema has keywords for unions.
pub(crate) fn check_struct_hook(input: &UnionInput<'_>, diag: &Errors) -> DeferredHookCheck {
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

/// Checks that an enum has the hook `add_enum` if the enum accepts any string.
pub(crate) fn check_enum_hook(input: &EnumInput<'_>, diag: &Errors) -> DeferredHookCheck {
    let mut variants = input.variants.iter();
    let keeps_unknown = variants.any(|variant| variant.attrs.other.is_some());
    let container = &input.container;
    check_hook(
        container,
        "add_enum",
        keeps_unknown,
        container.schemars.is_present,
        diag,
    )
}

/// Reports `with` and `schema_with` beside a hook, because the schema is then the schema of another
/// type, and schemars does not call the hook.
fn check_schema_is_its_own(container: &Container<'_>, has_hook: bool, diag: &Errors) {
    if !has_hook || container.schema.is_some() {
        return;
    }
    for key in &container.schemars.keys {
        if key == "with" || key == "schema_with" {
            diag.error(
                key.span(),
                format_args!("`{key}` uses the schema of another type, so the schema hook has no effect; remove `{key}`"),
            );
        }
    }
}

/// Checks that the hook `function` is present, or that `schema = false` declares that no hook is
/// needed (`docs/design.md`, "Attributes").
fn check_hook(
    container: &Container<'_>,
    function: &str,
    demanded: bool,
    has_schema_attrs: bool,
    diag: &Errors,
) -> DeferredHookCheck {
    if container.serde.conversion.is_some() {
        // This error is reported elsewhere: the derive is on the wrong type.
        return DeferredHookCheck::NotNeeded;
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
        diag.error(second.span, "duplicate schema hook; remove one");
    }
    let first = hooks.first();
    check_schema_is_its_own(container, demanded || first.is_some(), diag);
    let names =
        first.and_then(|hook| check_hook_argument(hook, container, function, &wanted, diag));
    if let Some(schema) = &container.schema {
        if schema.value {
            diag.error(
                schema.span(),
                format_args!("`schema = true` is the default; remove it, and add `{wanted}` if the type derives JsonSchema"),
            );
        } else if let Some(hook) = hooks.first() {
            diag.error(
                hook.span,
                "`schema = false` conflicts with this schema hook; remove one",
            );
        }
        return DeferredHookCheck::NotNeeded;
    }
    if let Some(ty) = names {
        return DeferredHookCheck::NamedType(Box::new(ty.clone()));
    }
    if !demanded || !hooks.is_empty() {
        return DeferredHookCheck::NotNeeded;
    }
    let (what, warning) = if function == "add_enum" {
        ("its values", "SCHEMA_WITHOUT_VALUES")
    } else {
        ("its union", "SCHEMA_WITHOUT_UNION")
    };
    // Only the attributes decide if this is an error. The features of the runtime must not, because
    // another crate of the build may enable a feature.
    if has_schema_attrs {
        diag.error(
            ident.span(),
            format_args!("the schema of `{ident}` does not contain {what}; add `{wanted}`, or opt out with `schema = false` in the attributes of this derive"),
        );
        return DeferredHookCheck::NotNeeded;
    }
    // rustc cannot check that a generic type has a schema, because this depends on the generic
    // arguments.
    if generics.params.is_empty() {
        DeferredHookCheck::IfSchema(warning)
    } else {
        DeferredHookCheck::NotNeeded
    }
}

/// Checks that the hook is the function of this derive, and that its argument is the type itself.
/// Returns the argument if only rustc can check which type the argument is.
fn check_hook_argument<'h>(
    hook: &'h SchemaHook,
    container: &Container<'_>,
    function: &str,
    wanted: &str,
    diag: &Errors,
) -> Option<&'h Type> {
    let name = hook.argument.as_ref().and_then(single_name);
    let is_self = name.is_some_and(|name| name == "Self");
    if hook.function != function {
        diag.error(
            hook.span,
            format_args!(
                "`{}` is the schema hook of another derive; write `{wanted}`",
                hook.function
            ),
        );
    } else if is_self && !container.needs_arguments() {
        diag.error(
            hook.span,
            format_args!(
                "a schema hook cannot use `Self`, because KubeSchema copies the attribute to another type; write `{wanted}`"
            ),
        );
    } else if hook.argument.is_none() && !hook.is_bare {
        diag.error(
            hook.span,
            format_args!("the schema hook must name its own type; write `{wanted}`"),
        );
    } else if !is_self && name.is_none_or(|name| name.unraw() != container.ident.unraw()) {
        return hook.argument.as_ref();
    }
    None
}

/// Returns the name of a type that is a single name, without a path and without arguments.
fn single_name(ty: &Type) -> Option<&Ident> {
    match ty {
        Type::Path(ty) if ty.qself.is_none() => ty.path.get_ident(),
        Type::Group(group) => single_name(&group.elem),
        Type::Paren(paren) => single_name(&paren.elem),
        _ => None,
    }
}
