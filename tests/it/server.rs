//! A scripted service over a real socket, which records exactly what arrived.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::{BodyDataStream, Full};

/// A service for one connection. It reports anything unexpected when it is dropped.
pub struct Server {
    pub address: SocketAddr,
    thread: Option<JoinHandle<Connection>>,
}

pub struct Connection {
    /// `None` once the script has ended, which closes the connection.
    pub stream: Option<TcpStream>,
    pub head: String,
    /// Everything after the head, as it came.
    pub body: Vec<u8>,
}

impl Server {
    pub fn start(script: impl FnOnce(&mut Connection) + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        listener.set_nonblocking(true).unwrap();
        let thread = std::thread::spawn(move || {
            let until = Instant::now() + Duration::from_secs(20);
            let stream = loop {
                match listener.accept() {
                    Ok((stream, _)) => break stream,
                    Err(error) if error.kind() == ErrorKind::WouldBlock && Instant::now() < until => {
                        std::thread::sleep(Duration::from_millis(2));
                    }
                    Err(error) => panic!("no connection arrived: {error}"),
                }
            };
            let mut connection = Connection::new(stream);
            script(&mut connection);
            connection.stream = None;
            connection
        });
        Self { address, thread: Some(thread) }
    }

    /// A service that reads the whole request and then answers.
    pub fn answering(answer: impl Into<Vec<u8>>) -> Self {
        let answer = answer.into();
        Self::start(move |connection| {
            connection.read_all();
            connection.send(&answer);
        })
    }

    /// A service for several connections in this order. An additional one is recorded, and gets no answer.
    pub fn scripted(scripts: Vec<Script>) -> Service {
        let scripts: Mutex<Vec<Option<Script>>> = Mutex::new(scripts.into_iter().map(Some).collect());
        Service::start(move |number, connection| {
            let script = scripts.lock().unwrap().get_mut(number).and_then(Option::take);
            match script {
                Some(script) => script(connection),
                None => connection.read_all(),
            }
        })
    }

    pub fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn finish(mut self) -> Connection {
        self.thread.take().unwrap().join().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
            && !std::thread::panicking()
        {
            panic!("the service was not used as expected");
        }
    }
}

/// The script of one connection.
pub type Script = Box<dyn FnOnce(&mut Connection) + Send>;

/// A service for any number of connections, each on a thread of its own.
pub struct Service {
    pub address: SocketAddr,
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<Vec<Connection>>>,
}

impl Service {
    /// Serves every connection; the first has the number 0.
    pub fn start(serve: impl Fn(usize, &mut Connection) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        listener.set_nonblocking(true).unwrap();
        let (serve, done) = (Arc::new(serve), Arc::new(AtomicBool::new(false)));
        let ended = Arc::clone(&done);
        let thread = std::thread::spawn(move || {
            let mut threads = Vec::new();
            while !ended.load(Ordering::SeqCst) {
                let Ok((stream, _)) = listener.accept() else {
                    std::thread::sleep(Duration::from_millis(1));
                    continue;
                };
                let (serve, number) = (Arc::clone(&serve), threads.len());
                threads.push(std::thread::spawn(move || {
                    let mut connection = Connection::new(stream);
                    serve(number, &mut connection);
                    connection.stream = None;
                    connection
                }));
            }
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        Self { address, done, thread: Some(thread) }
    }

    pub fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the connections in their order.
    pub fn finish(mut self) -> Vec<Connection> {
        self.done.store(true, Ordering::SeqCst);
        self.thread.take().unwrap().join().expect("the service was not used as expected")
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.done.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
            && !std::thread::panicking()
        {
            panic!("the service was not used as expected");
        }
    }
}

impl Connection {
    fn new(stream: TcpStream) -> Self {
        stream.set_nonblocking(false).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        Self { stream: Some(stream), head: String::new(), body: Vec::new() }
    }

    /// The method and the path.
    pub fn line(&self) -> &str {
        self.head.lines().next().and_then(|line| line.strip_suffix(" HTTP/1.1")).expect("a request line")
    }

    /// The fields of a URL-encoded body, parsed by hand.
    pub fn fields(&self) -> Vec<(String, String)> {
        assert_eq!(self.header("content-type"), Some("application/x-www-form-urlencoded"));
        assert_eq!(self.header("content-length").unwrap(), self.body.len().to_string());
        let plain = |text: &str| {
            let mut bytes = text.bytes();
            let mut out = Vec::new();
            while let Some(byte) = bytes.next() {
                out.push(match byte {
                    b'+' => b' ',
                    b'%' => {
                        let digits = [bytes.next().unwrap(), bytes.next().unwrap()];
                        u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap()
                    }
                    byte => byte,
                });
            }
            String::from_utf8(out).unwrap()
        };
        let body = std::str::from_utf8(&self.body).unwrap();
        body.split('&')
            .map(|pair| pair.split_once('=').map(|(key, value)| (plain(key), plain(value))).unwrap())
            .collect()
    }

    pub fn stream(&mut self) -> &mut TcpStream {
        self.stream.as_mut().unwrap()
    }

    pub fn read_head(&mut self) {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            self.stream().read_exact(&mut byte).expect("the head is incomplete");
            head.push(byte[0]);
        }
        self.head = String::from_utf8(head).unwrap();
    }

    fn read(&mut self, part: &mut [u8]) -> std::io::Result<usize> {
        loop {
            match self.stream().read(part) {
                // A signal, for example because a child of another test has ended.
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }

    pub fn read_some(&mut self, len: usize) {
        let mut part = vec![0; len];
        self.stream().read_exact(&mut part).unwrap();
        self.body.extend(part);
    }

    /// Reads to the end of the form.
    pub fn read_all(&mut self) {
        self.read_head();
        self.read_body();
    }

    /// Reads to the end of the form, after the head was read.
    pub fn read_body(&mut self) {
        match self.header("content-length") {
            Some(len) => self.read_some(len.parse().unwrap()),
            None => {
                let mut part = vec![0; 65536];
                while !self.body.ends_with(b"\r\n0\r\n\r\n") {
                    let len = self.read(&mut part).unwrap();
                    assert!(len > 0, "the body is incomplete");
                    self.body.extend_from_slice(&part[..len]);
                }
            }
        }
    }

    /// Reads to the end of the connection, however it ends.
    pub fn drain(&mut self) {
        let mut part = vec![0; 65536];
        while let Ok(len @ 1..) = self.read(&mut part) {
            self.body.extend_from_slice(&part[..len]);
        }
    }

    /// Reads to the end of the form, or of the connection if that comes first.
    pub fn drain_form(&mut self) {
        let len: usize = self.header("content-length").unwrap().parse().unwrap();
        let mut part = vec![0; 65536];
        while self.body.len() < len {
            match self.read(&mut part) {
                Ok(read @ 1..) => self.body.extend_from_slice(&part[..read]),
                _ => return,
            }
        }
    }

    pub fn send(&mut self, bytes: &[u8]) {
        let _ = self.stream().write_all(bytes);
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.head.lines().skip(1).filter_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then_some(value.trim())
        });
        let first = found.next();
        assert!(found.next().is_none(), "{name} twice");
        first
    }

    pub fn boundary(&self) -> &str {
        self.header("content-type").unwrap().strip_prefix("multipart/form-data; boundary=").unwrap()
    }

    pub fn closed_the_form(&self) -> bool {
        let end = format!("--{}--", self.boundary());
        let last = &self.body[self.body.len().saturating_sub(200)..];
        last.windows(end.len()).any(|window| window == end.as_bytes())
    }

    /// Field, file name and content of every part, by an independent parser.
    pub fn parts(&self) -> Vec<(String, Option<String>, Bytes)> {
        let body = Full::new(Bytes::from(self.body.clone()));
        let mut form = multer::Multipart::new(BodyDataStream::new(body), self.boundary());
        runtime().block_on(async {
            let mut parts = Vec::new();
            while let Some(field) = form.next_field().await.unwrap() {
                let (name, file) = (field.name().unwrap().to_owned(), field.file_name().map(str::to_owned));
                parts.push((name, file, field.bytes().await.unwrap()));
            }
            parts
        })
    }
}

pub fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}
