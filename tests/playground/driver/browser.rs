//! A browser under `WebDriver`, and the state of the page in it.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use fantoccini::elements::Element;
use fantoccini::wd::{Capabilities, TimeoutConfiguration, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use url::{ParseError, Url};

use crate::Failure;

/// The flags of a browser that has no window and sends no requests in the background.
const FLAGS: [&str; 10] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1440,1000",
];

pub(crate) struct Browser {
    driver: Child,
    pub(crate) client: Client,
}

impl Browser {
    /// Starts the browser, with its files in an empty folder.
    pub(crate) async fn start(folder: &Path) -> Result<Self, Failure> {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("chromedriver: {error}"))?;
        let port = read_port(&mut driver)?;
        let mut flags: Vec<String> = FLAGS.iter().map(ToString::to_string).collect();
        flags.push(format!("--user-data-dir={}", folder.display()));
        let mut capabilities = Capabilities::new();
        capabilities.insert("goog:chromeOptions".to_owned(), json!({ "args": flags }));
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities)
            .connect(&format!("http://127.0.0.1:{port}"))
            .await?;
        // A request may take long on a busy machine.
        let time_limit = Some(Duration::from_secs(120));
        let timeouts = TimeoutConfiguration::new(time_limit, time_limit, None);
        client.update_timeouts(timeouts).await?;
        Ok(Self { driver, client })
    }

    pub(crate) async fn end(mut self) -> Result<(), Failure> {
        self.client.close().await?;
        self.driver.kill()?;
        self.driver.wait()?;
        Ok(())
    }

    /// Loads a page, and waits until all its requests are completed.
    pub(crate) async fn open(&self, url: &str) -> Result<(), Failure> {
        // If only the fragment of the URL changes, the browser does not load the page.
        self.client.goto("about:blank").await?;
        self.client.goto(url).await?;
        self.settle().await
    }

    /// Waits until the page has completed all requests, and checks that no part is out of date.
    pub(crate) async fn settle(&self) -> Result<(), Failure> {
        self.evaluate_promise("playground.settled()").await?;
        let stale_count = self
            .evaluate("document.querySelectorAll('.stale').length")
            .await?;
        if stale_count == 0 {
            return Ok(());
        }
        Err(format!("all results have arrived, but {stale_count} parts are out of date").into())
    }

    /// Evaluates a JavaScript expression.
    pub(crate) async fn evaluate(&self, expression: &str) -> Result<Value, Failure> {
        Ok(self
            .client
            .execute(&format!("return {expression}"), Vec::new())
            .await?)
    }

    /// Evaluates a JavaScript expression, and awaits its promise.
    pub(crate) async fn evaluate_promise(&self, promise: &str) -> Result<Value, Failure> {
        let script = format!(
            "const done = arguments[0]; Promise.resolve({promise}).then((value) => done({{ value }}), (error) => done({{ error: String(error) }}))"
        );
        let outcome = self.client.execute_async(&script, Vec::new()).await?;
        match outcome.get("error") {
            Some(error) => Err(format!("{promise}: {error}").into()),
            None => Ok(outcome["value"].clone()),
        }
    }

    /// Calls a JavaScript function with arguments, and awaits the result.
    pub(crate) async fn call(&self, function: &str, args: Vec<Value>) -> Result<Value, Failure> {
        let script = format!(
            "const done = arguments[arguments.length - 1]; Promise.resolve(({function})(...[...arguments].slice(0, -1))).then((value) => done({{ value }}), (error) => done({{ error: String(error) }}))"
        );
        let outcome = self.client.execute_async(&script, args).await?;
        match outcome.get("error") {
            Some(error) => Err(format!("{function}: {error}").into()),
            None => Ok(outcome["value"].clone()),
        }
    }

    pub(crate) async fn find(&self, selector: &str) -> Result<Element, Failure> {
        Ok(self.client.find(Locator::Css(selector)).await?)
    }

    /// Returns the visible text of an element.
    pub(crate) async fn text(&self, selector: &str) -> Result<String, Failure> {
        Ok(self.find(selector).await?.text().await?)
    }

    /// Sets the preferred color scheme, `light` or `dark`.
    pub(crate) async fn set_color_scheme(&self, scheme: &str) -> Result<(), Failure> {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        let params = json!({ "features": features });
        self.send_devtools_command("Emulation.setEmulatedMedia", params)
            .await
    }

    /// Sets the size of the window, in CSS pixels.
    pub(crate) async fn resize(&self, width: u32, height: u32) -> Result<(), Failure> {
        let params =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.send_devtools_command("Emulation.setDeviceMetricsOverride", params)
            .await
    }

    async fn send_devtools_command(&self, cmd: &'static str, params: Value) -> Result<(), Failure> {
        self.client.issue_cmd(DevTools { cmd, params }).await?;
        Ok(())
    }
}

/// Returns the port that chromedriver prints.
fn read_port(driver: &mut Child) -> Result<u16, Failure> {
    let stdout = driver.stdout.take().ok_or("no stdout")?;
    for line in BufReader::new(stdout).lines() {
        let line = line?;
        if let Some((_, port)) = line.split_once("started successfully on port ") {
            return Ok(port.trim_end_matches('.').parse()?);
        }
    }
    Err("chromedriver did not start".into())
}

/// A command of the Chrome `DevTools` protocol.
#[derive(Debug)]
struct DevTools {
    cmd: &'static str,
    params: Value,
}

impl WebDriverCompatibleCommand for DevTools {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        let session = session.unwrap_or_default();
        base.join(&format!("session/{session}/goog/cdp/execute"))
    }

    fn method_and_body(&self, _: &Url) -> (http::Method, Option<String>) {
        let body = json!({ "cmd": self.cmd, "params": self.params });
        (http::Method::POST, Some(body.to_string()))
    }
}
