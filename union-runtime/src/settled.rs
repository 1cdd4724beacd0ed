//! The one test that runs for every object; everything else is for objects that fail it.

use crate::lookup::MOST_VALUES;
use crate::spec::UnionSpec;
use crate::view::{Selected, State};

impl UnionSpec {
    /// Whether nothing would be cleared and nothing is wrong, whatever the old object says.
    ///
    /// A known value is selected, no other member is set, and the selected one is set where it has to be; or nothing
    /// is selected, nothing set, and the discriminator may be absent.
    #[inline]
    #[must_use]
    pub fn is_settled(&self, state: State<'_>) -> bool {
        match state.selected() {
            Selected::Known(value) => {
                // A value behind the 64th has no member (`declare` sees to that), so no bit.
                let bit = if value < MOST_VALUES { 1 << value } else { 0 };
                let others = state.set() & !bit;
                let missing = self.required_mask() & bit & !state.set();
                others | missing == 0
            }
            Selected::Missing => state.set() == 0 && !self.discriminator().required(),
            Selected::Unknown(_) => false,
        }
    }
}
