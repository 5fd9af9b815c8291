/// Sends a DNS message to a cell's resolver: the answer is a DNS response to the same question, or there is none.
func fuzzNames(_ bytes: [UInt8]) throws {
    let table = NameTable(
        names: ["host.headwind.internal", "a"], ipv4: [10, 0, 0, 1], ipv6: [UInt8](repeating: 1, count: 16))
    guard let answer = table.answer(to: bytes) else { return }
    try demand(answer.count >= 12 && answer.count <= 12 + 259 + 44, "an answer has \(answer.count) bytes")
    try demand(answer[..<2] == bytes[..<2] && answer[2] & 0x80 != 0, "an answer is to another question")
    guard answer[5] == 1 else { return try demand(answer.count == 12, "an answer without a question has more") }
    var end = 12
    while end < answer.count, answer[end] != 0 { end += Int(answer[end]) + 1 }
    try demand(end - 11 <= 255, "a name of \(end - 11) bytes is answered, and 255 are the most")
    try demand(end + 5 <= answer.count && answer[12..<end + 5] == bytes[12..<end + 5], "a question changed")
    let records = answer.count - (end + 5)
    try demand(records == 0 || answer[7] > 0 && answer[3] & 15 == 0, "an answer that refuses has records")
}
