//! Tests of typing, links, the worker, and invalid input.

use std::fmt::Write as _;

use serde_json::json;

use crate::Failure;
use crate::browser::Browser;

/// The verdict on an object that is missing.
const NOTHING: &str = "Nothing to check yet";

const NEW_OBJECT_EDITOR: &str = "[data-editor=new] .cm-content";

/// Checks that typing changes the verdict, and that errors are marked in their editors.
pub(crate) async fn check_typing(browser: &Browser, page: &str) -> Result<(), Failure> {
    browser.open(&format!("{page}#sample=quickstart")).await?;
    let marked_text = "[...document.querySelectorAll('[data-editor=new] .cm-lintRange-error')].map((one) => one.textContent).join() + document.querySelector('[data-editor=new] .state').textContent";
    let marked_text = browser.evaluate(marked_text).await?;
    if marked_text != "volume:1 error" {
        return Err(format!("marked in the new object: {marked_text}").into());
    }
    browser.open(&format!("{page}#sample=tolerated")).await?;
    browser.expect_verdicts("Accepted", "Accepted").await?;
    // This adds a field at the end of the object.
    type_at_end(browser, "  extra: 1\n").await?;
    browser.settle().await?;
    let added_line = browser
        .evaluate("document.querySelector('.diff .removed').textContent")
        .await?;
    if !added_line
        .as_str()
        .is_some_and(|text| text.contains("extra: 1") && text.contains("pruned"))
    {
        return Err(
            format!("what the schema does not know is not shown as pruned: {added_line}").into(),
        );
    }
    browser
        .call(
            "(text) => playground.set('new', text)",
            vec![json!("kind: [\n")],
        )
        .await?;
    browser.settle().await?;
    browser.expect_verdicts("Accepted", "Not checked").await?;
    browser
        .find("[data-editor=new] .problem .line")
        .await?
        .click()
        .await?;
    let focused_element = browser
        .evaluate("document.activeElement.getAttribute('aria-labelledby')")
        .await?;
    if focused_element != "label-new" {
        return Err(format!("a click on a line goes to {focused_element}").into());
    }
    browser.report(
        "typing: the result follows the input; an error has a position, and a click selects it",
    );
    check_keyboard(browser, page).await
}

/// Types at the end of the new object.
async fn type_at_end(browser: &Browser, text: &str) -> Result<(), Failure> {
    let editor = browser.find(NEW_OBJECT_EDITOR).await?;
    editor.click().await?;
    // The keys are Control and End, then null to release Control.
    editor.send_keys("\u{e009}\u{e010}\u{e000}").await?;
    Ok(editor.send_keys(text).await?)
}

/// Checks that the Tab key reaches all controls and editors, and leaves the editors.
async fn check_keyboard(browser: &Browser, page: &str) -> Result<(), Failure> {
    browser.open(page).await?;
    let mut reached_elements = Vec::new();
    for _ in 0..18 {
        browser
            .client
            .active_element()
            .await?
            .send_keys("\u{e004}")
            .await?;
        let name = "((one) => one.id || one.getAttribute('aria-labelledby') || one.className || one.tagName)(document.activeElement)";
        reached_elements.push(browser.evaluate(name).await?);
    }
    let expected_order = [
        "skip",
        "sample",
        "own",
        "clear",
        "version",
        "ratchet",
        "request",
        "normalize",
        "share",
        "label-crd",
        "label-stored",
        "create",
        "label-new",
    ];
    let mut remaining_elements = reached_elements.iter();
    for name in expected_order {
        if !remaining_elements.any(|element| element == name) {
            return Err(format!(
                "the tabulator key does not get to {name} in order: {reached_elements:?}"
            )
            .into());
        }
    }
    browser.report(&format!(
        "keyboard: {} places in order",
        expected_order.len()
    ));
    Ok(())
}

/// Checks that a link contains all of the input.
pub(crate) async fn check_links(browser: &Browser, page: &str) -> Result<(), Failure> {
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
    let input = browser.evaluate("playground.question()").await?;
    browser.find("#share").await?.click().await?;
    browser.evaluate_promise("new Promise((done) => { const look = () => location.hash.startsWith('#input=') ? done(true) : requestAnimationFrame(look); look(); })").await?;
    let link = browser.evaluate("location.href").await?;
    let link = link.as_str().unwrap_or_default();
    browser.open(link).await?;
    let input_of_link = browser.evaluate("playground.question()").await?;
    if input_of_link != input {
        return Err(format!("the link gives {input_of_link}, and has {input}").into());
    }
    // The page unpacks the input of a link in the background. `settled` waits for this input.
    let follow_link = "async (link) => { playground.set('crd', ''); await playground.settled(); history.replaceState(null, '', link); dispatchEvent(new Event('hashchange')); await playground.settled(); return playground.question(); }";
    let input_of_link = browser.call(follow_link, vec![json!(link)]).await?;
    if input_of_link != input {
        return Err(format!("the followed link gives {input_of_link}, and has {input}").into());
    }
    browser.report(&format!(
        "link: {} letters have all of {} letters of input",
        link.len(),
        input.to_string().len()
    ));
    browser.open(&format!("{page}#input=x")).await?;
    let message = browser.text("#told").await?;
    if !message.contains("incomplete") {
        return Err(format!("an incomplete link shows {message:?}").into());
    }
    Ok(())
}

/// Checks that the page accepts typing while the worker validates a large CRD, and shows that the
/// result is out of date.
pub(crate) async fn check_worker(browser: &Browser, page: &str) -> Result<(), Failure> {
    browser.open(&format!("{page}#sample=quickstart")).await?;
    let crd = large_crd();
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
        const { ms, check } = playground.told();
        return { all: performance.now() - started, ms, longest, turns, typed, greyed, check: check.object?.title };
    }";
    let measurements = browser.call(function, vec![json!(crd)]).await?;
    let size = crd.len() >> 10;
    browser.report(&format!("worker, with a CRD of {size} KiB: {measurements}"));
    if measurements["greyed"] != true {
        return Err("outdated results are not grey".into());
    }
    let turns = measurements["turns"].as_u64().unwrap_or_default();
    if turns < 20 {
        return Err(format!("the page stood still while the worker judged: {turns} turns").into());
    }
    let errors = browser
        .evaluate("playground.told().check.crd.errors.length")
        .await?;
    if errors != 0 || measurements["check"].is_null() {
        return Err(format!("the large CRD has {errors} errors, {measurements}").into());
    }
    Ok(())
}

/// Checks that input which crashes the worker has a result, and that a new worker replaces
/// the crashed worker.
pub(crate) async fn check_hostile_input(browser: &Browser, page: &str) -> Result<(), Failure> {
    browser.open(&format!("{page}#sample=tolerated")).await?;
    let set = "async (name, text) => { playground.set(name, text); await playground.settled(); }";
    let crd = union_playground::SAMPLES[3].crd;
    let crd_with_rule = |crd_with_rule: String| {
        crd.replacen("self.contains(\"@\")", &format!("{crd_with_rule:?}"), 1)
    };
    let inputs = [
        ("new", "[".repeat(1000), "Accepted", "Not checked"),
        ("new", "- ".repeat(1000), "Accepted", "Not checked"),
        ("new", "\0\u{1}".to_owned(), "Accepted", "Not checked"),
        ("new", String::new(), "Accepted", NOTHING),
        (
            "crd",
            crd_with_rule(format!("{}true{}", "(".repeat(2000), ")".repeat(2000))),
            "Rejected",
            NOTHING,
        ),
        (
            "crd",
            crd_with_rule(format!("{}true", "!".repeat(3000))),
            "Accepted",
            NOTHING,
        ),
        ("crd", "{\"a\":".repeat(1000), "Invalid", NOTHING),
        ("crd", crd.to_owned(), "Accepted", NOTHING),
    ];
    for (editor, input, crd, object) in &inputs {
        browser.call(set, vec![json!(editor), json!(input)]).await?;
        let result = browser.expect_verdicts(crd, object).await;
        result.map_err(|failure| {
            let input = input.get(..40).unwrap_or(input);
            format!("{input}...: {failure}")
        })?;
    }
    let end_worker = "firstWorker.dispatchEvent(new ErrorEvent('error', { message: 'gone' }))";
    browser.evaluate(end_worker).await?;
    let new_object = union_playground::SAMPLES[3].new;
    browser
        .call(set, vec![json!("new"), json!(new_object)])
        .await?;
    browser.expect_verdicts("Accepted", "Accepted").await?;
    browser.report(&format!(
        "hostile input: {} answers, and another worker for one that is gone",
        inputs.len()
    ));
    Ok(())
}

/// Returns the quickstart's CRD with many more fields.
fn large_crd() -> String {
    let crd = union_playground::SAMPLES[0].crd;
    let mut fields = String::new();
    let mut field_count = 0;
    while crd.len() + fields.len() < 1 << 20 {
        field_count += 1;
        // Writing to a String cannot fail.
        let _ = write!(
            fields,
            "              field{field_count}:
                description: The field of number {field_count}, which nobody sets.
                type: object
                properties:
                  name: {{type: string, maxLength: 63}}
                  count: {{type: integer, minimum: {field_count}}}
"
        );
    }
    let next_property = "              target:\n";
    crd.replacen(next_property, &(fields + next_property), 1)
}
