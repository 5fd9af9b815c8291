/// Keeps secrets out of what is told and written.
package enum Redaction {
    /// A URL without user, password, query and fragment; a placeholder for what is no http or https URL.
    package static func url(_ text: String) -> String { CurlURL(text)?.redacted ?? "(no URL)" }
}
