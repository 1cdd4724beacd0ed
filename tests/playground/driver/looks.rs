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
    axe: &Path,
    pictures: Option<&Path>,
) -> Result<(), Failure> {
    let axe = fs::read_to_string(axe)?;
    let mut backgrounds = Vec::new();
    let mut passed = 0;
    for scheme in ["light", "dark"] {
        browser.prefer(scheme).await?;
        for (size, width, height) in SIZES {
            browser.resize(width, height).await?;
            for sample in SAMPLES {
                let at = format!("{sample}, {scheme}, {size}");
                browser.open(&format!("{page}#sample={sample}")).await?;
                // A part that was out of date fades in, and axe would measure the contrast too
                // early.
                browser
                    .later("Promise.allSettled(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished))")
                    .await?;
                let found = check(browser, &axe).await?;
                let violations = found["violations"].as_array().ok_or("axe says nothing")?;
                if let Some(violation) = violations.first() {
                    return Err(format!("{at}: axe finds {violation}").into());
                }
                passed += found["passes"].as_u64().unwrap_or_default();
                let over = browser
                    .get("document.documentElement.scrollWidth - innerWidth")
                    .await?;
                if over.as_i64().is_none_or(|over| over > 0) {
                    return Err(
                        format!("{at}: the page is {over} pixels wider than the screen").into(),
                    );
                }
                if let Some(folder) = pictures {
                    fs::create_dir_all(folder)?;
                    let picture = browser.client.screenshot().await?;
                    fs::write(
                        folder.join(format!("{sample}-{scheme}-{size}.png")),
                        picture,
                    )?;
                }
            }
        }
        let background = "getComputedStyle(document.body).backgroundColor";
        backgrounds.push(browser.get(background).await?);
    }
    if backgrounds[0] == backgrounds[1] {
        return Err(format!("light and dark are the same: {}", backgrounds[0]).into());
    }
    println!(
        "looks: axe passes {passed} checks and finds nothing wrong; {} and {}",
        backgrounds[0], backgrounds[1]
    );
    browser.prefer("light").await?;
    browser.resize(1440, 1000).await
}

async fn check(browser: &Browser, axe: &str) -> Result<Value, Failure> {
    browser.client.execute(axe, Vec::new()).await?;
    let run = "async () => {
        const { violations, passes } = await axe.run();
        return {
            passes: passes.length,
            violations: violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.slice(0, 3).map(({ html, failureSummary }) => ({ html: html.slice(0, 200), failureSummary })) })),
        };
    }";
    browser.call(run, vec![json!(null)]).await
}
