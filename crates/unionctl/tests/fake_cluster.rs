//! A cluster for tests: the folder from which `fake_kubectl/kubectl` answers.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::process::{ProgramOutput, absent_folder, crate_folder, kubectl_union, program_output};

/// The path of the CRDs.
pub(crate) const CRDS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// The path of the objects of a sample.
pub(crate) const DATABASES: &str = "/apis/db.example.com/v1/databases";

pub(crate) struct FakeCluster {
    folder: PathBuf,
}

impl FakeCluster {
    /// Creates a cluster without answers. Tests run at the same time, so each cluster has a folder
    /// of its own.
    pub(crate) fn new(name: &str) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = PathBuf::from(absent_folder(&format!("cluster_{name}_{number}")));
        fs::create_dir_all(&folder).unwrap();
        Self { folder }
    }

    /// Creates a cluster of Kubernetes 1.37 with the CRDs and the objects of the samples.
    pub(crate) fn of_samples(name: &str) -> Self {
        let cluster = Self::new(name);
        cluster.answer(
            "/version",
            &json!({"major": "1", "minor": "37", "gitVersion": "v1.37.2"}),
        );
        cluster.write("context.json", "");
        let crds = ["crd.yaml", "database_crd.yaml", "pipeline_crd.yaml"].map(sample_object);
        for crd in &crds {
            cluster.answer(&format!("{CRDS}/{}", name_of(crd)), crd);
        }
        cluster.answer_list(CRDS, &crds);
        let database = |file| as_stored(sample_object(file));
        let databases = ["databases/legacy.yaml", "databases/orders.yaml"].map(database);
        let backups = [as_stored(sample_object("stored.yaml"))];
        let pipelines = [as_stored(sample_object("pipeline_stored.yaml"))];
        cluster.serve("db.example.com", "Database", "databases", &databases);
        cluster.serve("db.example.com", "Backup", "backups", &backups);
        cluster.serve("ci.example.com", "Pipeline", "pipelines", &pipelines);
        let resource =
            |kind: &str, name: &str| json!({"kind": kind, "name": name, "namespaced": true});
        cluster.answer(
            "/apis/db.example.com/v1",
            &json!({"resources": [
                resource("Database", "databases/status"),
                resource("Database", "databases"),
                resource("Backup", "backups"),
            ]}),
        );
        cluster.answer(
            "/apis/ci.example.com/v1",
            &json!({"resources": [resource("Pipeline", "pipelines")]}),
        );
        cluster
    }

    /// Serves the objects of a kind: as a list, and each by its name.
    fn serve(&self, group: &str, kind: &str, plural: &str, objects: &[Value]) {
        let version = format!("/apis/{group}/v1");
        let list = json!({"apiVersion": format!("{group}/v1"), "kind": format!("{kind}List"), "items": objects});
        self.answer(&format!("{version}/{plural}"), &list);
        for object in objects {
            let namespace = object["metadata"]["namespace"].as_str().unwrap();
            let folder = format!("{version}/namespaces/{namespace}/{plural}");
            self.answer(&format!("{folder}/{}", name_of(object)), object);
            self.answer(&folder, &list);
        }
    }

    /// Sets the answer to a GET request. The path has no parameter `limit`.
    pub(crate) fn answer(&self, path: &str, value: &Value) {
        self.answer_text(path, &value.to_string());
    }

    pub(crate) fn answer_list(&self, path: &str, objects: &[Value]) {
        self.answer(path, &json!({"metadata": {}, "items": objects}));
    }

    pub(crate) fn answer_text(&self, path: &str, text: &str) {
        self.remove_answers(path);
        self.write(&format!("{}.json", file_name(path)), text);
    }

    /// Lets the request fail with a message of kubectl.
    pub(crate) fn fail(&self, path: &str, message: &str) {
        self.remove_answers(path);
        self.write(
            &format!("{}.error", file_name(path)),
            &format!("{message}\n"),
        );
    }

    /// Runs a shell script for the request, and for all pages if the path is that of a list.
    pub(crate) fn script(&self, path: &str, script: &str) {
        self.remove_answers(path);
        self.write(&format!("{}.sh", file_name(path)), script);
    }

    fn remove_answers(&self, path: &str) {
        for extension in ["json", "error", "sh"] {
            let _ = fs::remove_file(self.path(&format!("{}.{extension}", file_name(path))));
        }
    }

    pub(crate) fn write(&self, file: &str, content: &str) {
        fs::write(self.path(file), content).unwrap();
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    /// Sets the environment of a command, so that it runs the fake kubectl, in the folder of the
    /// samples.
    pub(crate) fn set_environment(&self, command: &mut Command) {
        command.env(
            "PATH",
            path_with(&crate_folder().join("tests/fake_kubectl")),
        );
        command.env("FAKE_CLUSTER", &self.folder);
        command.current_dir(crate_folder().join("samples"));
    }

    /// Runs a command with the fake kubectl, and asserts that each call of kubectl reads.
    #[track_caller]
    pub(crate) fn run(&self, mut command: Command) -> ProgramOutput {
        self.set_environment(&mut command);
        let output = program_output(&command.output().unwrap());
        for call in self.calls() {
            let is_read = call.starts_with("[get][--raw=/") || call.starts_with(CONTEXT_CALL);
            assert!(is_read, "{call}");
        }
        output
    }

    /// Runs `kubectl union` with the fake kubectl.
    #[track_caller]
    pub(crate) fn union(&self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> ProgramOutput {
        self.run(kubectl_union(args))
    }

    /// Returns the calls of kubectl. Each argument is in brackets.
    pub(crate) fn calls(&self) -> Vec<String> {
        let calls = fs::read_to_string(self.path("calls")).unwrap_or_default();
        calls.lines().map(str::to_owned).collect()
    }

    /// Returns the requested paths, without the parameter `limit`.
    pub(crate) fn requests(&self) -> Vec<String> {
        let calls = self.calls();
        let calls = calls.iter().filter_map(|call| {
            let (_, path) = call.split_once("--raw=")?;
            let (path, _) = path.split_once(']')?;
            Some(path.replace("?limit=500", "").replacen('&', "?", 1))
        });
        calls.collect()
    }
}

/// The call for the namespace of the context.
pub(crate) const CONTEXT_CALL: &str =
    "[config][view][--minify][--output=jsonpath={.contexts[0].context.namespace}]";

/// Returns the value of `PATH` with another folder before its folders.
pub(crate) fn path_with(folder: &Path) -> OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(folder.to_owned()).chain(std::env::split_paths(&path));
    std::env::join_paths(folders).unwrap()
}

fn file_name(path: &str) -> String {
    path.replace('/', "!")
}

/// Returns the only object of a sample that is not a Service.
pub(crate) fn sample_object(file: &str) -> Value {
    let text = fs::read_to_string(crate_folder().join("samples").join(file)).unwrap();
    let documents = text.split("\n---\n");
    let documents = documents.map(|document| serde_saphyr::from_str(document).unwrap());
    let mut objects = documents.filter(|object: &Value| object["kind"] != "Service");
    let object = objects.next().unwrap();
    assert_eq!(objects.next(), None, "{file}");
    object
}

/// Returns an object with the fields that a server adds.
fn as_stored(mut object: Value) -> Value {
    let metadata = object["metadata"].as_object_mut().unwrap();
    metadata.entry("namespace").or_insert(json!("default"));
    metadata.insert("resourceVersion".to_owned(), json!("7"));
    metadata.insert(
        "uid".to_owned(),
        json!("cdea674c-edda-4d56-88d9-7b9aebebf937"),
    );
    object
}

fn name_of(object: &Value) -> &str {
    object["metadata"]["name"].as_str().unwrap()
}
