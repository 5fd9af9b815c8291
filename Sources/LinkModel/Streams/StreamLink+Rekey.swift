extension StreamLink {
    /// Names a stream anew: random decisions about it follow `key` from here on.
    ///
    /// For a caller that only learns from the first bytes what the stream is about.
    package mutating func rekey(_ key: String, on id: StreamID) {
        guard let slot = slot(of: id) else { return }
        streams[slot]?.key = key
        streams[slot]?.hash = random.streamKey(key)
        streams[slot]?.cut = cuts.places(of: key)
    }
}
