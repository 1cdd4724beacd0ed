//! The generators, and what their types do.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crd_to_rust::Settings;
use serde_json::{Value, json};
use syn::{Fields, Item};

use crate::crds::KindCase;
use crate::objects::ObjectCase;

/// A program that generates Rust types from a CRD.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    program: String,
    arguments: &'static [&'static str],
    /// Returns the path of the root type in the module of a kind, from the CRD and the generated
    /// source.
    root_path: fn(&KindCase, &str) -> String,
}

/// The results of a program.
#[derive(Default)]
pub(crate) struct ToolResults {
    pub(crate) name: &'static str,
    pub(crate) refused: BTreeMap<String, String>,
    pub(crate) time: Duration,
    pub(crate) bytes: usize,
    pub(crate) union_enums: usize,
    /// The kinds that do not compile, each with the first error.
    pub(crate) not_compiled: BTreeMap<String, String>,
    pub(crate) compiled: BTreeSet<String>,
    pub(crate) check_time: Duration,
    /// The result for each object, or `None` if its kind has no types.
    pub(crate) objects: Vec<Option<Value>>,
    /// The CRDs of the types.
    pub(crate) crds: BTreeMap<String, Value>,
}

impl Tool {
    pub(crate) fn unionctl(program: String) -> Self {
        Self {
            name: "crd-to-rust",
            program,
            arguments: &["generate", "rust", "--crd"],
            root_path: |kind, _| {
                let crds = std::slice::from_ref(&kind.crd);
                let generated = crd_to_rust::generate(crds, &Settings::default()).unwrap();
                generated.kinds().map(|kind| kind.path.clone()).collect()
            },
        }
    }

    pub(crate) fn kopium(program: String) -> Self {
        Self {
            name: "kopium",
            program,
            arguments: &["--docs", "--schema", "derived", "-f"],
            root_path: |_, source| {
                let name =
                    |key: &str| Some(source.split_once(key)?.1.split_once('"')?.0.to_owned());
                let root = name("root = \"").or_else(|| name("kind = \""));
                root.unwrap_or_default()
            },
        }
    }

    /// Generates and compiles the types, and reads and writes the objects with them.
    pub(crate) fn run(
        &self,
        kinds: &[KindCase],
        objects: &[ObjectCase],
        out: &Path,
    ) -> ToolResults {
        fs::create_dir_all(out).unwrap();
        let mut results = ToolResults {
            name: self.name,
            ..ToolResults::default()
        };
        for kind in kinds {
            self.generate(kind, out, &mut results);
        }
        eprintln!("{}: {} generated", self.name, results.compiled.len());
        self.compile(kinds, out, &mut results);
        eprintln!("{}: {} compiled", self.name, results.compiled.len());
        results.objects = read_and_write(objects, out);
        for line in run_types(out, "crds").lines() {
            let mut entry: Value = serde_json::from_str(line).unwrap();
            let module = entry["module"].as_str().unwrap().to_owned();
            results.crds.insert(module, entry["crd"].take());
        }
        results
    }

    fn generate(&self, kind: &KindCase, out: &Path, results: &mut ToolResults) {
        let crd_file = out.join(format!("{}.json", kind.module));
        fs::write(&crd_file, kind.crd.to_string()).unwrap();
        let mut command = Command::new(&self.program);
        command.args(self.arguments).arg(&crd_file);
        let start = Instant::now();
        let output = command
            .output()
            .unwrap_or_else(|error| panic!("{}: {error}", self.program));
        results.time += start.elapsed();
        let source = String::from_utf8_lossy(&output.stdout).into_owned();
        if !output.status.success() || source.trim().is_empty() {
            let error = String::from_utf8_lossy(&output.stderr);
            let error = error.lines().last().unwrap_or("no output").to_owned();
            results.refused.insert(kind.module.clone(), error);
            return;
        }
        if (self.root_path)(kind, &source).is_empty() {
            let error = "the source has no type for the root".to_owned();
            results.refused.insert(kind.module.clone(), error);
            return;
        }
        results.bytes += source.len();
        results.union_enums += syn::parse_file(&source).map_or(0, |file| union_enums(&file.items));
        fs::write(out.join(format!("{}.rs", kind.module)), source).unwrap();
        results.compiled.insert(kind.module.clone());
    }

    /// Compiles the types, without the kinds that have errors.
    fn compile(&self, kinds: &[KindCase], out: &Path, results: &mut ToolResults) {
        loop {
            let mut modules = String::new();
            let mut registry = String::new();
            for kind in kinds
                .iter()
                .filter(|kind| results.compiled.contains(&kind.module))
            {
                let file = out.join(format!("{}.rs", kind.module));
                let source = fs::read_to_string(&file).unwrap();
                let (module, path) = (&kind.module, (self.root_path)(kind, &source));
                let file = file.display().to_string();
                // Writing to a `String` cannot fail.
                let _ = writeln!(modules, "#[path = {file:?}]\npub mod {module};");
                let _ = writeln!(registry, "Kind::of::<{module}::{path}>({module:?}),");
            }
            let code = format!("{modules}\nfn kinds() -> Vec<Kind> {{\n    vec![{registry}]\n}}\n");
            fs::write(out.join("modules.rs"), code).unwrap();
            let start = Instant::now();
            let errors = cargo_errors(out);
            results.check_time = start.elapsed();
            if errors.is_empty() {
                return;
            }
            let mut is_attributed = false;
            for (module, error) in errors {
                is_attributed |= results.compiled.remove(&module);
                results.not_compiled.entry(module).or_insert(error);
            }
            assert!(
                is_attributed,
                "errors outside of the kinds: {:?}",
                results.not_compiled
            );
        }
    }
}

/// Returns the number of enums with at least two variants that have content.
fn union_enums(items: &[Item]) -> usize {
    let counts = items.iter().map(|item| match item {
        Item::Mod(module) => module
            .content
            .as_ref()
            .map_or(0, |(_, items)| union_enums(items)),
        Item::Enum(item) => {
            let variants = item.variants.iter();
            let with_content = variants.filter(|variant| !matches!(variant.fields, Fields::Unit));
            usize::from(with_content.count() >= 2)
        }
        _ => 0,
    });
    counts.sum()
}

fn cargo(out: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.args(arguments).env("REAL_CRDS_TYPES", out);
    command
}

/// Returns the first error of each module.
fn cargo_errors(out: &Path) -> BTreeMap<String, String> {
    let arguments = [
        "check",
        "-q",
        "-p",
        "union-tests-real-types",
        "--features",
        "schemars",
        "--message-format",
        "json",
    ];
    let output = cargo(out, &arguments).output().unwrap();
    let mut errors = BTreeMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let message: Value = serde_json::from_str(line).unwrap_or_default();
        let message = &message["message"];
        if message["level"] != "error" {
            continue;
        }
        let spans = message["spans"].as_array().into_iter().flatten();
        let files = spans.filter_map(|span| span["file_name"].as_str());
        let stems = files.filter_map(|file| Path::new(file).file_stem()?.to_str());
        let module = stems.into_iter().find(|stem| stem.starts_with("m_"));
        let label = message["message"].as_str().unwrap_or_default().to_owned();
        if let Some(module) = module {
            errors.entry(module.to_owned()).or_insert(label);
        } else if !label.starts_with("aborting") {
            errors
                .entry(format!("unknown: {}", message["spans"][0]["text"]))
                .or_insert(label);
        }
    }
    errors
}

fn run_types(out: &Path, argument: &str) -> String {
    let arguments = [
        "run",
        "-q",
        "-p",
        "union-tests-real-types",
        "--features",
        "schemars",
        "--",
        argument,
    ];
    let output = cargo(out, &arguments).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the result for each object.
fn read_and_write(objects: &[ObjectCase], out: &Path) -> Vec<Option<Value>> {
    let lines = objects
        .iter()
        .map(|case| json!({ "module": case.module, "object": case.object }).to_string());
    let file = out.join("objects.jsonl");
    fs::write(&file, lines.collect::<Vec<_>>().join("\n")).unwrap();
    let output = run_types(out, file.to_str().unwrap());
    let results = output
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    results
        .map(|result: Value| (result["missing"] != true).then_some(result))
        .collect()
}
