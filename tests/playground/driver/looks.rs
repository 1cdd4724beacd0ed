//! Tests of the layout: both color schemes, narrow screens, and the checks of axe, an accessibility
//! tool.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::Failure;
use crate::browser::{Browser, WIDE};

const SIZES: [(&str, u32, u32); 2] = [("wide", WIDE.0, WIDE.1), ("narrow", 390, 844)];

const SAMPLES: [&str; 6] = [
    "unaware",
    "costly",
    "tightened",
    "foreign",
    "httproute",
    "deployment",
];

/// Checks samples in both color schemes and in two sizes. Screenshots are saved if there is a
/// folder for them.
pub(crate) async fn run(
    browser: &Browser,
    page: &str,
    axe_path: &Path,
    screenshot_folder: Option<&Path>,
) -> Result<(), Failure> {
    let axe_script = fs::read_to_string(axe_path)?;
    let mut backgrounds = Vec::new();
    let mut passed_count = 0;
    for scheme in ["light", "dark"] {
        browser.set_color_scheme(scheme).await?;
        for (size, width, height) in SIZES {
            browser.resize(width, height).await?;
            for sample in SAMPLES {
                let description = format!("{sample}, {scheme}, {size}");
                browser.open(&format!("{page}#sample={sample}")).await?;
                // A part that was out of date fades in, so axe must wait to measure the contrast.
                browser
                    .evaluate_promise("Promise.allSettled(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished))")
                    .await?;
                let axe_result = run_axe(browser, &axe_script).await?;
                let violations = axe_result["violations"]
                    .as_array()
                    .ok_or("axe has no result")?;
                if let Some(violation) = violations.first() {
                    return Err(format!("{description}: axe finds {violation}").into());
                }
                passed_count += axe_result["passes"].as_u64().unwrap_or_default();
                let excess_width = browser
                    .evaluate("document.documentElement.scrollWidth - innerWidth")
                    .await?;
                if excess_width
                    .as_i64()
                    .is_none_or(|excess_width| excess_width > 0)
                {
                    return Err(format!(
                        "{description}: the page is {excess_width} pixels wider than the screen"
                    )
                    .into());
                }
                check_covered_editors(browser)
                    .await
                    .map_err(|failure| format!("{description}: {failure}"))?;
                let name = format!("{sample}-{scheme}-{size}");
                save_screenshot(browser, screenshot_folder, &name).await?;
            }
        }
        let background = "getComputedStyle(document.body).backgroundColor";
        backgrounds.push(browser.evaluate(background).await?);
    }
    if backgrounds[0] == backgrounds[1] {
        return Err(format!("light and dark are the same: {}", backgrounds[0]).into());
    }
    browser.report(&format!(
        "looks: axe passes {passed_count} checks and finds nothing wrong; {} and {}",
        backgrounds[0], backgrounds[1]
    ));
    browser.set_color_scheme("light").await?;
    browser.resize(WIDE.0, WIDE.1).await
}

/// Saves a screenshot of the page, if there is a folder for screenshots.
pub(crate) async fn save_screenshot(
    browser: &Browser,
    folder: Option<&Path>,
    name: &str,
) -> Result<(), Failure> {
    if let Some(folder) = folder {
        fs::create_dir_all(folder)?;
        let screenshot = browser.client.screenshot().await?;
        fs::write(folder.join(format!("{name}.png")), screenshot)?;
    }
    Ok(())
}

/// Checks that the verdict is visible and covers no editor, at each position to which the page can
/// be scrolled.
async fn check_covered_editors(browser: &Browser) -> Result<(), Failure> {
    let find_covered_editors = "() => {
        const scroller = [document.scrollingElement, document.querySelector('.page')].find((one) => one.scrollHeight > one.clientHeight + 1) ?? document.scrollingElement;
        const clip = scroller === document.scrollingElement ? { top: 0, bottom: innerHeight } : scroller.getBoundingClientRect();
        const covered = [];
        for (let top = 0; top <= scroller.scrollHeight; top += 100) {
            scroller.scrollTop = top;
            const verdict = document.getElementById('verdict').getBoundingClientRect();
            if (innerWidth < 900 && (verdict.top < 0 || verdict.bottom > innerHeight + 1)) covered.push('the verdict is not visible');
            for (const editor of document.querySelectorAll('.editor')) {
                const { top, bottom, left, right } = editor.getBoundingClientRect();
                const [from, to] = [Math.max(top, clip.top), Math.min(bottom, clip.bottom)];
                if (from < to && from < verdict.bottom && verdict.top < to && left < verdict.right && verdict.left < right) covered.push(editor.parentElement.dataset.editor);
            }
        }
        scroller.scrollTop = 0;
        return [...new Set(covered)];
    }";
    let covered_editors = browser.call(find_covered_editors, Vec::new()).await?;
    if covered_editors == json!([]) {
        return Ok(());
    }
    Err(format!("the verdict covers {covered_editors}").into())
}

/// Runs axe in the page.
async fn run_axe(browser: &Browser, axe_script: &str) -> Result<Value, Failure> {
    browser.client.execute(axe_script, Vec::new()).await?;
    let call_axe = "async () => {
        const { violations, passes } = await axe.run();
        return {
            passes: passes.length,
            violations: violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.slice(0, 3).map(({ html, failureSummary }) => ({ html: html.slice(0, 200), failureSummary })) })),
        };
    }";
    browser.call(call_axe, vec![json!(null)]).await
}
