//! Runs the hooks by pre-commit.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::repository::{
    BAD_CHANGES, CRD, ProcessOutput, SampleRepository, commit, copy, empty_folder, git,
    make_good_change, root, variable,
};

/// Returns a repository with the hooks and their script, and with the tag that the sample names.
fn hook_repository(name: &str) -> PathBuf {
    let folder = empty_folder(&format!("{name}_hooks"));
    for file in [".pre-commit-hooks.yaml", "crates/unionctl/build-and-run"] {
        copy(&root().join(file), &folder.join(file));
    }
    git(&folder, &["init", "--quiet", "-b", "main"]);
    commit(&folder, "The hooks");
    git(&folder, &["tag", "v0.1.0"]);
    folder
}

/// Adds the variables with which git reads the hooks from a folder instead of the URL in the
/// sample, which is not public yet.
fn add_variables(command: &mut Command, hooks: &Path, cache: &Path) {
    command
        .env("UNIONCTL", variable("UNIONCTL"))
        .env("PRE_COMMIT_HOME", cache)
        .env("GIT_CONFIG_COUNT", "1")
        .env(
            "GIT_CONFIG_KEY_0",
            format!("url.{}.insteadOf", hooks.display()),
        )
        .env("GIT_CONFIG_VALUE_0", "https://example.com/union-toolkit");
}

/// The sample repository with its hooks.
struct HookedSample {
    sample: SampleRepository,
    hooks: PathBuf,
    cache: PathBuf,
}

impl HookedSample {
    fn new(name: &str) -> Self {
        Self {
            sample: SampleRepository::new(name),
            hooks: hook_repository(name),
            cache: empty_folder(&format!("{name}_cache")),
        }
    }

    fn run(&self, program: &str, args: &[&str]) -> ProcessOutput {
        let mut command = self.sample.command(program);
        add_variables(&mut command, &self.hooks, &self.cache);
        command.args(args).output().unwrap().into()
    }

    /// Runs the hooks on the staged files, or on all files. Returns the identifiers of the hooks
    /// that failed.
    #[track_caller]
    fn failed_hooks(&self, flags: &[&str]) -> Vec<String> {
        git(&self.sample.folder, &["add", "--all"]);
        let pre_commit = variable("PRE_COMMIT");
        let args = [&["run", "--verbose", "--color", "never"], flags].concat();
        let output = self.run(&pre_commit, &args);
        let mut failed = Vec::new();
        // pre-commit prints the result of a hook in the line before the identifier.
        let mut is_failed = false;
        let mut count = 0;
        for line in output.stdout.lines() {
            if let Some(id) = line.strip_prefix("- hook id: ") {
                count += 1;
                if is_failed {
                    failed.push(id.to_owned());
                }
            }
            is_failed = line.ends_with("Failed");
        }
        assert_eq!(count, 5, "{output:?}");
        assert_eq!(output.code, i32::from(!failed.is_empty()), "{output:?}");
        failed
    }
}

#[test]
fn the_sample_and_a_good_change_are_accepted() {
    let hooks = HookedSample::new("hooks_good");
    assert_eq!(hooks.failed_hooks(&["--all-files"]), [""; 0]);
    make_good_change(&hooks.sample);
    assert_eq!(hooks.failed_hooks(&[]), [""; 0]);
}

#[test]
fn each_bad_change_is_rejected_by_its_hook() {
    let hooks = HookedSample::new("hooks_bad");
    for change in BAD_CHANGES {
        hooks.sample.replace(change.file, change.from, change.to);
        // A template in the same commit is not a CRD or an object, so no hook rejects the template.
        let chart = "chart/database.yaml";
        hooks
            .sample
            .replace(chart, "  name: {{ .name }}", "  name: {{ .name | quote }}");
        let all_flags: [&[&str]; 2] = [&["--files", change.file, chart], &["--all-files"]];
        for flags in all_flags {
            let failed = hooks.failed_hooks(&[flags, &["--show-diff-on-failure"]].concat());
            let mut expected = vec![format!("unionctl-{}", change.command)];
            if change.command == "check-crds" {
                // An update that a server refuses is also a breaking change.
                expected.push("unionctl-compat".to_owned());
            }
            assert_eq!(failed, expected, "{flags:?}");
        }
        git(&hooks.sample.folder, &["reset", "--quiet", "--hard"]);
    }
}

/// pre-commit passes only files that exist, and splits long lists of files.
#[test]
fn a_removed_crd_among_many_files_is_rejected() {
    let hooks = HookedSample::new("hooks_many");
    fs::remove_file(hooks.sample.folder.join(CRD)).unwrap();
    let sample = &hooks.sample.folder;
    let crd = fs::read_to_string(root().join("examples/reviews").join(CRD)).unwrap();
    for index in 0..3000 {
        let name = format!("config/crd/{}/{index}", "long".repeat(12));
        let path = sample.join(&name).with_extension("yaml");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let content = match index % 100 {
            0 => crd
                .replace("databases", &format!("databases{index}"))
                .replace("db.", &format!("db{index}.")),
            1 => "{{ template }}".to_owned(),
            _ => format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a{index}}}\n"),
        };
        fs::write(path, content).unwrap();
    }
    let failed = hooks.failed_hooks(&[]);
    assert!(failed.contains(&"unionctl-compat".to_owned()), "{failed:?}");
    for id in ["unionctl-check-crds", "unionctl-unions"] {
        assert!(!failed.contains(&id.to_owned()), "{failed:?}");
    }
}

/// The hooks run before a commit, also in a linked worktree, where git sets `GIT_DIR`.
#[test]
fn a_commit_runs_the_hooks() {
    let hooks = HookedSample::new("hooks_commit");
    let pre_commit = variable("PRE_COMMIT");
    let output = hooks.run(&pre_commit, &["install"]);
    assert_eq!(output.code, 0, "{output:?}");
    let worktree = empty_folder("hooks_commit_worktree");
    git(
        &hooks.sample.folder,
        &[
            "worktree",
            "add",
            "--quiet",
            "-b",
            "other",
            worktree.to_str().unwrap(),
        ],
    );
    for folder in [&hooks.sample.folder, &worktree] {
        let sample = SampleRepository {
            folder: folder.clone(),
        };
        let hooks = HookedSample {
            sample,
            hooks: hooks.hooks.clone(),
            cache: hooks.cache.clone(),
        };
        let identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
        let try_commit = || {
            git(folder, &["add", "--all"]);
            hooks.run(
                "git",
                &[&identity[..], &["commit", "--quiet", "-m", "change"]].concat(),
            )
        };
        let [.., compat, _] = BAD_CHANGES;
        hooks.sample.replace(compat.file, compat.from, compat.to);
        let output = try_commit();
        assert_eq!(output.code, 1, "{output:?}");
        assert!(
            output.stderr.contains("was removed (value-removed)"),
            "{output:?}"
        );
        git(folder, &["reset", "--quiet", "--hard"]);
        make_good_change(&hooks.sample);
        let output = try_commit();
        assert_eq!(output.code, 0, "{output:?}");
    }
}

/// The script builds the program once, and runs the program in the folder of the caller.
#[test]
fn the_script_builds_unionctl() {
    let folder = empty_folder("build");
    // The wrapper builds with the profile of tests, so that cargo reuses other builds.
    let cargo = folder.join("cargo");
    let real_cargo = variable("CARGO");
    let wrapper = format!(
        "#!/bin/sh\necho \"$PWD\" >>'{}/runs'\nexec '{real_cargo}' \"$@\" --debug\n",
        folder.display()
    );
    fs::write(&cargo, wrapper).unwrap();
    let script = root().join("crates/unionctl/build-and-run");
    let permissions = fs::metadata(&script).unwrap().permissions();
    fs::set_permissions(&cargo, permissions).unwrap();
    let built = root().join("target/review");
    let _ = fs::remove_dir_all(&built);
    let path = format!("{}:{}", folder.display(), variable("PATH"));
    for _ in 0..2 {
        let sample = SampleRepository {
            folder: root().join("examples/reviews"),
        };
        let mut command = sample.command(&script);
        command.env_remove("UNIONCTL").env("PATH", &path);
        let output = command.args(["check", CRD]).output().unwrap();
        let output = ProcessOutput::from(output);
        assert_eq!((output.code, &*output.stderr), (0, ""), "{output:?}");
        assert!(
            output.stdout.ends_with("no errors\naccepted\n"),
            "{output:?}"
        );
    }
    let runs = fs::read_to_string(folder.join("runs")).unwrap();
    assert_eq!(
        runs,
        format!("{}\n", root().join("crates/unionctl").display())
    );
    fs::remove_dir_all(&built).unwrap();
}
