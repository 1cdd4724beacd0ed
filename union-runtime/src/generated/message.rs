//! Messages that are built at compile time, for panics in const evaluation. The derive cannot write
//! these messages, because the derive does not know the values of another type's enum.

/// The capacity of a message in bytes. Strings that do not fit are omitted, because a compile error
/// of this size is long enough.
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

    /// Appends a string.
    pub const fn push(mut self, string: &str) -> Self {
        let string = string.as_bytes();
        // A string that does not fit as a whole is omitted, so that the message is valid UTF-8.
        if let Some((_, free)) = self.bytes.split_at_mut_checked(self.len)
            && let Some((target, _)) = free.split_at_mut_checked(string.len())
        {
            target.copy_from_slice(string);
            self.len += string.len();
        }
        self
    }

    /// Appends a list of strings, each in quotes.
    pub const fn push_list(mut self, values: &[&str]) -> Self {
        let mut comma = "\"";
        let mut remaining = values;
        while let [value, tail @ ..] = remaining {
            self = self.push(comma).push(value).push("\"");
            comma = ", \"";
            remaining = tail;
        }
        self
    }

    /// Returns the message as a string.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        let (bytes, _) = self.bytes.split_at(self.len);
        match core::str::from_utf8(bytes) {
            Ok(message) => message,
            // Only whole strings are appended, so this branch is never reached.
            Err(_) => "",
        }
    }

    /// Panics with the message.
    ///
    /// # Panics
    ///
    /// Always panics.
    #[expect(
        clippy::panic,
        reason = "a panic in const evaluation is a compile error, and there is no other way to report one"
    )]
    #[track_caller]
    pub const fn panic(&self) -> ! {
        panic!("{}", self.as_str())
    }
}
