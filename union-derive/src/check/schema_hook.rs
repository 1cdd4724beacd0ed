//! The rules of the schema hook.

use syn::ext::IdentExt as _;

use crate::diag::Diag;
use crate::model::{Container, HookCheck};
use crate::schemars_attr::Hook;

/// The schema has what the type has, or the author says that it need not (DESIGN 4).
pub(super) fn check_hook(
    container: &Container<'_>,
    function: &str,
    demanded: bool,
    diag: &Diag,
) -> HookCheck {
    let hooks = &container.schemars.hooks;
    let ident = container.ident;
    let generics = container.generics;
    let argument = if container.needs_arguments() {
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
    let what = if function == "add_enum" {
        "its values"
    } else {
        "its union"
    };
    let remedy = format!(
        "`{ident}` has a schema without {what}; add `{wanted}`, or `schema = false` to the attributes of this derive if that is meant"
    );
    if generics.params.is_empty() {
        return HookCheck::IfSchema(remedy);
    }
    // Whether a generic type has a schema cannot be asked for all its arguments at once.
    if container.schemars.is_there {
        diag.error(ident.span(), remedy);
    }
    HookCheck::Done
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
    let is_generic = container.needs_arguments();
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
