//! Tests of `unionctl compat --base`, in Git repositories.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::process::{ProgramOutput, absent_folder, program_output, sample, unionctl};
use crate::sarif::assert_sarif;

/// A Git repository with a branch `main` and a branch `change`, which is checked out.
struct Repository(String);

impl Repository {
    /// Creates a repository whose branch `main` has CRDs and other files.
    fn new(name: &str) -> Self {
        let repository = Self(absent_folder(&format!("compat_base_{name}")));
        fs::create_dir_all(&repository.0).unwrap();
        repository.git(&["init", "-q", "-b", "main"]);
        repository.git(&["config", "user.name", "a"]);
        repository.git(&["config", "user.email", "a@example.com"]);
        repository.write("crds/backup.yaml", &read("crd.yaml"));
        repository.write("crds/database.yaml", &read("database_crd.yaml"));
        repository.write("other/pipeline.yaml", &read("pipeline_crd.yaml"));
        repository.write("crds/template.yaml", "{{ if .Values.a }}\n");
        repository.write("readme.txt", "CustomResourceDefinition: {\n");
        repository.commit("first");
        repository.git(&["switch", "-q", "-c", "change"]);
        repository
    }

    fn path(&self, name: &str) -> String {
        format!("{}/{name}", self.0)
    }

    fn write(&self, name: &str, content: &str) {
        let path = self.path(name);
        fs::create_dir_all(Path::new(&path).parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    fn remove(&self, name: &str) {
        fs::remove_file(self.path(name)).unwrap();
    }

    fn git(&self, args: &[&str]) {
        let mut command = Command::new("git");
        let output = command.args(args).current_dir(&self.0).output().unwrap();
        assert!(output.status.success(), "{args:?}: {output:?}");
    }

    fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", message]);
    }

    #[track_caller]
    fn compat(&self, path: &str, base: &str, flags: &[&str]) -> ProgramOutput {
        let mut command = unionctl(
            ["compat", "--crd", path, "--base", base]
                .iter()
                .chain(flags),
        );
        program_output(&command.current_dir(&self.0).output().unwrap())
    }
}

fn read(name: &str) -> String {
    fs::read_to_string(sample(name)).unwrap()
}

#[test]
fn an_unchanged_branch_is_accepted() {
    let repository = Repository::new("unchanged");
    for (path, unchanged) in [("crds", 2), (".", 3), ("crds/backup.yaml", 1)] {
        let output = repository.compat(path, "main", &["-o", "json"]);
        assert_eq!((output.code, &*output.stderr), (0, ""), "{path}");
        let json = output.json();
        assert_eq!(json["unchanged"], unchanged, "{path}: {json}");
        assert_eq!(
            (&json["comparisons"], &json["removed"]),
            (&json!([]), &json!([]))
        );
    }
}

/// The first changes are not committed yet, as in a hook before a commit.
#[test]
fn a_breaking_change_is_rejected_before_and_after_its_commit() {
    let repository = Repository::new("breaking");
    repository.write("crds/backup.yaml", &read("crd_next.yaml"));
    for is_committed in [false, true] {
        if is_committed {
            repository.commit("change");
        }
        let output = repository.compat("crds", "main", &[]);
        assert_eq!((output.code, &*output.stderr), (1, ""), "{output:?}");
        assert!(output.stdout.contains("Backup v1 -> v1\n"), "{output:?}");
        assert!(
            output
                .stdout
                .ends_with("; 1 unchanged CRD\n1 breaking, 1 notice\n"),
            "{output:?}"
        );
        let output = repository.compat("crds", "main", &["-o", "sarif"]);
        let results = assert_sarif(&output, "compat");
        assert_eq!(results[0].0, "value-removed");
        let uri = "/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri";
        assert_eq!(output.json().pointer(uri), Some(&json!("crds/backup.yaml")));
    }
}

/// A change of the other branch is not a change of this branch.
#[test]
fn the_old_crds_are_those_of_the_merge_base() {
    let repository = Repository::new("merge_base");
    repository.git(&["switch", "-q", "main"]);
    repository.write("crds/backup.yaml", &read("crd_next.yaml"));
    repository.commit("elsewhere");
    repository.git(&["switch", "-q", "change"]);
    let output = repository.compat("crds", "main", &["-o", "json"]);
    assert_eq!((output.code, &output.json()["unchanged"]), (0, &json!(2)));
}

#[test]
fn new_moved_and_removed_crds_are_paired_by_name() {
    let repository = Repository::new("files");
    repository.write("crds/new/pipeline.yaml", &read("pipeline_crd.yaml"));
    repository.remove("crds/backup.yaml");
    repository.write("crds/moved/backups.yml", &read("crd.yaml"));
    let output = repository.compat("crds", "main", &["-o", "json"]);
    assert_eq!((output.code, &*output.stderr), (0, ""));
    assert_eq!(output.json()["removed"], json!([]));
    assert_eq!(output.json()["unchanged"], 2);
    repository.remove("crds/database.yaml");
    let output = repository.compat("crds", "main", &["-o", "json"]);
    assert_eq!(output.code, 1);
    let title = "CustomResourceDefinition \"databases.db.example.com\"";
    let removed = json!([{"crd": title, "file": "crds/database.yaml"}]);
    assert_eq!(
        (&output.json()["removed"], &output.json()["breaking"]),
        (&removed, &json!(1))
    );
    let line = format!("crds/database.yaml: {title} was removed; a server deletes its objects\n");
    assert!(
        repository
            .compat("crds", "main", &[])
            .stdout
            .contains(&line)
    );
    let output = repository.compat("crds", "main", &["-o", "sarif"]);
    let results = assert_sarif(&output, "compat");
    let removed = ("crd-removed".to_owned(), "error".to_owned(), 1, 1);
    assert_eq!(results, [removed]);
    let entry =
        json!({"code": "crd-removed", "crd": "databases.db.example.com", "reason": "unused"});
    repository.write("accepted.json", &json!({"accepted": [entry]}).to_string());
    let config = repository.path("accepted.json");
    let output = repository.compat("crds", "main", &["--config", &config]);
    assert_eq!((output.code, &*output.stderr), (0, ""));
    let line = format!("accepted by --config: {title} was removed (crd-removed): unused\n");
    assert!(output.stdout.contains(&line), "{output:?}");
    // A path outside of the folder is not compared, and a removed folder is compared.
    let output = repository.compat("crds/new", "main", &["-o", "json"]);
    assert_eq!((output.code, &output.json()["removed"]), (0, &json!([])));
    fs::remove_dir_all(repository.path("crds")).unwrap();
    let output = repository.compat("crds", "main", &["-o", "json"]);
    assert_eq!((output.code, &output.json()["breaking"]), (1, &json!(2)));
    let output = repository.compat("crds/backup.yaml", "main", &["-o", "json"]);
    assert_eq!((output.code, &output.json()["breaking"]), (1, &json!(1)));
}

/// The files of the base are read below the folder of the path, from each working folder. In a hook
/// of a linked worktree, git sets `GIT_DIR`.
#[test]
fn the_working_folder_and_the_variables_of_hooks_do_not_matter() {
    let repository = Repository::new("folders");
    repository.write("crds/backup.yaml", &read("crd_next.yaml"));
    let root = repository.0.clone();
    let absolute = repository.path("crds");
    for (folder, path) in [
        ("crds", "."),
        ("crds", "../crds"),
        ("crds", &*absolute),
        (".", "./crds/"),
    ] {
        let mut command = unionctl(["compat", "--crd", path, "--base", "main", "-o", "json"]);
        command.current_dir(format!("{root}/{folder}"));
        command.env("GIT_DIR", format!("{root}/.git"));
        let output = program_output(&command.output().unwrap());
        assert_eq!((output.code, &*output.stderr), (1, ""), "{folder} {path}");
        let json = output.json();
        let counts = (&json["unchanged"], &json["removed"]);
        assert_eq!(counts, (&json!(1), &json!([])), "{folder} {path}");
    }
}

/// The other CRDs are compared, and the exit code says that the verdict is incomplete.
#[test]
fn a_crd_that_cannot_be_compared_does_not_hide_other_changes() {
    let repository = Repository::new("invalid");
    let database = read("database_crd.yaml");
    let (head, _) = database.split_once("  versions:").unwrap();
    let invalid = format!("{head}  versions: []\n");
    repository.write("crds/database.yaml", &invalid);
    repository.write("crds/backup.yaml", &read("crd_next.yaml"));
    let output = repository.compat("crds", "main", &["-o", "json"]);
    assert_eq!((output.code, &output.json()["breaking"]), (2, &json!(1)));
    let [first, last] = output.stderr.lines().collect::<Vec<_>>()[..] else {
        panic!("two lines: {}", output.stderr);
    };
    assert!(first.starts_with("error: crds/database.yaml: "), "{first}");
    assert_eq!(
        last,
        "error: the files: no verdict, because of 1 error; see above"
    );
}

#[test]
fn a_base_that_cannot_be_read_is_an_error() {
    let repository = Repository::new("errors");
    let output = repository.compat("crds", "origin/main", &[]);
    let message = output.error_message();
    assert!(
        message.starts_with("git: found no merge base of \"origin/main\" and HEAD ("),
        "{message}"
    );
    assert!(
        message.ends_with("`fetch-depth: 0` of actions/checkout does"),
        "{message}"
    );
    // A branch without common commits has no merge base.
    repository.git(&["switch", "-q", "--orphan", "other"]);
    repository.write("a", "");
    repository.commit("other");
    let output = repository.compat("crds", "main", &[]);
    assert!(
        output.error_message().contains("and HEAD; fetch"),
        "{output:?}"
    );
    repository.git(&["switch", "-q", "change"]);
    let output = repository.compat("no-folder", "main", &[]);
    let message = output.error_message();
    assert!(
        message.starts_with(
            "no-folder: found no CustomResourceDefinition (--crd), and none at the merge base "
        ),
        "{message}"
    );
    // Options of git are not revisions.
    let output = repository.compat("crds", "--all", &[]);
    assert_eq!(output.code, 2, "{output:?}");
    // The base has a file that is not YAML.
    repository.write(
        "crds/broken.yaml",
        "kind: CustomResourceDefinition\nspec: [\n",
    );
    repository.commit("broken");
    repository.remove("crds/broken.yaml");
    let output = repository.compat("crds", "HEAD", &[]);
    // The branch mends the file.
    assert_eq!(output.code, 0, "{output:?}");
    let note = output.stderr.trim_end();
    assert!(
        note.starts_with("note: ") && note.contains(":crds/broken.yaml:"),
        "{note}"
    );
    assert!(
        note.ends_with("; the CRDs of this file count as new"),
        "{note}"
    );
}

/// The CRD of an entry is unchanged, so nobody knows whether the entry is needed.
#[test]
fn entries_for_unchanged_crds_are_not_unused() {
    let repository = Repository::new("accepted");
    repository.write("crds/backup.yaml", &read("crd_next.yaml"));
    let config = |crd: Option<&str>| {
        let mut entry = json!({"code": "default-changed", "path": "spec.a", "reason": "a reason"});
        if let Some(crd) = crd {
            entry["crd"] = json!(crd);
        }
        repository.write("accepted.json", &json!({"accepted": [entry]}).to_string());
    };
    for (crd, is_reported) in [
        (Some("databases.db.example.com"), false),
        (Some("backups.db.example.com"), true),
        (None, false),
    ] {
        config(crd);
        let output = repository.compat("crds", "main", &["--config", "accepted.json"]);
        let note = "--config accepts default-changed at `spec.a`";
        assert_eq!(
            output.stderr.contains(note),
            is_reported,
            "{crd:?}: {output:?}"
        );
    }
}
