import Foundation
import Glibc
import Testing

@testable import headwind

/// How `headwind link apply` and its watchdog depend on each other, and on the process that started them.
@Suite(.serialized, .timeLimit(.minutes(5))) struct LinkStartTests {
    /// A lock that is held while `apply` runs is released at its end, as the watchdog inherits no descriptor.
    @Test(.needsRoot) func theWatchdogInheritsNoDescriptor() async throws {
        let told = try await LinkNetwork.told(
            """
            exec 7> kept
            flock lock $HW link apply eth0 --profile slow.yaml || exit 1
            flock -n lock echo free
            ls -l /proc/$(pgrep -f 'link watch')/fd | grep -c kept
            $HW link clear eth0; same cleared
            """)
        #expect(told.contains("\nfree\n0\n") && told.contains("cleared: as before"), "\(told)")
    }

    /// If the message that an interface is shaped cannot be written, the shape is removed; a reader that stops early is
    /// fine.
    @Test(.needsRoot) func aShapeThatCannotBeReportedIsRemoved() async throws {
        let told = try await LinkNetwork.told(
            """
            apply="$HW link apply eth0 --profile slow.yaml --for 60s"
            $apply > /dev/full; echo "status $?"; same full
            $apply >&-; echo "status $?"; same closed
            $apply <&- >&- 2>&-; echo "status $?"; same all
            { $apply; echo "status $?" >&2; } | true
            $HW link show | grep -c 'shaped by slow'
            $HW link clear eth0; same cleared
            """)
        for (name, status) in [("full", 75), ("closed", 1), ("all", 1)] {
            #expect(told.contains("status \(status)\n\(name): as before"), "\(told)")
        }
        #expect(
            told.contains("Interface eth0 is not shaped, because the message about it could not be written."), "\(told)"
        )
        #expect(told.contains("No space left on device"), "\(told)")
        #expect(told.contains("\n1\neth0: cleared\ncleared: as before") && told.contains("status 0\n"), "\(told)")
    }
}
