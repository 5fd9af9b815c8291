import Glibc

/// The locale in which libarchive understands names that are UTF-8, for one thread and the length of a call.
enum UTF8Locale {
    /// Runs `body` in the locale, and throws what it throws.
    ///
    /// Where the system has no such locale, `body` runs all the same, and names beyond ASCII are refused.
    /// The process keeps its own locale, which is another one unless somebody calls setlocale(3); see uselocale(3).
    static func use<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        guard let locale = unsafe make() else { return try body() }
        let previous = unsafe uselocale(locale)
        defer {
            unsafe uselocale(previous)
            unsafe freelocale(locale)
        }
        return try body()
    }

    /// The first of the system's locales that has UTF-8, made once: it is the caller's to free.
    private static func make() -> locale_t? {
        for name in ["C.UTF-8", "en_US.UTF-8"] {
            if let locale = unsafe newlocale(LC_CTYPE_MASK, name, nil) { return unsafe locale }
        }
        return nil
    }
}
