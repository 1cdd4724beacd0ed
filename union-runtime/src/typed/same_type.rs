//! Whether two types are one, in generated code: names do not tell.

/// Holds for a type and itself.
#[diagnostic::on_unimplemented(
    message = "the schema hook is for another type",
    label = "this hook is on `{T}`; write that here",
    note = "a type gets the rules of the one that its hook names"
)]
pub trait HookOf<T: ?Sized> {}

#[diagnostic::do_not_recommend]
impl<T: ?Sized> HookOf<T> for T {}

/// Compiles where the type that a hook names is the one that it stands on.
pub const fn hook_is_for<Named: HookOf<Own> + ?Sized, Own: ?Sized>() {}
