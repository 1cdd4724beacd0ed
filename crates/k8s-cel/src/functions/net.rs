//! Functions of URLs, IP addresses and networks. The rows and their functions share one file, so
//! that a row is near its function.

use core::net::IpAddr;
use std::rc::Rc;

use k8s_go_text::net::cidr::Cidr;
use k8s_go_text::net::ip;
use k8s_go_text::net::url::{self, Url};

use super::actual_cost;
use super::dispatch::Dispatch;
use super::estimated_cost;
use super::row::{ALWAYS, ActualCost, FunctionRow, function, row};
use crate::cost::hidden_cost::HiddenCost;
use crate::cost::tracker::CostTracker;
use crate::types::feature::Feature;
use crate::values::opaque::Opaque;
use crate::values::value::{EvalError, Str, Val};

type Result<'v, T = Val<'v>> = core::result::Result<T, EvalError>;

/// The functions of this file; see [`function`] and [`row`] for the meaning of the arguments.
pub(super) const FUNCTIONS: &[FunctionRow] = &[
    function(
        "url",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[
            row(
                &["string -> URL"],
                ALWAYS,
                parse_url,
                ActualCost::by_function(actual_cost::reading),
                estimated_cost::reading,
            )
            .removed_by(Feature::OpaqueEqualityCosts),
            row(
                &["string -> URL"],
                ALWAYS,
                parse_url,
                ActualCost::by_function(actual_cost::reading),
                estimated_cost::mapping,
            )
            .language(Feature::OpaqueEqualityCosts),
        ],
    ),
    function(
        "isURL",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["string -> bool"],
            ALWAYS,
            |_, args| {
                let [Val::String(string)] = args else {
                    return Err(EvalError::no_such_overload());
                };
                Ok(Val::Bool(url::is_request_uri(string.as_str())))
            },
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "getScheme",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            URL_TO_STRING,
            ALWAYS,
            |_, args| url_component(args, |url| &url.scheme),
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "getHost",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            URL_TO_STRING,
            ALWAYS,
            |_, args| url_component(args, |url| &url.host),
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "getHostname",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            URL_TO_STRING,
            ALWAYS,
            |_, args| url_component(args, Url::hostname),
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "getPort",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            URL_TO_STRING,
            ALWAYS,
            |_, args| url_component(args, Url::port),
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "getEscapedPath",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            URL_TO_STRING,
            ALWAYS,
            |_, args| url_component(args, |url| &url.escaped_path),
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "getQuery",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["URL. -> map(string, list(string))"],
            ALWAYS,
            |_, args| {
                let entry = |(name, values): (String, Vec<String>)| {
                    let values = values.into_iter().map(Val::string).collect();
                    (Val::string(name), Val::strings(values))
                };
                let query = url_argument(args)?.query();
                Ok(Val::map(query.into_iter().map(entry).collect()))
            },
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "ip",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[
            row(
                &["string -> IP"],
                ALWAYS,
                |_, args| {
                    let string = string_argument(args)?;
                    ip::parse_in_rule(string.as_str())
                        .map(ip_value)
                        .map_err(EvalError::new)
                },
                ActualCost::by_function(actual_cost::reading),
                estimated_cost::reading,
            ),
            row(
                &["CIDR. -> IP"],
                ALWAYS,
                |_, args| cidr_argument(args).map(|cidr| ip_value(cidr.address)),
                ActualCost::ONE,
                estimated_cost::one,
            ),
        ],
    ),
    function(
        "isIP",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["string -> bool"],
            Some(Feature::IpAndCidr),
            |_, args| {
                let string = string_argument(args)?;
                Ok(Val::Bool(ip::parse_in_rule(string.as_str()).is_ok()))
            },
            ActualCost::by_function(actual_cost::reading),
            estimated_cost::reading,
        )],
    ),
    function(
        "ip.isCanonical",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["string -> bool"],
            Some(Feature::IpAndCidr),
            |_, args| {
                let [Val::String(string)] = args else {
                    return Err(EvalError::no_such_overload());
                };
                let address = ip::parse_in_rule(string.as_str()).map_err(EvalError::new)?;
                Ok(Val::Bool(address.to_string() == string.as_str()))
            },
            ActualCost::by_function(actual_cost::rewriting),
            estimated_cost::rewriting,
        )],
    ),
    function(
        "family",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["IP. -> int"],
            ALWAYS,
            |_, args| {
                let address = ip_argument(args)?;
                Ok(Val::Int(if address.is_ipv4() { 4 } else { 6 }))
            },
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "isUnspecified",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            IP_TO_BOOL,
            ALWAYS,
            |_, args| test_ip(args, |ip| ip.is_unspecified()),
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "isLoopback",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            IP_TO_BOOL,
            ALWAYS,
            |_, args| test_ip(args, |ip| ip.is_loopback()),
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "isLinkLocalMulticast",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            IP_TO_BOOL,
            ALWAYS,
            |_, args| test_ip(args, ip::is_link_local_multicast),
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "isLinkLocalUnicast",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            IP_TO_BOOL,
            ALWAYS,
            |_, args| test_ip(args, ip::is_link_local_unicast),
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "isGlobalUnicast",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            IP_TO_BOOL,
            ALWAYS,
            |_, args| test_ip(args, ip::is_global_unicast),
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "cidr",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["string -> CIDR"],
            ALWAYS,
            |_, args| {
                let string = string_argument(args)?;
                Cidr::parse(string.as_str())
                    .map(cidr_value)
                    .map_err(EvalError::new)
            },
            ActualCost::by_function(actual_cost::reading),
            estimated_cost::reading,
        )],
    ),
    function(
        "isCIDR",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["string -> bool"],
            Some(Feature::IpAndCidr),
            |_, args| {
                let string = string_argument(args)?;
                Ok(Val::Bool(Cidr::parse(string.as_str()).is_ok()))
            },
            ActualCost::by_function(actual_cost::reading),
            estimated_cost::reading,
        )],
    ),
    function(
        "containsIP",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[
            row(
                &["CIDR.string -> bool"],
                ALWAYS,
                contains_ip,
                ActualCost::by_overload(actual_cost::address_string, actual_cost::address),
                estimated_cost::address_string,
            ),
            row(
                &["CIDR.IP -> bool"],
                ALWAYS,
                contains_ip,
                ActualCost::by_function(actual_cost::address),
                estimated_cost::address,
            ),
        ],
    ),
    function(
        "containsCIDR",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[
            row(
                &["CIDR.string -> bool"],
                ALWAYS,
                contains_cidr,
                ActualCost::by_overload(actual_cost::network_string, actual_cost::network),
                estimated_cost::network_string,
            ),
            row(
                &["CIDR.CIDR -> bool"],
                ALWAYS,
                contains_cidr,
                ActualCost::by_function(actual_cost::network),
                estimated_cost::network,
            ),
        ],
    ),
    function(
        "masked",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["CIDR. -> CIDR"],
            ALWAYS,
            |_, args| cidr_argument(args).map(Cidr::masked).map(cidr_value),
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
    function(
        "prefixLength",
        Dispatch::ByOverload,
        HiddenCost::Strings,
        &[row(
            &["CIDR. -> int"],
            ALWAYS,
            |_, args| cidr_argument(args).map(|cidr| Val::Int(cidr.bits.into())),
            ActualCost::ONE,
            estimated_cost::one,
        )],
    ),
];

const URL_TO_STRING: &[&str] = &["URL. -> string"];
const IP_TO_BOOL: &[&str] = &["IP. -> bool"];

const fn ip_value<'v>(address: IpAddr) -> Val<'v> {
    Val::Opaque(Opaque::Ip(address))
}

const fn cidr_value<'v>(cidr: Cidr) -> Val<'v> {
    Val::Opaque(Opaque::Cidr(cidr))
}

/// Returns the only argument, which must be a string.
fn string_argument<'a, 'v>(args: &'a [Val<'v>]) -> Result<'v, &'a Str<'v>> {
    let [Val::String(string)] = args else {
        return Err(EvalError::no_such_overload());
    };
    Ok(string)
}

fn url_argument<'a, 'v>(args: &'a [Val<'v>]) -> Result<'v, &'a Url> {
    match args {
        [Val::Opaque(Opaque::Url(url))] => Ok(url),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn url_component<'v>(args: &[Val<'v>], component: fn(&Url) -> &str) -> Result<'v> {
    url_argument(args).map(|url| Val::string(component(url)))
}

fn ip_argument<'v>(args: &[Val<'v>]) -> Result<'v, IpAddr> {
    match args {
        [Val::Opaque(Opaque::Ip(address))] => Ok(*address),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn test_ip<'v>(args: &[Val<'v>], test: fn(IpAddr) -> bool) -> Result<'v> {
    ip_argument(args).map(|address| Val::Bool(test(address)))
}

fn cidr_argument<'v>(args: &[Val<'v>]) -> Result<'v, Cidr> {
    match args {
        [Val::Opaque(Opaque::Cidr(cidr))] => Ok(*cidr),
        _ => Err(EvalError::no_such_overload()),
    }
}

fn contains_ip<'v>(_: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [Val::Opaque(Opaque::Cidr(cidr)), other] = args else {
        return Err(EvalError::no_such_overload());
    };
    let address = match other {
        Val::Opaque(Opaque::Ip(address)) => *address,
        // The server does not report the parse error of the string.
        Val::String(string) => {
            ip::parse_in_rule(string.as_str()).map_err(|_| EvalError::no_such_overload())?
        }
        _ => return Err(EvalError::no_such_overload()),
    };
    Ok(Val::Bool(cidr.contains_ip(address)))
}

fn parse_url<'v>(_: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let string = string_argument(args)?;
    let url = Url::parse_in_rule(string.as_str()).map_err(|error| {
        EvalError::new(format!(
            "URL parse error during conversion from string: {error}"
        ))
    })?;
    Ok(Val::Opaque(Opaque::Url(Rc::new(url))))
}

fn contains_cidr<'v>(tracker: &mut CostTracker<'v>, args: &[Val<'v>]) -> Result<'v> {
    let [Val::Opaque(Opaque::Cidr(cidr)), other] = args else {
        return Err(EvalError::no_such_overload());
    };
    let other = match other {
        Val::Opaque(Opaque::Cidr(other)) => *other,
        Val::String(string) => Cidr::parse(string.as_str()).map_err(EvalError::new)?,
        _ => return Err(EvalError::no_such_overload()),
    };
    // An older server compares the whole address of the other network with this network's address.
    let has_subnets = tracker.declared_types.has(Feature::ContainsSubnets);
    let may_contain = has_subnets || cidr.masked().address == other.address;
    Ok(Val::Bool(may_contain && cidr.contains_cidr(other)))
}
