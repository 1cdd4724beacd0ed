//! Copies of the sample repository.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

/// Returns the root of this repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

/// Returns a variable that `tests/reviews/run` sets.
pub(crate) fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("no variable {name}; run tests/reviews/run"))
}

/// The output of a process.
#[derive(Debug)]
pub(crate) struct ProcessOutput {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for ProcessOutput {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().expect("an exit code"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Returns an empty folder for a test.
pub(crate) fn empty_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("reviews")
        .join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Copies a file or a folder.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    if !from.is_dir() {
        fs::copy(from, to).unwrap();
        return;
    }
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        copy(&entry.path(), &to.join(entry.file_name()));
    }
}

/// Runs git in a folder.
pub(crate) fn git(folder: &Path, args: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=a", "-c", "user.email=a@example.com"]);
    let output = command.args(args).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{args:?}: {output:?}");
}

/// Adds all files of a folder to a commit.
pub(crate) fn commit(folder: &Path, message: &str) {
    git(folder, &["add", "--all"]);
    git(folder, &["commit", "--quiet", "--no-verify", "-m", message]);
}

/// A copy of the sample repository. `origin/main` is the sample, and the branch `change` is checked
/// out.
pub(crate) struct SampleRepository {
    pub(crate) folder: PathBuf,
}

impl SampleRepository {
    pub(crate) fn new(name: &str) -> Self {
        let folder = empty_folder(name);
        copy(&root().join("examples/reviews"), &folder);
        git(&folder, &["init", "--quiet", "-b", "main"]);
        commit(&folder, "The sample");
        git(&folder, &["update-ref", "refs/remotes/origin/main", "main"]);
        git(&folder, &["switch", "--quiet", "-c", "change"]);
        Self { folder }
    }

    /// Replaces a part of a file, which must occur once.
    pub(crate) fn replace(&self, file: &str, from: &str, to: &str) {
        let file = self.folder.join(file);
        let content = fs::read_to_string(&file).unwrap();
        assert_eq!(content.matches(from).count(), 1, "{from}");
        fs::write(&file, content.replace(from, to)).unwrap();
    }

    /// Returns the number of the line with a string.
    pub(crate) fn line_of(&self, file: &str, part: &str) -> u64 {
        let content = fs::read_to_string(self.folder.join(file)).unwrap();
        let line = content.lines().position(|line| line.contains(part));
        line.unwrap() as u64 + 1
    }

    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.folder);
        command
    }
}

pub(crate) const CRD: &str = "config/crd/databases.yaml";
pub(crate) const SAMPLE: &str = "config/samples/databases.yaml";

/// A change of the sample, as a replacement in a file, and the command that rejects the change.
pub(crate) struct BadChange {
    pub(crate) command: &'static str,
    pub(crate) file: &'static str,
    pub(crate) from: &'static str,
    pub(crate) to: &'static str,
    /// The rule of the result.
    pub(crate) rule: &'static str,
    /// A part of the line at which the result is reported.
    pub(crate) line: &'static str,
}

/// Changes, each of which one command rejects. Only `compat` also rejects what another command
/// rejects.
pub(crate) const BAD_CHANGES: [BadChange; 5] = [
    BadChange {
        command: "check-crds",
        file: CRD,
        from: "scope: Namespaced",
        to: "scope: Global",
        rule: "FieldValueNotSupported",
        line: "scope:",
    },
    BadChange {
        command: "unions",
        file: CRD,
        from: "self.type == 'Claim' ? has(self.claim) : !has(self.claim)",
        to: "self.type != 'Claim' || has(self.claim)",
        rule: "not-forbidden",
        line: "claim:",
    },
    BadChange {
        command: "check",
        file: SAMPLE,
        from: "engine: Postgres",
        to: "engine: Oracle",
        rule: "FieldValueNotSupported",
        line: "engine:",
    },
    BadChange {
        command: "compat",
        file: CRD,
        from: "enum: [MySQL, Postgres]",
        to: "enum: [Postgres]",
        rule: "value-removed",
        line: "engine:",
    },
    BadChange {
        command: "upgrade",
        file: SAMPLE,
        from: "connections: 100",
        to: "connections: 3000000000",
        rule: "NumericRanges",
        line: "connections:",
    },
];

/// A change that no command rejects: another field, which is a notice of `compat`, and an object
/// with the field.
pub(crate) fn make_good_change(sample: &SampleRepository) {
    sample.replace(CRD, "connections:\n                type: integer\n", "replicas: {type: integer, maximum: 5}\n              connections:\n                type: integer\n");
    sample.replace(
        SAMPLE,
        "connections: 100",
        "connections: 100\n  replicas: 3",
    );
}
