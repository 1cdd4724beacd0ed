//! Prints the changes between two CRDs in JSON files: `compare OLD NEW`.

use std::error::Error;
use std::{env, fs};

use serde_json::Value;

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<String> = env::args().skip(1).collect();
    let [old, new] = &*paths else {
        return Err("expected the paths of two CRDs in JSON".into());
    };
    let read = |path: &String| -> Result<Value, Box<dyn Error>> {
        Ok(serde_json::from_str(&fs::read_to_string(path)?)?)
    };
    print!("{}", crd_compat::compare_crds(&read(old)?, &read(new)?)?);
    Ok(())
}
