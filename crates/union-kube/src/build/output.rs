//! The output files of a build script, which are checked before they are written.

use std::env;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::check;
use super::sample::Sample;
use crate::crd::Crd;
use crate::document::openapi;
use crate::error::CrdError;
use crate::print::to_json_string;

/// The outputs of a build script. Errors are collected, so that one build reports all of them.
pub struct Output {
    /// The folder of the files; `None` if the variable `OUT_DIR` is missing.
    folder: Option<PathBuf>,
    crds: Vec<Crd>,
    samples: Vec<Sample>,
    /// The title and the version of the `OpenAPI` document.
    openapi_title_and_version: Option<(String, String)>,
    print: PrintFn,
    /// The extension of the files that `print` formats.
    extension: String,
    problems: Vec<String>,
}

type PrintFn = Box<dyn Fn(&Value) -> Result<String, String>>;

impl Output {
    /// Creates outputs for the folder `OUT_DIR`, which cargo sets for build scripts. In other
    /// programs, the variable is missing and [`write`](Self::write) returns an error.
    #[must_use]
    pub fn in_out_dir() -> Self {
        match env::var_os("OUT_DIR") {
            Some(folder) => Self::in_dir(folder),
            None => Self {
                folder: None,
                problems: vec![
                    "missing environment variable OUT_DIR, which cargo sets for build scripts; use `Output::in_dir` in other programs"
                        .to_owned(),
                ],
                ..Self::in_dir("")
            },
        }
    }

    /// Creates outputs for a folder. The folder is created if it does not exist.
    #[must_use]
    pub fn in_dir(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: Some(folder.into()),
            crds: Vec::new(),
            samples: Vec::new(),
            openapi_title_and_version: None,
            print: Box::new(|document| Ok(to_json_string(document))),
            extension: "json".to_owned(),
            problems: Vec::new(),
        }
    }

    /// Sets another format than JSON for CRDs and samples. `extension` is the extension of their
    /// files, such as `yaml`.
    ///
    /// ```no_run
    /// # use union_kube::build::Output;
    /// # mod serde_saphyr {
    /// #     pub fn to_string(_: &serde_json::Value) -> Result<String, String> {
    /// #         Ok(String::new())
    /// #     }
    /// # }
    /// Output::in_out_dir().print("yaml", serde_saphyr::to_string);
    /// ```
    #[must_use]
    pub fn print<E: Display>(
        mut self,
        extension: &str,
        print: impl Fn(&Value) -> Result<String, E> + 'static,
    ) -> Self {
        extension.clone_into(&mut self.extension);
        self.print = Box::new(move |document| print(document).map_err(|error| error.to_string()));
        self
    }

    /// Adds a CRD, given as the result of [`Crd::from_type`] or [`Crd::merge`]. An error fails the
    /// build. The CRD is written to two files: `documents.docs.example.com.json` for the cluster,
    /// and `documents.docs.example.com.full.json` for tools.
    #[must_use]
    pub fn crd(mut self, crd: Result<Crd, CrdError>) -> Self {
        match crd {
            Ok(crd) => {
                self.problems.extend(check::check_crd(&crd));
                self.crds.push(crd);
            }
            Err(error) => self.problems.push(error.to_string()),
        }
        self
    }

    /// Adds the `OpenAPI` document of the CRDs, with a title and a version. The file is
    /// `openapi.json`.
    #[must_use]
    pub fn openapi(mut self, title: &str, version: &str) -> Self {
        self.openapi_title_and_version = Some((title.to_owned(), version.to_owned()));
        self
    }

    /// Adds a sample that must be accepted: the build fails if an API server would reject it. The
    /// sample is an object of one of the CRDs. It is written to `file`, plus the extension of the
    /// format.
    #[must_use]
    pub fn accepted_sample(self, file: &str, object: Value) -> Self {
        self.sample(file, object, true)
    }

    /// Adds a sample that must be rejected: the build fails if an API server would accept it. See
    /// [`accepted_sample`](Self::accepted_sample) for the arguments.
    #[must_use]
    pub fn rejected_sample(self, file: &str, object: Value) -> Self {
        self.sample(file, object, false)
    }

    fn sample(mut self, file: &str, object: Value, is_accepted: bool) -> Self {
        self.samples.push(Sample {
            file: file.to_owned(),
            object,
            is_accepted,
        });
        self
    }

    /// Writes all outputs, and returns the paths of the files. If there is an error, no file is
    /// written. Unchanged files keep their modification time.
    ///
    /// ```
    /// # use kube::CustomResource;
    /// # use schemars::JsonSchema;
    /// # use serde::{Deserialize, Serialize};
    /// # use serde_json::json;
    /// # use union_kube::build::Output;
    /// # use union_kube::Crd;
    /// #[derive(CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
    /// #[kube(group = "docs.example.com", version = "v1", kind = "Document", namespaced)]
    /// struct DocumentSpec { text: String }
    ///
    /// let object = json!({
    ///     "apiVersion": "docs.example.com/v1",
    ///     "kind": "Document",
    ///     "metadata": {"name": "a"},
    ///     "spec": {"text": 1},
    /// });
    /// # let folder = std::env::temp_dir().join("union-runtime-doctest");
    /// let problems = Output::in_dir(folder)
    ///     .crd(Crd::from_type::<Document>())
    ///     .accepted_sample("good", object)
    ///     .write()
    ///     .unwrap_err();
    /// assert!(
    ///     problems[0]
    ///         .contains("the sample good should be accepted, but an API server rejects it")
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// Returns all errors: a CRD cannot be created, an API server would reject a CRD, a sample is
    /// not accepted or rejected as declared, two files have the same name, or an output cannot be
    /// printed or written.
    pub fn write(self) -> Result<Vec<PathBuf>, Vec<String>> {
        let Self {
            folder,
            crds,
            samples,
            openapi_title_and_version,
            print,
            extension,
            mut problems,
        } = self;
        // The checks of samples are not meaningful if a CRD is invalid.
        if problems.is_empty() {
            problems.extend(
                samples
                    .iter()
                    .filter_map(|sample| check::check_sample(sample, &crds)),
            );
        }
        let Some(folder) = folder.filter(|_| problems.is_empty()) else {
            return Err(problems);
        };
        let mut files: Vec<(String, String)> = Vec::new();
        let mut add_file = |name: String, printed: Result<String, String>| match printed {
            Ok(content) => files.push((name, content)),
            Err(error) => problems.push(format!("cannot serialize {name}: {error}")),
        };
        for crd in &crds {
            add_file(
                format!("{}.{extension}", crd.name()),
                print(crd.for_cluster()),
            );
            add_file(
                format!("{}.full.{extension}", crd.name()),
                print(crd.with_extensions()),
            );
        }
        for sample in &samples {
            add_file(
                format!("{}.{extension}", sample.file),
                print(&sample.object),
            );
        }
        if let Some((title, version)) = openapi_title_and_version {
            let document = openapi(&title, &version, &crds);
            add_file("openapi.json".to_owned(), Ok(to_json_string(&document)));
        }
        for (index, (name, _)) in files.iter().enumerate() {
            if files.iter().take(index).any(|(other, _)| other == name) {
                problems.push(format!("two outputs have the name {name}; rename one"));
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let write_file = |(name, content): &(String, String)| {
            let path = folder.join(name);
            write_if_changed(&path, content)
                .map_err(|error| vec![format!("cannot write {}: {error}", path.display())])?;
            Ok(path)
        };
        files.iter().map(write_file).collect()
    }

    /// Writes all outputs like [`write`](Self::write), and prints instructions for cargo. Call it
    /// at the end of a build script's `main`. Cargo then knows when to run the script again, shows
    /// the warnings of an API server for the CRDs, and fails the build if there are errors.
    pub fn finish(self) {
        // Without this line, cargo would run the script again whenever any file of the package
        // changes. Cargo always runs a script that was compiled again, so changes of the types are
        // covered.
        println!("cargo::rerun-if-changed={}", script_path());
        for crd in &self.crds {
            for warning in crd.warnings() {
                println!("cargo::warning={}: {warning}", crd.name());
            }
        }
        if let Err(problems) = self.write() {
            for line in problems.iter().flat_map(|problem| problem.lines()) {
                println!("cargo::error={line}");
            }
        }
    }
}

/// Returns the path of a file that exists. Cargo runs the script on each build if the path does not
/// exist.
fn script_path() -> &'static str {
    if Path::new("build.rs").exists() {
        "build.rs"
    } else {
        "Cargo.toml"
    }
}

/// Writes a file if its content differs. An unchanged file keeps its modification time, so cargo
/// does not compile the code that includes it again.
fn write_if_changed(path: &Path, content: &str) -> std::io::Result<()> {
    if fs::read_to_string(path).is_ok_and(|existing| existing == content) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, content)
}
