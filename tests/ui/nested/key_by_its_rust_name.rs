//! The attribute `list_map_keys` names keys by their JSON names.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
#[serde(rename_all = "camelCase")]
struct Port {
    #[union(key)]
    container_port: u16,
}

#[derive(Union, Serialize)]
struct Container {
    #[union(nested, list_map_keys("container_port"))]
    ports: Vec<Port>,
}

fn main() {}
