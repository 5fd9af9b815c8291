import Foundation
import SystemPackage
import Testing

@testable import OnDemandResources
@testable import ResourceLoading

/// The table of errors, row by row: what libcurl, a proxy, a certificate or a status says, and the error an app gets.
struct ErrorTableTests {
    /// Facts of a failed transfer, and the error code that they mean.
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var result: TransferResult
        var code: Int

        init(_ name: String, _ curl: UInt32, _ code: Int, _ facts: (inout TransferResult) -> Void = { _ in }) {
            testDescription = name
            result = TransferResult(ending: .failed(CurlCode(curl)))
            facts(&result)
            self.code = code
        }
    }

    static let rows: [Row] = [
        Row("CURLE_UNSUPPORTED_PROTOCOL: an answer that is not HTTP", 1, -1011),
        Row("CURLE_URL_MALFORMAT", 3, -1000),
        Row("CURLE_COULDNT_RESOLVE_PROXY", 5, -1003),
        Row("CURLE_COULDNT_RESOLVE_HOST", 6, -1003),
        Row("CURLE_COULDNT_RESOLVE_HOST, and no interface", 6, -1009) { $0.hasNetwork = false },
        Row("CURLE_COULDNT_RESOLVE_HOST, and no server answered", 6, -1001) { $0.isLookupSilent = true },
        Row("CURLE_COULDNT_RESOLVE_PROXY, and no server answered", 5, -1001) { $0.isLookupSilent = true },
        Row("CURLE_COULDNT_RESOLVE_HOST, no interface and no answer", 6, -1009) {
            ($0.hasNetwork, $0.isLookupSilent) = (false, true)
        },
        Row("CURLE_COULDNT_CONNECT, ECONNREFUSED", 7, -1004) { $0.systemError = .connectionRefused },
        Row("CURLE_COULDNT_CONNECT, ENETUNREACH", 7, -1009) { $0.systemError = .networkUnreachable },
        Row("CURLE_COULDNT_CONNECT, EHOSTUNREACH", 7, -1009) { $0.systemError = .noRouteToHost },
        Row("CURLE_COULDNT_CONNECT, ENETDOWN", 7, -1009) { $0.systemError = .networkDown },
        Row("CURLE_COULDNT_CONNECT, EADDRNOTAVAIL", 7, -1009) { $0.systemError = .addressNotAvailable },
        Row("CURLE_COULDNT_CONNECT, ETIMEDOUT", 7, -1001) { $0.systemError = .timedOut },
        Row("CURLE_WEIRD_SERVER_REPLY", 8, -1011),
        Row("CURLE_PARTIAL_FILE", 18, -1005),
        Row("CURLE_OPERATION_TIMEDOUT", 28, -1001),
        Row("CURLE_SSL_CONNECT_ERROR", 35, -1200),
        Row("CURLE_GOT_NOTHING", 52, -1005),
        Row("CURLE_SEND_ERROR", 55, -1005),
        Row("CURLE_RECV_ERROR", 56, -1005),
        Row("CURLE_PEER_FAILED_VERIFICATION, expired", 60, -1201) { $0.certificateVerdict = 10 },
        Row("CURLE_PEER_FAILED_VERIFICATION, name", 60, -1202) { $0.certificateVerdict = 0 },
        Row("CURLE_PEER_FAILED_VERIFICATION, revoked", 60, -1202) { $0.certificateVerdict = 23 },
        Row("CURLE_PEER_FAILED_VERIFICATION, self-signed", 60, -1203) { $0.certificateVerdict = 18 },
        Row("CURLE_PEER_FAILED_VERIFICATION, self-signed in chain", 60, -1203) { $0.certificateVerdict = 19 },
        Row("CURLE_PEER_FAILED_VERIFICATION, no issuer", 60, -1203) { $0.certificateVerdict = 20 },
        Row("CURLE_PEER_FAILED_VERIFICATION, not yet valid", 60, -1204) { $0.certificateVerdict = 9 },
        Row("CURLE_BAD_CONTENT_ENCODING", 61, -1016),
        Row("CURLE_SSL_CACERT_BADFILE", 77, -1203),
        Row("CURLE_HTTP2", 16, -1005),
        Row("CURLE_PROXY", 97, -1004),
        Row("a code without a row", 89, -1),
        Row("CONNECT 407", 56, -1013) { $0.tunnelStatus = 407 },
        Row("CONNECT 502 without a reason", 56, -1004) { $0.tunnelStatus = 502 },
        Row("CONNECT 504 without a reason", 56, -1001) { $0.tunnelStatus = 504 },
        Row("CONNECT 503, no route", 56, -1009) { ($0.tunnelStatus, $0.proxyRefusal) = (503, .noRoute) },
        Row("CONNECT 502, no such name", 56, -1003) { ($0.tunnelStatus, $0.proxyRefusal) = (502, .nameNotFound) },
        Row("CONNECT 504, lookup timed out", 56, -1001) { ($0.tunnelStatus, $0.proxyRefusal) = (504, .nameTimedOut) },
        Row("CONNECT 504, timed out", 56, -1001) { ($0.tunnelStatus, $0.proxyRefusal) = (504, .connectTimedOut) },
        Row("CONNECT 502, refused", 56, -1004) { ($0.tunnelStatus, $0.proxyRefusal) = (502, .refused) },
        Row("CONNECT 502, terminated", 56, -1005) { ($0.tunnelStatus, $0.proxyRefusal) = (502, .terminated) },
        Row("a reset in a tunnel that stands", 56, -1005) { $0.tunnelStatus = 200 },
        Row("silence", 0, -1001) { $0.ending = .silent },
    ]

    @Test(arguments: rows)
    func aFailedTransferHasItsCode(row: Row) throws {
        let failure = try #require(DownloadFailure(row.result))
        let error = failure.resourceError(of: "pack 'p'")
        #expect(error.code == row.code)
        #expect(error.domain == .url)
        #expect(error.kind == (row.code == -1 ? .unexpected : .network))
        #expect(error.message.hasPrefix("Could not download pack 'p': "))
    }

    @Test(arguments: [TransferResult.Ending.complete, .stopped])
    func aWholeTransferMeansNoFailure(ending: TransferResult.Ending) {
        #expect(DownloadFailure(TransferResult(ending: ending)) == nil)
    }

    @Test(arguments: [
        (200, nil), (206, nil), (302, nil), (416, nil),
        (401, -1013), (407, -1013), (403, -1008), (404, -1008), (410, -1008),
        (408, -1011), (425, -1011), (429, -1011), (500, -1011), (502, -1011), (503, -1011), (504, -1011),
        (400, -1011), (405, -1011), (418, -1011), (204, -1011), (100, -1011),
    ])
    func aStatusHasItsCode(status: Int, code: Int?) {
        #expect(DownloadFailure(status: status)?.kind.urlErrorCode == code)
    }

    @Test(arguments: [429, 500, 503, 599]) func aBusyHostIsAskedAgain(status: Int) {
        #expect(DownloadFailure(status: status)?.kind == .busy)
    }

    @Test(arguments: [
        (DownloadFailure.Kind.noRoute, "NSURLErrorDomain", -1009, "network"),
        (.cellularDenied, "NSURLErrorDomain", -1020, "network"),
        (.redirectLoop, "NSURLErrorDomain", -1007, "network"),
        (.insecureRedirect, "NSURLErrorDomain", -1022, "network"),
        (.wrongContent, "NSURLErrorDomain", -1016, "network"),
        (.unfitRange, "NSURLErrorDomain", -1011, "network"),
        (.wrongLength, "NSURLErrorDomain", -1011, "network"),
        (.noSpace, "NSCocoaErrorDomain", 4992, "storage"),
        (.storeFailed, "NSCocoaErrorDomain", 512, "storage"),
        (.cancelled, "NSCocoaErrorDomain", 3072, "unexpected"),
        (.unknown, "NSURLErrorDomain", -1, "unexpected"),
    ])
    func aKindHasItsDomainCodeAndClass(kind: DownloadFailure.Kind, domain: String, code: Int, people: String) {
        let error = DownloadFailure(kind, "It went wrong.").resourceError(of: "it")
        #expect(error.domain.rawValue == domain)
        #expect(error.code == code)
        #expect(error.kind.rawValue == people)
    }

    @Test(arguments: DownloadFailure.Kind.allCases)
    func everyKindSaysWhatWasAttemptedAndWhatToTry(kind: DownloadFailure.Kind) {
        let error = DownloadFailure(kind, "It went wrong.").resourceError(of: "the pack")
        #expect(!error.message.isEmpty && error.message.hasSuffix("."))
        if kind != .cancelled { #expect(error.message.contains("the pack") && error.message.contains("went wrong")) }
    }

    @Test(arguments: DownloadFailure.Kind.allCases)
    func everyKindKeepsItsNumberInFoundation(kind: DownloadFailure.Kind) throws {
        let error = DownloadFailure(kind, "It went wrong.").resourceError(of: "the pack")
        let bridged = error.bridged
        #expect(error.domain == .cocoa ? bridged is CocoaError : bridged is URLError)
        let plain = try #require(bridged as NSError?)
        #expect(plain.domain == error.domain.rawValue && plain.code == error.code)
        #expect(plain.localizedDescription == error.message)
    }

    @Test func aWrongTagAndAMissingManifestDifferInTheirCause() {
        #expect(ResourceError.invalidTag("x").code == 4994)
        #expect(ResourceError.invalidTag("x").underlying == nil)
        let error = ResourceError.noManifest("x")
        #expect(error.code == 4994)
        #expect(error.underlying?.domain == "_NSBundleResourceRequestErrorDomain")
        #expect(error.underlying?.code == 100)
    }
}
