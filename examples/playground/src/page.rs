//! Builds the page as one file, so that the page can be opened without a server.

use std::fmt::Write as _;
use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::samples::SAMPLES;
use crate::{ErrorMessage, wasm};

const HTML: &str = include_str!("../page/index.html");
const STYLE: &str = include_str!("../page/page.css");
const EDITOR: &str = include_str!("../page/codemirror.min.js");
const BOOT: &str = include_str!("../page/boot.js");
const PAGE: &str = include_str!("../page/page.js");
const WORKER: &str = include_str!("../page/worker.js");

/// The place of the link to the documents, which only a page in a site has.
const DOCUMENTS_PLACE: &str = "<!-- documents -->";

/// The optimization of the WebAssembly module.
#[derive(Clone, Copy, Debug)]
pub enum BuildProfile {
    /// A small and fast module, whose build takes minutes.
    Small,
    /// A larger module for tests, which is built in a fraction of the time.
    Test,
}

/// The page for a browser.
pub struct Page {
    /// The contents of the file index.html.
    pub html: String,
    /// The uncompressed and the compressed size of the WebAssembly module in bytes. The page
    /// contains the compressed module.
    pub module_sizes: [usize; 2],
}

/// Builds the page: compiles the WebAssembly module with cargo, and inserts the module, the
/// scripts, the style and the samples into the HTML.
///
/// # Errors
///
/// Returns an error if cargo cannot build the module, or if the bindings cannot be generated.
pub fn build(profile: BuildProfile) -> Result<Page, ErrorMessage> {
    let wasm_module = wasm::build(profile)?;
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let compressed_module = encoder.write_all(&wasm_module.module);
    let compressed_module = compressed_module.and_then(|()| encoder.finish());
    let compressed_module =
        compressed_module.map_err(|error| format!("cannot compress the module: {error}"))?;
    let samples = serde_json::to_string(&SAMPLES).map_err(|error| error.to_string())?;
    let worker = format!("{}\n{WORKER}", wasm_module.bindings);
    let parts = [
        ("style", STYLE.to_owned()),
        ("documents", DOCUMENTS_PLACE.to_owned()),
        ("samples", samples.replace('<', "\\u003c")),
        ("worker", escape_script(&worker)),
        ("wasm", STANDARD.encode(&compressed_module)),
        ("boot", escape_script(BOOT)),
        ("editor", escape_script(EDITOR)),
        ("page", escape_script(PAGE)),
    ];
    Ok(Page {
        html: fill_template(HTML, &parts)?,
        module_sizes: [wasm_module.module.len(), compressed_module.len()],
    })
}

/// Replaces the placeholder of each part, such as `{{ style }}`, by the part. The placeholders have
/// the order of the parts.
fn fill_template(template: &str, parts: &[(&str, String)]) -> Result<String, ErrorMessage> {
    let mut html = String::new();
    let mut remaining_template = template;
    for (name, part) in parts {
        let placeholder = format!("{{{{ {name} }}}}");
        let (text_before, text_after) =
            remaining_template.split_once(&placeholder).ok_or_else(|| {
                format!("index.html has no placeholder for {name} after the previous placeholder")
            })?;
        html += text_before;
        html += part;
        remaining_template = text_after;
    }
    Ok(html + remaining_template)
}

/// Escapes a script, so that a string in it cannot end the `script` element.
fn escape_script(source: &str) -> String {
    source.replace("</script", "<\\/script")
}

impl Page {
    /// Returns the HTML with a link to the documents of the site.
    #[must_use]
    pub fn html_in_site(&self, documents: &str) -> String {
        let link = format!("<a class=\"documents\" href=\"{documents}\">Documents</a>");
        self.html.replacen(DOCUMENTS_PLACE, &link, 1)
    }

    /// Returns the sizes of the page and of the module, for a log.
    #[must_use]
    pub fn sizes(&self) -> String {
        let [module_size, compressed_size] = self.module_sizes;
        let mut sizes = String::new();
        for (name, size) in [
            ("page", self.html.len()),
            ("WebAssembly", module_size),
            ("WebAssembly, compressed", compressed_size),
        ] {
            let comma = if sizes.is_empty() { "" } else { ", " };
            let _ = write!(sizes, "{comma}{name}: {} KiB", size >> 10);
        }
        sizes
    }
}
