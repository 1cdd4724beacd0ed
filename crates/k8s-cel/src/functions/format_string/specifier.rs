//! Format specifiers such as `%.3f`.

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

/// A format specifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FormatSpecifier {
    pub(super) verb: Verb,
    pub(super) precision: Precision,
}

/// The number after the point, or 6 if the specifier has no precision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Precision(pub(super) u64);

/// A parse error of a specifier. `Display` prints the message of an API server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SpecifierError<'t> {
    /// An unknown verb. The server reads one byte.
    UnknownVerb(u8),
    MissingVerb,
    /// The digits, and the reason.
    InvalidPrecision(&'t str, &'static str),
}

impl fmt::Display for SpecifierError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const PRECISION: &str = "error while parsing precision";
        match self {
            Self::UnknownVerb(byte) => {
                let character = char::from(*byte).to_string();
                write!(f, "unrecognized formatting clause \"{character}\"")
            }
            Self::MissingVerb => {
                write!(f, "{PRECISION}: could not find end of precision specifier")
            }
            Self::InvalidPrecision(digits, reason) => {
                let digits = GoQuoted(digits);
                write!(
                    f,
                    "{PRECISION}: error while converting precision to integer: strconv.Atoi: parsing {digits}: {reason}"
                )
            }
        }
    }
}

impl FormatSpecifier {
    /// Parses a specifier after its percent sign, and returns the specifier and the rest of the
    /// string, which must not be empty.
    pub(super) fn parse(string: &str) -> Result<(Self, &str), SpecifierError<'_>> {
        let (precision, rest) = match string.strip_prefix('.') {
            None => (6, string),
            Some(after) => {
                let (digits, rest) = split_digits(after);
                if rest.is_empty() {
                    return Err(SpecifierError::MissingVerb);
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
    fn specifiers_are_parsed() {
        for (string, verb, precision, rest) in [
            ("s", Verb::String, 6, ""),
            (".3fx", Verb::Fixed, 3, "x"),
            (".010e%", Verb::Scientific, 10, "%"),
        ] {
            let precision = Precision(precision);
            assert_eq!(
                FormatSpecifier::parse(string),
                Ok((FormatSpecifier { verb, precision }, rest))
            );
        }
    }

    #[test]
    fn messages_match_the_server() {
        const ATOI: &str = "error while parsing precision: error while converting precision to integer: \
            strconv.Atoi: parsing";
        for (string, message) in [
            ("z", "unrecognized formatting clause \"z\"".to_owned()),
            // The message quotes a byte, not a character.
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
            let actual = FormatSpecifier::parse(string)
                .err()
                .map(|error| error.to_string());
            assert_eq!(actual, Some(message));
        }
    }
}
