@testable import ResourceLoading

/// Reads a host's response line by line: the client takes a response only if it answers the request.
///
/// The first byte is the count of bytes that the client has. The second is the expected size of the file; 0 if unknown.
func fuzzAnswer(_ bytes: [UInt8]) throws {
    guard bytes.count > 2 else { return }
    let (from, size) = (Int64(bytes[0]), bytes[1] == 0 ? nil : Int64(bytes[1]))
    var head = ResponseHead()
    for line in bytes[2...].split(separator: UInt8(ascii: "\n")) {
        head.take(line: String(decoding: line, as: UTF8.self))
    }
    try demand(head.contentLength.map { $0 >= 0 } ?? true, "a length is \(head.contentLength ?? 0)")
    if let refusal = head.proxyStatus { _ = ProxyRefusal(field: refusal) }
    if let range = head.contentRange { try check(range) }
    if let validator = head.validator {
        try demand(validator.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "a validator has a control character")
    }
    let expected = Expectation(size: size, limit: 1 << 20)
    let note = PartialNote(pack: "p", edition: PackEdition(), validator: "\"a\"", total: size)
    switch ResponseRule(head, from: from, note: note, expected: expected) {
    case .append(let total):
        try demand(head.status == 206 && from > 0, "the status \(head.status) is taken for a part")
        try demand(head.contentRange?.bytes?.lowerBound == from, "a part from elsewhere is taken")
        try demand(total.map { $0 <= 1 << 20 && $0 == size ?? $0 } ?? true, "a file of \(total ?? 0) bytes is taken")
    case .replace(let total):
        try demand(head.status == 200, "the status \(head.status) is taken for the whole")
        try demand(total.map { $0 <= 1 << 20 && $0 == size ?? $0 } ?? true, "a file of \(total ?? 0) bytes is taken")
    case .complete: try demand(head.status == 416 && from > 0, "the status \(head.status) completes a file")
    case .startOver, .redirect, .fail: break
    }
}

private func check(_ range: ContentRange) throws {
    guard let bytes = range.bytes else {
        try demand(range.total != nil, "a range says nothing")
        return
    }
    try demand(bytes.lowerBound >= 0, "a range begins at \(bytes.lowerBound)")
    try demand(range.total.map { bytes.upperBound < $0 } ?? true, "a range is beyond its file")
    let text = "bytes \(bytes.lowerBound)-\(bytes.upperBound)/\(range.total.map(String.init) ?? "*")"
    try demand(ContentRange(text) == range, "'\(text)' is read otherwise")
}
