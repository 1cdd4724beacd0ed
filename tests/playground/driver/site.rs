//! Tests of the public site: the playground, the documents, and the links between them.

use std::path::Path;

use union_playground::{Page, SiteSettings};

use crate::Failure;
use crate::browser::{Browser, WIDE};
use crate::looks::save_screenshot;

/// A link that the site must not have.
const BROKEN_LINK: &str = "<a href=\"missing.html#nowhere\">";

/// Writes the site, and checks its links.
pub(crate) fn write(page: &Page, folder: &Path) -> Result<(), Failure> {
    let settings = SiteSettings {
        folder: folder.to_owned(),
        repository_url: "https://example.com/repository".to_owned(),
    };
    let link_count = union_playground::write_site(page, &settings)?;
    // The check finds a broken link.
    let file = folder.join("index.html");
    let html = std::fs::read_to_string(&file)?;
    std::fs::write(&file, html.clone() + BROKEN_LINK)?;
    let (broken_links, _) = union_playground::broken_links(folder)?;
    std::fs::write(&file, html)?;
    if broken_links != ["index.html: missing.html#nowhere"] {
        return Err(format!("the check of the links finds {broken_links:?}").into());
    }
    println!("site: {link_count} internal links lead to a file and an anchor");
    Ok(())
}

/// Follows the links between the documents and the playground.
pub(crate) async fn run(
    browser: &Browser,
    site: &str,
    screenshot_folder: Option<&Path>,
) -> Result<(), Failure> {
    for (size, (width, height)) in [("narrow", (390, 844)), ("wide", WIDE)] {
        browser.resize(width, height).await?;
        browser.client.goto(&format!("{site}/index.html")).await?;
        save_screenshot(browser, screenshot_folder, &format!("site-{size}")).await?;
        browser.find(".playground-link a").await?.click().await?;
        browser.settle().await?;
        browser.expect_verdicts("Accepted", "Rejected").await?;
        browser.find(".documents").await?.click().await?;
        let heading = browser.text("main h1").await?;
        let page = format!("{site}/union-derive/attributes.html");
        browser.client.goto(&page).await?;
        let page_heading = browser.text("main h1").await?;
        if heading.is_empty() || page_heading.is_empty() || heading == page_heading {
            return Err(format!("the headings are {heading:?} and {page_heading:?}").into());
        }
        save_screenshot(browser, screenshot_folder, &format!("site-page-{size}")).await?;
    }
    browser.report("site: the documents and the playground lead to each other");
    Ok(())
}
