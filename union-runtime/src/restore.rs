//! Puts back a member in generated code, where its type can be cloned.

/// The member as it was: `Restore(&old.alpha).put_into(&mut self.alpha)`. A method of the type hides that of a trait.
pub struct Restore<'a, T>(pub &'a T);

/// What holds for types that cannot be cloned.
pub trait NotClone<T> {
    /// Leaves the member as it is.
    fn put_into(&self, member: &mut T) -> bool;
}

impl<T> NotClone<T> for Restore<'_, T> {
    fn put_into(&self, _: &mut T) -> bool {
        false
    }
}

impl<T: Clone> Restore<'_, T> {
    /// Gives the member what it was.
    pub fn put_into(&self, member: &mut T) -> bool {
        member.clone_from(self.0);
        true
    }
}
