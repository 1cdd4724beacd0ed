//! Puts back a member in generated code, where its struct can be cloned.

/// The struct as it was: `Restore(old).cloned()`. A method of the type hides that of a trait.
pub struct Restore<'a, T>(pub &'a T);

/// What holds for structs that cannot be cloned.
pub trait NotClone<T> {
    /// Nothing.
    fn cloned(&self) -> Option<T>;
}

impl<T> NotClone<T> for Restore<'_, T> {
    fn cloned(&self) -> Option<T> {
        None
    }
}

impl<T: Clone> Restore<'_, T> {
    /// A copy, of which the member is taken.
    #[must_use]
    pub fn cloned(&self) -> Option<T> {
        Some(self.0.clone())
    }
}
