//! The rules of the schema hook.

use syn::Generics;
use syn::ext::IdentExt as _;

use crate::diag::Diag;
use crate::hook::Hook;
use crate::model::{Container, HookCheck, UnionInput};

/// The hook of a struct.
pub(super) fn check_struct_hook(input: &UnionInput<'_>, demanded: bool, diag: &Diag) -> HookCheck {
    let has_schema_attrs = has_schema_attrs(input);
    check_hook(
        &input.container,
        "add_unions",
        demanded,
        has_schema_attrs,
        diag,
    )
}

/// The schema has what the type has, or the author says that it need not (DESIGN 4).
pub(super) fn check_hook(
    container: &Container<'_>,
    function: &str,
    demanded: bool,
    has_schema_attrs: bool,
    diag: &Diag,
) -> HookCheck {
    let hooks = &container.schemars.hooks;
    let ident = container.ident;
    let generics = container.generics;
    let argument = if is_generic(generics) {
        "Self".to_owned()
    } else {
        ident.to_string()
    };
    let wanted = format!("#[schemars(transform = union_runtime::{function}::<{argument}>)]");
    for (i, hook) in hooks.iter().enumerate() {
        if i == 0 {
            check_hook_argument(hook, container, function, &wanted, diag);
        } else {
            diag.error(hook.span, "the hook stands here twice; keep one");
        }
    }
    if let Some(schema) = &container.attrs.schema {
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
    if !demanded || !hooks.is_empty() {
        return HookCheck::Done;
    }
    let (what, warning) = if function == "add_enum" {
        ("its values", "SCHEMA_WITHOUT_VALUES")
    } else {
        ("its union", "SCHEMA_WITHOUT_UNION")
    };
    // An error must not depend on features, which another crate of the build may switch on: hence what is in sight alone.
    if has_schema_attrs {
        diag.error(
            ident.span(),
            format_args!("`{ident}` has a schema without {what}; add `{wanted}`, or `schema = false` to the attributes of this derive if that is meant"),
        );
        return HookCheck::Done;
    }
    // Whether a generic type has a schema cannot be asked for all its arguments at once.
    if generics.params.is_empty() {
        HookCheck::IfSchema(warning)
    } else {
        HookCheck::Done
    }
}

/// Whether an attribute of schemars on the struct or a field tells that it has a schema.
pub(super) fn has_schema_attrs(input: &UnionInput<'_>) -> bool {
    input.container.schemars.is_there || input.fields.iter().any(|field| field.schemars.is_there)
}

fn check_hook_argument(
    hook: &Hook,
    container: &Container<'_>,
    function: &str,
    wanted: &str,
    diag: &Diag,
) {
    let ident = container.ident.unraw();
    let found = hook
        .argument
        .as_ref()
        .and_then(|path| path.segments.last())
        .map(|segment| segment.ident.unraw());
    let is_generic = is_generic(container.generics);
    let is_self = found.as_ref().is_some_and(|found| found == "Self");
    if hook.function != function {
        diag.error(
            hook.span,
            format_args!(
                "`{}` is the hook of the other derive; write `{wanted}`",
                hook.function
            ),
        );
    } else if is_self && !is_generic {
        diag.error(
            hook.span,
            format_args!(
                "`Self` is another type where KubeSchema copies the attribute; write `{wanted}`"
            ),
        );
    } else if !is_self && !hook.is_bare && found != Some(ident) {
        diag.error(
            hook.span,
            format_args!("the hook is for another type; write `{wanted}`"),
        );
    }
}

/// The type has no name of its own that a hook could say: lifetimes are inferred, other parameters are not.
fn is_generic(generics: &Generics) -> bool {
    generics.type_params().next().is_some() || generics.const_params().next().is_some()
}
