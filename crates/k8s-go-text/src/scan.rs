//! Reads a text from its front, byte by byte. No check needs more, and none allocates.

/// What is left of a text.
#[derive(Clone, Copy, Debug)]
pub struct Scan<'t>(pub &'t [u8]);

impl<'t> Scan<'t> {
    /// Whether nothing is left.
    #[must_use]
    pub const fn is_done(self) -> bool {
        self.0.is_empty()
    }

    /// The next byte.
    #[must_use]
    pub fn peek(self) -> Option<u8> {
        self.0.first().copied()
    }

    /// Takes a byte if it is the next one.
    pub fn take(&mut self, byte: u8) -> bool {
        self.take_if(|next| next == byte).is_some()
    }

    /// Takes the next byte if it is one of those.
    pub fn take_if(&mut self, is_one: impl Fn(u8) -> bool) -> Option<u8> {
        let (&next, rest) = self.0.split_first()?;
        if !is_one(next) {
            return None;
        }
        self.0 = rest;
        Some(next)
    }

    /// Takes all of the next bytes that are such.
    pub fn take_while(&mut self, is_one: impl Fn(u8) -> bool) -> &'t [u8] {
        let count = self.0.iter().take_while(|byte| is_one(**byte)).count();
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        taken
    }

    /// Takes exactly so many bytes that are such. Where there are fewer, it takes those.
    pub fn exactly(&mut self, count: usize, is_one: impl Fn(u8) -> bool) -> bool {
        (0..count).all(|_| self.take_if(&is_one).is_some())
    }

    /// Takes a number of exactly so many digits. Where there are fewer, it takes nothing.
    pub fn number(&mut self, digits: usize) -> Option<u32> {
        let (digits, rest) = self.0.split_at_checked(digits)?;
        let number = u32::try_from(decimal(digits)?).ok()?;
        self.0 = rest;
        Some(number)
    }
}

/// The number that digits make; `None` where there is something else among them, or more than 64 bits hold.
#[must_use]
pub fn decimal(digits: &[u8]) -> Option<u64> {
    digits.iter().try_fold(0_u64, |number, digit| {
        let digit = is_digit(*digit).then(|| u64::from(digit - b'0'))?;
        number.checked_mul(10)?.checked_add(digit)
    })
}

/// Space as `\s` means it.
#[must_use]
pub const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0c)
}

/// A digit of a decimal number.
#[must_use]
pub const fn is_digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}

/// A digit of a hexadecimal number.
#[must_use]
pub const fn is_hex(byte: u8) -> bool {
    byte.is_ascii_hexdigit()
}

/// Returns the characters before the first one that is not such, and the rest.
#[must_use]
pub fn split_while(text: &str, is_one: impl Fn(char) -> bool) -> (&str, &str) {
    let end = text.find(|c| !is_one(c)).unwrap_or(text.len());
    text.split_at(end)
}

/// Returns the digits that come first, and the rest.
#[must_use]
pub fn split_digits(text: &str) -> (&str, &str) {
    split_while(text, |c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{Scan, decimal};

    #[test]
    fn numbers_have_exactly_so_many_digits() {
        let mut text = Scan(b"0123x");
        assert_eq!(text.number(3), Some(12));
        assert_eq!(text.number(2), None);
        assert_eq!(text.number(1), Some(3));
        assert_eq!(text.0, b"x");
        assert_eq!(Scan(b"99999999999").number(11), None);
    }

    #[test]
    fn decimals_have_64_bits() {
        assert_eq!(decimal(b"18446744073709551615"), Some(u64::MAX));
        assert_eq!(decimal(b"18446744073709551616"), None);
        assert_eq!(decimal(b"0000000000000000000000001"), Some(1));
        assert_eq!(decimal(b"-1"), None);
        assert_eq!(decimal(b""), Some(0));
    }
}
