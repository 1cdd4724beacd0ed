//! The one test that runs for every object; everything else is for objects that fail it.

use crate::lookup::MOST_VALUES;
use crate::spec::{Arity, DiscriminatorSpec, UnionSpec};
use crate::view::{Selected, State};

impl UnionSpec<'_> {
    /// Whether nothing would be cleared and nothing is wrong, whatever the old object says.
    ///
    /// A known value is selected, no other member is set, and the selected one is set where it has to be; or nothing
    /// is selected, nothing set, and the discriminator may be absent.
    #[inline]
    #[must_use]
    pub fn is_settled(&self, state: State<'_>) -> bool {
        if !self.is_selected_by_discriminator() {
            return self.is_settled_2019(state);
        }
        match state.selected() {
            Selected::Known(value) => {
                // A value behind the 64th has no member (`declare` sees to that), so no bit.
                let bit = if value < MOST_VALUES { 1 << value } else { 0 };
                let others = state.set() & !bit;
                let missing = self.required_mask() & bit & !state.set();
                others | missing == 0
            }
            Selected::Missing => {
                state.set() == 0
                    && !self
                        .discriminator()
                        .is_some_and(DiscriminatorSpec::required)
            }
            Selected::Unknown(_) | Selected::NoText(_) => false,
        }
    }

    /// One member is set, and the discriminator, if there is one, names it; or none is set, and one may be.
    #[inline]
    fn is_settled_2019(&self, state: State<'_>) -> bool {
        match state.selected() {
            _ if state.set() == 0 => self.arity() == Arity::AtMostOne && !state.is_refused(self),
            Selected::Known(value) => value < MOST_VALUES && state.set() == 1 << value,
            Selected::Missing => self.discriminator().is_none() && state.set().is_power_of_two(),
            Selected::Unknown(_) | Selected::NoText(_) => false,
        }
    }
}
