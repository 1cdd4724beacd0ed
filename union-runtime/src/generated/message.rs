//! Messages that are built at compile time, for panics in const evaluation, which are the only kind
//! of error that can contain the values of another type's enum.

/// The capacity of a message in bytes. Strings that do not fit are left out, because a compile
/// error of this size is long enough.
const CAPACITY: usize = 2048;

/// A message under construction.
#[must_use]
pub struct Message {
    bytes: [u8; CAPACITY],
    len: usize,
}

impl Message {
    /// The empty message.
    pub const EMPTY: Self = Self {
        bytes: [0; CAPACITY],
        len: 0,
    };

    /// Returns the message with a string appended.
    pub const fn push(mut self, text: &str) -> Self {
        let text = text.as_bytes();
        // A string that does not fit as a whole is left out, so that the message is valid UTF-8.
        if let Some((_, free)) = self.bytes.split_at_mut_checked(self.len)
            && let Some((place, _)) = free.split_at_mut_checked(text.len())
        {
            place.copy_from_slice(text);
            self.len += text.len();
        }
        self
    }

    /// Returns the message with a list of strings appended, each in quotes.
    pub const fn push_list(mut self, values: &[&str]) -> Self {
        let mut comma = "\"";
        let mut rest = values;
        while let [value, after @ ..] = rest {
            self = self.push(comma).push(value).push("\"");
            comma = ", \"";
            rest = after;
        }
        self
    }

    /// Returns the message as a string.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        let (bytes, _) = self.bytes.split_at(self.len);
        match core::str::from_utf8(bytes) {
            Ok(text) => text,
            // Only whole strings are appended, so this branch is not reached.
            Err(_) => "",
        }
    }

    /// Panics with the message.
    ///
    /// # Panics
    ///
    /// Always.
    #[expect(
        clippy::panic,
        reason = "in const evaluation it is a compile error, and the only way to one"
    )]
    #[track_caller]
    pub const fn panic(&self) -> ! {
        panic!("{}", self.as_str())
    }
}
