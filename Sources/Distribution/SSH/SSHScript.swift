import SystemPackage
import Wording

/// The script that a host runs for each shard.
///
/// A host runs only one shard at a time, even if a connection broke and its shard still runs: two shards would disturb
/// each other's measurements.
struct SSHScript: Hashable, Sendable {
    /// The path of Headwind on the host, absolute or relative to the folder there.
    var program: String
    var count: Int
    /// The name of the kit's folder.
    var kit: String
    /// The working folder, as an absolute path of this machine.
    var directory: String
    /// The words of `headwind run`, except those that name the shard and its folder.
    var words: [String]

    var text: String {
        """
        #!/bin/sh
        # One shard of a run that 'headwind run --on ssh' has divided. Arguments: its number, and that of the submission.
        exec 2>&1
        here=$(cd "$(dirname "$0")" && pwd) && base=$(dirname "$here") || exit 71
        kit=$base/\(kit)
        exec 9>"$base/lock-$(uname -n)" && flock 9 || exit 71
        echo "Shard $1 runs on $PARALLEL_SSHLOGIN, whose name is $(uname -n)."
        rm -rf "$here/shard-$1.$2.part"
        cd "$kit/files"\(ShellWords.quoted(directory)) || exit 71
        case \(ShellWords.quoted(program)) in
        */*) program=\(ShellWords.quoted(program)); [ "${program#/}" != "$program" ] || program=$base/$program ;;
        *) program=\(ShellWords.quoted(program)) ;;
        esac
        exec "$program" run --shard "$1/\(count)" --output "$here/shard-$1.$2.part" \(line)

        """
    }

    /// The words quoted for a shell, with the kit's path for words that name a file in it.
    private var line: String {
        words.map { word in
            guard word.hasPrefix(SSHKit.mark) else { return ShellWords.quoted(word) }
            return "\"$kit\"" + ShellWords.quoted(String(word.dropFirst(SSHKit.mark.count)))
        }.joined(separator: " ")
    }
}
