//! `unionctl generate`: generates code from CRDs.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use clap::{Subcommand, ValueEnum};
use crd_to_rust::{GenerateError, RootStyle, SchemaOutput, Settings, StringEnums, UnionStyle};
use k8s_crd_validation::KubeVersion;
use union_json::document::Crd;

use crate::error::CommandError;
use crate::input::InputReader;
use crate::input::crd::require_distinct;
use crate::output::print::{self, CommandStatus};

/// Generate Rust types from CRDs.
#[derive(Debug, clap::Args)]
pub(crate) struct GenerateArgs {
    #[command(subcommand)]
    language: Language,
}

#[derive(Debug, Subcommand)]
enum Language {
    Rust(RustArgs),
}

/// Generate Rust types for kube-rs: a module for each kind, with a module for each served version.
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = EXAMPLES)]
struct RustArgs {
    #[arg(long, value_name = "FILE", required = true)]
    #[arg(help = "CRDs; other objects in the file are ignored")]
    crd: Vec<PathBuf>,

    #[arg(long, value_name = "DIR")]
    #[arg(
        help = "A folder for mod.rs and a file for each version; without it, one file is printed"
    )]
    out: Option<PathBuf>,

    #[arg(long, value_name = "NAME", conflicts_with = "out")]
    #[arg(help = "The name of a module that contains the printed types")]
    module: Option<String>,

    #[arg(long = "version", value_name = "VERSION")]
    #[arg(help = "A version to generate, served or not; without it, all served versions")]
    versions: Vec<String>,

    #[arg(long = "derive", value_name = "PATH")]
    #[arg(
        help = "An additional derive for all types, or for some: `@struct=..`, `@enum=..` (enums of values), `@union=..`; `Default` applies only to types whose fields all have a default"
    )]
    derives: Vec<String>,

    #[arg(long, value_enum, default_value_t)]
    #[arg(help = "How to write unions")]
    unions: UnionStyleArg,

    #[arg(long, value_enum, default_value_t)]
    #[arg(help = "How to write strings with a list of allowed values")]
    enums: StringEnumsArg,

    #[arg(long, value_enum, default_value_t)]
    #[arg(help = "How to write the root of a kind")]
    root: RootStyleArg,

    #[arg(long, value_enum, default_value_t)]
    #[arg(help = "Derive `JsonSchema`, so that `crd()` validates like the original CRD")]
    schema: SchemaOutputArg,

    #[arg(long, aliases = ["kubernetes", "kubernetes-version"], value_name = "VERSION")]
    #[arg(value_parser = KubeVersion::from_str)]
    #[arg(
        help = "Kubernetes version that your feature of k8s-openapi selects, such as 1.35; by default the oldest version of k8s-openapi"
    )]
    kube_version: Option<KubeVersion>,
}

const LONG_ABOUT: &str = "\
Generate Rust types for kube-rs: a module for each kind, with a module for each served version.

The same CRDs always generate the same source. The source needs the crates kube 5, k8s-openapi, schemars 1, serde, serde_json and \
union-runtime. A kind without a schema, or of apiextensions.k8s.io/v1beta1, is left out, with a note on stderr and a comment.";

const EXAMPLES: &str = "\
Example:
  unionctl generate rust --crd crd.yaml > types.rs";

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum UnionStyleArg {
    /// An enum where a union is exact and alone in its object, else a struct.
    #[default]
    Enum,
    /// A struct with `#[derive(Union)]`.
    Struct,
    /// Plain structs.
    Off,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum StringEnumsArg {
    /// An enum that keeps values of newer servers.
    #[default]
    Open,
    /// An enum with exactly these values.
    Closed,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum RootStyleArg {
    /// The field `spec` is the spec, and every object must have one.
    #[default]
    Spec,
    /// The field `spec` contains all fields of the root, so that objects without a spec are read.
    Fields,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum SchemaOutputArg {
    /// Derive `JsonSchema`.
    #[default]
    Derived,
    /// Derive no schema, which compiles faster.
    Disabled,
}

pub(crate) fn run(args: &GenerateArgs) -> Result<CommandStatus, CommandError> {
    let Language::Rust(args) = &args.language;
    let mut inputs = InputReader::default();
    let mut crds = Vec::new();
    // The file of each CRD.
    let mut owners = Vec::new();
    let mut files = Vec::new();
    for path in &args.crd {
        let documents = inputs.read_documents("--crd", path)?;
        let previous_count = crds.len();
        let found = documents.objects().filter_map(Crd::from_object);
        crds.extend(found.map(|crd| crd.json().clone()));
        owners.resize(crds.len(), documents.file.clone());
        if crds.len() == previous_count {
            let message = "no CustomResourceDefinition found; pass a file with one to --crd";
            return Err(CommandError::new(documents.file, message));
        }
        files.push(documents.file);
    }
    let owned_crds = owners.iter().zip(&crds);
    require_distinct(owned_crds.map(|(file, crd)| (file.as_str(), Crd::new(crd))))?;
    // An error about one of several CRDs contains the kind.
    let file = files.join(", ");
    let generated = crd_to_rust::generate(&crds, &settings(args));
    let command_error = |error: GenerateError| match error.setting_name().and_then(flag) {
        Some(flag) => CommandError::new(flag, error.problem()),
        None => CommandError::new(file.as_str(), error.to_string()),
    };
    let generated = generated.map_err(command_error)?;
    let omitted_kinds = generated.omitted_kinds();
    let notes: Vec<String> = omitted_kinds
        .map(|kind| format!("left out: {kind}"))
        .collect();
    print::notes(&notes);
    if let Some(folder) = &args.out {
        for generated_file in generated.files().map_err(command_error)? {
            write(&folder.join(&generated_file.path), &generated_file.content)?;
        }
    } else {
        let source = generated.to_source().map_err(command_error)?;
        let mut stdout = io::stdout().lock();
        let result = stdout.write_all(source.as_bytes());
        print::ignore_broken_pipe(result.and_then(|()| stdout.flush()))?;
    }
    Ok(CommandStatus::Success)
}

/// Returns the flag of a setting.
fn flag(setting: &str) -> Option<&'static str> {
    match setting {
        "derives" => Some("--derive"),
        "module" => Some("--module"),
        "kubernetes" => Some("--kube-version"),
        _ => None,
    }
}

fn settings(args: &RustArgs) -> Settings {
    let mut settings = Settings::default();
    settings.derives.clone_from(&args.derives);
    settings.module.clone_from(&args.module);
    settings.versions.clone_from(&args.versions);
    settings.kubernetes = args.kube_version.map(|version| version.to_string());
    settings.unions = match args.unions {
        UnionStyleArg::Enum => UnionStyle::Enum,
        UnionStyleArg::Struct => UnionStyle::Struct,
        UnionStyleArg::Off => UnionStyle::Off,
    };
    settings.enums = match args.enums {
        StringEnumsArg::Open => StringEnums::Open,
        StringEnumsArg::Closed => StringEnums::Closed,
    };
    settings.root = match args.root {
        RootStyleArg::Spec => RootStyle::Spec,
        RootStyleArg::Fields => RootStyle::Fields,
    };
    settings.schema = match args.schema {
        SchemaOutputArg::Derived => SchemaOutput::Derived,
        SchemaOutputArg::Disabled => SchemaOutput::Disabled,
    };
    settings
}

fn write(path: &Path, content: &str) -> Result<(), CommandError> {
    let write_error = |error: io::Error| {
        CommandError::new(
            path.display().to_string(),
            format!("cannot write the file: {error}"),
        )
    };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(write_error)?;
    }
    fs::write(path, content).map_err(write_error)
}
