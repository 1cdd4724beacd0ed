//! Tests of typing, links, the worker, and unreadable input.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::Failure;
use crate::browser::Browser;

const EDITOR: &str = "[data-editor=new] .cm-content";

/// Checks that typing changes the verdict, and that errors are marked in their editors.
pub(crate) async fn run(browser: &Browser, page: &str) -> Result<(), Failure> {
    browser.open(&format!("{page}#sample=quickstart")).await?;
    let marked = "[...document.querySelectorAll('[data-editor=new] .cm-lintRange-error')].map((one) => one.textContent).join() + document.querySelector('[data-editor=new] .state').textContent";
    let marked = browser.get(marked).await?;
    if marked != "volume:1 error" {
        return Err(format!("marked in the new object: {marked}").into());
    }
    browser.open(&format!("{page}#sample=tolerated")).await?;
    expect(browser, "Accepted").await?;
    // This adds a field at the end of the object.
    type_at_end(browser, "  extra: 1\n").await?;
    browser.settle().await?;
    let added = browser
        .get("document.querySelector('.diff .removed').textContent")
        .await?;
    if !added
        .as_str()
        .is_some_and(|text| text.contains("extra: 1") && text.contains("pruned"))
    {
        return Err(
            format!("what the schema does not know is not shown as pruned: {added}").into(),
        );
    }
    browser
        .call(
            "(text) => playground.set('new', text)",
            vec![json!("kind: [\n")],
        )
        .await?;
    browser.settle().await?;
    expect(browser, "Invalid input").await?;
    browser.find("#said .line").await?.click().await?;
    let focus = browser
        .get("document.activeElement.getAttribute('aria-labelledby')")
        .await?;
    if focus != "label-new" {
        return Err(format!("a click on a line goes to {focus}").into());
    }
    println!("typing: pruned as typed; what cannot be read says where, and a click goes there");
    keyboard(browser, page).await
}

/// Types at the end of the new object.
async fn type_at_end(browser: &Browser, text: &str) -> Result<(), Failure> {
    let editor = browser.find(EDITOR).await?;
    editor.click().await?;
    // The keys are Control and End, then null to release Control.
    editor.send_keys("\u{e009}\u{e010}\u{e000}").await?;
    Ok(editor.send_keys(text).await?)
}

/// Checks that the Tab key reaches all controls and editors, and leaves the editors.
async fn keyboard(browser: &Browser, page: &str) -> Result<(), Failure> {
    browser.open(page).await?;
    let mut reached = Vec::new();
    for _ in 0..14 {
        browser
            .client
            .active_element()
            .await?
            .send_keys("\u{e004}")
            .await?;
        let name = "((one) => one.id || one.getAttribute('aria-labelledby') || one.className || one.tagName)(document.activeElement)";
        reached.push(browser.get(name).await?);
    }
    let wanted = [
        "skip",
        "sample",
        "version",
        "ratchet",
        "request",
        "normalize",
        "share",
        "label-crd",
        "label-stored",
        "label-new",
    ];
    let mut left = reached.iter();
    for name in wanted {
        if !left.any(|found| found == name) {
            return Err(
                format!("the tabulator key does not get to {name} in order: {reached:?}").into(),
            );
        }
    }
    println!("keyboard: {} places in order", wanted.len());
    Ok(())
}

/// Checks that a link contains all of the input.
pub(crate) async fn links(browser: &Browser, page: &str) -> Result<(), Failure> {
    browser.open(&format!("{page}#sample=foreign")).await?;
    type_at_end(browser, "  # ü, 🦀 and </script>\n").await?;
    browser
        .find("#version option[value='1.30']")
        .await?
        .click()
        .await?;
    browser
        .find("#ratchet option[value='off']")
        .await?
        .click()
        .await?;
    browser.settle().await?;
    let asked = browser.get("playground.question()").await?;
    browser.find("#share").await?.click().await?;
    browser.later("new Promise((done) => { const look = () => location.hash.startsWith('#input=') ? done(true) : requestAnimationFrame(look); look(); })").await?;
    let link = browser.get("location.href").await?;
    let link = link.as_str().unwrap_or_default();
    browser.open(link).await?;
    let found = browser.get("playground.question()").await?;
    if found != asked {
        return Err(format!("the link gives {found}, and has {asked}").into());
    }
    println!(
        "link: {} letters have all of {} letters of input",
        link.len(),
        asked.to_string().len()
    );
    browser.open(&format!("{page}#input=x")).await?;
    let told = browser.text("#told").await?;
    if !told.contains("incomplete") {
        return Err(format!("a link that is cut off says {told:?}").into());
    }
    Ok(())
}

/// Checks that the page accepts typing while the worker validates a large CRD, and shows that the
/// result is out of date.
pub(crate) async fn worker(browser: &Browser, page: &str) -> Result<(), Failure> {
    browser.open(&format!("{page}#sample=quickstart")).await?;
    let crd = large_crd();
    println!("worker: a CRD of {} KiB", crd.len() >> 10);
    let function = "async (crd) => {
        playground.set('crd', crd);
        const started = performance.now();
        let longest = 0, last = started, turns = 0, typed = 0, greyed = false, open = true;
        playground.settled().then(() => { open = false; });
        while (open) {
            await new Promise((done) => { const channel = new MessageChannel(); channel.port1.onmessage = done; channel.port2.postMessage(0); });
            const now = performance.now();
            longest = Math.max(longest, now - last);
            last = now;
            turns += 1;
            greyed ||= document.getElementById('verdict').classList.contains('stale') && document.getElementById('verdict').getAttribute('aria-busy') === 'true';
            if (now - started > 400 * (typed + 1) && typed < 3) {
                typed += 1;
                playground.set('new', `# ${typed}\\n` + playground.question().new);
            }
        }
        const { ms, judge } = playground.told();
        return { all: performance.now() - started, ms, longest, turns, typed, greyed, judge: judge.object?.title };
    }";
    let told = browser.call(function, vec![json!(crd)]).await?;
    println!("worker: {told}");
    if told["greyed"] != true {
        return Err("what is out of date is not greyed".into());
    }
    let turns = told["turns"].as_u64().unwrap_or_default();
    if turns < 20 {
        return Err(format!("the page stood still while the worker judged: {turns} turns").into());
    }
    let errors = browser
        .get("playground.told().judge.crd.errors.length")
        .await?;
    if errors != 0 || told["judge"].is_null() {
        return Err(format!("the large CRD has {errors} errors, {told}").into());
    }
    Ok(())
}

/// Checks that input which crashes the worker has a result, and that a new worker replaces
/// the crashed worker.
pub(crate) async fn hostile(browser: &Browser, page: &str) -> Result<(), Failure> {
    browser.open(&format!("{page}#sample=tolerated")).await?;
    let put = "async (name, text) => { playground.set(name, text); await playground.settled(); return document.querySelector('#verdict strong').textContent; }";
    let crd = union_playground::SAMPLES[3].crd;
    let rule = |rule: String| crd.replacen("self.contains(\"@\")", &format!("{rule:?}"), 1);
    let inputs = [
        ("new", "[".repeat(1000), "Invalid input"),
        ("new", "- ".repeat(1000), "Invalid input"),
        ("new", "\0\u{1}".to_owned(), "Invalid input"),
        ("new", String::new(), "The CRD is accepted"),
        (
            "crd",
            rule(format!("{}true{}", "(".repeat(2000), ")".repeat(2000))),
            "The CRD is rejected",
        ),
        (
            "crd",
            rule(format!("{}true", "!".repeat(3000))),
            "The CRD is accepted",
        ),
        ("crd", "{\"a\":".repeat(1000), "Invalid input"),
        ("crd", crd.to_owned(), "The CRD is accepted"),
    ];
    for (name, text, wanted) in &inputs {
        let shown = browser.call(put, vec![json!(name), json!(text)]).await?;
        if shown != *wanted {
            let text = text.get(..40).unwrap_or(text);
            return Err(format!("{text}...: {shown}, and not {wanted}").into());
        }
    }
    let gone = "firstWorker.dispatchEvent(new ErrorEvent('error', { message: 'gone' }))";
    browser.get(gone).await?;
    let new = union_playground::SAMPLES[3].new;
    let shown = browser.call(put, vec![json!("new"), json!(new)]).await?;
    if shown != "Accepted" {
        return Err(format!("behind a worker that is gone: {shown}").into());
    }
    println!(
        "hostile input: {} answers, and another worker for one that is gone",
        inputs.len()
    );
    Ok(())
}

/// Returns the quickstart's CRD with many more fields.
fn large_crd() -> String {
    let crd = union_playground::SAMPLES[0].crd;
    let mut fields = String::new();
    let mut number = 0;
    while crd.len() + fields.len() < 1 << 20 {
        number += 1;
        // Writing to a String cannot fail.
        let _ = write!(
            fields,
            "              field{number}:
                description: The field of number {number}, which nobody sets.
                type: object
                properties:
                  name: {{type: string, maxLength: 63}}
                  count: {{type: integer, minimum: {number}}}
"
        );
    }
    let at = "              target:\n";
    crd.replacen(at, &(fields + at), 1)
}

async fn expect(browser: &Browser, wanted: &str) -> Result<(), Failure> {
    let shown = browser.text("#verdict strong").await?;
    if shown == wanted {
        return Ok(());
    }
    let told: Value = browser.get("playground.told()").await?;
    Err(format!("the verdict is {shown}, and is to be {wanted}: {told}").into())
}
