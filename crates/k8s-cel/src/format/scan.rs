//! Reads a text from its front, byte by byte. No check needs more, and none allocates.

/// What is left of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scan<'t>(pub(super) &'t [u8]);

impl<'t> Scan<'t> {
    pub(super) const fn is_done(self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn peek(self) -> Option<u8> {
        self.0.first().copied()
    }

    /// Takes a byte if it is the next one.
    pub(super) fn take(&mut self, byte: u8) -> bool {
        self.take_if(|next| next == byte).is_some()
    }

    /// Takes the next byte if it is one of those.
    pub(super) fn take_if(&mut self, is_one: impl Fn(u8) -> bool) -> Option<u8> {
        let (&next, rest) = self.0.split_first()?;
        if !is_one(next) {
            return None;
        }
        self.0 = rest;
        Some(next)
    }

    /// Takes all of the next bytes that are such.
    pub(super) fn take_while(&mut self, is_one: impl Fn(u8) -> bool) -> &'t [u8] {
        let count = self.0.iter().take_while(|byte| is_one(**byte)).count();
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        taken
    }

    /// Takes exactly so many bytes that are such.
    pub(super) fn exactly(&mut self, count: usize, is_one: impl Fn(u8) -> bool) -> bool {
        (0..count).all(|_| self.take_if(&is_one).is_some())
    }
}

/// Space as `\s` means it.
pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0c)
}

pub(super) const fn is_digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}

pub(super) const fn is_hex(byte: u8) -> bool {
    byte.is_ascii_hexdigit()
}
