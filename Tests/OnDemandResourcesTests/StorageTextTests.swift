import Testing

@testable import ResourceLoading

struct StorageTextTests {
    @Test(
        arguments: [
            (-1, "0 bytes"), (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1 KB"), (1499, "1 KB"),
            (1500, "2 KB"), (999_499, "999 KB"), (999_500, "1 MB"), (1_049_999, "1 MB"), (1_050_000, "1.1 MB"),
            (64_000_000, "64 MB"), (999_949_999, "999.9 MB"), (999_950_000, "1 GB"), (1_234_567_890, "1.23 GB"),
            (2_000_000_000, "2 GB"), (1_050_000_000, "1.05 GB"), (1_500_000_000, "1.5 GB"),
            (20_000_000_000_000, "20 TB"), (Int64.max, "9223372.04 TB"),
        ] as [(Int64, String)])
    func showsSizesAsSettingsDo(bytes: Int64, text: String) {
        #expect(StorageText.text(bytes) == text)
    }
}
