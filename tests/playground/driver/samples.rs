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
    check_old_server(browser, page, tool).await
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

/// Checks that the page lists all versions of Kubernetes that the tool knows, the newest first.
async fn check_versions(browser: &Browser) -> Result<(), Failure> {
    let list = "[...document.getElementById('version').options].map(({ value }) => Number(value.split('.')[1]))";
    let listed_minors = browser.evaluate(list).await?;
    let ask = "async () => { const known = []; for (let minor = 60; minor > 0; minor -= 1) { const { answer } = await playground.ask('check', JSON.stringify({ kube_version: `1.${minor}` })); if (!answer.error) known.push(minor); } return known; }";
    let known_minors = browser.call(ask, Vec::new()).await?;
    require_equal("the versions of Kubernetes", &listed_minors, &known_minors)
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
