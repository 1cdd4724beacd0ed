//! The files of a build script, and the checks before they are written.

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
    folder: Option<PathBuf>,
    crds: Vec<Crd>,
    samples: Vec<Sample>,
    document: Option<(String, String)>,
    print: PrintFn,
    /// The extension of the files that `print` formats.
    extension: String,
    problems: Vec<String>,
}

type PrintFn = Box<dyn Fn(&Value) -> Result<String, String>>;

impl Output {
    /// Returns outputs for the folder `OUT_DIR`, which cargo sets for build scripts. In other
    /// programs, [`write`](Self::write) returns an error, because the variable is missing.
    #[must_use]
    pub fn in_out_dir() -> Self {
        match env::var_os("OUT_DIR") {
            Some(folder) => Self::in_dir(folder),
            None => Self {
                folder: None,
                problems: vec![
                    "missing environment variable OUT_DIR, which cargo sets for build scripts; use `Output::to` in other programs"
                        .to_owned(),
                ],
                ..Self::in_dir("")
            },
        }
    }

    /// Returns outputs for a folder, which is created if it does not exist.
    #[must_use]
    pub fn in_dir(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: Some(folder.into()),
            crds: Vec::new(),
            samples: Vec::new(),
            document: None,
            print: Box::new(|document| Ok(to_json_string(document))),
            extension: "json".to_owned(),
            problems: Vec::new(),
        }
    }

    /// Prints CRDs and objects in another format than JSON. `ending` is the extension of their
    /// files: `yaml`.
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
        ending: &str,
        print: impl Fn(&Value) -> Result<String, E> + 'static,
    ) -> Self {
        ending.clone_into(&mut self.extension);
        self.print = Box::new(move |document| print(document).map_err(|error| error.to_string()));
        self
    }

    /// Adds a CRD, the result of [`Crd::from_type`] or [`Crd::merge`]:
    /// `documents.docs.example.com.json` for the cluster, and
    /// `documents.docs.example.com.full.json` for tools. An error in place of the CRD fails the
    /// build.
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

    /// Adds the `OpenAPI` document of the CRDs, in `openapi.json`, with a title and a version.
    #[must_use]
    pub fn openapi(mut self, title: &str, version: &str) -> Self {
        self.document = Some((title.to_owned(), version.to_owned()));
        self
    }

    /// Adds a sample that an API server accepts; the build fails if the server would reject it. The
    /// sample is an object of one of the CRDs, and is written to `file` with the extension added.
    #[must_use]
    pub fn accepted_sample(self, file: &str, object: Value) -> Self {
        self.sample(file, object, true)
    }

    /// Adds a sample that an API server rejects; the build fails if the server would accept it.
    /// Otherwise like [`accepted_sample`](Self::accepted_sample).
    #[must_use]
    pub fn refused_sample(self, file: &str, object: Value) -> Self {
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
    /// written. Files with unchanged contents are not touched.
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
    /// Returns an error if a CRD could not be created or an API server would reject it; if a sample
    /// is not accepted or rejected as declared; if two files have one name; or if an output cannot
    /// be printed or written. The list contains all errors.
    pub fn write(self) -> Result<Vec<PathBuf>, Vec<String>> {
        let Self {
            folder,
            crds,
            samples: objects,
            document,
            print,
            extension: ending,
            mut problems,
        } = self;
        // Errors of samples are not meaningful if a CRD is invalid.
        if problems.is_empty() {
            problems.extend(
                objects
                    .iter()
                    .filter_map(|sample| check::check_sample(sample, &crds)),
            );
        }
        let Some(folder) = folder.filter(|_| problems.is_empty()) else {
            return Err(problems);
        };
        let mut files: Vec<(String, String)> = Vec::new();
        let mut add = |name: String, text: Result<String, String>| match text {
            Ok(text) => files.push((name, text)),
            Err(error) => problems.push(format!("cannot serialize {name}: {error}")),
        };
        for crd in &crds {
            add(format!("{}.{ending}", crd.name()), print(crd.for_cluster()));
            add(
                format!("{}.full.{ending}", crd.name()),
                print(crd.with_extensions()),
            );
        }
        for sample in &objects {
            add(format!("{}.{ending}", sample.file), print(&sample.object));
        }
        if let Some((title, version)) = document {
            let document = openapi(&title, &version, &crds);
            add("openapi.json".to_owned(), Ok(to_json_string(&document)));
        }
        for (i, (name, _)) in files.iter().enumerate() {
            if files.iter().take(i).any(|(other, _)| other == name) {
                problems.push(format!("two outputs have the name {name}; rename one"));
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let write = |(name, text): &(String, String)| {
            let path = folder.join(name);
            write_if_changed(&path, text)
                .map_err(|error| vec![format!("cannot write {}: {error}", path.display())])?;
            Ok(path)
        };
        files.iter().map(write).collect()
    }

    /// Writes all outputs as [`write`](Self::write) does, for the `main` of a build script. Prints
    /// for cargo when to run the script again, the warnings of an API server about the CRDs, and
    /// the errors, which fail the build.
    pub fn finish(self) {
        // Without this line, cargo would run the script whenever any file of the package changes.
        // It always runs a script that was compiled again: when the script or the types change.
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

/// Returns a file that exists and changes with the build script. Cargo treats a missing file as
/// changed.
fn script_path() -> &'static str {
    if Path::new("build.rs").exists() {
        "build.rs"
    } else {
        "Cargo.toml"
    }
}

/// Writes a file if its contents differ, so that an unchanged file does not look new to the code
/// that includes it.
fn write_if_changed(path: &Path, text: &str) -> std::io::Result<()> {
    if fs::read_to_string(path).is_ok_and(|there| there == text) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}
