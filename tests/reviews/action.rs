//! Runs the steps of the GitHub action, with the variables that a runner sets.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::repository::{
    BAD_CHANGES, CRD, ProcessOutput, SampleRepository, commit, empty_folder, make_good_change,
    root, variable,
};

/// The value of an expression, such as `${{ inputs.crd }}`; `None` if the text is not one
/// expression.
fn expression(text: &str) -> Option<&str> {
    Some(text.strip_prefix("${{ ")?.strip_suffix(" }}")?.trim())
}

fn read_yaml(path: &Path) -> Value {
    let source = fs::read_to_string(path).unwrap();
    let mut documents = k8s_yaml::Documents::new(&source);
    documents.next().unwrap().value().unwrap()
}

/// The action, with the inputs of a workflow.
struct Action {
    steps: Vec<Value>,
    inputs: BTreeMap<String, String>,
}

impl Action {
    /// Reads the action. The other inputs have their defaults.
    fn new(inputs: &[(&str, &str)]) -> Self {
        let action = read_yaml(&root().join("action.yml"));
        assert_eq!(action["runs"]["using"], "composite");
        let given: BTreeMap<&str, &str> = inputs.iter().copied().collect();
        let declared = action["inputs"].as_object().unwrap();
        for name in given.keys() {
            assert!(declared.contains_key(*name), "{name}");
        }
        let inputs = declared.iter().map(|(name, input)| {
            assert!(input["description"].is_string(), "{name}");
            let default = input["default"].as_str();
            let is_required = input["required"] == true;
            assert_eq!(default.is_none(), is_required, "{name}");
            let value = given.get(&**name).copied().or(default);
            (name.clone(), value.unwrap().to_owned())
        });
        Self {
            steps: action["runs"]["steps"].as_array().unwrap().clone(),
            inputs: inputs.collect(),
        }
    }

    /// Reads the inputs of the workflow in the sample.
    fn of_workflow() -> Self {
        let workflow = root().join("examples/reviews/.github/workflows/review.yml");
        let workflow = read_yaml(&workflow);
        let steps = workflow["jobs"]["unionctl"]["steps"].as_array().unwrap();
        let is_action = |step: &&Value| step["uses"].as_str().unwrap().contains("/union-toolkit@");
        let step = steps.iter().find(is_action).unwrap();
        let inputs = step["with"].as_object().unwrap().iter();
        let inputs: Vec<(&str, &str)> = inputs
            .map(|(name, value)| (&**name, value.as_str().expect("a string in quotes")))
            .collect();
        let action = Self::new(&inputs);
        // The last step uploads the folder that the action writes.
        let upload = steps.last().unwrap();
        assert_eq!(upload["with"]["sarif_file"], action.inputs["sarif"]);
        action
    }

    /// Runs the steps with `run` as a runner does: until the first step that fails. Returns the
    /// result of the last step.
    fn run(&self, sample: &SampleRepository, variables: &[(&str, &str)]) -> ProcessOutput {
        let files = empty_folder(&format!(
            "{}_runner",
            sample.folder.file_name().unwrap().to_str().unwrap()
        ));
        let output_file = files.join("output");
        fs::write(&output_file, "").unwrap();
        let mut last_output = None;
        for (index, step) in self.steps.iter().enumerate() {
            let Some(script) = step["run"].as_str() else {
                assert!(step["uses"].is_string(), "{step}");
                continue;
            };
            assert!(
                !script.contains("${{"),
                "an expression in a script: {script}"
            );
            assert_eq!(step["shell"], "bash");
            let script_file = files.join(format!("step{index}.sh"));
            fs::write(&script_file, script).unwrap();
            let mut command = sample.command("bash");
            command
                .args(["--noprofile", "--norc", "-eo", "pipefail"])
                .arg(&script_file);
            command
                .env_remove("GITHUB_BASE_REF")
                .env("GITHUB_ACTION_PATH", root())
                .env("GITHUB_WORKSPACE", &sample.folder)
                .env("GITHUB_OUTPUT", &output_file)
                .env("UNIONCTL", variable("UNIONCTL"))
                .envs(variables.iter().copied());
            for (name, value) in step["env"].as_object().into_iter().flatten() {
                let input = expression(value.as_str().unwrap()).unwrap();
                let input = input.strip_prefix("inputs.").expect("an input");
                command.env(name, &self.inputs[input]);
            }
            let output = ProcessOutput::from(command.output().unwrap());
            let is_success = output.code == 0;
            last_output = Some(output);
            if !is_success {
                break;
            }
        }
        let outputs = fs::read_to_string(output_file).unwrap();
        let hash = outputs.trim_end().strip_prefix("hash=").unwrap();
        assert!(
            hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()),
            "{outputs}"
        );
        last_output.unwrap()
    }
}

/// The results of all SARIF files, by the names of the files.
fn results(sample: &SampleRepository, folder: &str) -> BTreeMap<String, Vec<Value>> {
    let mut results = BTreeMap::new();
    let mut categories = BTreeSet::new();
    for entry in fs::read_dir(sample.folder.join(folder)).unwrap() {
        let path: PathBuf = entry.unwrap().path();
        let log: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        assert_eq!(log["version"], "2.1.0");
        let run = &log["runs"][0];
        // A code host rejects two logs of one category.
        let category = run["automationDetails"]["id"].as_str().unwrap();
        assert!(categories.insert(category.to_owned()), "{category}");
        let name = path.file_name().unwrap().to_str().unwrap();
        let name = name.strip_suffix(".sarif").unwrap().to_owned();
        results.insert(name, run["results"].as_array().unwrap().clone());
    }
    results
}

const FOLDER: &str = "unionctl-sarif";

const ON_PULL_REQUEST: [(&str, &str); 1] = [("GITHUB_BASE_REF", "main")];

#[test]
fn a_good_change_is_accepted() {
    let sample = SampleRepository::new("action_good");
    make_good_change(&sample);
    commit(&sample.folder, "change");
    let output = Action::of_workflow().run(&sample, &ON_PULL_REQUEST);
    assert_eq!((output.code, &*output.stderr), (0, ""), "{output:?}");
    let mut results = results(&sample, FOLDER);
    let commands: Vec<&str> = results.keys().map(|name| &**name).collect();
    assert_eq!(
        commands,
        ["check", "check-crds", "compat", "unions", "upgrade"]
    );
    let notices = results.remove("compat").unwrap();
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert_eq!(notices[0]["ruleId"], "field-added");
    assert_eq!(notices[0]["level"], "note");
    assert!(results.values().all(Vec::is_empty), "{results:?}");
    assert!(output.stdout.contains("0 breaking, 1 notice"), "{output:?}");
}

/// Each bad change has a result at its line, and the other commands run too.
#[test]
fn each_bad_change_is_rejected_at_its_line() {
    for change in BAD_CHANGES {
        let sample = SampleRepository::new(&format!("action_{}", change.command));
        sample.replace(change.file, change.from, change.to);
        commit(&sample.folder, "change");
        let output = Action::of_workflow().run(&sample, &ON_PULL_REQUEST);
        assert_eq!(output.code, 1, "{output:?}");
        let subcommand = change.command.replace("-crds", "");
        let error = format!("::error::unionctl {subcommand}: exit code 1\n");
        assert!(output.stdout.contains(&error), "{output:?}");
        let results = results(&sample, FOLDER);
        assert_eq!(results.len(), 5);
        let is_error = |result: &&Value| result["level"] == "error";
        let result = results[change.command].iter().find(is_error).unwrap();
        let location = &result["locations"][0]["physicalLocation"];
        assert_eq!(result["ruleId"], change.rule, "{result}");
        assert_eq!(location["artifactLocation"]["uri"], change.file);
        let line = sample.line_of(change.file, change.line);
        assert_eq!(location["region"]["startLine"], line, "{result}");
    }
}

#[test]
fn commands_without_their_inputs_are_left_out() {
    let sample = SampleRepository::new("action_inputs");
    let action = Action::new(&[("crd", "config/crd"), ("sarif", "out/a b")]);
    let output = action.run(&sample, &[]);
    assert_eq!(output.code, 0, "{output:?}");
    let results = results(&sample, "out/a b");
    let commands: Vec<&str> = results.keys().map(|name| &**name).collect();
    assert_eq!(commands, ["check-crds", "unions"]);
}

/// A command that cannot run fails the action, and has no SARIF.
#[test]
fn a_command_that_cannot_run_fails_the_action() {
    let sample = SampleRepository::new("action_error");
    let objects = ("objects", "config/samples\nchart/database.yaml\n");
    let action = Action::new(&[("crd", CRD), objects, ("base", "no-branch")]);
    let output = action.run(&sample, &[]);
    assert_eq!(output.code, 2, "{output:?}");
    assert!(
        output
            .stdout
            .contains("::error::unionctl compat: exit code 2\n"),
        "{output:?}"
    );
    assert!(
        output
            .stdout
            .contains("::error::unionctl check: exit code 2\n"),
        "{output:?}"
    );
    assert!(
        output
            .stderr
            .contains("found no merge base of \"no-branch\""),
        "{output:?}"
    );
    assert!(!results(&sample, FOLDER).contains_key("compat"));
}

/// The values of inputs and the contents of files are not commands of the shell or of the runner.
#[test]
fn inputs_and_files_are_not_commands() {
    let sample = SampleRepository::new("action_hostile");
    let hostile = "a\"; touch created; $(touch created) `touch created`.yaml";
    let crd = fs::read_to_string(sample.folder.join(CRD)).unwrap();
    let crd = crd.replace("plural: databases", "plural: \"::error::injected\"");
    fs::write(sample.folder.join(hostile), crd).unwrap();
    let action = Action::new(&[
        ("crd", hostile),
        ("objects", hostile),
        ("base", "$(touch created)"),
    ]);
    let output = action.run(&sample, &[]);
    assert_eq!(output.code, 2, "{output:?}");
    assert!(!sample.folder.join("created").exists());
    // Between these lines, the runner does not read commands.
    let mut stop = None;
    for line in output.stdout.lines() {
        if let Some(token) = line.strip_prefix("::stop-commands::") {
            stop = Some(format!("::{token}::"));
        } else if stop.as_deref() == Some(line) {
            stop = None;
        } else if stop.is_none() {
            let is_own = ["::group::unionctl ", "::endgroup::", "::error::unionctl "];
            assert!(is_own.iter().any(|own| line.starts_with(own)), "{line}");
        }
    }
}
