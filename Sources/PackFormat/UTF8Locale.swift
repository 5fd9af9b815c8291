import Glibc

/// The locale in which libarchive understands names that are UTF-8, for one thread and the length of a call.
enum UTF8Locale {
    /// Runs `body` in the locale, and throws what it throws.
    ///
    /// Where the system has no such locale, `body` runs all the same, and names beyond ASCII are refused.
    /// The process keeps its own locale, which is another one unless somebody calls setlocale(3); see uselocale(3).
    static func use<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        let names = ["C.UTF-8", "en_US.UTF-8"]
        guard let locale = unsafe names.lazy.compactMap({ unsafe newlocale(LC_CTYPE_MASK, $0, nil) }).first else {
            return try body()
        }
        let previous = unsafe uselocale(locale)
        defer {
            unsafe uselocale(previous)
            unsafe freelocale(locale)
        }
        return try body()
    }
}
