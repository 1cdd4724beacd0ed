//! What is allowed and to be done: a text, or what one is made of, which is worded when somebody reads it.

use core::fmt;
use core::ops::Range;
use core::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

pub(crate) trait Wording: Send + Sync + UnwindSafe + RefUnwindSafe {
    fn text(&self) -> &str;
}

#[derive(Clone)]
pub(crate) enum Detail {
    Text(String),
    /// A text that names the path, and the range of the text that does not.
    Placed(String, Range<u32>),
    /// Shared, as to drop it is a call then: a list of violations that is empty is dropped for each valid object.
    Later(Arc<dyn Wording>),
}

impl Detail {
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Text(text) | Self::Placed(text, _) => text,
            Self::Later(wording) => wording.text(),
        }
    }

    pub(super) fn rule(&self) -> &str {
        match self {
            Self::Placed(text, Range { start, end }) => {
                let range = *start as usize..*end as usize;
                text.get(range).unwrap_or(text)
            }
            detail => detail.text(),
        }
    }
}

impl PartialEq for Detail {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

impl Eq for Detail {}

impl fmt::Debug for Detail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}
