//! A browser clicks through the page, where `chromedriver` and Chromium are installed; elsewhere there is nothing to do.

use super::{checked, lost};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// A browser, driven as the WebDriver protocol says.
struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

impl Browser {
    fn start(width: u32) -> Option<Self> {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut lines = BufReader::new(driver.stdout.take()?).lines();
        let port = lines.find_map(|line| {
            let line = line.ok()?;
            line.split("started successfully on port ").nth(1)?.trim_end_matches('.').parse().ok()
        })?;
        // What it says later must not fill the pipe.
        std::thread::spawn(move || lines.count());
        let mut browser = Browser { driver, port, session: String::new() };
        let options = json!({
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
            "mobileEmulation": { "deviceMetrics": { "width": width, "height": 800, "pixelRatio": 1.0, "touch": false } },
        });
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": options, "goog:loggingPrefs": { "browser": "ALL" },
        } } });
        let answer = browser.ask("POST", "/session", &wanted)?;
        browser.session = answer["value"]["sessionId"].as_str()?.to_owned();
        Some(browser)
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Option<Value> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).ok()?;
        let body = if method == "GET" { String::new() } else { body.to_string() };
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).ok()?;
        let mut stream = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            stream.read_line(&mut line).ok()?;
            match line.trim_end().split_once(':') {
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.trim().parse().ok()?;
                }
                None if line.trim_end().is_empty() => break,
                _ => {}
            }
        }
        let mut answer = vec![0; length];
        stream.read_exact(&mut answer).ok()?;
        serde_json::from_slice(&answer).ok()
    }

    fn of_session(&self, path: &str, body: &Value) -> Value {
        let path = format!("/session/{}/{path}", self.session);
        self.ask("POST", &path, body).unwrap_or_else(|| panic!("no answer to {path}"))["value"].clone()
    }

    fn open(&self, path: &std::path::Path) {
        self.of_session("url", &json!({ "url": format!("file://{}", path.display()) }));
    }

    /// What an expression is in the page.
    fn get(&self, expression: &str) -> Value {
        self.of_session("execute/sync", &json!({ "script": format!("return {expression}"), "args": [] }))
    }

    fn click(&self, selector: &str) {
        let found = self.of_session("element", &json!({ "using": "css selector", "value": selector }));
        let id = found.as_object().and_then(|one| one.values().next()).and_then(Value::as_str);
        let id = id.unwrap_or_else(|| panic!("there is no {selector}"));
        let answer = self.of_session(&format!("element/{id}/click"), &json!({}));
        assert!(answer.is_null(), "{selector}: {answer}");
    }

    fn press(&self, key: &str) {
        let actions = json!([{ "type": "key", "id": "keys", "actions": [
            { "type": "keyDown", "value": key }, { "type": "keyUp", "value": key }
        ] }]);
        self.of_session("actions", &json!({ "actions": actions }));
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            self.ask("DELETE", &format!("/session/{}", self.session), &json!({}));
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

const HERE: &str = "document.querySelector('.step.here').textContent";
const VALUE: &str = "[...document.querySelectorAll('.values tbody tr')]\
                     .find((row) => row.cells[0].textContent === 'counter.slots[1]').cells[1].textContent";

#[test]
fn a_browser_clicks_through_the_page() {
    let place = lost();
    checked(&place, &["--report", "out.html"], 1);
    for width in [1300, 390] {
        let Some(browser) = Browser::start(width) else { return };
        browser.open(&place.path("out.html"));
        assert_eq!(browser.get("document.querySelector('h1').textContent"), "failed assertion");
        assert_eq!(browser.get(HERE).as_str().map(|text| text.ends_with("failed assertion")), Some(true));
        assert_eq!(browser.get("document.querySelector('.line.now .number').textContent"), "24");
        assert_eq!(
            browser.get("typeof window.broken"),
            "undefined",
            "a string of the program's has become markup"
        );
        assert_eq!(browser.get(VALUE), "1");
        assert!(browser.get("document.querySelectorAll('.arrows path.plain').length").as_u64() >= Some(1));
        assert!(browser.get("document.querySelectorAll('.held').length").as_u64() >= Some(4));
        // Nothing is wider than the page.
        assert_eq!(
            browser.get("document.documentElement.scrollWidth <= window.innerWidth"),
            true,
            "at {width}"
        );
        // Home, in the language of WebDriver's keys.
        browser.press("\u{e011}");
        assert_eq!(browser.get("document.querySelector('.told').textContent.startsWith('1 of ')"), true);
        assert_eq!(browser.get(VALUE), "0", "what it was at first");
        let first = browser.get(HERE);
        browser.press("\u{e014}");
        let second = browser.get(HERE);
        assert_ne!(first, second);
        browser.click(".controls .back");
        assert_eq!(browser.get(HERE), first);
        browser.click(".controls .forward");
        assert_eq!(browser.get(HERE), second);
        browser.press("f");
        assert_eq!(browser.get(HERE).as_str().map(|text| text.ends_with("failed assertion")), Some(true));
        let slide = "(() => { const one = document.querySelector('.controls input'); one.value = 2;\
                     one.dispatchEvent(new Event('input')); return document.querySelector('.told').textContent; })()";
        assert_eq!(browser.get(slide).as_str().map(|text| text.starts_with("3 of ")), Some(true));
        let folds = browser.get("document.querySelectorAll('.step.fold').length");
        assert!(folds.as_u64() >= Some(1), "library events are folded");
        browser.click("#libraries");
        assert_eq!(browser.get("document.querySelectorAll('.step.fold').length"), 0);
        let errors = browser.of_session("se/log", &json!({ "type": "browser" }));
        assert_eq!(errors.as_array().map(Vec::len), Some(0), "{errors}");
    }
}
