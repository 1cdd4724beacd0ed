//! The rules of the schema hooks.

use syn::ext::IdentExt as _;
use syn::{Ident, Type};

use crate::attr::schemars::SchemaHook;
use crate::errors::Errors;
use crate::model::{Container, DeferredHookCheck, EnumInput, UnionInput};

/// Checks that a struct has the hook `add_unions` if its schema has keywords for unions.
pub(crate) fn check_struct_hook(input: &UnionInput<'_>, errors: &Errors) -> DeferredHookCheck {
    let mut fields = input.fields.iter();
    let is_in_schema = fields.any(|field| input.is_in_schema(field));
    check_hook(
        &input.container,
        "add_unions",
        is_in_schema,
        input.has_schema_attrs(),
        errors,
    )
}

/// Checks that an enum has the hook `add_enum` if the enum accepts any string.
pub(crate) fn check_enum_hook(input: &EnumInput<'_>, errors: &Errors) -> DeferredHookCheck {
    let mut variants = input.variants.iter();
    let keeps_unknown = variants.any(|variant| variant.attrs.other.is_some());
    let container = &input.container;
    check_hook(
        container,
        "add_enum",
        keeps_unknown,
        container.schemars.is_present,
        errors,
    )
}

/// Reports `with` and `schema_with` on a type with a hook. The schema is then the schema of another
/// type, and schemars does not call the hook.
fn check_schema_is_its_own(container: &Container<'_>, has_hook: bool, errors: &Errors) {
    if !has_hook || container.schema.is_some() {
        return;
    }
    for key in &container.schemars.keys {
        if key == "with" || key == "schema_with" {
            errors.error(
                key.span(),
                format_args!("`{key}` uses the schema of another type, so the schema hook has no effect; remove `{key}`"),
            );
        }
    }
}

/// Checks that the hook `function` is present, or that `schema = false` declares that no hook is
/// needed (`docs/design.md`, "Attributes"). `is_required` is true if the type needs a hook. Returns
/// the check that only rustc can do.
fn check_hook(
    container: &Container<'_>,
    function: &str,
    is_required: bool,
    has_schema_attrs: bool,
    errors: &Errors,
) -> DeferredHookCheck {
    if container.serde.conversion.is_some() {
        // Another check reports that the derive is on the wrong type.
        return DeferredHookCheck::NotNeeded;
    }
    let hooks = &container.schemars.hooks;
    let type_name = container.ident;
    let generics = container.generics;
    let argument = if container.needs_arguments() {
        "Self".to_owned()
    } else {
        type_name.to_string()
    };
    let expected = format!("#[schemars(transform = union_runtime::{function}::<{argument}>)]");
    for duplicate in hooks.iter().skip(1) {
        errors.error(duplicate.span, "duplicate schema hook; remove one");
    }
    let first_hook = hooks.first();
    check_schema_is_its_own(container, is_required || first_hook.is_some(), errors);
    let named_type = first_hook
        .and_then(|hook| check_hook_argument(hook, container, function, &expected, errors));
    if let Some(schema) = &container.schema {
        if schema.value {
            errors.error(
                schema.span(),
                format_args!("`schema = true` is the default; remove it, and add `{expected}` if the type derives JsonSchema"),
            );
        } else if let Some(hook) = first_hook {
            errors.error(
                hook.span,
                "`schema = false` conflicts with this schema hook; remove one",
            );
        }
        return DeferredHookCheck::NotNeeded;
    }
    if let Some(ty) = named_type {
        return DeferredHookCheck::NamedType(Box::new(ty.clone()));
    }
    // The hook may be in an attribute that could not be read.
    if !hooks.is_empty() || !container.is_complete {
        return DeferredHookCheck::NotNeeded;
    }
    if !is_required {
        return check_values(container, function);
    }
    let (missing_part, warning) = if function == "add_enum" {
        ("its values", "SCHEMA_WITHOUT_VALUES")
    } else {
        ("its union", "SCHEMA_WITHOUT_UNION")
    };
    // Only the attributes decide if this is an error, not the features of the runtime, because
    // another crate of the build may enable a feature.
    if has_schema_attrs {
        errors.error(
            type_name.span(),
            format_args!("the schema of `{type_name}` does not contain {missing_part}; add `{expected}`, or opt out with `schema = false` in the attributes of this derive"),
        );
        return DeferredHookCheck::NotNeeded;
    }
    // rustc cannot check if a generic type has a schema, because this depends on the generic
    // arguments.
    if generics.params.is_empty() {
        DeferredHookCheck::IfSchema(warning)
    } else {
        DeferredHookCheck::NotNeeded
    }
}

/// Returns the check of a type that does not need a hook. serde may deserialize an enum type with
/// `FromStr`, which no attribute shows. Only a hook then checks the values.
fn check_values(container: &Container<'_>, function: &str) -> DeferredHookCheck {
    if function == "add_enum" && container.generics.params.is_empty() {
        DeferredHookCheck::IfSchema("UNCHECKED_VALUES")
    } else {
        DeferredHookCheck::NotNeeded
    }
}

/// Checks that the hook is the function of this derive, and that its argument is the type itself.
/// Returns the argument if only rustc can check the type.
fn check_hook_argument<'h>(
    hook: &'h SchemaHook,
    container: &Container<'_>,
    function: &str,
    expected: &str,
    errors: &Errors,
) -> Option<&'h Type> {
    let type_name = hook.argument.as_ref().and_then(single_name);
    let is_self = type_name.is_some_and(|type_name| type_name == "Self");
    if hook.function != function {
        errors.error(
            hook.span,
            format_args!(
                "`{}` is the schema hook of another derive; write `{expected}`",
                hook.function
            ),
        );
    } else if is_self && !container.needs_arguments() {
        errors.error(
            hook.span,
            format_args!(
                "a schema hook cannot use `Self`, because KubeSchema copies the attribute to another type; write `{expected}`"
            ),
        );
    } else if hook.argument.is_none() && !hook.lacks_arguments {
        errors.error(
            hook.span,
            format_args!("the schema hook must name its own type; write `{expected}`"),
        );
    } else if !is_self
        && type_name.is_none_or(|type_name| type_name.unraw() != container.ident.unraw())
    {
        return hook.argument.as_ref();
    }
    None
}

/// Returns the name of a type that is a single name, without a path and without arguments.
fn single_name(ty: &Type) -> Option<&Ident> {
    match ty {
        // The path of a qualified type such as `<T as Trait>::Type` is not a single name.
        Type::Path(ty) => ty.path.get_ident(),
        Type::Group(group) => single_name(&group.elem),
        Type::Paren(paren) => single_name(&paren.elem),
        _ => None,
    }
}
