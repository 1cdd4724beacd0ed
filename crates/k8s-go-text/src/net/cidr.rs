//! IP networks, as Go's `net/netip` parses them and as CEL rules accept them.

use core::fmt;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::scan::parse_decimal;
use k8s_json_internals::quote::GoQuoted;

use super::ip;

/// A network: an address, and the number of leading bits that all addresses of the network share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cidr {
    /// The address, which may have bits set after the prefix.
    pub address: IpAddr,
    /// The length of the prefix.
    pub bits: u8,
}

impl fmt::Display for Cidr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.bits)
    }
}

impl Cidr {
    /// Parses a network.
    ///
    /// # Errors
    ///
    /// Returns the error of an API server if the string is not a network.
    pub fn parse(string: &str) -> Result<Self, String> {
        const CONVERSION_ERROR: &str = "network address parse error during conversion from string";
        let network = parse_prefix(string).map_err(|error| {
            let string = GoQuoted(string);
            format!("{CONVERSION_ERROR}: {CONVERSION_ERROR}: netip.ParsePrefix({string}): {error}")
        })?;
        if ip::is_ipv4_mapped(network.address) {
            return Err(format!(
                "{CONVERSION_ERROR}: {}",
                ip::ipv4_mapped_error(string)
            ));
        }
        Ok(network)
    }

    /// Returns the network with all bits after the prefix cleared.
    #[must_use]
    pub fn masked(self) -> Self {
        let address = match self.address {
            IpAddr::V4(address) => {
                let mask = u32::MAX.checked_shl(32 - u32::from(self.bits));
                Ipv4Addr::from_bits(address.to_bits() & mask.unwrap_or(0)).into()
            }
            IpAddr::V6(address) => {
                let mask = u128::MAX.checked_shl(128 - u32::from(self.bits));
                Ipv6Addr::from_bits(address.to_bits() & mask.unwrap_or(0)).into()
            }
        };
        Self { address, ..self }
    }

    /// Returns true if the address is in the network.
    #[must_use]
    pub fn contains_ip(self, address: IpAddr) -> bool {
        let bits = self.bits;
        address.is_ipv4() == self.address.is_ipv4()
            && Self { address, bits }.masked() == self.masked()
    }

    /// Returns true if the network contains all addresses of another network.
    #[must_use]
    pub fn contains_cidr(self, other: Self) -> bool {
        self.bits <= other.bits && self.contains_ip(other.address)
    }
}

fn parse_prefix(string: &str) -> Result<Cidr, String> {
    let (address, bits_string) = string.rsplit_once('/').ok_or("no '/'")?;
    let parsed_address = ip::parse_addr(address.as_bytes()).map_err(|error| error.to_string())?;
    if parsed_address.has_zone {
        return Err("IPv6 zones cannot be present in a prefix".to_owned());
    }
    let length = match bits_string.as_bytes() {
        [] | [b'0', _, ..] => None,
        // Go parses the length as a signed 64-bit number. A larger number is a bad length, not a
        // length out of range.
        digits => parse_decimal(digits).filter(|length| i64::try_from(*length).is_ok()),
    };
    let Some(length) = length else {
        return Err(format!("bad bits after slash: {}", GoQuoted(bits_string)));
    };
    let max_length = if parsed_address.address.is_ipv4() {
        32
    } else {
        128
    };
    match u8::try_from(length) {
        Ok(bits) if bits <= max_length => Ok(Cidr {
            address: parsed_address.address,
            bits,
        }),
        _ => Err("prefix length out of range".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::Cidr;

    fn cidr(string: &str) -> Cidr {
        Cidr::parse(string).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn networks_contain_addresses_and_networks() {
        let network = cidr("1.2.3.5/24");
        assert_eq!(network.to_string(), "1.2.3.5/24");
        assert_eq!(network.masked().to_string(), "1.2.3.0/24");
        assert_eq!(cidr("ff::1/0").masked().to_string(), "::/0");
        assert_eq!(cidr("1.2.3.4/0").masked().to_string(), "0.0.0.0/0");
        assert_eq!(cidr("ff::1/128").masked().to_string(), "ff::1/128");
        for (other, is_contained) in [
            ("1.2.3.7/32", true),
            ("1.2.3.0/24", true),
            ("1.2.3.0/23", false),
            ("1.2.4.0/24", false),
            ("::/64", false),
        ] {
            assert_eq!(network.contains_cidr(cidr(other)), is_contained, "{other}");
        }
    }

    #[test]
    fn messages_are_those_of_the_server() {
        const PREFIX: &str = "network address parse error during conversion from string: \
            network address parse error during conversion from string: netip.ParsePrefix";
        for (string, message) in [
            ("1.2.3.4", "no '/'"),
            ("x/64", "ParseAddr(\"x\"): unable to parse IP"),
            ("fe80::1%a/64", "IPv6 zones cannot be present in a prefix"),
            ("1.2.3.4/08", "bad bits after slash: \"08\""),
            ("1.2.3.4/", "bad bits after slash: \"\""),
            ("1.2.3.4/+8", "bad bits after slash: \"+8\""),
            ("1.2.3.4/33", "prefix length out of range"),
            ("::/9223372036854775807", "prefix length out of range"),
            (
                "::/9223372036854775808",
                "bad bits after slash: \"9223372036854775808\"",
            ),
            ("::1/256", "prefix length out of range"),
        ] {
            let message = format!("{PREFIX}({string:?}): {message}");
            assert_eq!(Cidr::parse(string), Err(message));
        }
        assert_eq!(
            Cidr::parse("::ffff:1.2.3.4/96").err().as_deref(),
            Some(
                "network address parse error during conversion from string: \
                 IPv4-mapped IPv6 address \"::ffff:1.2.3.4/96\" is not allowed"
            )
        );
    }
}
