//! A browser under `WebDriver`, and the state of the page in it.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use fantoccini::elements::Element;
use fantoccini::wd::{Capabilities, TimeoutConfiguration, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use url::{ParseError, Url};

use crate::Failure;

/// A browser program, with the program that drives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BrowserProgram {
    Chromium,
    Firefox,
}

/// The flags of a Chromium that has no window and sends no requests in the background.
const CHROMIUM_FLAGS: [&str; 10] = [
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
    pub(crate) program: BrowserProgram,
    driver: Child,
    pub(crate) client: Client,
}

/// The size of the page, in CSS pixels.
pub(crate) const WIDE: (u32, u32) = (1440, 1000);

impl BrowserProgram {
    fn capabilities(self, folder: &Path) -> Capabilities {
        let (name, options) = match self {
            Self::Chromium => {
                let mut flags: Vec<String> =
                    CHROMIUM_FLAGS.iter().map(ToString::to_string).collect();
                flags.push(format!("--user-data-dir={}", folder.display()));
                ("goog:chromeOptions", json!({ "args": flags }))
            }
            Self::Firefox => (
                "moz:firefoxOptions",
                json!({ "args": ["-headless", "-width", "1600", "-height", "1300"] }),
            ),
        };
        Capabilities::from_iter([(name.to_owned(), options)])
    }
}

impl Browser {
    /// Starts the browser, with its files in an empty folder.
    pub(crate) async fn start(program: BrowserProgram, folder: &Path) -> Result<Self, Failure> {
        fs::create_dir_all(folder)?;
        let mut driver_command = match program {
            BrowserProgram::Chromium => {
                let mut chromedriver = Command::new("chromedriver");
                chromedriver.arg("--port=0");
                chromedriver
            }
            BrowserProgram::Firefox => {
                let mut geckodriver = Command::new("geckodriver");
                // Scripts of this driver change settings of the browser.
                geckodriver.args(["--port", "0", "--websocket-port", "0"]);
                geckodriver.arg("--allow-system-access");
                geckodriver.arg("--profile-root").arg(folder);
                // Firefox prints errors of its own services, which do not concern the page.
                geckodriver.stderr(Stdio::null());
                geckodriver
            }
        };
        let mut driver = driver_command
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{driver_command:?}: {error}"))?;
        let port = read_port(&mut driver)?;
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(program.capabilities(folder))
            .connect(&format!("http://127.0.0.1:{port}"))
            .await?;
        // A request may take long on a busy machine.
        let time_limit = Some(Duration::from_secs(120));
        let timeouts = TimeoutConfiguration::new(time_limit, time_limit, None);
        client.update_timeouts(timeouts).await?;
        let browser = Self {
            program,
            driver,
            client,
        };
        browser.resize(WIDE.0, WIDE.1).await?;
        Ok(browser)
    }

    /// Prints a line of the output, with the name of the browser.
    pub(crate) fn report(&self, line: &str) {
        println!("{:?}: {line}", self.program);
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

    /// Clicks on an element, and waits until the page has completed all requests.
    pub(crate) async fn click(&self, selector: &str) -> Result<(), Failure> {
        self.find(selector).await?.click().await?;
        self.settle().await
    }

    /// Checks the verdicts on the CRD and on the object.
    pub(crate) async fn expect_verdicts(&self, crd: &str, object: &str) -> Result<(), Failure> {
        let verdicts = self
            .evaluate(
                "[...document.querySelectorAll('#verdict strong')].map((one) => one.textContent)",
            )
            .await?;
        if verdicts == json!([crd, object]) {
            return Ok(());
        }
        let page_results: Value = self.evaluate("playground.told()").await?;
        let expected = json!([crd, object]);
        Err(format!("found the verdicts {verdicts}, expected {expected}: {page_results}").into())
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
        match self.program {
            BrowserProgram::Chromium => {
                let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
                let params = json!({ "features": features });
                self.send_devtools_command("Emulation.setEmulatedMedia", params)
                    .await
            }
            BrowserProgram::Firefox => {
                let script = "Services.prefs.setIntPref('layout.css.prefers-color-scheme.content-override', arguments[0])";
                let value = i32::from(scheme == "light");
                self.execute_in_firefox(script, vec![json!(value)]).await
            }
        }
    }

    /// Sets the size of the page, in CSS pixels.
    pub(crate) async fn resize(&self, width: u32, height: u32) -> Result<(), Failure> {
        match self.program {
            BrowserProgram::Chromium => {
                let params = json!({
                    "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false,
                });
                self.send_devtools_command("Emulation.setDeviceMetricsOverride", params)
                    .await?;
            }
            BrowserProgram::Firefox => {
                // A window of Firefox has a minimum width, so the page gets a part of the window.
                let script = "const { style } = gBrowser.selectedBrowser; for (const [name, value] of [['width', arguments[0]], ['height', arguments[1]]]) for (const bound of ['min-', 'max-', '']) style.setProperty(bound + name, `${value}px`);";
                self.execute_in_firefox(script, vec![json!(width), json!(height)])
                    .await?;
            }
        }
        let wait_for_size = "async (width, height) => { while (innerWidth !== width || innerHeight !== height) await new Promise(requestAnimationFrame); }";
        self.call(wait_for_size, vec![json!(width), json!(height)])
            .await?;
        Ok(())
    }

    async fn send_devtools_command(&self, cmd: &'static str, params: Value) -> Result<(), Failure> {
        let body = json!({ "cmd": cmd, "params": params });
        self.send("goog/cdp/execute", body).await
    }

    /// Executes a script with access to the browser itself, not in the page.
    async fn execute_in_firefox(&self, script: &str, args: Vec<Value>) -> Result<(), Failure> {
        self.send("moz/context", json!({ "context": "chrome" }))
            .await?;
        let result = self.client.execute(script, args).await;
        self.send("moz/context", json!({ "context": "content" }))
            .await?;
        result?;
        Ok(())
    }

    async fn send(&self, endpoint: &'static str, body: Value) -> Result<(), Failure> {
        let command = BrowserCommand { endpoint, body };
        self.client.issue_cmd(command).await?;
        Ok(())
    }
}

/// Returns the port that the driver prints.
fn read_port(driver: &mut Child) -> Result<u16, Failure> {
    let stdout = driver.stdout.take().ok_or("no stdout")?;
    let mut lines = BufReader::new(stdout).lines();
    let mut port = None;
    for line in &mut lines {
        let line = line?;
        let chromium_port = line.split_once("started successfully on port ");
        let firefox_port = line.split_once("Listening on 127.0.0.1:");
        if let Some((_, number)) = chromium_port.or(firefox_port) {
            port = Some(number.trim_end_matches('.').parse()?);
            break;
        }
    }
    // The driver must be able to print more.
    thread::spawn(move || lines.for_each(drop));
    port.ok_or_else(|| "the driver of the browser did not start".into())
}

/// A command that only one browser has.
#[derive(Debug)]
struct BrowserCommand {
    endpoint: &'static str,
    body: Value,
}

impl WebDriverCompatibleCommand for BrowserCommand {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        let session = session.unwrap_or_default();
        base.join(&format!("session/{session}/{}", self.endpoint))
    }

    fn method_and_body(&self, _: &Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.body.to_string()))
    }
}
