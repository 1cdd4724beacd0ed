//! URLs, addresses and networks.

use core::net::IpAddr;
use std::rc::Rc;

use super::{Entry, row};
use crate::meter::Meter;
use crate::net::cidr::Cidr;
use crate::net::ip;
use crate::net::url::{self, Url};
use crate::opaque::Opaque;
use crate::value::{Fault, Text, Val};

type Result<'v, T = Val<'v>> = core::result::Result<T, Fault>;

pub(super) const FUNCTIONS: &[Entry] = &[
    (
        "url",
        &[row(&["string -> URL"], |m, args| {
            let text = paid_text(m, args)?;
            let url = Url::parse(text.as_str()).map_err(Fault::error)?;
            Ok(Val::Opaque(Opaque::Url(Rc::new(url))))
        })],
    ),
    (
        "isURL",
        &[row(&["string -> bool"], |m, args| {
            m.charge(1)?;
            let [Val::Text(text)] = args else {
                return Err(Fault::no_such_overload());
            };
            Ok(Val::Bool(url::is_request_uri(text.as_str())))
        })],
    ),
    (
        "getScheme",
        &[row(OF_URL, |m, args| part(m, args, |url| &url.scheme))],
    ),
    (
        "getHost",
        &[row(OF_URL, |m, args| part(m, args, |url| &url.host))],
    ),
    (
        "getHostname",
        &[row(OF_URL, |m, args| part(m, args, Url::hostname))],
    ),
    (
        "getPort",
        &[row(OF_URL, |m, args| part(m, args, Url::port))],
    ),
    (
        "getEscapedPath",
        &[row(OF_URL, |m, args| {
            part(m, args, |url| &url.escaped_path)
        })],
    ),
    (
        "getQuery",
        &[row(&["URL. -> map(string, list(string))"], |m, args| {
            let entry = |(name, values): (String, Vec<String>)| {
                let values = values.into_iter().map(Val::text).collect();
                (Val::text(name), Val::list(values))
            };
            let query = url_of(m, args)?.query();
            Ok(Val::Map(Rc::new(query.into_iter().map(entry).collect())))
        })],
    ),
    (
        "ip",
        &[
            row(&["string -> IP"], |m, args| {
                let text = paid_text(m, args)?;
                ip::parse(text.as_str()).map(of_ip).map_err(Fault::error)
            }),
            row(&["CIDR. -> IP"], |m, args| {
                cidr_of(m, args).map(|cidr| of_ip(cidr.address))
            }),
        ],
    ),
    (
        "isIP",
        &[row(&["string -> bool"], |m, args| {
            let text = paid_text(m, args)?;
            Ok(Val::Bool(ip::parse(text.as_str()).is_ok()))
        })
        .since(30)],
    ),
    (
        "ip.isCanonical",
        &[row(&["string -> bool"], |m, args| {
            let [Val::Text(text)] = args else {
                return Err(Fault::no_such_overload());
            };
            m.charge_tenths(text.size().saturating_mul(2))?;
            let address = ip::parse(text.as_str()).map_err(Fault::error)?;
            Ok(Val::Bool(address.to_string() == text.as_str()))
        })
        .since(30)],
    ),
    (
        "family",
        &[row(&["IP. -> int"], |m, args| {
            let address = ip_of(m, args)?;
            Ok(Val::Int(if address.is_ipv4() { 4 } else { 6 }))
        })],
    ),
    (
        "isUnspecified",
        &[row(OF_IP, |m, args| is(m, args, |ip| ip.is_unspecified()))],
    ),
    (
        "isLoopback",
        &[row(OF_IP, |m, args| is(m, args, |ip| ip.is_loopback()))],
    ),
    (
        "isLinkLocalMulticast",
        &[row(OF_IP, |m, args| {
            is(m, args, ip::is_link_local_multicast)
        })],
    ),
    (
        "isLinkLocalUnicast",
        &[row(OF_IP, |m, args| is(m, args, ip::is_link_local_unicast))],
    ),
    (
        "isGlobalUnicast",
        &[row(OF_IP, |m, args| is(m, args, ip::is_global_unicast))],
    ),
    (
        "cidr",
        &[row(&["string -> CIDR"], |m, args| {
            let text = paid_text(m, args)?;
            Cidr::parse(text.as_str())
                .map(of_cidr)
                .map_err(Fault::error)
        })],
    ),
    (
        "isCIDR",
        &[row(&["string -> bool"], |m, args| {
            let text = paid_text(m, args)?;
            Ok(Val::Bool(Cidr::parse(text.as_str()).is_ok()))
        })
        .since(30)],
    ),
    (
        "containsIP",
        &[row(
            &["CIDR.string -> bool", "CIDR.IP -> bool"],
            contains_ip,
        )],
    ),
    (
        "containsCIDR",
        &[row(
            &["CIDR.string -> bool", "CIDR.CIDR -> bool"],
            contains_cidr,
        )],
    ),
    (
        "masked",
        &[row(&["CIDR. -> CIDR"], |m, args| {
            cidr_of(m, args).map(Cidr::masked).map(of_cidr)
        })],
    ),
    (
        "prefixLength",
        &[row(&["CIDR. -> int"], |m, args| {
            cidr_of(m, args).map(|cidr| Val::Int(cidr.bits.into()))
        })],
    ),
];

const OF_URL: &[&str] = &["URL. -> string"];
const OF_IP: &[&str] = &["IP. -> bool"];

const fn of_ip<'v>(address: IpAddr) -> Val<'v> {
    Val::Opaque(Opaque::Ip(address))
}

const fn of_cidr<'v>(cidr: Cidr) -> Val<'v> {
    Val::Opaque(Opaque::Cidr(cidr))
}

/// The text that is read, paid for.
fn paid_text<'a, 'v>(meter: &mut Meter<'v>, args: &'a [Val<'v>]) -> Result<'v, &'a Text<'v>> {
    let [Val::Text(text)] = args else {
        return Err(Fault::no_such_overload());
    };
    meter.charge_tenths(text.size())?;
    Ok(text)
}

fn url_of<'a, 'v>(meter: &mut Meter<'v>, args: &'a [Val<'v>]) -> Result<'v, &'a Url> {
    meter.charge(1)?;
    match args {
        [Val::Opaque(Opaque::Url(url))] => Ok(url),
        _ => Err(Fault::no_such_overload()),
    }
}

fn part<'v>(meter: &mut Meter<'v>, args: &[Val<'v>], of: fn(&Url) -> &str) -> Result<'v> {
    url_of(meter, args).map(|url| Val::text(of(url)))
}

fn ip_of<'v>(meter: &mut Meter<'v>, args: &[Val<'v>]) -> Result<'v, IpAddr> {
    meter.charge(1)?;
    match args {
        [Val::Opaque(Opaque::Ip(address))] => Ok(*address),
        _ => Err(Fault::no_such_overload()),
    }
}

fn is<'v>(meter: &mut Meter<'v>, args: &[Val<'v>], it: fn(IpAddr) -> bool) -> Result<'v> {
    ip_of(meter, args).map(|address| Val::Bool(it(address)))
}

fn cidr_of<'v>(meter: &mut Meter<'v>, args: &[Val<'v>]) -> Result<'v, Cidr> {
    meter.charge(1)?;
    match args {
        [Val::Opaque(Opaque::Cidr(cidr))] => Ok(*cidr),
        _ => Err(Fault::no_such_overload()),
    }
}

/// What reading the text costs, if it is one.
fn reading(value: &Val<'_>) -> u64 {
    match value {
        Val::Text(text) => text.size().div_ceil(10),
        _ => 0,
    }
}

fn contains_ip<'v>(meter: &mut Meter<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [Val::Opaque(net @ Opaque::Cidr(cidr)), other] = args else {
        return Err(Fault::no_such_overload());
    };
    meter.charge((net.size() * 2).div_ceil(10) + reading(other))?;
    let address = match other {
        Val::Opaque(Opaque::Ip(address)) => *address,
        // The server does not say what is wrong with a text.
        Val::Text(text) => ip::parse(text.as_str()).map_err(|_| Fault::no_such_overload())?,
        _ => return Err(Fault::no_such_overload()),
    };
    Ok(Val::Bool(cidr.contains(address)))
}

fn contains_cidr<'v>(meter: &mut Meter<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [Val::Opaque(net @ Opaque::Cidr(cidr)), other] = args else {
        return Err(Fault::no_such_overload());
    };
    let size = net.size();
    meter.charge((size * 2).div_ceil(10) + size.div_ceil(10) + 1 + reading(other))?;
    let other = match other {
        Val::Opaque(Opaque::Cidr(other)) => *other,
        Val::Text(text) => Cidr::parse(text.as_str()).map_err(Fault::error)?,
        _ => return Err(Fault::no_such_overload()),
    };
    Ok(Val::Bool(cidr.contains_all(other)))
}
