//! Generates the types of every CRD in `crds`, and of the Gateway API's CRDs if their folder
//! exists.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crd_to_rust::{
    GeneratedModules, RootStyle, SchemaOutput, Settings, StringEnums, UnionStyle, generate,
};
use serde_json::{Map, Value, json};

fn main() {
    let package_folder = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap());
    let out_folder = PathBuf::from(env::var("OUT_DIR").unwrap());
    let own_crd_files = files(&package_folder.join("crds"));
    println!("cargo::rerun-if-env-changed=SHARED_CASES");
    let shared_cases = env::var("SHARED_CASES").map(PathBuf::from);
    let shared_cases =
        shared_cases.unwrap_or_else(|_| package_folder.join("../../../shared/cases"));
    let gateway_crds = shared_cases.join("gateway/crds");
    println!("cargo::rerun-if-changed=crds");
    println!("cargo::rerun-if-changed={}", gateway_crds.display());
    let read_crds = |files: Vec<PathBuf>| {
        let crds = files.into_iter().flat_map(|file| read_documents(&file));
        crds.filter(is_crd).collect::<Vec<Value>>()
    };
    let mut crds = read_crds(own_crd_files);
    let own_crd_count = crds.len();
    crds.extend(read_crds(files(&gateway_crds)));
    let foreign_unions_file = shared_cases.join("foreign_unions.json");
    println!("cargo::rerun-if-changed={}", foreign_unions_file.display());
    if let Ok(text) = fs::read_to_string(&foreign_unions_file) {
        crds.push(crd_of_foreign_schemas(
            &serde_json::from_str(&text).unwrap(),
        ));
    }
    let mut registry = Registry::default();
    let generated = generate(&crds, &Settings::default()).unwrap();
    // With the default settings, the types are a folder of files, as `--out` writes it.
    for file in generated.files().unwrap() {
        let path = out_folder.join("types").join(file.path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, file.content).unwrap();
    }
    let path = out_folder.join("types/mod.rs").display().to_string();
    let mut modules = format!("#[path = {path:?}]\npub mod types;\n");
    registry.add("types", &generated, "");
    // With the other settings, the types of our own CRDs are one file each.
    for (module, settings) in other_settings() {
        let generated = generate(&crds[..own_crd_count], &settings).unwrap();
        modules.push_str(&generated.to_source().unwrap());
        let is_for_clients = settings.schema == SchemaOutput::Disabled;
        let extra_calls = if is_for_clients { ".for_clients()" } else { "" };
        registry.add(module, &generated, extra_calls);
    }
    fs::write(out_folder.join("modules.rs"), modules).unwrap();
    fs::write(out_folder.join("registry.rs"), registry.source()).unwrap();
    fs::write(
        out_folder.join("crds.json"),
        serde_json::to_string(&crds).unwrap(),
    )
    .unwrap();
}

/// Returns the settings other than the default, each with the name of its module.
fn other_settings() -> [(&'static str, Settings); 5] {
    [
        ("as_structs", "unions"),
        ("without_unions", "off"),
        ("closed", "enums"),
        ("of_clients", "schema"),
        ("with_root_fields", "root"),
    ]
    .map(|(module, setting)| {
        let mut settings = Settings::default();
        settings.module = Some(module.to_owned());
        match setting {
            "unions" => settings.unions = UnionStyle::Struct,
            "off" => settings.unions = UnionStyle::Off,
            "enums" => {
                settings.enums = StringEnums::Closed;
                let derives = ["@struct=Default", "@enum=Hash"];
                settings.derives = derives.map(str::to_owned).into();
            }
            "root" => settings.root = RootStyle::Fields,
            _ => settings.schema = SchemaOutput::Disabled,
        }
        (module, settings)
    })
}

/// The source of the functions that return the generated kinds, one function for each module.
#[derive(Default)]
struct Registry {
    functions: String,
    calls: Vec<String>,
}

impl Registry {
    fn add(&mut self, module: &str, generated: &GeneratedModules, extra_calls: &str) {
        let mut function = format!("fn {module}_kinds() -> Vec<Kind> {{\n    vec![\n");
        for kind in generated.kinds() {
            let path = format!("union_tests_generated::{module}::{}", kind.path);
            let (group, version, name) = (&kind.group, &kind.version, &kind.kind);
            let unions = if kind.has_unions {
                format!(".with_unions::<{path}>()")
            } else {
                String::new()
            };
            writeln!(
                function,
                "        Kind::of::<{path}>({module:?}, {group:?}, {version:?}, {name:?}){unions}{extra_calls},"
            )
            .unwrap();
        }
        function.push_str("    ]\n}\n\n");
        self.functions.push_str(&function);
        self.calls.push(format!("{module}_kinds()"));
    }

    fn source(&self) -> String {
        format!(
            "{}pub(crate) fn kinds() -> Vec<Kind> {{\n    [{}].into_iter().flatten().collect()\n}}\n",
            self.functions,
            self.calls.join(", ")
        )
    }
}

/// Returns a CRD whose fields `spec.case0` and so on have the schemas of third-party CRDs.
fn crd_of_foreign_schemas(cases: &Value) -> Value {
    let cases = cases["cases"].as_array().unwrap().iter().enumerate();
    let properties = cases.map(|(index, case)| (format!("case{index}"), case["schema"].clone()));
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

/// Returns the files of a folder, sorted. A missing folder has no files.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn read_documents(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).unwrap();
    serde_saphyr::from_multiple(&text).unwrap()
}
