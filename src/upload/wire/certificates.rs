//! Reads the certificates of `ca_file`, which a profile adds to those of the system.

use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

use crate::code::Code;
use crate::file::{self, FileError};
use crate::schema::value::CaFile;
use crate::upload::error::UploadError;

/// The size limit. A bundle of all public authorities is a quarter of it.
const LIMIT: u64 = 1024 * 1024;

/// Reads all certificates of a file. An unusable certificate is an error: if it were skipped, the TLS failure that
/// follows would be hard to explain.
pub fn read(path: &CaFile) -> Result<Vec<reqwest::Certificate>, UploadError> {
    let shown = path.shown();
    let flawed = |flaw: &str| {
        UploadError::new(Code::CaFile, format!("the file of `ca_file`, {shown}, {flaw}"))
            .help("use a PEM file, in which each certificate begins with -----BEGIN CERTIFICATE-----")
    };
    let text = match file::read_text(path.path(), LIMIT) {
        Ok((text, _)) => text,
        Err(FileError::NotUtf8(_)) => return Err(flawed("is not PEM")),
        Err(error) => {
            let message = format!("the file of `ca_file`, {shown}, can't be read: {error}");
            return Err(UploadError::new(Code::CaFile, message).help("check the path in `ca_file` and its permissions"));
        }
    };
    let mut certificates = Vec::new();
    for found in CertificateDer::pem_slice_iter(text.as_bytes()) {
        let certificate = found.map_err(|_| flawed("is not PEM"))?;
        let usable = RootCertStore::empty().add(certificate.clone()).is_ok();
        let certificate = reqwest::Certificate::from_der(&certificate).ok().filter(|_| usable);
        certificates.push(certificate.ok_or_else(|| flawed("contains a damaged certificate"))?);
    }
    if certificates.is_empty() {
        return Err(flawed("contains no certificate"));
    }
    Ok(certificates)
}
