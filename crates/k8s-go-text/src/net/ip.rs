//! IP addresses, as Go's `net/netip` parses them and as CEL rules accept them.

use core::fmt;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::scan::{Scanner, is_digit, is_hex_digit};
use k8s_json_internals::quote::GoQuoted;

use super::quoted_bytes::QuotedBytes;

/// A parsed address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Addr {
    /// The address without its zone.
    pub address: IpAddr,
    /// True if the string contains a zone, as in `fe80::1%eth0`.
    pub has_zone: bool,
}

/// The reason why a string is not an address. `Display` prints Go's message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseAddrError<'t> {
    input: &'t [u8],
    reason: ParseAddrReason<'t>,
}

/// The message of a parse error, and its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ParseAddrReason<'t> {
    message: &'static str,
    /// The rest of the string at the position of the error.
    rest: Option<&'t [u8]>,
}

const fn reason<'t>(message: &'static str) -> ParseAddrReason<'t> {
    ParseAddrReason {
        message,
        rest: None,
    }
}

const fn reason_at<'t>(message: &'static str, rest: &'t [u8]) -> ParseAddrReason<'t> {
    ParseAddrReason {
        message,
        rest: Some(rest),
    }
}

impl fmt::Display for ParseAddrError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "ParseAddr({}): {}",
            QuotedBytes(self.input),
            self.reason.message
        )?;
        match self.reason.rest {
            Some(rest) => write!(f, " (at {})", QuotedBytes(rest)),
            None => Ok(()),
        }
    }
}

/// Parses an IPv4 or IPv6 address.
///
/// # Errors
///
/// Returns the error of Go's `netip.ParseAddr`.
pub fn parse_addr(input: &[u8]) -> Result<Addr, ParseAddrError<'_>> {
    let mut separators = input.iter();
    let result = match separators.find(|byte| matches!(byte, b'.' | b':' | b'%')) {
        Some(b'.') => parse_v4(input).map(|address| Addr {
            address: address.into(),
            has_zone: false,
        }),
        Some(b':') => parse_v6(input),
        Some(_) => Err(reason("missing IPv6 address")),
        None => Err(reason("unable to parse IP")),
    };
    result.map_err(|reason| ParseAddrError { input, reason })
}

fn parse_v4(input: &[u8]) -> Result<Ipv4Addr, ParseAddrReason<'_>> {
    let mut fields = [0_u8; 4];
    let mut scanner = Scanner(input);
    let mut field_index = 0;
    loop {
        let number = parse_field(&mut scanner)?;
        if let Some(field) = fields.get_mut(field_index) {
            *field = number.unwrap_or_default();
        }
        match scanner.peek() {
            Some(b'.') if number.is_none() || scanner.0.len() == 1 => {
                let message = "IPv4 field must have at least one digit";
                return Err(reason_at(message, scanner.0));
            }
            Some(b'.') if field_index == 3 => return Err(reason("IPv4 address too long")),
            Some(b'.') => scanner.eat(b'.'),
            Some(_) => return Err(reason_at("unexpected character", scanner.0)),
            None if field_index < 3 => return Err(reason("IPv4 address too short")),
            None => return Ok(fields.into()),
        };
        field_index += 1;
    }
}

/// Parses the digits of an IPv4 field; `None` if there are no digits.
fn parse_field<'t>(scanner: &mut Scanner<'t>) -> Result<Option<u8>, ParseAddrReason<'t>> {
    let mut number: Option<u8> = None;
    while let Some(digit) = scanner.eat_if(is_digit) {
        number = match number {
            None => Some(digit - b'0'),
            Some(0) => return Err(reason("IPv4 field has octet with leading zero")),
            Some(number) => {
                let extended = number.checked_mul(10);
                let extended = extended.and_then(|number| number.checked_add(digit - b'0'));
                Some(extended.ok_or(reason("IPv4 field has value >255"))?)
            }
        };
    }
    Ok(number)
}

fn parse_v6(input: &[u8]) -> Result<Addr, ParseAddrReason<'_>> {
    let mut halves = input.splitn(2, |byte| *byte == b'%');
    let groups = halves.next().unwrap_or_default();
    let zone = halves.next();
    if zone.is_some_and(<[u8]>::is_empty) {
        return Err(reason("zone must be a non-empty string"));
    }
    let address = Ipv6Parser::default().parse(Scanner(groups))?;
    Ok(Addr {
        address: address.into(),
        has_zone: zone.is_some(),
    })
}

/// A parser of an IPv6 address, with the groups that are already parsed.
#[derive(Default)]
struct Ipv6Parser {
    groups: [u16; 8],
    group_count: usize,
    /// The number of groups before `::`.
    gap: Option<usize>,
}

impl Ipv6Parser {
    fn parse(mut self, mut scanner: Scanner<'_>) -> Result<Ipv6Addr, ParseAddrReason<'_>> {
        if let [b':', b':', rest @ ..] = scanner.0 {
            self.gap = Some(0);
            scanner.0 = rest;
        }
        let is_only_gap = self.gap.is_some() && scanner.is_done();
        while !is_only_gap && self.group_count < 8 {
            let has_next = self.parse_group(&mut scanner)?;
            if !has_next {
                break;
            }
        }
        if !scanner.is_done() {
            return Err(reason_at("trailing garbage after address", scanner.0));
        }
        match self.gap {
            None if self.group_count < 8 => Err(reason("address string too short")),
            None => Ok(self.groups.into()),
            Some(_) if self.group_count == 8 => {
                Err(reason("the :: must expand to at least one field of zeros"))
            }
            Some(gap) => {
                let missing_groups = 8 - self.group_count;
                // The groups after the gap move to the end; the gap is filled with zeros.
                if let Some(groups_after_gap) = self.groups.get_mut(gap..) {
                    groups_after_gap.rotate_right(missing_groups);
                }
                Ok(self.groups.into())
            }
        }
    }

    fn push_group(&mut self, group: u16) {
        if let Some(slot) = self.groups.get_mut(self.group_count) {
            *slot = group;
        }
        self.group_count += 1;
    }

    /// Parses a group and the colons after it. Returns true if another group must follow.
    fn parse_group<'t>(&mut self, scanner: &mut Scanner<'t>) -> Result<bool, ParseAddrReason<'t>> {
        let start = scanner.0;
        let mut number = 0_u32;
        let mut digit_count = 0;
        while let Some(digit) = scanner.eat_if(is_hex_digit) {
            digit_count += 1;
            if digit_count > 4 {
                let message = "each group must have 4 or less digits";
                return Err(reason_at(message, start));
            }
            number = number << 4 | char::from(digit).to_digit(16).unwrap_or_default();
        }
        if digit_count == 0 {
            let message = "each colon-separated field must have at least one digit";
            return Err(reason_at(message, start));
        }
        if scanner.peek() == Some(b'.') {
            self.parse_embedded_ipv4(start)?;
            scanner.0 = &[];
            return Ok(false);
        }
        self.push_group(u16::try_from(number).unwrap_or_default());
        if scanner.is_done() {
            return Ok(false);
        }
        if scanner.peek() != Some(b':') {
            return Err(reason_at("unexpected character, want colon", scanner.0));
        }
        if scanner.0.len() == 1 {
            return Err(reason_at(
                "colon must be followed by more characters",
                scanner.0,
            ));
        }
        scanner.eat(b':');
        if scanner.peek() == Some(b':') {
            if self.gap.is_some() {
                return Err(reason_at("multiple :: in address", scanner.0));
            }
            self.gap = Some(self.group_count);
            scanner.eat(b':');
            return Ok(!scanner.is_done());
        }
        Ok(true)
    }

    /// Parses the last two groups, which have the form of an IPv4 address.
    fn parse_embedded_ipv4<'t>(&mut self, input: &'t [u8]) -> Result<(), ParseAddrReason<'t>> {
        if self.gap.is_none() && self.group_count != 6 {
            let message = "embedded IPv4 address must replace the final 2 fields of the address";
            return Err(reason_at(message, input));
        }
        if self.group_count > 6 {
            let message = "too many hex fields to fit an embedded IPv4 at the end of the address";
            return Err(reason_at(message, input));
        }
        let [a, b, c, d] = parse_v4(input)?.octets();
        self.push_group(u16::from_be_bytes([a, b]));
        self.push_group(u16::from_be_bytes([c, d]));
        Ok(())
    }
}

/// Parses an address that CEL rules accept: without a zone, and not an IPv4-mapped IPv6 address.
///
/// # Errors
///
/// Returns the error of an API server if the string is not an accepted address.
pub fn parse_in_rule(input: &str) -> Result<IpAddr, String> {
    let parsed = parse_addr(input.as_bytes()).map_err(|error| {
        let input = GoQuoted(input);
        format!("IP Address {input} parse error during conversion from string: {error}")
    })?;
    if parsed.has_zone {
        let input = GoQuoted(input);
        return Err(format!("IP address {input} with zone value is not allowed"));
    }
    if is_ipv4_mapped(parsed.address) {
        return Err(ipv4_mapped_error(input));
    }
    Ok(parsed.address)
}

/// Returns true for an IPv4-mapped IPv6 address.
#[must_use]
pub fn is_ipv4_mapped(address: IpAddr) -> bool {
    matches!(address, IpAddr::V6(address) if address.to_ipv4_mapped().is_some())
}

pub(super) fn ipv4_mapped_error(input: &str) -> String {
    let input = GoQuoted(input);
    format!("IPv4-mapped IPv6 address {input} is not allowed")
}

/// Returns the first group of an IPv6 address.
const fn first_group(address: Ipv6Addr) -> u16 {
    let [group, ..] = address.segments();
    group
}

/// Returns true for `224.0.0.0/24` and `ff02::/16`.
#[must_use]
pub fn is_link_local_multicast(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => matches!(address.octets(), [224, 0, 0, _]),
        IpAddr::V6(address) => first_group(address) & 0xff0f == 0xff02,
    }
}

/// Returns true for `169.254.0.0/16` and `fe80::/10`.
#[must_use]
pub fn is_link_local_unicast(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_link_local(),
        IpAddr::V6(address) => first_group(address) & 0xffc0 == 0xfe80,
    }
}

/// Returns true if the address identifies one host and is valid beyond its link, as Go's
/// `netip.Addr.IsGlobalUnicast` does. Addresses of private networks are included.
#[must_use]
pub fn is_global_unicast(address: IpAddr) -> bool {
    let is_broadcast = matches!(address, IpAddr::V4(address) if address.is_broadcast());
    !(is_broadcast
        || address.is_unspecified()
        || address.is_loopback()
        || address.is_multicast()
        || is_link_local_unicast(address))
}

#[cfg(test)]
mod tests {
    use super::{parse_addr, parse_in_rule};

    fn parse_error(input: &str) -> String {
        parse_addr(input.as_bytes())
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    }

    #[test]
    fn addresses_are_parsed_and_formatted() {
        for (input, expected) in [
            ("1.2.3.4", "1.2.3.4"),
            ("0.0.0.0", "0.0.0.0"),
            ("::", "::"),
            ("::1", "::1"),
            ("1::", "1::"),
            ("1:0:0:2:0:0:0:3", "1:0:0:2::3"),
            ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"),
            ("A::1.2.3.4", "a::102:304"),
            ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
        ] {
            let address = parse_in_rule(input).map(|address| address.to_string());
            assert_eq!(address.as_deref(), Ok(expected), "{input}");
        }
    }

    #[test]
    fn messages_are_those_of_go() {
        for (input, message) in [
            ("", "unable to parse IP"),
            ("a%1:2", "missing IPv6 address"),
            ("1.2.3", "IPv4 address too short"),
            ("1.2.3.4.5", "IPv4 address too long"),
            ("1.2.3.256", "IPv4 field has value >255"),
            ("1.2.3.04", "IPv4 field has octet with leading zero"),
            (
                "1..3.4",
                "IPv4 field must have at least one digit (at \".3.4\")",
            ),
            ("1.2.3.4%a", "unexpected character (at \"%a\")"),
            ("::1::", "multiple :: in address (at \":\")"),
            (
                "::12345",
                "each group must have 4 or less digits (at \"12345\")",
            ),
            ("1:2:3:4:5:6:7", "address string too short"),
            (
                "1:2:3:4:5:6:7:8:9",
                "trailing garbage after address (at \"9\")",
            ),
            (
                "1:2:3:4:5:6:7::8",
                "the :: must expand to at least one field of zeros",
            ),
            ("::1%", "zone must be a non-empty string"),
            ("1:", "colon must be followed by more characters (at \":\")"),
            (
                ":1",
                "each colon-separated field must have at least one digit (at \":1\")",
            ),
            (
                "1:g",
                "each colon-separated field must have at least one digit (at \"g\")",
            ),
            ("1g:", "unexpected character, want colon (at \"g:\")"),
        ] {
            let message = format!("ParseAddr({input:?}): {message}");
            assert_eq!(parse_error(input), message);
        }
    }

    #[test]
    fn rules_reject_zones_and_mapped_addresses() {
        assert_eq!(
            parse_in_rule("fe80::1%eth0"),
            Err("IP address \"fe80::1%eth0\" with zone value is not allowed".to_owned())
        );
        assert_eq!(
            parse_in_rule("::ffff:1.2.3.4"),
            Err("IPv4-mapped IPv6 address \"::ffff:1.2.3.4\" is not allowed".to_owned())
        );
    }
}
