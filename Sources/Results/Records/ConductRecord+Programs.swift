extension ConductRecord {
    /// A connection of a client to a host that is not Headwind's.
    package struct Connection: Hashable, Sendable, Codable {
        /// Its name in lines of a schedule: the path of its first request, or `#3` for the third that was accepted.
        package var name: String
        /// Payload bytes that reached the client.
        package var downlinkBytes: Int64
        /// Payload bytes that reached the host.
        package var uplinkBytes: Int64
        /// Why it ended, as `closed` of `events.jsonl` says it; nil if it did not.
        package var end: String?

        package init(name: String, downlinkBytes: Int64 = 0, uplinkBytes: Int64 = 0, end: String? = nil) {
            (self.name, self.downlinkBytes, self.uplinkBytes, self.end) = (name, downlinkBytes, uplinkBytes, end)
        }

        private enum CodingKeys: String, SnakeCaseKey { case name, end, downlinkBytes, uplinkBytes }
    }

    /// The judgement of the command that checks what a client has left.
    package struct Oracle: Hashable, Sendable, Codable {
        /// Its exit status, 0 if it accepts; nil if it did not end by itself.
        package var status: Int?
        /// The last line that it wrote; nil if it wrote none.
        package var says: String?
        /// Why it could not judge; nil if it did.
        package var trouble: String?

        package init(status: Int? = nil, says: String? = nil, trouble: String? = nil) {
            (self.status, self.says, self.trouble) = (status, says, trouble)
        }
    }
}
