//! The readers and printers that are compared.

use crate::grammar::Grammar;
use crate::{floats, net, quantities, texts, times, versions};

/// The result of a reader.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The parts of the parsed value as strings, or the string of a printer.
    Read(Vec<String>),
    /// The error message.
    Error(String),
    /// An error whose message is not compared.
    Rejected,
}

impl Answer {
    /// Returns the parts, or an error whose message must equal Go's message.
    pub(crate) fn of<const N: usize>(read: Result<[String; N], impl std::fmt::Display>) -> Self {
        match read {
            Ok(read) => Self::Read(read.into()),
            Err(error) => Self::Error(error.to_string()),
        }
    }

    /// Returns the parts, or an error whose message is not compared.
    pub(crate) fn without_error<const N: usize>(read: Option<[String; N]>) -> Self {
        read.map_or(Self::Rejected, |read| Self::Read(read.into()))
    }
}

/// A parser or a printer.
pub(crate) struct Reader {
    /// The name of the reader in the Go program.
    pub(crate) name: &'static str,
    pub(crate) grammar: Grammar,
    /// The grammar of the second string, for comparisons of two strings.
    pub(crate) other: Option<Grammar>,
    /// A function that converts the string of the grammar to the string that both sides get.
    pub(crate) shown: fn(&str) -> String,
    /// Our function, which gets both strings.
    pub(crate) ours: fn(&str, &str) -> Answer,
    /// True for parsers, which reject some strings. Printers print any value.
    pub(crate) rejects: bool,
}

const fn reader(name: &'static str, grammar: Grammar, ours: fn(&str, &str) -> Answer) -> Reader {
    Reader {
        name,
        grammar,
        other: None,
        shown: str::to_owned,
        ours,
        rejects: true,
    }
}

const fn pair(
    name: &'static str,
    grammar: Grammar,
    other: Grammar,
    ours: fn(&str, &str) -> Answer,
) -> Reader {
    Reader {
        other: Some(other),
        ..reader(name, grammar, ours)
    }
}

const fn printer(
    name: &'static str,
    grammar: Grammar,
    shown: fn(&str) -> String,
    ours: fn(&str, &str) -> Answer,
) -> Reader {
    Reader {
        shown,
        rejects: false,
        ..reader(name, grammar, ours)
    }
}

pub(crate) const READERS: [Reader; 25] = [
    reader("url", net::URL, net::url),
    reader("url request", net::URL, net::url_request),
    reader("url in rule", net::URL, net::url_in_rule),
    reader("ip", net::IP, net::ip),
    pair("cidr", net::CIDR, net::IP, net::cidr),
    reader("zoned time", times::TIME, times::zoned_time),
    reader("local time", times::TIME, times::local_time),
    reader("date", times::TIME, times::date),
    reader("date-time", times::TIME, times::date_time),
    printer("civil", times::SECONDS, times::seconds, times::civil),
    reader("duration", times::DURATION, times::duration),
    reader("duration format", times::DURATION, times::duration_format),
    printer(
        "duration printed",
        times::NANOS,
        times::nanos,
        times::duration_printed,
    ),
    reader("float", floats::FLOAT, floats::float),
    printer(
        "float printed",
        floats::FLOAT,
        floats::float_bits,
        floats::float_printed,
    ),
    reader("base64", texts::BASE64, texts::base64),
    reader("base64 url", texts::BASE64, texts::base64_url),
    Reader {
        shown: quantities::with_short_exponent,
        ..reader("quantity", quantities::QUANTITY, quantities::quantity)
    },
    Reader {
        shown: quantities::with_short_exponent,
        ..pair(
            "quantities",
            quantities::QUANTITIES,
            quantities::QUANTITIES,
            quantities::quantities,
        )
    },
    reader("semver", versions::SEMVER, versions::semver),
    reader(
        "semver normalized",
        versions::SEMVER,
        versions::semver_normalized,
    ),
    pair(
        "semvers",
        versions::SEMVERS,
        versions::SEMVERS,
        versions::semvers,
    ),
    printer("quoted", texts::ANY, str::to_owned, texts::quoted),
    reader("dns label", texts::NAME, texts::dns_label),
    reader("dns subdomain", texts::NAME, texts::dns_subdomain),
];
