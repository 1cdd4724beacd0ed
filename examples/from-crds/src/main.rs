//! Uses Rust types of the Gateway API, which the build script generates from CRDs:
//! `cargo run --bin union-from-crds`, or with the real CRDs
//! `GATEWAY_API_CRDS=$PWD/standard-install.yaml cargo run --bin union-from-crds`.

use kube::{Resource as _, ResourceExt as _};
use serde_json::json;
use union_runtime::Union as _;

/// The types that the build script wrote.
#[allow(
    dead_code,
    unreachable_pub,
    clippy::doc_lazy_continuation,
    clippy::doc_overindented_list_items,
    clippy::pedantic,
    reason = "a program uses only some types; names and descriptions are from the authors of the CRD"
)]
mod gateway {
    include!(concat!(env!("OUT_DIR"), "/gateway.rs"));
}

use gateway::http_route::v1::{
    HTTPRoute, HTTPRouteRulesFilters as Filter,
    HTTPRouteRulesFiltersRequestRedirectStatusCode as StatusCode,
};

/// Describes a filter. The compiler also requires a match arm for unknown filters.
fn describe(filter: &Filter) -> String {
    match filter {
        Filter::RequestRedirect(redirect) => {
            let code = redirect.status_code.unwrap_or(StatusCode::Value302);
            let host = redirect.hostname.as_deref().unwrap_or("the same host");
            format!("redirects to {host} with {}", i64::from(code))
        }
        Filter::UrlRewrite(rewrite) => {
            let host = rewrite.hostname.as_deref().unwrap_or("the same host");
            format!("rewrites to {host}")
        }
        Filter::Other(raw) => format!("unknown filter: {raw}"),
        #[allow(
            unreachable_patterns,
            reason = "the real CRD has more filters than the one of this example"
        )]
        _ => "has another filter".to_owned(),
    }
}

fn main() -> Result<(), serde_json::Error> {
    // A client can read this object from a server that is newer than these types.
    let route: HTTPRoute = serde_json::from_value(json!({
        "apiVersion": "gateway.networking.k8s.io/v1", "kind": "HTTPRoute",
        "metadata": {"name": "shop", "namespace": "default"},
        "spec": {"rules": [{"filters": [
            {"type": "RequestRedirect", "requestRedirect": {"hostname": "example.com", "statusCode": 301}},
            {"type": "URLRewrite", "urlRewrite": {"hostname": "example.org"}},
            {"type": "Compression", "compression": {"level": 3}},
        ]}]},
    }))?;
    println!("{} {}:", HTTPRoute::kind(&()), route.name_any());
    let rules = route.spec.rules.iter().flatten();
    for filter in rules.flat_map(|rule| rule.filters.iter().flatten()) {
        println!("  {}", describe(filter));
    }

    // The third filter has an unknown type: it is written back unchanged, and validation reports
    // it.
    let written = serde_json::to_value(&route)?;
    println!("{}", written["spec"]["rules"][0]["filters"][2]);
    println!("{}", route.validate_unions());
    Ok(())
}
