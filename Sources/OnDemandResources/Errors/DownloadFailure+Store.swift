extension DownloadFailure {
    /// A store that cannot be written is a full one, or a broken one.
    init(_ error: StoreError) {
        self.init(error.isOutOfSpace ? .noSpace : .storeFailed, error.description, underlying: error.underlying)
    }
}
