//! Tests of the layout: both color schemes, narrow screens, and the checks of axe, an accessibility
//! tool.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::Failure;
use crate::browser::Browser;

const SIZES: [(&str, u32, u32); 2] = [("wide", 1440, 1000), ("narrow", 390, 844)];

const SAMPLES: [&str; 5] = ["unaware", "costly", "tightened", "foreign", "httproute"];

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
                if let Some(folder) = screenshot_folder {
                    fs::create_dir_all(folder)?;
                    let screenshot = browser.client.screenshot().await?;
                    fs::write(
                        folder.join(format!("{sample}-{scheme}-{size}.png")),
                        screenshot,
                    )?;
                }
            }
        }
        let background = "getComputedStyle(document.body).backgroundColor";
        backgrounds.push(browser.evaluate(background).await?);
    }
    if backgrounds[0] == backgrounds[1] {
        return Err(format!("light and dark are the same: {}", backgrounds[0]).into());
    }
    println!(
        "looks: axe passes {passed_count} checks and finds nothing wrong; {} and {}",
        backgrounds[0], backgrounds[1]
    );
    browser.set_color_scheme("light").await?;
    browser.resize(1440, 1000).await
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
