//! Text put together at compile time, for panics of const evaluation: the only way to an error that knows the values
//! of another type's enum.

/// Longer texts are cut; a compile error of this size has said what it has to say.
const CAPACITY: usize = 2048;

pub(crate) struct Message {
    bytes: [u8; CAPACITY],
    len: usize,
}

impl Message {
    pub(crate) const fn new() -> Self {
        Self {
            bytes: [0; CAPACITY],
            len: 0,
        }
    }

    pub(crate) const fn text(mut self, text: &str) -> Self {
        let text = text.as_bytes();
        let mut i = 0;
        // A text that does not fit whole is left out, so that what there is stays UTF-8.
        while text.len() <= CAPACITY - self.len && i < text.len() {
            self.bytes[self.len + i] = text[i];
            i += 1;
        }
        self.len += i;
        self
    }

    pub(crate) const fn values(mut self, values: &[&str]) -> Self {
        let mut i = 0;
        while i < values.len() {
            if i > 0 {
                self = self.text(", ");
            }
            self = self.text("\"").text(values[i]).text("\"");
            i += 1;
        }
        self
    }

    pub(crate) const fn as_str(&self) -> &str {
        let (bytes, _) = self.bytes.split_at(self.len);
        match core::str::from_utf8(bytes) {
            Ok(text) => text,
            // Only whole texts are put in, so this is not reached.
            Err(_) => "",
        }
    }

    #[track_caller]
    pub(crate) const fn panic(&self) -> ! {
        panic!("{}", self.as_str())
    }
}
