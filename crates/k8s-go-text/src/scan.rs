//! A reader of strings from the front, byte by byte, without allocation.

/// The rest of a string that is being read.
#[derive(Clone, Copy, Debug)]
pub struct Scanner<'t>(pub &'t [u8]);

impl<'t> Scanner<'t> {
    /// Returns true if no bytes are left.
    #[must_use]
    pub const fn is_done(self) -> bool {
        self.0.is_empty()
    }

    /// Returns the next byte without taking it.
    #[must_use]
    pub fn peek(self) -> Option<u8> {
        self.0.first().copied()
    }

    /// Takes the next byte if it equals `byte`.
    pub fn eat(&mut self, byte: u8) -> bool {
        self.eat_if(|next| next == byte).is_some()
    }

    /// Takes the next byte if `is_one` is true for it.
    pub fn eat_if(&mut self, is_one: impl Fn(u8) -> bool) -> Option<u8> {
        let (&next, rest) = self.0.split_first()?;
        if !is_one(next) {
            return None;
        }
        self.0 = rest;
        Some(next)
    }

    /// Takes the next bytes as long as `is_one` is true for them.
    pub fn eat_while(&mut self, is_one: impl Fn(u8) -> bool) -> &'t [u8] {
        let count = self.0.iter().take_while(|byte| is_one(**byte)).count();
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        taken
    }

    /// Takes exactly `count` bytes for which `is_one` is true. Takes the bytes before the first
    /// other byte even if there are fewer.
    pub fn eat_exactly(&mut self, count: usize, is_one: impl Fn(u8) -> bool) -> bool {
        (0..count).all(|_| self.eat_if(&is_one).is_some())
    }

    /// Takes a number of exactly `digits` digits. Takes nothing if there are fewer.
    pub fn eat_number(&mut self, digits: usize) -> Option<u32> {
        let (digits, rest) = self.0.split_at_checked(digits)?;
        let number = u32::try_from(parse_decimal(digits)?).ok()?;
        self.0 = rest;
        Some(number)
    }
}

/// Returns the number of decimal digits; `None` if there is another byte among them, or if 64 bits
/// do not hold the number.
#[must_use]
pub fn parse_decimal(digits: &[u8]) -> Option<u64> {
    digits.iter().try_fold(0_u64, |number, digit| {
        let digit = is_digit(*digit).then(|| u64::from(digit - b'0'))?;
        number.checked_mul(10)?.checked_add(digit)
    })
}

/// Returns true for whitespace, as `\s` matches it.
#[must_use]
pub const fn is_whitespace(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0c)
}

/// Returns true for a decimal digit.
#[must_use]
pub const fn is_digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}

/// Returns true for a hexadecimal digit.
#[must_use]
pub const fn is_hex_digit(byte: u8) -> bool {
    byte.is_ascii_hexdigit()
}

/// Returns the characters before the first one for which `is_one` is false, and the rest.
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
    use super::{Scanner, parse_decimal};

    #[test]
    fn numbers_have_exactly_so_many_digits() {
        let mut text = Scanner(b"0123x");
        assert_eq!(text.eat_number(3), Some(12));
        assert_eq!(text.eat_number(2), None);
        assert_eq!(text.eat_number(1), Some(3));
        assert_eq!(text.0, b"x");
        assert_eq!(Scanner(b"99999999999").eat_number(11), None);
    }

    #[test]
    fn decimals_have_64_bits() {
        assert_eq!(parse_decimal(b"18446744073709551615"), Some(u64::MAX));
        assert_eq!(parse_decimal(b"18446744073709551616"), None);
        assert_eq!(parse_decimal(b"0000000000000000000000001"), Some(1));
        assert_eq!(parse_decimal(b"-1"), None);
        assert_eq!(parse_decimal(b""), Some(0));
    }
}
