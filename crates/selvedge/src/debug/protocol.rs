//! Messages of the Debug Adapter Protocol: how they are framed, and what all of them have.

use serde::Deserialize;
use serde_json::{Value, json};
use std::io::{self, BufRead, Read, Write};

/// What a client asks for.
#[derive(Debug, Deserialize)]
pub struct Request {
    pub seq: i64,
    pub command: String,
    #[serde(default)]
    pub arguments: Value,
}

impl Request {
    /// An argument that is text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.arguments.get(name)?.as_str()
    }

    /// An argument that is a number which is not negative.
    pub fn number(&self, name: &str) -> Option<u64> {
        self.arguments.get(name)?.as_u64()
    }

    /// An argument that is true or false; false if it is not there.
    pub fn flag(&self, name: &str) -> bool {
        self.arguments.get(name).and_then(Value::as_bool).unwrap_or(false)
    }
}

/// Messages larger than this are not from a debugger's user interface.
const LARGEST: usize = 16 << 20;

/// The next message; nothing when the client has closed its end.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Value>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if input.by_ref().take(4096).read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim_end();
        match line.split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse::<usize>().ok().filter(|length| *length <= LARGEST);
            }
            _ if line.is_empty() && length.is_some() => break,
            _ if line.is_empty() => {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "a message without Content-Length"));
            }
            _ => {}
        }
    }
    let mut bytes = vec![0; length.unwrap_or(0)];
    input.read_exact(&mut bytes)?;
    let message = serde_json::from_slice(&bytes);
    message.map(Some).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Writes messages, numbered.
pub struct Writer<W> {
    output: W,
    seq: i64,
}

impl<W: Write> Writer<W> {
    pub fn new(output: W) -> Self {
        Writer { output, seq: 0 }
    }

    fn send(&mut self, mut message: Value) -> io::Result<()> {
        self.seq += 1;
        message["seq"] = json!(self.seq);
        let text = message.to_string();
        write!(self.output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        self.output.flush()
    }

    pub fn event(&mut self, event: &str, body: Value) -> io::Result<()> {
        self.send(json!({ "type": "event", "event": event, "body": body }))
    }

    /// The answer to a request: a body, or what is wrong.
    pub fn respond(&mut self, request: &Request, answer: Result<Value, String>) -> io::Result<()> {
        let (success, body, message) = match answer {
            Ok(body) => (true, body, None),
            Err(message) => {
                let error = json!({ "id": 1, "format": message.replace('{', "{{"), "showUser": true });
                (false, json!({ "error": error }), Some(message))
            }
        };
        let mut response = json!({
            "type": "response",
            "request_seq": request.seq,
            "command": request.command,
            "success": success,
            "body": body,
        });
        if let Some(message) = message {
            response["message"] = json!(message);
        }
        self.send(response)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_they_are_written() {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes);
        writer.event("stopped", json!({ "reason": "step" })).expect("memory can be written to");
        writer.event("exited", json!({ "exitCode": 1 })).expect("memory can be written to");
        let mut input = &bytes[..];
        let first = read(&mut input).expect("a message").expect("not the end");
        assert_eq!((&first["event"], &first["seq"]), (&json!("stopped"), &json!(1)));
        let second = read(&mut input).expect("a message").expect("not the end");
        assert_eq!(second["body"]["exitCode"], json!(1));
        assert!(read(&mut input).expect("the end").is_none());
    }

    #[test]
    fn what_is_no_message_is_an_error() {
        for text in [
            "\r\n",
            "Content-Length: x\r\n\r\n",
            "Content-Length: 2\r\n\r\n{]",
            "Content-Length: 9\r\n\r\n{}",
        ] {
            assert!(read(&mut text.as_bytes()).is_err(), "{text:?}");
        }
    }
}
