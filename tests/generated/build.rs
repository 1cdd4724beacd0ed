//! Generates the types of every CRD in `crds`, and of the Gateway API's CRDs if their folder
//! exists.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crd_to_rust::{GeneratedModules, SchemaOutput, Settings, StringEnums, UnionStyle, generate};
use serde_json::{Map, Value, json};

fn main() {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap());
    let out = PathBuf::from(env::var("OUT_DIR").unwrap());
    let crds_of_ours = files(&here.join("crds"));
    println!("cargo::rerun-if-env-changed=SHARED_CASES");
    let shared = env::var("SHARED_CASES").map(PathBuf::from);
    let shared = shared.unwrap_or_else(|_| here.join("../../../shared/cases"));
    let gateway = shared.join("gateway/crds");
    println!("cargo::rerun-if-changed=crds");
    println!("cargo::rerun-if-changed={}", gateway.display());
    let read = |files: Vec<PathBuf>| {
        let crds = files.into_iter().flat_map(|file| documents(&file));
        crds.filter(is_crd).collect::<Vec<Value>>()
    };
    let mut crds = read(crds_of_ours);
    let of_ours = crds.len();
    crds.extend(read(files(&gateway)));
    let foreign = shared.join("foreign_unions.json");
    println!("cargo::rerun-if-changed={}", foreign.display());
    if let Ok(text) = fs::read_to_string(&foreign) {
        crds.push(foreign_unions(&serde_json::from_str(&text).unwrap()));
    }
    let mut registry = String::from("pub(crate) fn kinds() -> Vec<Kind> {\n    vec![\n");
    let generated = generate(&crds, &Settings::default()).unwrap();
    // With the default settings, the types are a folder of files, as `--out` writes it.
    for file in generated.files().unwrap() {
        let path = out.join("types").join(file.path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, file.content).unwrap();
    }
    let path = out.join("types/mod.rs").display().to_string();
    let mut modules = format!("#[path = {path:?}]\npub mod types;\n");
    register("types", &generated, "", &mut registry);
    // With the other settings, the types of our own CRDs are one file each.
    for (module, settings) in others() {
        let generated = generate(&crds[..of_ours], &settings).unwrap();
        modules.push_str(&generated.to_source().unwrap());
        let of_clients = settings.schema == SchemaOutput::Disabled;
        let more = if of_clients { ".for_clients()" } else { "" };
        register(module, &generated, more, &mut registry);
    }
    registry.push_str("    ]\n}\n");
    fs::write(out.join("modules.rs"), modules).unwrap();
    fs::write(out.join("registry.rs"), registry).unwrap();
    fs::write(out.join("crds.json"), serde_json::to_string(&crds).unwrap()).unwrap();
}

/// Returns the settings other than the default, each with the name of its module.
fn others() -> [(&'static str, Settings); 4] {
    [
        ("as_structs", "unions"),
        ("without_unions", "off"),
        ("closed", "enums"),
        ("of_clients", "schema"),
    ]
    .map(|(module, what)| {
        let mut settings = Settings::default();
        settings.module = Some(module.to_owned());
        match what {
            "unions" => settings.unions = UnionStyle::Struct,
            "off" => settings.unions = UnionStyle::Off,
            "enums" => {
                settings.enums = StringEnums::Closed;
                let derives = ["@struct=Default", "@enum=Hash"];
                settings.derives = derives.map(str::to_owned).into();
            }
            _ => settings.schema = SchemaOutput::Disabled,
        }
        (module, settings)
    })
}

/// Adds the kinds of a module to the registry for the tests.
fn register(module: &str, generated: &GeneratedModules, more: &str, registry: &mut String) {
    for kind in generated.kinds() {
        let path = format!("union_tests_generated::{module}::{}", kind.path);
        let (group, version, name) = (&kind.group, &kind.version, &kind.kind);
        let unions = if kind.has_unions {
            format!(".with_unions::<{path}>()")
        } else {
            String::new()
        };
        writeln!(
            registry,
            "        Kind::of::<{path}>({module:?}, {group:?}, {version:?}, {name:?}){unions}{more},"
        )
        .unwrap();
    }
}

/// Returns a CRD whose fields `spec.case0` and so on have the schemas of other people's CRDs.
fn foreign_unions(cases: &Value) -> Value {
    let cases = cases["cases"].as_array().unwrap().iter().enumerate();
    let properties = cases.map(|(at, case)| (format!("case{at}"), case["schema"].clone()));
    let spec = json!({ "type": "object", "properties": properties.collect::<Map<_, _>>() });
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": "foreigns.tests.example.com" },
        "spec": {
            "group": "tests.example.com",
            "scope": "Cluster",
            "names": { "kind": "Foreign", "plural": "foreigns", "singular": "foreign", "listKind": "ForeignList" },
            "versions": [{
                "name": "v1",
                "served": true,
                "storage": true,
                "schema": { "openAPIV3Schema": {
                    "type": "object", "required": ["spec"], "properties": { "spec": spec },
                } },
            }],
        },
    })
}

fn is_crd(document: &Value) -> bool {
    document["kind"] == "CustomResourceDefinition"
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn documents(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).unwrap();
    serde_saphyr::from_multiple(&text).unwrap()
}
