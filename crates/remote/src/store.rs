//! Stores: which server or bucket a URL names, and with which credentials. Credentials come from the settings of the
//! caller and the standard environment variables only; metadata services of a cloud are never asked.

use std::sync::Arc;

use base64::Engine;
use http::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::http::HttpBuilder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{BackoffConfig, ClientOptions, ObjectStore, ObjectStoreScheme, RetryConfig};
use std::time::Duration;
use url::Url;

use crate::failure::{Failure, Result, status};
use crate::settings::Settings;
use crate::statistics::CountingConnector;

/// An object, and the name that messages may have.
pub(crate) struct Place {
    pub(crate) store: Arc<dyn ObjectStore>,
    pub(crate) path: Path,
    pub(crate) name: String,
    /// URL without user and password.
    pub(crate) key: String,
}

/// Finds the store of a URL.
pub(crate) fn place(text: &str, settings: &Settings) -> Result<Place> {
    let bad = |what: String| Failure::new(status::INVALID_ARGUMENT, what);
    let mut url = Url::parse(text).map_err(|error| bad(format!("the text is not a URL: {error}")))?;
    let login = take_login(&mut url);
    // Keys of signed URLs are in the query.
    let mut plain = url.clone();
    plain.set_query(None);
    plain.set_fragment(None);
    url.set_fragment(None);
    let (name, key) = (plain.to_string(), url.to_string());
    let (scheme, path) = ObjectStoreScheme::parse(&plain).map_err(|error| bad(error.to_string()))?;
    // A signed URL has its credentials, so it is fetched as it is.
    let scheme =
        if url.query().is_some() && url.scheme().starts_with("http") { ObjectStoreScheme::Http } else { scheme };
    let made = match scheme {
        ObjectStoreScheme::Local => Ok(Arc::new(LocalFileSystem::new()) as Arc<dyn ObjectStore>),
        ObjectStoreScheme::Http => http(&url, login, settings)?,
        ObjectStoreScheme::AmazonS3 => s3(&plain, settings)?,
        ObjectStoreScheme::GoogleCloudStorage => google(&plain, settings)?,
        ObjectStoreScheme::MicrosoftAzure => azure(&plain, settings)?,
        _ => return Err(Failure::new(status::UNSUPPORTED, format!("the scheme of '{name}' is not supported"))),
    };
    let store = made.map_err(|error| Failure::new(status::INVALID_ARGUMENT, format!("{name}: {error}")))?;
    // The path of a web server is part of the URL of its store, with its escapes as they are.
    let path = if scheme == ObjectStoreScheme::Http { Path::default() } else { path };
    Ok(Place { store, path, name, key })
}

type Made = object_store::Result<Arc<dyn ObjectStore>>;

/// Removes user and password, and returns them as a header.
fn take_login(url: &mut Url) -> Option<String> {
    let decode = |text: &str| percent_decoded(text);
    let (user, password) = (decode(url.username()), url.password().map(decode).unwrap_or_default());
    if !url.scheme().starts_with("http") || (user.is_empty() && password.is_empty()) {
        return None;
    }
    let _ = (url.set_username(""), url.set_password(None));
    let login = base64::engine::general_purpose::STANDARD.encode(format!("{user}:{password}"));
    Some(format!("Basic {login}"))
}

fn percent_decoded(text: &str) -> String {
    url::form_urlencoded::parse(format!("x={}", text.replace('+', "%2B")).as_bytes())
        .next()
        .map(|(_, value)| value.into_owned())
        .unwrap_or_default()
}

fn client(settings: &Settings, login: Option<String>) -> Result<ClientOptions> {
    let bad = |name: &str| Failure::new(status::INVALID_ARGUMENT, format!("the header '{name}' is not valid"));
    let mut headers = HeaderMap::new();
    let mut add = |name: &str, value: &str| {
        let key = name.parse::<HeaderName>().map_err(|_| bad(name))?;
        let mut value = value.parse::<HeaderValue>().map_err(|_| bad(name))?;
        value.set_sensitive(true);
        headers.insert(key, value);
        Ok(())
    };
    if let Some(login) = login {
        add(AUTHORIZATION.as_str(), &login)?;
    }
    settings.headers.iter().try_for_each(|(name, value)| add(name, value))?;
    Ok(ClientOptions::new()
        .with_default_headers(headers)
        .with_connect_timeout(settings.connect)
        .with_timeout_disabled()
        .with_read_timeout(settings.stall))
}

fn retry(settings: &Settings) -> RetryConfig {
    RetryConfig {
        backoff: BackoffConfig { init_backoff: FIRST_WAIT, max_backoff: LONGEST_WAIT, base: 2. },
        max_retries: settings.retries,
        retry_timeout: settings.call.unwrap_or(Duration::from_secs(3600)),
    }
}

/// Waits between attempts.
pub(crate) const FIRST_WAIT: Duration = Duration::from_millis(100);
pub(crate) const LONGEST_WAIT: Duration = Duration::from_secs(10);

fn unknown(key: &str) -> Failure {
    Failure::new(status::INVALID_ARGUMENT, format!("the setting '{key}' of remote files is unknown to this store"))
}

fn http(url: &Url, login: Option<String>, settings: &Settings) -> Result<Made> {
    if let Some((key, _)) = settings.store.iter().find(|(key, _)| !is_of_a_cloud(key)) {
        return Err(unknown(key));
    }
    let made = HttpBuilder::new()
        .with_url(url.as_str())
        .with_client_options(client(settings, login)?.with_allow_http(true))
        .with_retry(retry(settings))
        .with_http_connector(CountingConnector)
        .build();
    Ok(made.map(|store| Arc::new(store) as Arc<dyn ObjectStore>))
}

/// Returns whether a setting belongs to a cloud, so that files of several stores share settings.
fn is_of_a_cloud(key: &str) -> bool {
    ["aws_", "azure_", "google_"].iter().any(|prefix| key.starts_with(prefix))
}

/// Gives the settings of one cloud to its builder.
fn configured<B, K: std::str::FromStr>(
    mut builder: B,
    settings: &Settings,
    prefix: &str,
    set: impl Fn(B, K, &str) -> B,
) -> Result<B> {
    for (key, value) in settings.store.iter().filter(|(key, _)| key.starts_with(prefix) || !is_of_a_cloud(key)) {
        builder = set(builder, key.parse().map_err(|_| unknown(key))?, value);
    }
    Ok(builder)
}

fn s3(url: &Url, settings: &Settings) -> Result<Made> {
    let set = |builder: AmazonS3Builder, key: AmazonS3ConfigKey, value: &str| builder.with_config(key, value);
    let allows_http = std::env::var("AWS_ALLOW_HTTP").is_ok_and(|value| ["1", "true"].contains(&value.as_str()))
        || settings.store.iter().any(|(key, value)| key == "aws_allow_http" && value == "true");
    let mut builder = AmazonS3Builder::from_env()
        .with_client_options(client(settings, None)?.with_allow_http(allows_http))
        .with_retry(retry(settings))
        .with_http_connector(CountingConnector)
        .with_url(url.as_str());
    builder = configured(builder, settings, "aws_", set)?;
    let keys = [
        AmazonS3ConfigKey::AccessKeyId,
        AmazonS3ConfigKey::WebIdentityTokenFile,
        AmazonS3ConfigKey::ContainerCredentialsRelativeUri,
        AmazonS3ConfigKey::ContainerCredentialsFullUri,
    ];
    if keys.iter().all(|key| builder.get_config_value(key).is_none()) {
        builder = builder.with_skip_signature(true);
    }
    Ok(builder.build().map(|store| Arc::new(store) as Arc<dyn ObjectStore>))
}

fn google(url: &Url, settings: &Settings) -> Result<Made> {
    let set = |builder: GoogleCloudStorageBuilder, key: GoogleConfigKey, value: &str| builder.with_config(key, value);
    let mut builder = GoogleCloudStorageBuilder::from_env()
        .with_client_options(client(settings, None)?)
        .with_retry(retry(settings))
        .with_http_connector(CountingConnector)
        .with_url(url.as_str());
    builder = configured(builder, settings, "google_", set)?;
    let keys =
        [GoogleConfigKey::ServiceAccount, GoogleConfigKey::ServiceAccountKey, GoogleConfigKey::ApplicationCredentials];
    if keys.iter().all(|key| builder.get_config_value(key).is_none()) {
        builder = builder.with_skip_signature(true);
    }
    Ok(builder.build().map(|store| Arc::new(store) as Arc<dyn ObjectStore>))
}

fn azure(url: &Url, settings: &Settings) -> Result<Made> {
    let set = |builder: MicrosoftAzureBuilder, key: AzureConfigKey, value: &str| builder.with_config(key, value);
    let mut builder = MicrosoftAzureBuilder::from_env()
        .with_client_options(client(settings, None)?)
        .with_retry(retry(settings))
        .with_http_connector(CountingConnector)
        .with_url(url.as_str());
    builder = configured(builder, settings, "azure_", set)?;
    let is_emulated = builder.get_config_value(&AzureConfigKey::UseEmulator).is_some_and(|value| value == "true");
    let keys = [
        AzureConfigKey::AccessKey,
        AzureConfigKey::SasKey,
        AzureConfigKey::Token,
        AzureConfigKey::ClientSecret,
        AzureConfigKey::FederatedTokenFile,
    ];
    if !is_emulated && keys.iter().all(|key| builder.get_config_value(key).is_none()) {
        builder = builder.with_skip_signature(true);
    }
    Ok(builder.build().map(|store| Arc::new(store) as Arc<dyn ObjectStore>))
}
