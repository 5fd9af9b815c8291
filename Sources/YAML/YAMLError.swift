package import Documents

/// Why a text is no document.
package enum YAMLError: Error {
    /// It is not YAML. `context` is what libyaml was at, and where that begins.
    case syntax(String, at: Mark, context: (text: String, mark: Mark)?)
    /// A second document begins.
    case anotherDocument(at: Mark)
    /// More than ``YAMLValue/deepest`` levels are around this place.
    case tooDeep(at: Mark)
}
