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

/// What a build script writes, put together step by step. Mistakes are collected, so that one build tells of all.
pub struct Output {
    folder: Option<PathBuf>,
    crds: Vec<Crd>,
    objects: Vec<Sample>,
    document: Option<(String, String)>,
    print: Print,
    /// The ending of files that `print` makes.
    ending: String,
    problems: Vec<String>,
}

type Print = Box<dyn Fn(&Value) -> Result<String, String>>;

impl Output {
    /// Into the folder that cargo gives to the build script, `OUT_DIR`. Elsewhere there is none, and [`write`](Self::write)
    /// says so.
    #[must_use]
    pub fn to_out_dir() -> Self {
        match env::var_os("OUT_DIR") {
            Some(folder) => Self::to(folder),
            None => Self {
                folder: None,
                problems: vec![
                    "there is no OUT_DIR; cargo sets it for build scripts, elsewhere use `Output::to`"
                        .to_owned(),
                ],
                ..Self::to("")
            },
        }
    }

    /// Into this folder, which is made if it is not there.
    #[must_use]
    pub fn to(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: Some(folder.into()),
            crds: Vec::new(),
            objects: Vec::new(),
            document: None,
            print: Box::new(|document| Ok(to_json_string(document))),
            ending: "json".to_owned(),
            problems: Vec::new(),
        }
    }

    /// Prints CRDs and objects in another form than JSON; `ending` is that of their files: `yaml`.
    ///
    /// ```no_run
    /// # use union_kube::build::Output;
    /// # mod serde_saphyr {
    /// #     pub fn to_string(_: &serde_json::Value) -> Result<String, String> { Ok(String::new()) }
    /// # }
    /// Output::to_out_dir().print("yaml", serde_saphyr::to_string);
    /// ```
    #[must_use]
    pub fn print<E: Display>(
        mut self,
        ending: &str,
        print: impl Fn(&Value) -> Result<String, E> + 'static,
    ) -> Self {
        ending.clone_into(&mut self.ending);
        self.print = Box::new(move |document| print(document).map_err(|error| error.to_string()));
        self
    }

    /// A CRD, as [`Crd::of`] and [`Crd::merge`] give it: `documents.docs.example.com.json` for the cluster, and
    /// `documents.docs.example.com.full.json` for tools. An error of theirs fails the build.
    #[must_use]
    pub fn crd(mut self, crd: Result<Crd, CrdError>) -> Self {
        match crd {
            Ok(crd) => {
                self.problems.extend(check::lint(&crd));
                self.crds.push(crd);
            }
            Err(error) => self.problems.push(error.to_string()),
        }
        self
    }

    /// The `OpenAPI` document of the CRDs, in `openapi.json`; title and version are its own.
    #[must_use]
    pub fn openapi(mut self, title: &str, version: &str) -> Self {
        self.document = Some((title.to_owned(), version.to_owned()));
        self
    }

    /// A sample that an API server takes; the build fails where it would not. It is of one of the CRDs, and is written
    /// to `file`, whose ending is added.
    #[must_use]
    pub fn accepted(self, file: &str, object: Value) -> Self {
        self.sample(file, object, true)
    }

    /// A sample that an API server refuses; the build fails where it would not. For the rest it is as
    /// [`accepted`](Self::accepted).
    #[must_use]
    pub fn refused(self, file: &str, object: Value) -> Self {
        self.sample(file, object, false)
    }

    fn sample(mut self, file: &str, object: Value, is_accepted: bool) -> Self {
        self.objects.push(Sample {
            file: file.to_owned(),
            object,
            is_accepted,
        });
        self
    }

    /// Writes everything, and gives the paths of the files. Nothing is written where something is wrong; files that stay
    /// as they were are not touched.
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
    ///     "apiVersion": "docs.example.com/v1", "kind": "Document", "metadata": {"name": "a"}, "spec": {"text": 1},
    /// });
    /// # let folder = std::env::temp_dir().join("union-runtime-doctest");
    /// let problems = Output::to(folder).crd(Crd::of::<Document>()).accepted("good", object).write().unwrap_err();
    /// assert!(problems[0].contains("the sample good should be accepted, and an API server refuses it"));
    /// ```
    ///
    /// # Errors
    ///
    /// All that is wrong: CRDs that could not be made or that a server would refuse, samples that are not judged as they
    /// should be, duplicate names of files, and what cannot be printed or written.
    pub fn write(self) -> Result<Vec<PathBuf>, Vec<String>> {
        let Self {
            folder,
            crds,
            objects,
            document,
            print,
            ending,
            mut problems,
        } = self;
        // Where a CRD is wrong, so is what is said of its objects.
        if problems.is_empty() {
            problems.extend(
                objects
                    .iter()
                    .filter_map(|sample| check::judge(sample, &crds)),
            );
        }
        let Some(folder) = folder.filter(|_| problems.is_empty()) else {
            return Err(problems);
        };
        let mut files: Vec<(String, String)> = Vec::new();
        let mut add = |name: String, text: Result<String, String>| match text {
            Ok(text) => files.push((name, text)),
            Err(error) => problems.push(format!("{name} cannot be printed: {error}")),
        };
        for crd in &crds {
            add(format!("{}.{ending}", crd.name()), print(crd.cluster()));
            add(format!("{}.full.{ending}", crd.name()), print(crd.full()));
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
                problems.push(format!(
                    "{name} would be written twice; give one another name"
                ));
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let write = |(name, text): &(String, String)| {
            let path = folder.join(name);
            write_if_changed(&path, text)
                .map_err(|error| vec![format!("{} cannot be written: {error}", path.display())])?;
            Ok(path)
        };
        files.iter().map(write).collect()
    }

    /// [`write`](Self::write), for a build script's `main`: it tells cargo when to run it again, what an API server warns
    /// of in the CRDs, and what is wrong, upon which the build fails.
    pub fn finish(self) {
        // Without this, cargo would run the script whenever any file of the package changes. It runs it in any
        // case when it is compiled again: when it or the types change.
        println!("cargo::rerun-if-changed={}", script());
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

/// A file that is there and changes with the build script; cargo takes a file that is not there for one that has changed.
fn script() -> &'static str {
    if Path::new("build.rs").exists() {
        "build.rs"
    } else {
        "Cargo.toml"
    }
}

/// A file that stays as it was does not look new to whoever includes it.
fn write_if_changed(path: &Path, text: &str) -> std::io::Result<()> {
    if fs::read_to_string(path).is_ok_and(|there| there == text) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}
