//! What a violation says is allowed and to be done: a text, or what one is made of, which is worded when somebody reads it.

use core::fmt::{self, Write as _};
use core::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::{Arc, OnceLock};

/// What a text is made of. It prints the text, the same each time.
pub(crate) trait Wording:
    fmt::Display + Send + Sync + UnwindSafe + RefUnwindSafe + 'static
{
}

#[derive(Clone)]
pub(super) enum Detail {
    Text(String),
    /// Shared, as to drop it then is a call to be made: a list of violations that is empty is dropped for each valid object.
    Later(Arc<Later<dyn Wording>>),
}

/// A text that is made once, by whoever asks first.
pub(super) struct Later<W: ?Sized> {
    text: OnceLock<String>,
    wording: W,
}

impl Detail {
    pub(super) fn later(wording: impl Wording) -> Self {
        Self::Later(Arc::new(Later {
            text: OnceLock::new(),
            wording,
        }))
    }

    pub(super) fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Later(later) => later.text.get_or_init(|| worded(&later.wording)),
        }
    }

    /// Prints the text, `before` in front of it unless it is empty. Nothing is kept for that.
    pub(super) fn write(&self, before: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) if text.is_empty() => Ok(()),
            Self::Text(text) => {
                f.write_str(before)?;
                f.write_str(text)
            }
            Self::Later(later) => {
                f.write_str(before)?;
                later.wording.fmt(f)
            }
        }
    }
}

/// The text of what is printed, in one allocation for most.
pub(crate) fn worded(wording: &dyn fmt::Display) -> String {
    let mut text = String::with_capacity(192);
    // A text takes all that is written to it.
    let _ = write!(text, "{wording}");
    text
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
