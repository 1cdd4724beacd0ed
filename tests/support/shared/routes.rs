//! The filters in the Gateway API's sample routes, read as union enums. Each filter must be a
//! variant of the enum, and must be written back unchanged.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use union_runtime::{RawUnion, UnionEnum};

use crate::list;
use crate::process::Failure;

#[derive(UnionEnum)]
#[union(discriminator = "type", schema = false)]
enum Filter {
    RequestHeaderModifier(Headers),
    ResponseHeaderModifier(Headers),
    RequestRedirect(Redirect),
    URLRewrite(Rewrite),
    #[union(other)]
    Other(RawUnion),
}

#[derive(Serialize, Deserialize)]
struct Headers {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    set: Vec<Header>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    add: Vec<Header>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    remove: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct Header {
    name: String,
    value: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Redirect {
    #[serde(skip_serializing_if = "Option::is_none")]
    scheme: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hostname: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<PathModifier>,
    #[serde(skip_serializing_if = "Option::is_none")]
    port: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_code: Option<u16>,
}

#[derive(Serialize, Deserialize)]
struct Rewrite {
    #[serde(skip_serializing_if = "Option::is_none")]
    hostname: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<PathModifier>,
}

#[derive(UnionEnum)]
#[union(discriminator = "type", schema = false)]
enum PathModifier {
    ReplaceFullPath(String),
    ReplacePrefixMatch(String),
    #[union(other)]
    Other(RawUnion),
}

/// Reads all filters, and returns the number of wrong results: the filters of valid routes that are
/// not a variant, and all filters that are not written back unchanged.
pub(crate) fn run(folder: &Path) -> Result<usize, Failure> {
    let (mut route_count, mut filter_count, mut unknown_count, mut wrong_count) = (0, 0, 0, 0);
    for (name, is_valid) in [("valid", true), ("invalid", false)] {
        for document in read_documents(&folder.join(name))? {
            if document["kind"] != "HTTPRoute" {
                continue;
            }
            route_count += 1;
            for filter in filters_of(&document) {
                filter_count += 1;
                let filter_enum = Filter::deserialize(filter)?;
                let is_unknown = filter_enum.raw().is_some();
                unknown_count += usize::from(is_unknown);
                if is_unknown && is_valid || serde_json::to_value(&filter_enum)? != *filter {
                    println!("changed by a round trip: {filter}");
                    wrong_count += 1;
                }
            }
        }
    }
    println!(
        "gateway, {route_count} routes: {filter_count} filters as enums, {unknown_count} of the invalid ones are not variant, {wrong_count} not as they came"
    );
    if filter_count == 0 {
        println!("gateway, routes: there are no filters");
        wrong_count += 1;
    }
    Ok(wrong_count)
}

fn filters_of(route: &Value) -> impl Iterator<Item = &Value> {
    let rules = list(&route["spec"]["rules"]).iter();
    rules.flat_map(|rule| {
        let backend_filters = list(&rule["backendRefs"]).iter();
        let backend_filters = backend_filters.flat_map(|backend| list(&backend["filters"]));
        list(&rule["filters"]).iter().chain(backend_filters)
    })
}

/// Returns the documents in the files of a folder and its subfolders.
fn read_documents(folder: &Path) -> Result<Vec<Value>, Failure> {
    let mut documents = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            documents.extend(read_documents(&path)?);
        } else {
            let text = fs::read_to_string(&path)?;
            let file_documents: Vec<Value> = serde_saphyr::from_multiple(&text)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            documents.extend(file_documents);
        }
    }
    Ok(documents)
}
