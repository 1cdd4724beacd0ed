//! A scanner that consumes bytes from the front of a string, without allocation.

/// A scanner over the rest of a string.
#[derive(Clone, Copy, Debug)]
pub struct Scanner<'t>(pub &'t [u8]);

impl<'t> Scanner<'t> {
    /// Returns true if no bytes are left.
    #[must_use]
    pub const fn is_done(self) -> bool {
        self.0.is_empty()
    }

    /// Returns the next byte without consuming it.
    #[must_use]
    pub fn peek(self) -> Option<u8> {
        self.0.first().copied()
    }

    /// Consumes the next byte if it equals `byte`. Returns true if the byte was consumed.
    pub fn eat(&mut self, byte: u8) -> bool {
        self.eat_if(|next| next == byte).is_some()
    }

    /// Consumes and returns the next byte if it satisfies the predicate.
    pub fn eat_if(&mut self, predicate: impl Fn(u8) -> bool) -> Option<u8> {
        let (&next, rest) = self.0.split_first()?;
        if !predicate(next) {
            return None;
        }
        self.0 = rest;
        Some(next)
    }

    /// Consumes and returns the longest run of bytes that satisfy the predicate.
    pub fn eat_while(&mut self, predicate: impl Fn(u8) -> bool) -> &'t [u8] {
        let count = self.0.iter().take_while(|byte| predicate(**byte)).count();
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        taken
    }

    /// Consumes `count` bytes that satisfy the predicate. Returns false if fewer bytes satisfy the
    /// predicate; these bytes are consumed too.
    pub fn eat_exactly(&mut self, count: usize, predicate: impl Fn(u8) -> bool) -> bool {
        (0..count).all(|_| self.eat_if(&predicate).is_some())
    }

    /// Consumes a number of exactly `digit_count` digits. Consumes nothing if there are fewer
    /// digits.
    pub fn eat_number(&mut self, digit_count: usize) -> Option<u32> {
        let (digits, rest) = self.0.split_at_checked(digit_count)?;
        let number = u32::try_from(parse_decimal(digits)?).ok()?;
        self.0 = rest;
        Some(number)
    }
}

/// Returns the value of decimal digits; `None` if another byte is among them, or if the value
/// exceeds 64 bits. The value of an empty string is 0.
#[must_use]
pub fn parse_decimal(digits: &[u8]) -> Option<u64> {
    digits.iter().try_fold(0_u64, |number, digit| {
        let digit = is_digit(*digit).then(|| u64::from(digit - b'0'))?;
        number.checked_mul(10)?.checked_add(digit)
    })
}

/// Returns true for a whitespace byte that `\s` matches.
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

/// Splits a string before the first character that does not satisfy the predicate.
#[must_use]
pub fn split_while(string: &str, predicate: impl Fn(char) -> bool) -> (&str, &str) {
    let end = string.find(|c| !predicate(c)).unwrap_or(string.len());
    string.split_at(end)
}

/// Splits a string after its leading digits.
#[must_use]
pub fn split_digits(string: &str) -> (&str, &str) {
    split_while(string, |c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{Scanner, parse_decimal};

    #[test]
    fn numbers_have_exactly_the_given_digits() {
        let mut scanner = Scanner(b"0123x");
        assert_eq!(scanner.eat_number(3), Some(12));
        assert_eq!(scanner.eat_number(2), None);
        assert_eq!(scanner.eat_number(1), Some(3));
        assert_eq!(scanner.0, b"x");
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
