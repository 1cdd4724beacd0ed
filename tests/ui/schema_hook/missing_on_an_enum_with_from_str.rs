//! The derive cannot see if serde reads an enum with `FromStr`. The hook checks the values.

#![deny(deprecated)]

use std::str::FromStr;

use schemars::JsonSchema;
use union_runtime::EnumType;

#[derive(EnumType, JsonSchema, serde_with::DeserializeFromStr)]
enum Level {
    Info,
    Debug,
}

impl FromStr for Level {
    type Err = String;

    fn from_str(string: &str) -> Result<Self, String> {
        match string {
            "info" => Ok(Self::Info),
            "debug" => Ok(Self::Debug),
            _ => Err(format!("no level: {string}")),
        }
    }
}

fn main() {}
