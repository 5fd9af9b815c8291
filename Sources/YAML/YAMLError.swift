package import Documents

/// Why a text is not one YAML document.
package enum YAMLError: Error {
    /// It is not YAML; `context` is the part that libyaml was parsing, and where that begins.
    case syntax(String, at: Mark, context: (text: String, mark: Mark)?)
    /// A second document begins.
    case anotherDocument(at: Mark)
    /// This place is nested more than ``YAMLValue/deepest`` levels deep.
    case tooDeep(at: Mark)
}
