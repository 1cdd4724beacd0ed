//! URLs, addresses and networks.

use core::net::IpAddr;
use std::rc::Rc;

use k8s_go_text::net::cidr::Cidr;
use k8s_go_text::net::ip;
use k8s_go_text::net::url::{self, Url};

use super::cost;
use super::row::{Entry, row};
use crate::cost::meter::Meter;
use crate::values::opaque::Opaque;
use crate::values::value::{Fault, Text, Val};

type Result<'v, T = Val<'v>> = core::result::Result<T, Fault>;

pub(super) const FUNCTIONS: &[Entry] = &[
    (
        "url",
        &[row(&["string -> URL"], |_, args| {
            let text = text_of(args)?;
            let url = Url::parse_in_rule(text.as_str()).map_err(|why| {
                Fault::error(format!(
                    "URL parse error during conversion from string: {why}"
                ))
            })?;
            Ok(Val::Opaque(Opaque::Url(Rc::new(url))))
        })
        .costs(cost::reading)],
    ),
    (
        "isURL",
        &[row(&["string -> bool"], |_, args| {
            let [Val::Text(text)] = args else {
                return Err(Fault::no_such_overload());
            };
            Ok(Val::Bool(url::is_request_uri(text.as_str())))
        })],
    ),
    (
        "getScheme",
        &[row(OF_URL, |_, args| part(args, |url| &url.scheme))],
    ),
    (
        "getHost",
        &[row(OF_URL, |_, args| part(args, |url| &url.host))],
    ),
    (
        "getHostname",
        &[row(OF_URL, |_, args| part(args, Url::hostname))],
    ),
    ("getPort", &[row(OF_URL, |_, args| part(args, Url::port))]),
    (
        "getEscapedPath",
        &[row(OF_URL, |_, args| part(args, |url| &url.escaped_path))],
    ),
    (
        "getQuery",
        &[row(&["URL. -> map(string, list(string))"], |_, args| {
            let entry = |(name, values): (String, Vec<String>)| {
                let values = values.into_iter().map(Val::text).collect();
                (Val::text(name), Val::list(values))
            };
            let query = url_of(args)?.query();
            Ok(Val::map(query.into_iter().map(entry).collect()))
        })],
    ),
    (
        "ip",
        &[
            row(&["string -> IP"], |_, args| {
                let text = text_of(args)?;
                ip::parse(text.as_str()).map(of_ip).map_err(Fault::error)
            })
            .costs(cost::reading),
            row(&["CIDR. -> IP"], |_, args| {
                cidr_of(args).map(|cidr| of_ip(cidr.address))
            }),
        ],
    ),
    (
        "isIP",
        &[row(&["string -> bool"], |_, args| {
            let text = text_of(args)?;
            Ok(Val::Bool(ip::parse(text.as_str()).is_ok()))
        })
        .costs(cost::reading)
        .since(30)],
    ),
    (
        "ip.isCanonical",
        &[row(&["string -> bool"], |_, args| {
            let [Val::Text(text)] = args else {
                return Err(Fault::no_such_overload());
            };
            let address = ip::parse(text.as_str()).map_err(Fault::error)?;
            Ok(Val::Bool(address.to_string() == text.as_str()))
        })
        .costs(cost::rewriting)
        .since(30)],
    ),
    (
        "family",
        &[row(&["IP. -> int"], |_, args| {
            let address = ip_of(args)?;
            Ok(Val::Int(if address.is_ipv4() { 4 } else { 6 }))
        })],
    ),
    (
        "isUnspecified",
        &[row(OF_IP, |_, args| is(args, |ip| ip.is_unspecified()))],
    ),
    (
        "isLoopback",
        &[row(OF_IP, |_, args| is(args, |ip| ip.is_loopback()))],
    ),
    (
        "isLinkLocalMulticast",
        &[row(OF_IP, |_, args| is(args, ip::is_link_local_multicast))],
    ),
    (
        "isLinkLocalUnicast",
        &[row(OF_IP, |_, args| is(args, ip::is_link_local_unicast))],
    ),
    (
        "isGlobalUnicast",
        &[row(OF_IP, |_, args| is(args, ip::is_global_unicast))],
    ),
    (
        "cidr",
        &[row(&["string -> CIDR"], |_, args| {
            let text = text_of(args)?;
            Cidr::parse(text.as_str())
                .map(of_cidr)
                .map_err(Fault::error)
        })
        .costs(cost::reading)],
    ),
    (
        "isCIDR",
        &[row(&["string -> bool"], |_, args| {
            let text = text_of(args)?;
            Ok(Val::Bool(Cidr::parse(text.as_str()).is_ok()))
        })
        .costs(cost::reading)
        .since(30)],
    ),
    (
        "containsIP",
        &[
            row(&["CIDR.string -> bool"], contains_ip)
                .costs(cost::address)
                .costs_if_known(cost::address_text),
            row(&["CIDR.IP -> bool"], contains_ip).costs(cost::address),
        ],
    ),
    (
        "containsCIDR",
        &[
            row(&["CIDR.string -> bool"], contains_cidr)
                .costs(cost::network)
                .costs_if_known(cost::network_text),
            row(&["CIDR.CIDR -> bool"], contains_cidr).costs(cost::network),
        ],
    ),
    (
        "masked",
        &[row(&["CIDR. -> CIDR"], |_, args| {
            cidr_of(args).map(Cidr::masked).map(of_cidr)
        })],
    ),
    (
        "prefixLength",
        &[row(&["CIDR. -> int"], |_, args| {
            cidr_of(args).map(|cidr| Val::Int(cidr.bits.into()))
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

/// The text that is read.
fn text_of<'a, 'v>(args: &'a [Val<'v>]) -> Result<'v, &'a Text<'v>> {
    let [Val::Text(text)] = args else {
        return Err(Fault::no_such_overload());
    };
    Ok(text)
}

fn url_of<'a, 'v>(args: &'a [Val<'v>]) -> Result<'v, &'a Url> {
    match args {
        [Val::Opaque(Opaque::Url(url))] => Ok(url),
        _ => Err(Fault::no_such_overload()),
    }
}

fn part<'v>(args: &[Val<'v>], of: fn(&Url) -> &str) -> Result<'v> {
    url_of(args).map(|url| Val::text(of(url)))
}

fn ip_of<'v>(args: &[Val<'v>]) -> Result<'v, IpAddr> {
    match args {
        [Val::Opaque(Opaque::Ip(address))] => Ok(*address),
        _ => Err(Fault::no_such_overload()),
    }
}

fn is<'v>(args: &[Val<'v>], it: fn(IpAddr) -> bool) -> Result<'v> {
    ip_of(args).map(|address| Val::Bool(it(address)))
}

fn cidr_of<'v>(args: &[Val<'v>]) -> Result<'v, Cidr> {
    match args {
        [Val::Opaque(Opaque::Cidr(cidr))] => Ok(*cidr),
        _ => Err(Fault::no_such_overload()),
    }
}

fn contains_ip<'v>(_: &mut Meter<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [Val::Opaque(Opaque::Cidr(cidr)), other] = args else {
        return Err(Fault::no_such_overload());
    };
    let address = match other {
        Val::Opaque(Opaque::Ip(address)) => *address,
        // The server does not say what is wrong with a text.
        Val::Text(text) => ip::parse(text.as_str()).map_err(|_| Fault::no_such_overload())?,
        _ => return Err(Fault::no_such_overload()),
    };
    Ok(Val::Bool(cidr.contains(address)))
}

fn contains_cidr<'v>(_: &mut Meter<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [Val::Opaque(Opaque::Cidr(cidr)), other] = args else {
        return Err(Fault::no_such_overload());
    };
    let other = match other {
        Val::Opaque(Opaque::Cidr(other)) => *other,
        Val::Text(text) => Cidr::parse(text.as_str()).map_err(Fault::error)?,
        _ => return Err(Fault::no_such_overload()),
    };
    Ok(Val::Bool(cidr.contains_all(other)))
}
