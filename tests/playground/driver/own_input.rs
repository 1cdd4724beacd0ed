//! Tests of a user who replaces a sample by a CRD and objects of their own.

use std::path::Path;

use serde_json::{Value, json};
use union_playground::SAMPLES;

use crate::Failure;
use crate::browser::{Browser, WIDE};
use crate::looks::save_screenshot;

/// Screen sizes, each with its name.
const SIZES: [(&str, (u32, u32)); 2] = [("wide", WIDE), ("narrow", (390, 844))];

pub(crate) async fn run(
    browser: &Browser,
    page: &str,
    screenshot_folder: Option<&Path>,
) -> Result<(), Failure> {
    for (size, (width, height)) in SIZES {
        browser.resize(width, height).await?;
        browser.open(&format!("{page}#sample=quickstart")).await?;
        replace_crd(browser, screenshot_folder, size).await?;
    }
    browser.resize(WIDE.0, WIDE.1).await?;
    check_other_types(browser).await?;
    check_several_crds(browser).await?;
    check_impossible_object(browser).await?;
    browser.report("own input: the CRD is checked alone, and an object is created from the CRD");
    Ok(())
}

fn sample(name: &str) -> Result<&'static union_playground::Sample, Failure> {
    let sample = SAMPLES.iter().find(|sample| sample.name == name);
    sample.ok_or_else(|| format!("no sample {name}").into())
}

async fn set(browser: &Browser, editor: &str, text: &str) -> Result<(), Failure> {
    let set = "(name, text) => playground.set(name, text)";
    browser.call(set, vec![json!(editor), json!(text)]).await?;
    browser.settle().await
}

/// Returns the problem that is shown above an editor.
async fn problem(browser: &Browser, editor: &str) -> Result<String, Failure> {
    browser
        .text(&format!("[data-editor={editor}] .problem"))
        .await
}

async fn expect(browser: &Browser, expression: &str, expected: Value) -> Result<(), Failure> {
    let value = browser.evaluate(expression).await?;
    if value == expected {
        return Ok(());
    }
    Err(format!("{expression} is {value}, and not {expected}").into())
}

/// Checks that the new object has a line.
async fn expect_line(browser: &Browser, line: &str) -> Result<(), Failure> {
    let lines = "playground.question().new.split('\\n')";
    let lines = browser.evaluate(lines).await?;
    let has_line = lines
        .as_array()
        .is_some_and(|lines| lines.contains(&json!(line)));
    if has_line {
        return Ok(());
    }
    Err(format!("the new object has no line {line:?}: {lines}").into())
}

async fn expect_problem(browser: &Browser, editor: &str, expected: &str) -> Result<(), Failure> {
    let problem = problem(browser, editor).await?;
    if problem.contains(expected) && problem.is_empty() == expected.is_empty() {
        return Ok(());
    }
    Err(format!("above the editor {editor}: {problem:?}, and not {expected:?}").into())
}

/// Replaces the CRD of a sample, as a paste does, and resolves the problems with the buttons.
async fn replace_crd(
    browser: &Browser,
    screenshot_folder: Option<&Path>,
    size: &str,
) -> Result<(), Failure> {
    let hint = "document.querySelector('.when-empty').checkVisibility()";
    expect(browser, hint, json!(false)).await?;
    let crd = sample("tightened")?.crd;
    set(browser, "crd", crd).await?;
    // The CRD is checked, and the objects of the sample are of another kind.
    browser.expect_verdicts("Accepted", "Not checked").await?;
    let mismatch = "the object is a Backup of db.example.com, but the CRD defines Database of";
    expect_problem(browser, "stored", mismatch).await?;
    expect_problem(browser, "new", mismatch).await?;
    let selected = "document.getElementById('sample').selectedOptions[0].text";
    expect(browser, selected, json!("Your own")).await?;
    save_screenshot(browser, screenshot_folder, &format!("own-mismatch-{size}")).await?;
    browser.click("[data-editor=new] .problem .line").await?;
    let selected_line = "document.querySelector('[data-editor=new] .cm-activeLine').textContent";
    expect(browser, selected_line, json!("kind: Backup")).await?;

    browser.click("[data-clear=stored]").await?;
    expect(browser, hint, json!(true)).await?;
    expect_problem(browser, "stored", "").await?;
    browser.click("#create").await?;
    expect_line(browser, "kind: Database").await?;
    browser.expect_verdicts("Accepted", "Accepted").await?;
    expect_problem(browser, "new", "").await?;
    save_screenshot(browser, screenshot_folder, &format!("own-created-{size}")).await?;

    // A sample does not discard the input of the user.
    let own_input = browser.evaluate("playground.question()").await?;
    browser.click("#sample option[value=unaware]").await?;
    expect(browser, "playground.question().crd_new", json!("")).await?;
    browser.click("#own").await?;
    expect(browser, "playground.question()", own_input).await?;
    browser.click("#clear").await?;
    expect(
        browser,
        "['crd', 'stored', 'new', 'crd_new'].map((name) => playground.question()[name]).join('')",
        json!(""),
    )
    .await?;
    let nothing = "Nothing to check yet";
    browser.expect_verdicts(nothing, nothing).await?;
    let error_counts =
        "[...document.querySelectorAll('.state')].map((one) => one.textContent).join('')";
    expect(browser, error_counts, json!("")).await?;
    save_screenshot(browser, screenshot_folder, &format!("own-empty-{size}")).await
}

/// Checks objects of another kind, group and version, and objects without a type.
async fn check_other_types(browser: &Browser) -> Result<(), Failure> {
    let sample = sample("tolerated")?;
    set(browser, "crd", sample.crd).await?;
    set(browser, "stored", "").await?;
    for (from, to, expected, line) in [
        (
            "kind: Database",
            "kind: Databse",
            "a Databse of db.example.com",
            "line 3",
        ),
        (
            "db.example.com/v1",
            "d.example.com/v1",
            "a Database of d.example.com",
            "line 2",
        ),
        (
            "db.example.com/v1",
            "db.example.com/v3",
            "the version \"v3\" of Database is not defined by the CRD; use `db.example.com/v1`",
            "line 2",
        ),
        (
            "db.example.com/v1",
            "v1",
            "a Database of the core group",
            "line 2",
        ),
    ] {
        let object = sample.new.replacen(from, to, 1);
        set(browser, "new", &object).await?;
        browser.expect_verdicts("Accepted", "Not checked").await?;
        expect_problem(browser, "new", expected).await?;
        expect_problem(browser, "new", line).await?;
    }
    set(browser, "new", "- 1").await?;
    expect_problem(browser, "new", "expected an object, found a list").await?;
    // A rejected CRD is reported, whatever the objects are.
    let rejected_crd = sample.crd.replacen("scope: Namespaced", "scope: Galaxy", 1);
    set(browser, "crd", &rejected_crd).await?;
    browser.expect_verdicts("Rejected", "Not checked").await?;
    set(browser, "new", sample.new).await?;
    browser.expect_verdicts("Rejected", "Rejected").await
}

/// Checks that the user selects the kind of the created object if there are several CRDs.
async fn check_several_crds(browser: &Browser) -> Result<(), Failure> {
    let crds = format!(
        "{}\n---\n{}",
        sample("quickstart")?.crd,
        sample("foreign")?.crd
    );
    set(browser, "crd", &crds).await?;
    let titles = "[...document.getElementById('sample-version').options].map(({ text }) => text)";
    expect(browser, titles, json!(["Backup v1", "Pipeline v1"])).await?;
    for (index, kind) in [(1, "Pipeline"), (0, "Backup")] {
        browser
            .click(&format!("#sample-version option[value='{index}']"))
            .await?;
        browser.click("#create").await?;
        expect_line(browser, &format!("kind: {kind}")).await?;
        browser.expect_verdicts("Accepted", "Accepted").await?;
    }
    let invalid_crd = crds.replacen("scope: Namespaced", "scope: Galaxy", 1);
    set(browser, "crd", &invalid_crd).await?;
    expect(
        browser,
        "playground.told().check.crd.errors.every(({ line }) => line > 0)",
        json!(true),
    )
    .await
}

/// A CRD whose objects are all invalid.
const IMPOSSIBLE_CRD: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: Thing, plural: things}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            properties: {size: {type: integer}}
            x-kubernetes-validations: [{rule: 'false'}]
";

/// Checks that the page reports a CRD for which no valid object is found.
async fn check_impossible_object(browser: &Browser) -> Result<(), Failure> {
    set(browser, "crd", IMPOSSIBLE_CRD).await?;
    browser.click("#create").await?;
    expect_line(browser, "kind: Thing").await?;
    browser.expect_verdicts("Accepted", "Rejected").await?;
    expect_problem(browser, "new", "no valid object was found").await?;
    // The report does not outlive the object.
    let other_object = "apiVersion: example.com/v1\nkind: Thing\nspec: {size: 1}\n";
    set(browser, "new", other_object).await?;
    browser.expect_verdicts("Accepted", "Rejected").await?;
    expect_problem(browser, "new", "").await
}
