//! Reads objects with generated types, and writes them back.
//!
//! The input is a file with a JSON object in each line: the module of the kind, and the object. The
//! output is a line for each object, with the written object or an error. With `crds`, the output
//! is the CRD of each type.

use std::{env, fs};

use kube::CustomResourceExt;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

include!(concat!(env!("OUT_DIR"), "/modules.rs"));

/// A kind with a generated type.
struct Kind {
    module: &'static str,
    crd: fn() -> Value,
    round_trip: fn(Value) -> Result<Value, serde_json::Error>,
}

impl Kind {
    #[allow(
        dead_code,
        reason = "no kind is generated unless `run` sets the folder of the types"
    )]
    fn of<K: CustomResourceExt + Serialize + DeserializeOwned>(module: &'static str) -> Self {
        Self {
            module,
            crd: || serde_json::to_value(K::crd()).unwrap(),
            round_trip: |object| serde_json::to_value(serde_json::from_value::<K>(object)?),
        }
    }
}

fn main() {
    let kinds = kinds();
    let argument = env::args().nth(1).unwrap();
    if argument == "crds" {
        for kind in &kinds {
            println!("{}", json!({ "module": kind.module, "crd": (kind.crd)() }));
        }
        return;
    }
    for line in fs::read_to_string(argument).unwrap().lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let Some(kind) = kinds.iter().find(|kind| case["module"] == kind.module) else {
            println!("{}", json!({ "missing": true }));
            continue;
        };
        let result = match (kind.round_trip)(case["object"].clone()) {
            Ok(written) => json!({ "written": written }),
            Err(error) => json!({ "error": error.to_string() }),
        };
        println!("{result}");
    }
}
