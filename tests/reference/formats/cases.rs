//! Prints random cases of formats, patterns and metadata as JSON lines, each with our result. The
//! Go program in this folder compares the results with its own: see `tests/reference/run`.
//!
//! `reference_formats [SEED [COUNT]] [--server VERSION]`: SEED is the seed of random strings and
//! objects (by default 1), or `fresh` for a seed from the clock. COUNT is the number of strings of
//! each format (by default 2000), of patterns, and of each kind of request with metadata. VERSION
//! is the version of the Go program's modules.

mod embedded;
mod metadata;
mod patterns;
mod random;
#[path = "../server_version.rs"]
mod server_version;
mod texts;

use std::error::Error;
use std::io::{self, BufWriter, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use k8s_cel::format::Formats;
use k8s_crd_validation::metadata::{
    Scope, decode, decode_stored, validate_in_version, validate_update_in_version,
};
use k8s_crd_validation::{KubeVersion, Report, ServerSettings, StructuralSchema, ViolationKind};
use serde_json::{Value, json};

use random::Random;

/// The number of strings of a format in one line.
const BATCH: usize = 500;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let server = server_version::take(&mut arguments)?;
    let mut arguments = arguments.into_iter();
    let seed = match arguments.next().as_deref() {
        None => "1".to_owned(),
        Some("fresh") => fresh_seed(),
        Some(seed) => seed.to_owned(),
    };
    eprintln!("formats, patterns and metadata: seed {seed}, server {server}");
    let count = arguments.next().map_or(Ok(2_000), |count| count.parse());
    let count: usize = count.map_err(|_| io::Error::other("COUNT is a number"))?;
    let out = &mut BufWriter::new(io::stdout().lock());
    for source in texts::SOURCES {
        format_cases(out, source, &seed, count, server)?;
    }
    pattern_cases(out, &seed, count)?;
    metadata_cases(out, &seed, count, server)?;
    out.flush()?;
    Ok(())
}

fn fresh_seed() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_millis()).to_string()
}

fn format_cases(
    out: &mut impl Write,
    source: &texts::Source,
    seed: &str,
    count: usize,
    server: KubeVersion,
) -> io::Result<()> {
    let formats = Formats::for_version(server);
    let mut random = Random::seeded(seed, source.format);
    let mut left = count;
    while left > 0 {
        let size = left.min(BATCH);
        left -= size;
        let texts: Vec<String> = (0..size).map(|_| source.text(&mut random)).collect();
        let verdicts = texts
            .iter()
            .map(|text| formats.check(source.format, text) == Some(true));
        let verdicts: String = verdicts
            .map(|verdict| if verdict { '1' } else { '0' })
            .collect();
        print(
            out,
            &json!({
                "group": format!("format {}", source.format),
                "format": source.format,
                "texts": texts,
                "verdicts": verdicts,
            }),
        )?;
    }
    Ok(())
}

/// Writes cases of patterns, each with strings that may match the pattern.
fn pattern_cases(out: &mut impl Write, seed: &str, count: usize) -> io::Result<()> {
    let mut random = Random::seeded(seed, "patterns");
    for _ in 0..count {
        let pattern = patterns::pattern(&mut random);
        let texts: Vec<String> = (0..12)
            .map(|_| patterns::text(&mut random, &pattern))
            .collect();
        pattern_case(out, "pattern", &pattern, &texts)?;
    }
    for pattern in patterns::classes() {
        let texts: Vec<String> = (0..count / 10)
            .map(|_| patterns::any_char(&mut random))
            .collect();
        pattern_case(out, "pattern of a class", &pattern, &texts)?;
    }
    Ok(())
}

fn pattern_case(
    out: &mut impl Write,
    group: &str,
    pattern: &str,
    texts: &[String],
) -> io::Result<()> {
    let (error, verdicts) = match k8s_cel::pattern::compile(pattern) {
        Err(error) => (error.to_string(), String::new()),
        Ok(regex) => {
            let verdict = |text: &String| if regex.is_match(text) { '1' } else { '0' };
            (String::new(), texts.iter().map(verdict).collect())
        }
    };
    print(
        out,
        &json!({ "group": group, "pattern": pattern, "error": error, "texts": texts, "verdicts": verdicts }),
    )
}

/// Writes cases of metadata: decoded metadata, creates, updates, and objects with embedded
/// resources.
fn metadata_cases(
    out: &mut impl Write,
    seed: &str,
    count: usize,
    server: KubeVersion,
) -> io::Result<()> {
    let mut random = Random::seeded(seed, "metadata");
    for i in 0..count {
        let is_stored = i % 2 == 1;
        let metadata = metadata::metadata(&mut random, 4);
        let mut object = metadata.clone();
        let error = decode_metadata(&mut object, is_stored);
        let ask = if is_stored { "coerce stored" } else { "coerce" };
        print(
            out,
            &json!({ "group": format!("metadata {ask}"), "ask": ask, "new": metadata, "object": object, "error": error }),
        )?;
    }
    for i in 0..count {
        let is_namespaced = i % 2 == 1;
        let new = metadata::decoded(&mut random);
        let (ask, scope) = if is_namespaced {
            ("create namespaced", Scope::Namespaced)
        } else {
            ("create", Scope::Cluster)
        };
        let errors = texts_of(&validate_in_version(&new, scope, server));
        print(
            out,
            &json!({ "group": format!("metadata {ask}"), "ask": ask, "new": new, "errors": errors }),
        )?;
    }
    for _ in 0..count {
        let old = metadata::decoded(&mut random);
        let new = metadata::changed(&mut random, &old);
        let errors = texts_of(&validate_update_in_version(&new, &old, server));
        print(
            out,
            &json!({ "group": "metadata update", "ask": "update", "new": new, "old": old, "errors": errors }),
        )?;
    }
    let schema = embedded::embedding_schema();
    let compiled = StructuralSchema::compiler().version(server).schema(&schema);
    let compiled = compiled.map_err(io::Error::other)?;
    for _ in 0..count {
        let new = embedded::embedding(&mut random);
        let mut object = new.clone();
        let (errors, error) = created(&compiled, &mut object, server);
        print(
            out,
            &json!({
                "group": "metadata embedded", "ask": "embedded", "schema": schema,
                "new": new, "object": object, "errors": errors, "error": error,
            }),
        )?;
    }
    Ok(())
}

/// Decodes metadata of a request, or of a stored object. Returns the error, or an empty string.
fn decode_metadata(metadata: &mut Value, is_stored: bool) -> String {
    if is_stored {
        decode_stored(metadata);
        return String::new();
    }
    let rejected = decode(metadata).err();
    let detail = |rejected: Report| Some(rejected.errors().first()?.detail().to_owned());
    rejected.and_then(detail).unwrap_or_default()
}

fn texts_of(report: &Report) -> Vec<String> {
    report.errors().iter().map(ToString::to_string).collect()
}

/// Validates the create of an object whose schema describes only its embedded resources. Returns
/// the errors about the resources, or else the error if the object cannot be decoded.
fn created(
    schema: &StructuralSchema,
    object: &mut Value,
    server: KubeVersion,
) -> (Vec<String>, String) {
    let report = schema.create(object, &ServerSettings::default().version(server));
    if let [error] = report.errors()
        && error.kind() == ViolationKind::BadRequest
    {
        return (Vec::new(), error.to_string());
    }
    (texts_of(&report), String::new())
}

fn print(out: &mut impl Write, line: &Value) -> io::Result<()> {
    writeln!(out, "{line}")
}
