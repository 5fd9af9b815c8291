import Testing

extension Tag {
    /// Moves gigabytes over loopback and onto a disk, and takes some tens of seconds.
    @Tag static var realBytes: Self
}
