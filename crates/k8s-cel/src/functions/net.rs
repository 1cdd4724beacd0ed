//! Functions of URLs, addresses and networks. One file contains the rows and their code, so that a
//! function is in one place.

use core::net::IpAddr;
use std::rc::Rc;

use k8s_go_text::net::cidr::Cidr;
use k8s_go_text::net::ip;
use k8s_go_text::net::url::{self, Url};

use super::cost;
use super::dispatch::Dispatch;
use super::estimate;
use super::row::{ALWAYS, Cost, FunctionRow, function, row, since};
use crate::cost::meter::Meter;
use crate::cost::work::Work;
use crate::values::opaque::Opaque;
use crate::values::value::{Fault, Text, Val};

type Result<'v, T = Val<'v>> = core::result::Result<T, Fault>;

pub(super) const FUNCTIONS: &[FunctionRow] = &[
    function(
        "url",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["string -> URL"],
            ALWAYS,
            |_, args| {
                let text = text_of(args)?;
                let url = Url::parse_in_rule(text.as_str()).map_err(|why| {
                    Fault::error(format!(
                        "URL parse error during conversion from string: {why}"
                    ))
                })?;
                Ok(Val::Opaque(Opaque::Url(Rc::new(url))))
            },
            Cost::of(cost::reading),
            estimate::mapping,
        )],
    ),
    function(
        "isURL",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["string -> bool"],
            ALWAYS,
            |_, args| {
                let [Val::Text(text)] = args else {
                    return Err(Fault::no_such_overload());
                };
                Ok(Val::Bool(url::is_request_uri(text.as_str())))
            },
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "getScheme",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            OF_URL,
            ALWAYS,
            |_, args| part(args, |url| &url.scheme),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "getHost",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            OF_URL,
            ALWAYS,
            |_, args| part(args, |url| &url.host),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "getHostname",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            OF_URL,
            ALWAYS,
            |_, args| part(args, Url::hostname),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "getPort",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            OF_URL,
            ALWAYS,
            |_, args| part(args, Url::port),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "getEscapedPath",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            OF_URL,
            ALWAYS,
            |_, args| part(args, |url| &url.escaped_path),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "getQuery",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["URL. -> map(string, list(string))"],
            ALWAYS,
            |_, args| {
                let entry = |(name, values): (String, Vec<String>)| {
                    let values = values.into_iter().map(Val::text).collect();
                    (Val::text(name), Val::list(values))
                };
                let query = url_of(args)?.query();
                Ok(Val::map(query.into_iter().map(entry).collect()))
            },
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "ip",
        Dispatch::ByOverload,
        Work::Texts,
        &[
            row(
                &["string -> IP"],
                ALWAYS,
                |_, args| {
                    let text = text_of(args)?;
                    ip::parse(text.as_str()).map(of_ip).map_err(Fault::error)
                },
                Cost::of(cost::reading),
                estimate::reading,
            ),
            row(
                &["CIDR. -> IP"],
                ALWAYS,
                |_, args| cidr_of(args).map(|cidr| of_ip(cidr.address)),
                Cost::ONE,
                estimate::one,
            ),
        ],
    ),
    function(
        "isIP",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["string -> bool"],
            since(30),
            |_, args| {
                let text = text_of(args)?;
                Ok(Val::Bool(ip::parse(text.as_str()).is_ok()))
            },
            Cost::of(cost::reading),
            estimate::reading,
        )],
    ),
    function(
        "ip.isCanonical",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["string -> bool"],
            since(30),
            |_, args| {
                let [Val::Text(text)] = args else {
                    return Err(Fault::no_such_overload());
                };
                let address = ip::parse(text.as_str()).map_err(Fault::error)?;
                Ok(Val::Bool(address.to_string() == text.as_str()))
            },
            Cost::of(cost::rewriting),
            estimate::rewriting,
        )],
    ),
    function(
        "family",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["IP. -> int"],
            ALWAYS,
            |_, args| {
                let address = ip_of(args)?;
                Ok(Val::Int(if address.is_ipv4() { 4 } else { 6 }))
            },
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "isUnspecified",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            OF_IP,
            ALWAYS,
            |_, args| is(args, |ip| ip.is_unspecified()),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "isLoopback",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            OF_IP,
            ALWAYS,
            |_, args| is(args, |ip| ip.is_loopback()),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "isLinkLocalMulticast",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            OF_IP,
            ALWAYS,
            |_, args| is(args, ip::is_link_local_multicast),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "isLinkLocalUnicast",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            OF_IP,
            ALWAYS,
            |_, args| is(args, ip::is_link_local_unicast),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "isGlobalUnicast",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            OF_IP,
            ALWAYS,
            |_, args| is(args, ip::is_global_unicast),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "cidr",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["string -> CIDR"],
            ALWAYS,
            |_, args| {
                let text = text_of(args)?;
                Cidr::parse(text.as_str())
                    .map(of_cidr)
                    .map_err(Fault::error)
            },
            Cost::of(cost::reading),
            estimate::reading,
        )],
    ),
    function(
        "isCIDR",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["string -> bool"],
            since(30),
            |_, args| {
                let text = text_of(args)?;
                Ok(Val::Bool(Cidr::parse(text.as_str()).is_ok()))
            },
            Cost::of(cost::reading),
            estimate::reading,
        )],
    ),
    function(
        "containsIP",
        Dispatch::ByOverload,
        Work::Texts,
        &[
            row(
                &["CIDR.string -> bool"],
                ALWAYS,
                contains_ip,
                Cost::by_overload(cost::address_text, cost::address),
                estimate::address_string,
            ),
            row(
                &["CIDR.IP -> bool"],
                ALWAYS,
                contains_ip,
                Cost::of(cost::address),
                estimate::address,
            ),
        ],
    ),
    function(
        "containsCIDR",
        Dispatch::ByOverload,
        Work::Texts,
        &[
            row(
                &["CIDR.string -> bool"],
                ALWAYS,
                contains_cidr,
                Cost::by_overload(cost::network_text, cost::network),
                estimate::network_string,
            ),
            row(
                &["CIDR.CIDR -> bool"],
                ALWAYS,
                contains_cidr,
                Cost::of(cost::network),
                estimate::network,
            ),
        ],
    ),
    function(
        "masked",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["CIDR. -> CIDR"],
            ALWAYS,
            |_, args| cidr_of(args).map(Cidr::masked).map(of_cidr),
            Cost::ONE,
            estimate::one,
        )],
    ),
    function(
        "prefixLength",
        Dispatch::ByOverload,
        Work::Texts,
        &[row(
            &["CIDR. -> int"],
            ALWAYS,
            |_, args| cidr_of(args).map(|cidr| Val::Int(cidr.bits.into())),
            Cost::ONE,
            estimate::one,
        )],
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

/// Returns the string that is parsed.
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
        // The server does not report the error in the string.
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
