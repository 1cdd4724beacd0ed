//! Tests with each sample: the page shows the same results as `unionctl`.

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
        let told = browser.get("playground.told()").await?;
        let files = tool.write(sample)?;
        of_crd(&told, &files, tool)?;
        let verdict = of_object(&told, sample, &files, tool)?;
        of_unions(&told, &files, tool)?;
        of_second_crd(&told, &files, tool)?;
        let shown = browser.text("#verdict strong").await?;
        let is_crd_refused = !list(&told["judge"]["crd"]["errors"]).is_empty();
        let wanted = match (verdict, is_crd_refused) {
            (false, _) => "Rejected",
            (true, false) => "Accepted",
            (true, true) => "The CRD is rejected",
        };
        same("the verdict", &json!(shown), &json!(wanted))?;
        println!("{}: {shown}, as unionctl says", sample.name);
    }
    old_server(browser, page, tool).await
}

/// Checks the results for an older server, which has other messages and fewer CEL functions.
async fn old_server(browser: &Browser, page: &str, tool: &Tool) -> Result<(), Failure> {
    let newest = "quantity(self) == quantity(self) && ip.isCanonical('127.0.0.1')";
    let sample = SAMPLES.iter().find(|sample| sample.name == "tolerated");
    let sample = sample.ok_or("there is no such sample")?;
    let crd = sample.crd.replacen("self.contains(\"@\")", newest, 1);
    browser
        .open(&format!("{page}#sample={}", sample.name))
        .await?;
    let set = "(crd) => { playground.set('crd', crd); const version = document.getElementById('version'); version.value = '1.27'; version.dispatchEvent(new Event('change')); }";
    browser.call(set, vec![json!(crd)]).await?;
    browser.settle().await?;
    let told = browser.get("playground.told()").await?;
    let file = tool.folder.join("old_server.yaml");
    std::fs::write(&file, crd)?;
    let wanted = tool.json(
        &["check", "--validate=warn", "--kube-version", "1.27"],
        &[("--crd", &file)],
    )?;
    let errors = texts(&told["judge"]["crd"]["errors"]);
    same(
        "errors of an old server",
        &errors,
        &texts(&wanted["errors"]),
    )?;
    if list(&wanted["errors"]).is_empty() {
        return Err("a server of 1.27 is to know no quantity".into());
    }
    println!(
        "Kubernetes 1.27: {} errors, as unionctl says",
        list(&wanted["errors"]).len()
    );
    Ok(())
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Returns the messages of the notes.
fn texts(notes: &Value) -> Value {
    list(notes)
        .iter()
        .map(|note| note["text"].clone())
        .collect()
}

fn same(what: &str, found: &Value, wanted: &Value) -> Result<(), Failure> {
    if found == wanted {
        return Ok(());
    }
    Err(format!("{what}: the page says {found}, and unionctl {wanted}").into())
}

/// Compares the results about the CRD. The page warns of unknown fields.
fn of_crd(told: &Value, files: &Files, tool: &Tool) -> Result<(), Failure> {
    let wanted = tool.json(&["check", "--validate=warn"], &[("--crd", &files.crd)])?;
    let found = &told["judge"]["crd"];
    same(
        "errors of the CRD",
        &texts(&found["errors"]),
        &texts(&wanted["errors"]),
    )?;
    same(
        "warnings of the CRD",
        &texts(&found["warnings"]),
        &wanted["warnings"],
    )
}

/// Compares the results about the new object, and returns true if the object is accepted.
fn of_object(told: &Value, sample: &Sample, files: &Files, tool: &Tool) -> Result<bool, Failure> {
    let found = &told["judge"]["object"];
    let mut flags = vec![("--crd", &*files.crd)];
    flags.extend(files.stored.as_deref().map(|stored| ("--old", stored)));
    let new = tool.folder.join("sent.yaml");
    if sample.normalize {
        // The object is validated after normalization, as if a webhook had changed it.
        let mut flags = flags.clone();
        flags.push(("--new", &files.new));
        let normalized = tool.json(&["unions"], &flags)?;
        same("changes", &found["changes"], &normalized["changes"])?;
        std::fs::write(&new, normalized["object"].to_string())?;
    } else {
        std::fs::copy(&files.new, &new)?;
    }
    flags.push(("--new", &new));
    let wanted = tool.json(&["check", "--validate=warn"], &flags)?;
    let wanted = &wanted["objects"][0];
    same("op", &found["op"], &wanted["op"])?;
    same(
        "errors",
        &texts(&found["errors"]),
        &texts(&wanted["errors"]),
    )?;
    same(
        "tolerated",
        &texts(&found["ratcheted"]),
        &texts(&wanted["ratcheted"]),
    )?;
    same("warnings", &texts(&found["warnings"]), &wanted["warnings"])?;
    let lost = list(&found["errors"])
        .iter()
        .filter(|note| note["line"].is_null());
    if lost.count() > 0 {
        return Err(format!("an error has no line: {}", found["errors"]).into());
    }
    Ok(list(&wanted["errors"]).is_empty())
}

fn of_unions(told: &Value, files: &Files, tool: &Tool) -> Result<(), Failure> {
    let wanted = tool.json(&["unions", "--list"], &[("--crd", &files.crd)])?;
    let mut found = told["unions"]["answer"].clone();
    without_lines(&mut found);
    same("findings", &found["findings"], &wanted["findings"])?;
    let places = |listing: &Value| -> Value {
        let kinds = list(&listing["kinds"]).iter();
        let versions = kinds.flat_map(|kind| list(&kind["versions"]));
        versions.map(|version| version["places"].clone()).collect()
    };
    same("unions", &places(&found), &places(&wanted))
}

fn of_second_crd(told: &Value, files: &Files, tool: &Tool) -> Result<(), Failure> {
    let (Some(crd_new), Some(stored)) = (&files.crd_new, &files.stored) else {
        return Ok(());
    };
    let flags = [
        ("--crd", &*files.crd),
        ("--crd-new", crd_new),
        ("--objects", stored),
    ];
    let mut wanted = tool.json(&["tighten"], &flags)?;
    let mut found = told["tighten"]["answer"]["report"].clone();
    for report in [&mut found, &mut wanted] {
        // The page has no file names, and does not list objects of other CRDs.
        report["skipped"] = Value::Null;
        for object in report["objects"].as_array_mut().into_iter().flatten() {
            object["file"] = Value::Null;
        }
    }
    same("what the second CRD does", &found, &wanted)
}

/// Removes the line numbers, which only the page has.
fn without_lines(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.remove("line");
            fields.values_mut().for_each(without_lines);
        }
        Value::Array(items) => items.iter_mut().for_each(without_lines),
        _ => {}
    }
}
