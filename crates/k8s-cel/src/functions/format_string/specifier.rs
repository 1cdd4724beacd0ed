//! Clauses such as `%.3f`.

use core::fmt;

use k8s_go_text::scan::split_digits;
use k8s_json_internals::quote::GoQuoted;

/// The conversion of a value to a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    /// `%s`
    String,
    /// `%d`
    Decimal,
    /// `%f`
    Fixed,
    /// `%e`
    Scientific,
    /// `%b`
    Binary,
    /// `%o`
    Octal,
    /// `%x`
    Hex,
    /// `%X`
    UpperHex,
}

/// A clause without its sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FormatSpecifier {
    pub(super) verb: Verb,
    pub(super) precision: Precision,
}

/// The number after a point, or 6.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Precision(pub(super) u64);

/// A parse error of a clause, with the message of an API server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SpecifierError<'t> {
    /// An unknown verb, which is one byte.
    UnknownVerb(u8),
    UnendedPrecision,
    InvalidPrecision(&'t str, &'static str),
}

impl fmt::Display for SpecifierError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const PRECISION: &str = "error while parsing precision";
        match self {
            Self::UnknownVerb(byte) => {
                let text = char::from(*byte).to_string();
                write!(f, "unrecognized formatting clause \"{text}\"")
            }
            Self::UnendedPrecision => {
                write!(f, "{PRECISION}: could not find end of precision specifier")
            }
            Self::InvalidPrecision(digits, why) => {
                let digits = GoQuoted(digits);
                write!(
                    f,
                    "{PRECISION}: error while converting precision to integer: strconv.Atoi: parsing {digits}: {why}"
                )
            }
        }
    }
}

impl FormatSpecifier {
    /// Reads a clause from a string that is not empty, and returns the clause and the rest of the
    /// string.
    pub(super) fn parse(text: &str) -> Result<(Self, &str), SpecifierError<'_>> {
        let (precision, rest) = match text.strip_prefix('.') {
            None => (6, text),
            Some(after) => {
                let (digits, rest) = split_digits(after);
                if rest.is_empty() {
                    return Err(SpecifierError::UnendedPrecision);
                }
                let precision = match digits.parse::<i64>() {
                    Ok(precision) => precision.unsigned_abs(),
                    Err(_) if digits.is_empty() => {
                        return Err(SpecifierError::InvalidPrecision(digits, "invalid syntax"));
                    }
                    Err(_) => {
                        return Err(SpecifierError::InvalidPrecision(
                            digits,
                            "value out of range",
                        ));
                    }
                };
                (precision, rest)
            }
        };
        let verb = match rest.bytes().next().unwrap_or_default() {
            b's' => Verb::String,
            b'd' => Verb::Decimal,
            b'f' => Verb::Fixed,
            b'e' => Verb::Scientific,
            b'b' => Verb::Binary,
            b'o' => Verb::Octal,
            b'x' => Verb::Hex,
            b'X' => Verb::UpperHex,
            other => return Err(SpecifierError::UnknownVerb(other)),
        };
        let precision = Precision(precision);
        let (_, rest) = rest.split_at(1);
        Ok((Self { verb, precision }, rest))
    }
}

#[cfg(test)]
mod tests {
    use super::{FormatSpecifier, Precision, Verb};

    #[test]
    fn clauses_are_read() {
        for (text, verb, precision, rest) in [
            ("s", Verb::String, 6, ""),
            (".3fx", Verb::Fixed, 3, "x"),
            (".010e%", Verb::Scientific, 10, "%"),
        ] {
            let precision = Precision(precision);
            assert_eq!(
                FormatSpecifier::parse(text),
                Ok((FormatSpecifier { verb, precision }, rest))
            );
        }
    }

    #[test]
    fn what_is_wrong_is_said_as_a_server_says_it() {
        const ATOI: &str = "error while parsing precision: error while converting precision to integer: \
            strconv.Atoi: parsing";
        for (text, said) in [
            ("z", "unrecognized formatting clause \"z\"".to_owned()),
            // The error shows a byte, not a character.
            ("é", "unrecognized formatting clause \"Ã\"".to_owned()),
            (
                ".5",
                "error while parsing precision: could not find end of precision specifier"
                    .to_owned(),
            ),
            (".f", format!("{ATOI} \"\": invalid syntax")),
            (
                ".9223372036854775808f",
                format!("{ATOI} \"9223372036854775808\": value out of range"),
            ),
        ] {
            let found = FormatSpecifier::parse(text)
                .err()
                .map(|why| why.to_string());
            assert_eq!(found, Some(said));
        }
    }
}
