//! Uploads over TLS, through proxies and over IPv6, to services with certificates that the tests create.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use credlint::upload::{Client, Payload, Post, Receipt, Settings, Status, Watch};
use credlint::{BaseUrl, BearerToken, CaFile, ChannelId};
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, date_time_ymd};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::json;

use crate::external::{http, json_response};
use crate::harness::{Project, Run};
use crate::server::{Service, runtime};

const TOKEN: &str = "xoxb-4815162342-QwErTyUiOpAsDfGh";
const OK: &[u8] =
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\nConnection: close\r\n\r\n{\"ok\":true}";

/// A certificate authority.
struct Authority {
    pem: String,
    der: CertificateDer<'static>,
    issuer: Issuer<'static, KeyPair>,
}

/// A certificate with its key.
type Identity = (CertificateDer<'static>, PrivateKeyDer<'static>);

impl Authority {
    fn new(name: &str) -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let certificate = params.self_signed(&key).unwrap();
        Self { pem: certificate.pem(), der: certificate.der().clone(), issuer: Issuer::new(params, key) }
    }

    /// A certificate for that name or address.
    fn issue(&self, name: &str) -> Identity {
        self.issue_for(name, 2020, 2090)
    }

    fn issue_for(&self, name: &str, since: i32, until: i32) -> Identity {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new([name.to_owned()]).unwrap();
        (params.not_before, params.not_after) = (date_time_ymd(since, 1, 1), date_time_ymd(until, 1, 1));
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        (certificate.der().clone(), PrivateKeyDer::Pkcs8(key.serialize_der().into()))
    }
}

fn server_config((certificate, key): Identity) -> Arc<ServerConfig> {
    let provider = rustls::crypto::ring::default_provider();
    let config = ServerConfig::builder_with_provider(provider.into()).with_safe_default_protocol_versions().unwrap();
    Arc::new(config.with_no_client_auth().with_single_cert(vec![certificate], key).unwrap())
}

/// What arrived at a service: the heads of requests, and an empty entry for a client that got no further.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<String>>>);

impl Seen {
    fn heads(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

/// Listens on a free port of an address, and passes every connection to `serve`, each in its own thread.
fn listen(address: IpAddr, serve: impl Fn(TcpStream, &Seen) + Send + Sync + 'static) -> Option<(SocketAddr, Seen)> {
    let listener = TcpListener::bind((address, 0)).ok()?;
    let at = listener.local_addr().unwrap();
    let seen = Seen::default();
    let (serve, noted) = (Arc::new(serve), seen.clone());
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let (serve, noted) = (serve.clone(), noted.clone());
            stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
            std::thread::spawn(move || serve(stream, &noted));
        }
    });
    Some((at, seen))
}

const V4: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
const V6: IpAddr = IpAddr::V6(Ipv6Addr::LOCALHOST);

/// Reads the head of a request, or what was sent instead.
fn read_head(stream: &mut impl Read) -> String {
    let mut head = Vec::new();
    let mut byte = [0];
    // The first byte of a TLS handshake is not a letter, so it is not HTTP.
    while head.first() != Some(&22) && !head.ends_with(b"\r\n\r\n") && matches!(stream.read(&mut byte), Ok(1)) {
        head.push(byte[0]);
    }
    String::from_utf8_lossy(&head).into_owned()
}

/// Accepts an upload and confirms it.
fn accept(mut stream: impl Read + Write, seen: &Seen) {
    let head = read_head(&mut stream);
    let length = head.to_lowercase().lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
    seen.0.lock().unwrap().push(head);
    let Some(length) = length else { return };
    let mut body = vec![0; length];
    if stream.read_exact(&mut body).is_ok() {
        let _ = stream.write_all(OK).and_then(|()| stream.flush());
    }
}

/// A service with that certificate.
fn secured(address: IpAddr, identity: Identity) -> Option<(SocketAddr, Seen)> {
    let config = server_config(identity);
    listen(address, move |stream, seen| {
        let connection = ServerConnection::new(config.clone()).unwrap();
        let mut stream = StreamOwned::new(connection, stream);
        accept(&mut stream, seen);
        stream.conn.send_close_notify();
        let _ = stream.flush();
    })
}

fn service(identity: Identity) -> (SocketAddr, Seen) {
    secured(V4, identity).unwrap()
}

/// A proxy that connects every client to one service, whatever it requests.
fn proxy(to: SocketAddr) -> (SocketAddr, Seen) {
    listen(V4, move |mut stream, seen| {
        seen.0.lock().unwrap().push(read_head(&mut stream));
        let mut onward = TcpStream::connect(to).unwrap();
        stream.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").unwrap();
        let (mut back, mut from) = (stream.try_clone().unwrap(), onward.try_clone().unwrap());
        std::thread::spawn(move || {
            let _ = std::io::copy(&mut from, &mut back);
            let _ = back.shutdown(std::net::Shutdown::Write);
        });
        let _ = std::io::copy(&mut stream, &mut onward);
    })
    .unwrap()
}

/// A proxy with a fixed answer.
fn refusing_proxy(answer: &'static str) -> (SocketAddr, Seen) {
    listen(V4, move |mut stream, seen| {
        seen.0.lock().unwrap().push(read_head(&mut stream));
        let _ = stream.write_all(answer.as_bytes());
    })
    .unwrap()
}

/// A port without a listener.
fn unused_address() -> SocketAddr {
    TcpListener::bind((V4, 0)).unwrap().local_addr().unwrap()
}

/// A project with a profile for that address, and `more` in the profile. The system has no certificates.
fn project(base: &str, more: &str) -> Project {
    Project::new()
        .file("credlint.toml", profile(base, more))
        .file("report.csv", "day,errors\n1,2\n")
        .env("T", TOKEN)
        .env("SSL_CERT_FILE", "/nonexistent/none.pem")
        .env("SSL_CERT_DIR", "/nonexistent")
}

fn profile(base: &str, more: &str) -> String {
    format!(
        "[messaging.reports]\nbase_url = \"{base}\"\ntoken = {{ env = \"T\" }}\nchannels = [\"C0123456789\"]\n{more}\n"
    )
}

const UPLOAD: &[&str] = &["upload", "--profile", "reports", "--format", "json", "--retries", "0", "report.csv"];

/// The result of the file: its status, and the error as code, message and help.
fn outcome(run: &Run) -> (String, [String; 3]) {
    let document = run.document();
    let upload = &document["uploads"][0];
    let error = ["code", "message", "help"].map(|key| upload["error"][key].as_str().unwrap_or_default().to_owned());
    (upload["status"].as_str().unwrap_or_else(|| panic!("{}{}", run.stdout, run.stderr)).to_owned(), error)
}

fn assert_delivered(run: &Run) {
    assert_eq!(outcome(run).0, "delivered", "{}{}", run.stdout, run.stderr);
}

#[test]
fn a_ca_file_is_relative_to_where_it_is_set() {
    let authority = Authority::new("ours");
    let (at, seen) = service(authority.issue("127.0.0.1"));
    let base = format!("https://{at}");
    let given = |more: &str| {
        let project = project(&base, "");
        let project = project.file("conf/team.toml", profile(&base, more)).file("conf/ca.pem", &authority.pem);
        project.file("here/authority.pem", &authority.pem).file("conf/path", "ca.pem\n").env("CA", "here/authority.pem")
    };
    let named = [UPLOAD, &["--config", "conf/team.toml"]].concat();
    assert_delivered(&given("ca_file = \"ca.pem\"").run(&named));
    assert_delivered(&given("ca_file = { file = \"path\" }").run(&named));
    // A path in a variable is relative to the working directory.
    assert_delivered(&given("ca_file = { env = \"CA\" }").run(&named));
    let lower = given("ca_file = \"wrong.pem\"");
    assert_eq!(outcome(&lower.run(&named)).1[0], "ca-file");
    // The field ends in `_FILE`, but is not a file with the value of a field `ca`.
    let variable = "CREDLINT_MESSAGING__REPORTS__CA_FILE";
    assert_delivered(&given("ca_file = \"wrong.pem\"").env(variable, "here/authority.pem").run(&named));
    assert_delivered(
        &given("").env(&format!("{variable}_FILE"), "conf/path").file("ca.pem", &authority.pem).run(&named),
    );
    // An empty variable counts as missing.
    assert_eq!(outcome(&given("ca_file = \"ca.pem\"").env(variable, "").run(&named)).1[0], "no-ca-certificates");
    assert_eq!(seen.heads().len(), 5);
    assert!(seen.heads().iter().all(|head| head.starts_with("POST /api/files.upload HTTP/1.1\r\n")));
}

#[test]
fn ca_file_is_listed_and_checked() {
    let shown = project("https://chat.example.com", "ca_file = \"ca.pem\"").run(&["profiles", "reports"]);
    assert!(shown.stdout.contains("ca.pem"), "{}", shown.stdout);
    let token = project("https://chat.example.com", &format!("ca_file = \"{TOKEN}\""));
    let shown = token.run(&["profiles", "reports"]);
    assert!(shown.stdout.contains("ca_file") && !shown.stdout.contains(TOKEN), "{}", shown.stdout);
    assert_eq!(token.rules(&[]), ["foreign-credential"]);
    // The file is not opened until it is needed.
    let check = project("https://chat.example.com", "ca_file = \"none.pem\"").run(&["check"]);
    assert_eq!(check.code, 0, "{}", check.stderr);
    assert_eq!(project("https://chat.example.com", "ca_file = 1").rules(&[]), ["wrong-type"]);
    let missing = project("https://chat.example.com", "ca_file = { env = \"NOT_SET\" }");
    assert_eq!(missing.rules(&[]), ["unresolved-reference"]);
}

/// A secret of the user configuration, with the rest of the profile and `theirs` in the project's file.
#[test]
fn a_project_cannot_choose_the_ca_for_a_secret_of_the_user() {
    let address = "base_url = \"https://chat.example.com\"\n";
    for (theirs, own, labels) in [
        ("ca_file = \"ca.pem\"\n".to_owned(), address, 2),
        // One mistake, in each of its forms.
        (format!("{address}ca_file = \"ca.pem\"\n"), "", 3),
        ("ca_file = \"\"\n".to_owned(), address, 0),
    ] {
        let project = Project::new()
            .file("credlint.toml", format!("[messaging.reports]\n{theirs}channels = [\"C0123456789\"]\n"))
            .user(&format!("[messaging.reports]\n{own}token = {{ env = \"T\" }}\n"))
            .env("T", TOKEN);
        let findings = project.check(&[]).1["findings"].as_array().unwrap().clone();
        let found = findings.iter().map(|finding| finding["labels"].as_array().unwrap().len()).sum::<usize>();
        assert_eq!((findings.len(), found), (usize::from(labels > 0), labels), "{theirs}: {findings:?}");
        assert!(findings.iter().all(|finding| finding["rule"] == "redirected-credential"));
        let trusted = project.env("CREDLINT_MESSAGING__REPORTS__CA_FILE", "mine.pem");
        assert_eq!(trusted.rules(&[]).len(), usize::from(labels == 3), "{theirs}");
    }
}

#[test]
fn system_certificates_are_used_with_and_without_a_ca_file() {
    let (authority, other) = (Authority::new("ours"), Authority::new("other"));
    let (at, _) = service(authority.issue("127.0.0.1"));
    let base = format!("https://{at}");
    let none = project(&base, "").run(UPLOAD);
    let (status, [code, _, help]) = outcome(&none);
    assert_eq!((none.code, status.as_str(), code.as_str()), (3, "failed", "no-ca-certificates"));
    assert!(help.contains("SSL_CERT_FILE") && help.contains("ca_file"), "{help}");
    // An unencrypted connection needs no certificates.
    let (plain, _) = listen(V4, accept).unwrap();
    assert_delivered(&project(&format!("http://{plain}"), "").run(UPLOAD));
    assert_delivered(&project(&format!("http://{plain}"), "ca_file = \"none.pem\"").run(UPLOAD));

    let file = |pem: &str| project(&base, "").file("system.pem", pem).env("SSL_CERT_FILE", "system.pem");
    assert_delivered(&file(&authority.pem).run(UPLOAD));
    assert_eq!(outcome(&file(&other.pem).run(UPLOAD)).1[0], "tls-failed");
    let beside = project(&base, "ca_file = \"ca.pem\"").file("ca.pem", format!("{}\n{}", other.pem, authority.pem));
    assert_delivered(&beside.file("system.pem", &other.pem).env("SSL_CERT_FILE", "system.pem").run(UPLOAD));
    // The certificates of the system are used in addition to those of the file.
    let beside = project(&base, "ca_file = \"ca.pem\"").file("ca.pem", &other.pem);
    assert_delivered(&beside.file("system.pem", &authority.pem).env("SSL_CERT_FILE", "system.pem").run(UPLOAD));
    // In a directory, files have the names that OpenSSL expects.
    let directory = project(&base, "").file("system/0123abcd.0", &authority.pem).env("SSL_CERT_DIR", "system");
    assert_delivered(&directory.run(UPLOAD));
}

#[test]
fn an_unusable_ca_file_is_reported_before_sending() {
    let authority = Authority::new("ours");
    let (at, seen) = service(authority.issue("127.0.0.1"));
    let half = &authority.pem[..authority.pem.len() / 2];
    let damaged = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    for (content, expected) in [
        (authority.der.as_ref(), "is not PEM"),
        (half.as_bytes(), "is not PEM"),
        (format!("{}{damaged}", authority.pem).as_bytes(), "contains a damaged certificate"),
        (b"", "contains no certificate"),
        (b"certificates\n", "contains no certificate"),
    ] {
        let run = project(&format!("https://{at}"), "ca_file = \"ca.pem\"").file("ca.pem", content).run(UPLOAD);
        let (status, [code, message, help]) = outcome(&run);
        assert_eq!((run.code, status.as_str(), code.as_str()), (3, "failed", "ca-file"), "{expected}");
        assert!(message.contains("ca.pem") && message.ends_with(expected) && help.contains("PEM"), "{message}");
    }
    for (path, expected) in [("none.pem", "no such file or directory"), (".git", "it is a directory")] {
        let run = project(&format!("https://{at}"), &format!("ca_file = \"{path}\"")).run(UPLOAD);
        let [code, message, _] = outcome(&run).1;
        assert!(code == "ca-file" && message.contains(path) && message.contains(expected), "{message}");
    }
    let run = project(&format!("https://{at}"), &format!("ca_file = \"{TOKEN}\"")).run(UPLOAD);
    assert_eq!(outcome(&run).1[0], "profile-has-errors");
    assert!(!run.stdout.contains("QwErTy") && !run.stderr.contains("QwErTy"), "{}", run.stdout);
    assert!(seen.heads().is_empty());
}

/// A file with certificates in a temporary directory.
fn ca_file(pem: &str) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("ca.pem");
    std::fs::write(&path, pem).unwrap();
    (dir, path)
}

/// Sends a file with the library.
fn send(base: &str, ca_file: &Path) -> Receipt {
    let mut settings = Settings::default();
    settings.connect_timeout = Duration::from_secs(5);
    settings.ca_file = Some(CaFile::new(ca_file));
    let token = BearerToken::new(TOKEN.into()).unwrap();
    let client = Client::new(&BaseUrl::parse(base).unwrap(), &token, settings).unwrap();
    // Any small file is suitable.
    let payload = Payload::open(ca_file, None).unwrap();
    let post = Post::new(vec![ChannelId::parse("C0123456789").unwrap()]);
    runtime().block_on(client.upload(&post, payload, Watch::default()))
}

#[test]
fn tls_errors_are_distinguished_and_not_retried() {
    let (authority, other) = (Authority::new("ours"), Authority::new("other"));
    let (_dir, path) = ca_file(&authority.pem);
    let itself = || {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(["127.0.0.1".to_owned()]).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let certificate = params.signed_by(&key, &authority.issuer).unwrap();
        (certificate.der().clone(), PrivateKeyDer::Pkcs8(key.serialize_der().into()))
    };
    for (identity, expected, helped) in [
        (other.issue("127.0.0.1"), "issued by an untrusted authority", "ca_file"),
        // An authority that was recreated under its old name.
        (Authority::new("ours").issue("127.0.0.1"), "issued by an untrusted authority", "ca_file"),
        (authority.issue_for("127.0.0.1", 2001, 2002), "has expired or is not valid yet", "clock"),
        (authority.issue_for("127.0.0.1", 2080, 2090), "has expired or is not valid yet", "clock"),
        (authority.issue("127.0.0.2"), "is for another name", "base_url"),
        (authority.issue("localhost"), "is for another name", "base_url"),
        (itself(), "can't be accepted", "authority"),
    ] {
        let (at, seen) = service(identity);
        let receipt = send(&format!("https://{at}"), &path);
        let error = receipt.error.unwrap();
        assert_eq!(
            (receipt.status, error.code.as_str(), receipt.attempts),
            (Status::Failed, "tls-failed", 1),
            "{expected}"
        );
        assert!(error.message.contains(expected), "{}", error.message);
        assert!(error.help.unwrap().contains(helped), "{expected}");
        // Nothing was sent to it, not even the token.
        assert_eq!(seen.heads().concat(), "");
    }
    let (plain, _) = listen(V4, |mut stream, seen| {
        let mut hello = [0; 5];
        let _ = stream.read(&mut hello);
        seen.0.lock().unwrap().push(String::new());
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
    })
    .unwrap();
    let receipt = send(&format!("https://{plain}"), &path);
    let error = receipt.error.unwrap();
    assert_eq!(
        (receipt.attempts, error.message.as_str()),
        (1, "the service does not answer in TLS there; its address may have to begin with http://")
    );
    assert!(error.help.unwrap().contains("http://"));
}

#[test]
fn ipv6_and_localhost_are_reached_over_either_protocol() {
    let authority = Authority::new("ours");
    let (_dir, path) = ca_file(&authority.pem);
    let delivered = |base: String| {
        let receipt = send(&base, &path);
        assert_eq!(receipt.status, Status::Delivered, "{base}: {receipt:?}");
    };
    let here = |address, name| secured(address, authority.issue(name));
    let (v4, _) = here(V4, "localhost").unwrap();
    delivered(format!("https://localhost:{}", v4.port()));
    let Some((v6, _)) = here(V6, "::1") else {
        // Printed, not asserted: some machines have no IPv6.
        #[expect(clippy::disallowed_methods, reason = "a test that tested nothing says so")]
        return writeln!(std::io::stderr(), "NOT TESTED: this machine has no ::1").unwrap();
    };
    delivered(format!("https://{v6}"));
    let (plain, seen) = listen(V6, accept).unwrap();
    delivered(format!("http://{plain}"));
    assert!(seen.heads()[0].to_lowercase().contains(&format!("host: [::1]:{}", plain.port())), "{:?}", seen.heads());
    // There is no listener on the same port of 127.0.0.1.
    delivered(format!("http://localhost:{}", plain.port()));
    let (v6, _) = here(V6, "localhost").unwrap();
    delivered(format!("https://localhost:{}", v6.port()));
    let (wrong, _) = here(V6, "127.0.0.1").unwrap();
    assert_eq!(send(&format!("https://{wrong}"), &path).error.unwrap().code.as_str(), "tls-failed");
}

#[test]
fn a_proxy_gets_only_a_connect_request_for_the_service() {
    let authority = Authority::new("ours");
    let (at, received) = service(authority.issue("chat.example.com"));
    for (name, scheme) in [("HTTPS_PROXY", "http://"), ("https_proxy", ""), ("ALL_PROXY", "http://"), ("all_proxy", "")]
    {
        let (proxy, asked) = proxy(at);
        let project = project("https://chat.example.com", "ca_file = \"ca.pem\"").file("ca.pem", &authority.pem);
        assert_delivered(&project.env(name, format!("{scheme}{proxy}")).run(UPLOAD));
        let [head] = &asked.heads()[..] else { panic!("{name}: {:?}", asked.heads()) };
        assert!(head.starts_with("CONNECT chat.example.com:443 HTTP/1.1\r\n"), "{head}");
        assert!(!head.to_lowercase().contains("authorization") && !head.contains(TOKEN), "{head}");
    }
    assert_eq!(received.heads().len(), 4);
    assert!(received.heads()[0].contains(&format!("Bearer {TOKEN}")));

    // Username and password are sent to the proxy, and nowhere else.
    let (proxy, asked) = proxy(at);
    let project = project("https://chat.example.com:8443", "ca_file = \"ca.pem\"").file("ca.pem", &authority.pem);
    let run = project.env("HTTPS_PROXY", format!("http://hugo:pa%24%24word@{proxy}")).run(UPLOAD);
    assert_delivered(&run);
    let head = &asked.heads()[0];
    assert!(head.starts_with("CONNECT chat.example.com:8443 HTTP/1.1\r\n"), "{head}");
    // hugo:pa$$word
    assert!(head.to_lowercase().contains("proxy-authorization: basic ahvnbzpwysqkd29yza=="), "{head}");
    assert!(!received.heads()[4].to_lowercase().contains("proxy-authorization"), "{:?}", received.heads());
}

#[test]
fn local_and_no_proxy_hosts_bypass_the_proxy() {
    let authority = Authority::new("ours");
    let dead = format!("http://{}", unused_address());
    let proxied = |base: &str| {
        let project = project(base, "ca_file = \"ca.pem\"").file("ca.pem", &authority.pem);
        ["HTTPS_PROXY", "HTTP_PROXY", "http_proxy", "ALL_PROXY"]
            .iter()
            .fold(project, |project, name| project.env(name, dead.clone()))
    };
    // This machine, by each of its names.
    for name in ["127.0.0.1", "localhost"] {
        let (at, _) = service(authority.issue(name));
        assert_delivered(&proxied(&format!("https://{name}:{}", at.port())).run(UPLOAD));
    }
    let (plain, _) = listen(V4, accept).unwrap();
    assert_delivered(&proxied(&format!("http://{plain}")).run(UPLOAD));
    // The system treats 0.0.0.0 as this machine, too; credlint treats it as any other address.
    let (at, _) = service(authority.issue("0.0.0.0"));
    let base = format!("https://0.0.0.0:{}", at.port());
    assert_eq!(outcome(&proxied(&base).run(UPLOAD)).1[0], "connection-refused");
    for exception in ["0.0.0.0", "example.com, 0.0.0.0/8"] {
        assert_delivered(&proxied(&base).env("NO_PROXY", exception).run(UPLOAD));
    }
    assert_delivered(&proxied(&base).env("no_proxy", "0.0.0.0").run(UPLOAD));
    assert_eq!(outcome(&proxied(&base).env("NO_PROXY", "example.com").run(UPLOAD)).1[0], "connection-refused");
    // A name that does not exist, so that it fails differently.
    for (exception, named) in [("example.invalid", false), ("*", false), ("le.invalid", true)] {
        let run = proxied("https://chat.example.invalid").env("NO_PROXY", exception).run(UPLOAD);
        let (status, [_, message, _]) = outcome(&run);
        assert_eq!((status.as_str(), message.contains("proxy")), ("failed", named), "{exception}: {message}");
    }
}

/// A gateway on this machine, such as one that adds the credentials, with tickets for this address.
fn gateway(bytes: &'static str) -> Service {
    Service::start(move |_, connection| {
        connection.read_all();
        let done = json!({"ok": true, "files": [{"id": "F0123456789"}]});
        let ticket = json!({"ok": true, "upload_url": bytes, "file_id": "F0123456789"});
        let answer = match connection.line().rsplit('/').next().unwrap() {
            "files.getUploadURLExternal" => json_response(&ticket),
            "files.completeUploadExternal" => json_response(&done),
            line => http("404 Not Found", "", line),
        };
        connection.send(&answer);
    })
}

/// The bytes are sent to another host than the rest: its certificate, its proxy and its name count.
#[test]
fn the_upload_url_uses_its_own_host_certificate_and_proxy() {
    let authority = Authority::new("ours");
    let local = gateway("https://files.example.com/upload/v1/F1");
    let more = "upload_method = \"external\"\nca_file = \"ca.pem\"";
    let project = |proxy: SocketAddr| {
        project(&local.base(), more).file("ca.pem", &authority.pem).env("HTTPS_PROXY", format!("http://{proxy}"))
    };
    let (there, received) = service(authority.issue("files.example.com"));
    let (way, asked) = proxy(there);
    assert_delivered(&project(way).run(UPLOAD));
    assert!(asked.heads()[0].starts_with("CONNECT files.example.com:443 HTTP/1.1\r\n"), "{:?}", asked.heads());
    assert_eq!(asked.heads().len(), 1, "local addresses bypass the proxy");
    assert!(!received.heads()[0].contains("xoxb"), "{:?}", received.heads());

    let (other, _) = service(authority.issue("chat.example.com"));
    let (stranger, _) = service(Authority::new("theirs").issue("files.example.com"));
    for (way, code, words) in [
        (proxy(other).0, "tls-failed", "is for another name"),
        (proxy(stranger).0, "tls-failed", "issued by an untrusted authority"),
        (unused_address(), "connection-refused", "the proxy 127.0.0.1:"),
    ] {
        let (status, [actual, message, help]) = outcome(&project(way).run(UPLOAD));
        assert_eq!((status.as_str(), actual.as_str()), ("failed", code), "{message}");
        assert!(message.contains(words) && !help.contains("base_url"), "{message} {help}");
        assert_eq!(message.contains("https://files.example.com"), code == "tls-failed", "{message}");
    }

    // Without a proxy, the name that can't be resolved is the upload host's, not the service's.
    let unknown = gateway("https://files.invalid:8443/upload/v1/F1");
    let alone = self::project(&unknown.base(), more).file("ca.pem", &authority.pem);
    let (_, [actual, message, help]) = outcome(&alone.run(UPLOAD));
    assert_eq!(actual, "dns-failed", "{message}");
    assert!(
        message.contains("the upload address https://files.invalid:8443 has a name that can't be resolved")
            && !help.contains("base_url"),
        "{message}"
    );

    // Certificates are loaded only when they are needed.
    let bare = self::project(&unknown.base(), "upload_method = \"external\"");
    assert_eq!(outcome(&bare.run(UPLOAD)).1[0], "no-ca-certificates");

    // An address on local addresses bypass the proxy over TLS, too.
    let (here, _) = service(authority.issue("127.0.0.1"));
    let url = Box::leak(format!("https://{here}/upload/v1/F1").into_boxed_str());
    let local = gateway(url);
    let direct = self::project(&local.base(), more).file("ca.pem", &authority.pem);
    assert_delivered(&direct.env("HTTPS_PROXY", format!("http://{}", unused_address())).run(UPLOAD));
}

#[test]
fn proxy_errors_name_the_proxy_but_not_its_password() {
    let (authority, other) = (Authority::new("ours"), Authority::new("other"));
    let dead = unused_address();
    let (wants, asked) = refusing_proxy(
        "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n",
    );
    let (refuses, _) = refusing_proxy("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
    let (login, _) = refusing_proxy("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n");
    let (gateway, _) = refusing_proxy("HTTP/1.0 502 Bad Gateway\r\n\r\n<html>");
    let (silent, _) = refusing_proxy("");
    let (web, _) = refusing_proxy("<html>");
    let (untrusted, _) = service(other.issue("127.0.0.1"));
    let (to_wrong, _) = proxy(service(authority.issue("other.example.com")).0);
    let (to_inspected, _) = proxy(service(other.issue("chat.example.com")).0);
    for (proxy, scheme, code, expected) in [
        (dead, "http", "connection-refused", "refuses connections"),
        (wants, "http", "proxy-auth", "requires a username and a password (407)"),
        (refuses, "http", "proxy-failed", "did not connect to https://chat.example.com: unsuccessful"),
        (login, "http", "proxy-failed", "did not connect to https://chat.example.com: unsuccessful"),
        (gateway, "http", "proxy-failed", "did not connect to https://chat.example.com: unsuccessful"),
        (untrusted, "http", "proxy-failed", "did not connect to https://chat.example.com"),
        (silent, "http", "proxy-failed", "did not connect to https://chat.example.com"),
        (web, "http", "proxy-failed", "did not connect to https://chat.example.com"),
        (wants, "https", "tls-failed", "may have to begin with http://"),
        (untrusted, "https", "tls-failed", "issued by an untrusted authority"),
        (dead, "socks5", "proxy-failed", "is a SOCKS proxy"),
        (
            to_wrong,
            "http",
            "tls-failed",
            "the service has a certificate that is for another name; the connection goes through",
        ),
        (
            to_inspected,
            "http",
            "tls-failed",
            "the service has a certificate that was issued by an untrusted authority; ",
        ),
    ] {
        let project = project("https://chat.example.com", "ca_file = \"ca.pem\"").file("ca.pem", &authority.pem);
        let project = project.env("HTTPS_PROXY", format!("{scheme}://hugo:hunter2pass@{proxy}"));
        let run = project.run(UPLOAD);
        let (status, [found, message, help]) = outcome(&run);
        assert_eq!((run.code, status.as_str(), found.as_str()), (3, "failed", code), "{message}");
        assert!(message.contains(expected) && message.contains(&proxy.to_string()), "{message}");
        assert!(!help.is_empty());
        // The host that has to be allowed.
        assert!(!message.contains("did not connect") || help.contains("allow https://chat.example.com"), "{help}");
        let human = project.run(&["upload", "--profile", "reports", "--retries", "0", "report.csv"]);
        for text in [run.stdout, run.stderr, human.stdout, human.stderr] {
            assert!(!text.contains("hunter2") && !text.contains("hugo"), "{text}");
        }
    }
    assert!(asked.heads()[0].contains("CONNECT chat.example.com:443"));
    // An unencoded password is split by the parser; no piece of it is printed.
    for url in ["http://hugo:hunter@127.0.0.1#word@proxy:3128", "http://hugo:hunter2pass/word@proxy:3128"] {
        let run = project("https://chat.example.com", "ca_file = \"ca.pem\"")
            .file("ca.pem", &authority.pem)
            .env("HTTPS_PROXY", url)
            .run(UPLOAD);
        assert_eq!(outcome(&run).0, "failed");
        assert!(!run.stdout.contains("127.0.0.1") && !run.stdout.contains("hunter"), "{}", run.stdout);
    }
}

#[test]
fn permanent_errors_are_not_retried() {
    let (wants, asked) = refusing_proxy("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n");
    let authority = Authority::new("ours");
    let project = project("https://chat.example.com", "ca_file = \"ca.pem\"").file("ca.pem", &authority.pem);
    let run = project
        .env("HTTPS_PROXY", wants.to_string())
        .run(&UPLOAD.iter().map(|word| if *word == "0" { "3" } else { word }).collect::<Vec<_>>());
    assert_eq!(outcome(&run).1[0], "proxy-auth");
    assert_eq!((asked.heads().len(), &run.document()["uploads"][0]["attempts"]), (1, &serde_json::json!(1)));
}
