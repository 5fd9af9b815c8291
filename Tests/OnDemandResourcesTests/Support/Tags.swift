import Testing

extension Tag {
    /// A test that moves gigabytes over loopback and onto a disk, and takes some tens of seconds.
    @Tag static var realBytes: Self
}
