//! A value on the heap that is usually absent.

/// An optional value in a box, for a part of a result that is usually absent. An absent value is
/// one null pointer, and dropping it is one comparison, without a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionalBox<T>(Option<Box<T>>);

impl<T> OptionalBox<T> {
    /// Returns the value, if there is one.
    #[must_use]
    pub fn get(&self) -> Option<&T> {
        self.0.as_deref()
    }

    /// Returns the value mutably, if there is one.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.0.as_deref_mut()
    }

    /// Returns the value mutably. An absent value is first set to its default.
    pub fn get_or_insert_default(&mut self) -> &mut T
    where
        T: Default,
    {
        self.0.get_or_insert_default()
    }

    /// Removes the value from the box, and returns it.
    pub fn take(&mut self) -> Option<T> {
        self.0.take().map(|value| *value)
    }
}

impl<T> OptionalBox<Vec<T>> {
    /// Returns the elements of the list. An absent list is empty.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        self.get().map_or(&[], Vec::as_slice)
    }

    /// Returns the elements of the list mutably. An absent list is empty.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        self.get_mut().map_or(&mut [], Vec::as_mut_slice)
    }
}

impl<T> Default for OptionalBox<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> From<Option<T>> for OptionalBox<T> {
    fn from(value: Option<T>) -> Self {
        Self(value.map(Box::new))
    }
}

// Without this impl, rustc calls a function to drop an absent value if the code that drops a `T` is
// long.
impl<T> Drop for OptionalBox<T> {
    #[inline]
    fn drop(&mut self) {
        if let Some(value) = self.0.take() {
            drop_value(value);
        }
    }
}

#[cold]
#[inline(never)]
fn drop_value<T>(_: Box<T>) {}
