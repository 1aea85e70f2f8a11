//! Counts of all requests of this library, also those of credentials and of repeated attempts.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpRequest, HttpResponse, HttpService, ReqwestConnector,
};

pub(crate) static REQUESTS: AtomicU64 = AtomicU64::new(0);
pub(crate) static BYTES: AtomicU64 = AtomicU64::new(0);
pub(crate) static CACHED: AtomicU64 = AtomicU64::new(0);

pub(crate) fn count(counter: &AtomicU64, number: usize) {
    counter.fetch_add(number as u64, Relaxed);
}

/// Makes clients that count their requests.
#[derive(Debug)]
pub(crate) struct CountingConnector;

#[derive(Debug)]
struct CountingClient(HttpClient);

impl HttpConnector for CountingConnector {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(CountingClient(ReqwestConnector::default().connect(options)?)))
    }
}

#[async_trait::async_trait]
impl HttpService for CountingClient {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        count(&REQUESTS, 1);
        self.0.execute(request).await
    }
}
