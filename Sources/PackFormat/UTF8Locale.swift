import Glibc

/// The locale in which libarchive understands UTF-8 names, for one thread during one call.
enum UTF8Locale {
    /// Runs `body` in the locale, and throws its errors.
    ///
    /// If the system has no such locale, `body` runs anyway, and names beyond ASCII are refused. The process keeps its
    /// own locale, which is another one unless the process calls setlocale(3); see uselocale(3).
    static func use<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        guard let locale = unsafe make() else { return try body() }
        let previous = unsafe uselocale(locale)
        defer {
            unsafe uselocale(previous)
            unsafe freelocale(locale)
        }
        return try body()
    }

    /// The system's first locale with UTF-8, which the caller frees; nil if there is none.
    private static func make() -> locale_t? {
        for name in ["C.UTF-8", "en_US.UTF-8"] {
            if let locale = unsafe newlocale(LC_CTYPE_MASK, name, nil) { return unsafe locale }
        }
        return nil
    }
}
