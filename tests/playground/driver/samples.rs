//! Tests with each sample: the results of the page equal the results of `unionctl`.

use serde_json::{Value, json};
use union_playground::{SAMPLES, Sample};

use crate::Failure;
use crate::browser::Browser;
use crate::tool::{Files, Tool};

pub(crate) async fn run(browser: &Browser, page: &str, tool: &Tool) -> Result<(), Failure> {
    for sample in &SAMPLES {
        browser
            .open(&format!("{page}#sample={}", sample.name))
            .await?;
        let page_results = browser.evaluate("playground.told()").await?;
        if sample.crd.is_empty() {
            check_builtin_kind(browser, sample, &page_results, tool).await?;
            continue;
        }
        let files = tool.write_files(sample)?;
        compare_crd(&page_results, &files, tool)?;
        let is_accepted = compare_object(&page_results, sample, &files, tool)?;
        compare_unions(&page_results, &files, tool)?;
        compare_second_crd(&page_results, &files, tool)?;
        let is_crd_accepted = elements(&page_results["check"]["crd"]["errors"]).is_empty();
        let [crd, object] =
            [is_crd_accepted, is_accepted].map(
                |is_accepted| {
                    if is_accepted { "Accepted" } else { "Rejected" }
                },
            );
        browser.expect_verdicts(crd, object).await?;
        browser.report(&format!(
            "{}: CRD {crd}, object {object}, the same as unionctl",
            sample.name
        ));
    }
    check_old_server(browser, page, tool).await?;
    check_upgrade(browser, page, tool).await
}

/// Checks that the page shows the errors that `unionctl` prints for an object of a built-in kind,
/// that normalization resolves the errors, and that a note states which parts are not checked.
async fn check_builtin_kind(
    browser: &Browser,
    sample: &Sample,
    page_results: &Value,
    tool: &Tool,
) -> Result<(), Failure> {
    let file = tool.folder.join("builtin.yaml");
    std::fs::write(&file, sample.new)?;
    let expected = tool.json(&["check"], &[("--new", &file)])?;
    let page_result = &page_results["check"]["object"];
    require_equal(
        "errors of a built-in kind",
        &messages(&page_result["errors"]),
        &messages(&expected["objects"][0]["errors"]),
    )?;
    require_equal("scope", &page_result["scope"], &expected["notes"][0])?;
    browser.expect_verdicts("Not needed", "Rejected").await?;
    let shown = browser.text("#said").await?;
    let scope = page_result["scope"].as_str().unwrap_or_default();
    if scope.is_empty() || !shown.contains(scope) {
        return Err(format!("the page does not show {scope:?}: {shown}").into());
    }
    browser.click("#normalize").await?;
    browser.settle().await?;
    browser
        .expect_verdicts("Not needed", "Valid unions")
        .await?;
    browser.report(&format!(
        "{}: {} errors, the same as unionctl, and none after normalization",
        sample.name,
        elements(&page_result["errors"]).len()
    ));
    Ok(())
}

/// Checks the results for an older server, which has other messages and fewer CEL functions.
async fn check_old_server(browser: &Browser, page: &str, tool: &Tool) -> Result<(), Failure> {
    let new_functions = "quantity(self) == quantity(self) && ip.isCanonical('127.0.0.1')";
    let sample = SAMPLES.iter().find(|sample| sample.name == "tolerated");
    let sample = sample.ok_or("no such sample")?;
    let crd = sample
        .crd
        .replacen("self.contains(\"@\")", new_functions, 1);
    browser
        .open(&format!("{page}#sample={}", sample.name))
        .await?;
    let set_crd_and_version = "(crd) => { playground.set('crd', crd); const version = document.getElementById('version'); version.value = '1.27'; version.dispatchEvent(new Event('change')); }";
    browser.call(set_crd_and_version, vec![json!(crd)]).await?;
    browser.settle().await?;
    let page_results = browser.evaluate("playground.told()").await?;
    let file = tool.folder.join("old_server.yaml");
    std::fs::write(&file, crd)?;
    let expected = tool.json(
        &["check", "--validate=warn", "--kube-version", "1.27"],
        &[("--crd", &file)],
    )?;
    let errors = messages(&page_results["check"]["crd"]["errors"]);
    require_equal(
        "errors of an old server",
        &errors,
        &messages(&expected["errors"]),
    )?;
    if elements(&expected["errors"]).is_empty() {
        return Err("a server of 1.27 is to know no quantity".into());
    }
    browser.report(&format!(
        "Kubernetes 1.27: {} errors, as unionctl says",
        elements(&expected["errors"]).len()
    ));
    check_versions(browser).await
}

/// Selects an upgrade, and compares the differences with those of `unionctl upgrade`.
async fn check_upgrade(browser: &Browser, page: &str, tool: &Tool) -> Result<(), Failure> {
    let sample = SAMPLES.iter().find(|sample| sample.name == "tolerated");
    let sample = sample.ok_or("no such sample")?;
    browser
        .open(&format!("{page}#sample={}", sample.name))
        .await?;
    let hint = browser.text("#upgrade").await?;
    if !hint.starts_with("Choose two versions") {
        return Err(format!("without versions, the upgrade shows {hint:?}").into());
    }
    let int32 = "type: integer\n                format: int32";
    let crd = sample.crd.replacen("type: integer", int32, 1);
    let new = sample
        .new
        .replacen("replicas: 3", "replicas: 3000000000", 1);
    for (editor, text) in [("crd", &crd), ("new", &new)] {
        let set = "(name, text) => playground.set(name, text)";
        browser.call(set, vec![json!(editor), json!(text)]).await?;
    }
    let files = tool.write_files(sample)?;
    std::fs::write(&files.crd, crd)?;
    std::fs::write(&files.new, new)?;
    let mut flags = vec![("--crd", &*files.crd)];
    flags.extend(files.stored.as_deref().map(|stored| ("-f", stored)));
    flags.push(("-f", &files.new));
    for [from, to] in [["1.35", "1.36"], ["1.36", "1.29"], ["1.36", "1.36"]] {
        for (id, version) in [("from", from), ("to", to)] {
            browser
                .click(&format!("#{id} option[value='{version}']"))
                .await?;
        }
        browser.settle().await?;
        let report = browser
            .evaluate("playground.told().upgrade.answer.report")
            .await?;
        let expected = tool.json(&["upgrade", "--from", from, "--to", to], &flags)?;
        let without_files = |report: &Value| {
            let mut report = report.clone();
            // The page does not count objects of other CRDs.
            report["skipped"] = Value::Null;
            for group in report["groups"].as_array_mut().into_iter().flatten() {
                let findings = group["findings"].as_array_mut();
                for finding in findings.into_iter().flatten() {
                    finding["file"] = Value::Null;
                }
            }
            report
        };
        let description = format!("the upgrade from {from} to {to}");
        require_equal(
            &description,
            &without_files(&report),
            &without_files(&expected),
        )?;
        let summary = &expected["summary"];
        let counts = browser.text("#upgrade-result").await?;
        let breaking = format!(
            "{} breaking, {} changed, ",
            summary["breaking"], summary["changed"]
        );
        if !counts.starts_with(&breaking) {
            return Err(format!("{description}: {counts:?} and not {breaking:?}").into());
        }
        browser.report(&format!("{description}: {counts}, the same as unionctl"));
    }
    check_upgrade_of_field(browser).await
}

/// Checks that a difference has its cause, and a button that selects its line.
async fn check_upgrade_of_field(browser: &Browser) -> Result<(), Failure> {
    browser.click("#from option[value='1.35']").await?;
    browser.click("#to option[value='1.36']").await?;
    browser.settle().await?;
    let shown = browser.text("#upgrade").await?;
    for part in [
        "1.36: numbers are validated",
        "error after: ",
        "create: no error → rejected",
    ] {
        if !shown.contains(part) {
            return Err(format!("the upgrade does not show {part:?}: {shown}").into());
        }
    }
    browser.click("#upgrade .line").await?;
    let line = "document.querySelector('[data-editor=new] .cm-activeLine').textContent";
    let line = browser.evaluate(line).await?;
    require_equal(
        "the line of the difference",
        &line,
        &json!("  replicas: 3000000000"),
    )?;
    // A sample keeps the selected versions, and a link has them.
    let versions = "['upgrade_from', 'upgrade_to'].map((name) => playground.question()[name])";
    let selected_versions = browser.evaluate(versions).await?;
    require_equal(
        "the versions of a link",
        &selected_versions,
        &json!(["1.35", "1.36"]),
    )
}

/// Checks that the page lists all versions of Kubernetes that the tool knows, the newest first.
async fn check_versions(browser: &Browser) -> Result<(), Failure> {
    let ask = "async () => { const known = []; for (let minor = 60; minor > 0; minor -= 1) { const { answer } = await playground.ask('check', JSON.stringify({ kube_version: `1.${minor}` })); if (!answer.error) known.push(minor); } return known; }";
    let known_minors = browser.call(ask, Vec::new()).await?;
    for select in ["version", "from", "to"] {
        let list = format!(
            "[...document.getElementById('{select}').options].filter(({{ value }}) => value).map(({{ value }}) => Number(value.split('.')[1]))"
        );
        let listed_minors = browser.evaluate(&list).await?;
        let description = format!("the versions of Kubernetes of #{select}");
        require_equal(&description, &listed_minors, &known_minors)?;
    }
    Ok(())
}

fn elements(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Returns the messages of the notes.
fn messages(notes: &Value) -> Value {
    elements(notes)
        .iter()
        .map(|note| note["text"].clone())
        .collect()
}

fn require_equal(description: &str, page_result: &Value, expected: &Value) -> Result<(), Failure> {
    if page_result == expected {
        return Ok(());
    }
    Err(format!("{description}: the page has {page_result}, and unionctl {expected}").into())
}

/// Compares the results about the CRD. Unknown fields are warnings on the page.
fn compare_crd(page_results: &Value, files: &Files, tool: &Tool) -> Result<(), Failure> {
    let expected = tool.json(&["check", "--validate=warn"], &[("--crd", &files.crd)])?;
    let page_result = &page_results["check"]["crd"];
    require_equal(
        "errors of the CRD",
        &messages(&page_result["errors"]),
        &messages(&expected["errors"]),
    )?;
    require_equal(
        "warnings of the CRD",
        &messages(&page_result["warnings"]),
        &expected["warnings"],
    )
}

/// Compares the page's results for the new object with the results of `unionctl`. Returns true if
/// the object is accepted.
fn compare_object(
    page_results: &Value,
    sample: &Sample,
    files: &Files,
    tool: &Tool,
) -> Result<bool, Failure> {
    let page_result = &page_results["check"]["object"];
    let mut flags = vec![("--crd", &*files.crd)];
    flags.extend(files.stored.as_deref().map(|stored| ("--old", stored)));
    let sent_object = tool.folder.join("sent.yaml");
    if sample.normalize {
        // The object is validated after normalization, as if a webhook had changed it.
        let mut flags = flags.clone();
        flags.push(("--new", &files.new));
        let normalized = tool.json(&["unions"], &flags)?;
        require_equal("changes", &page_result["changes"], &normalized["changes"])?;
        std::fs::write(&sent_object, normalized["object"].to_string())?;
    } else {
        std::fs::copy(&files.new, &sent_object)?;
    }
    flags.push(("--new", &sent_object));
    let expected = tool.json(&["check", "--validate=warn"], &flags)?;
    let expected = &expected["objects"][0];
    require_equal("op", &page_result["op"], &expected["op"])?;
    require_equal(
        "errors",
        &messages(&page_result["errors"]),
        &messages(&expected["errors"]),
    )?;
    require_equal(
        "ratcheted",
        &messages(&page_result["ratcheted"]),
        &messages(&expected["ratcheted"]),
    )?;
    require_equal(
        "warnings",
        &messages(&page_result["warnings"]),
        &expected["warnings"],
    )?;
    let errors_without_line = elements(&page_result["errors"])
        .iter()
        .filter(|note| note["line"].is_null());
    if errors_without_line.count() > 0 {
        return Err(format!("an error has no line: {}", page_result["errors"]).into());
    }
    Ok(elements(&expected["errors"]).is_empty())
}

fn compare_unions(page_results: &Value, files: &Files, tool: &Tool) -> Result<(), Failure> {
    let expected = tool.json(&["unions", "--list"], &[("--crd", &files.crd)])?;
    let mut page_result = page_results["unions"]["answer"].clone();
    remove_lines(&mut page_result);
    require_equal("findings", &page_result["findings"], &expected["findings"])?;
    let object_unions = |listing: &Value| -> Value {
        let kinds = elements(&listing["kinds"]).iter();
        let versions = kinds.flat_map(|kind| elements(&kind["versions"]));
        versions.map(|version| version["places"].clone()).collect()
    };
    require_equal(
        "unions",
        &object_unions(&page_result),
        &object_unions(&expected),
    )
}

fn compare_second_crd(page_results: &Value, files: &Files, tool: &Tool) -> Result<(), Failure> {
    let (Some(crd_new), Some(stored)) = (&files.crd_new, &files.stored) else {
        return Ok(());
    };
    let flags = [
        ("--crd", &*files.crd),
        ("--crd-new", crd_new),
        ("--objects", stored),
    ];
    let mut expected = tool.json(&["tighten"], &flags)?;
    let mut page_result = page_results["tighten"]["answer"]["report"].clone();
    for report in [&mut page_result, &mut expected] {
        // The page has no file names, and does not list objects of other CRDs.
        report["skipped"] = Value::Null;
        for object in report["objects"].as_array_mut().into_iter().flatten() {
            object["file"] = Value::Null;
        }
    }
    require_equal("what the second CRD does", &page_result, &expected)
}

/// Removes the line numbers, which only the page has.
fn remove_lines(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.remove("line");
            fields.values_mut().for_each(remove_lines);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_lines),
        _ => {}
    }
}
