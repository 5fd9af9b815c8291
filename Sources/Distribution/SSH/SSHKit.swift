import FoundationEssentials
import Glibc
import LinuxSupport
import PackFormat
import ResultFiles
import SystemPackage
import Wording

/// The files that all shards of a run read, in one folder that is named by its content and copied to each host once.
///
/// `files` in it stands for the root of this machine, so that relative paths keep their meaning. `clients` has the
/// programs under test, each with its libraries from this machine.
struct SSHKit: Sendable {
    /// The prefix of a word that names a file in the kit.
    static let mark = "\u{1}kit"
    /// The word that names the durations in the kit.
    static let durations = mark + "/durations.json"
    private static let clientOptions: Set<String> = ["--client", "--against-client"]

    /// The kit on this machine.
    let folder: FilePath
    /// The words of a shard's command on a host.
    let words: [String]
    var name: String { folder.lastComponent?.string ?? "" }

    /// Makes the kit in the folder of the shards; throws ``EngineError``.
    init(_ context: EngineContext, sending more: [String]) async throws {
        let new = context.places.folder.appending("kit.new")
        do {
            var draft = SSHKitDraft(context: context, folder: new)
            try draft.begin()
            try await draft.add((context.plan.files ?? []) + more.map { draft.whole($0).string })
            var command = context.plan.command
            for index in command.options.indices {
                guard let value = command.options[index].value else { continue }
                if Self.clientOptions.contains(command.options[index].name) {
                    command.options[index].value = try await draft.addClient(value)
                } else if command.options[index].name == "--baseline" {
                    command.options[index].value = draft.place(of: value)
                }
            }
            command.scenarios = command.scenarios.map(draft.place)
            let durations = context.plan.measuredDurations
            if let durations { try AtomicFile.write(durations.utf8, to: new.appending("durations.json")) }
            let packs = context.places.givenPacks
            if let packs {
                try FileManager.default.copyItem(atPath: packs.string, toPath: new.appending("packs").string)
            }
            words = command.shared(
                durations: durations.map { _ in Self.durations },
                packs: packs.map { _ in Self.mark + "/packs" })
            folder = context.places.folder.appending("kit-\(try Self.digest(of: new).prefix(16))")
            try? FileManager.default.removeItem(atPath: folder.string)
            try FileManager.default.moveItem(atPath: new.string, toPath: folder.string)
        } catch let error as EngineError {
            throw error
        } catch {
            throw EngineError.file(new, reason: "could not collect the hosts' files there: \(error). Make room.")
        }
    }

    /// The SHA-256 of all names, contents and execute permissions.
    private static func digest(of folder: FilePath) throws -> String {
        var text = ""
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.string).sorted() {
            let path = folder.appending(name)
            var status = stat()
            guard lstat(path.string, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFREG: text += "\(name)\0\(status.st_mode & 0o111 != 0)\0\(try Digest.sha256Hex(of: path))\n"
            case S_IFLNK:
                text += "\(name)\0\(try FileManager.default.destinationOfSymbolicLink(atPath: path.string))\n"
            default: text += "\(name)\n"
            }
        }
        return Digest.sha256Hex(Array(text.utf8))
    }
}

/// A kit under construction.
struct SSHKitDraft {
    let context: EngineContext
    let folder: FilePath
    private var clients = 0

    init(context: EngineContext, folder: FilePath) { (self.context, self.folder) = (context, folder) }

    private var files: FilePath { folder.appending("files") }

    func begin() throws {
        try? FileManager.default.removeItem(atPath: folder.string)
        let directory = files.string + whole(".").string
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    /// A path of the command line, made absolute.
    func whole(_ path: String) -> FilePath {
        FilePath(context.plan.command.directory).pushing(FilePath(path)).lexicallyNormalized()
    }

    /// The word for a path; a relative one stays unchanged, because the shard runs in the same folder of the kit.
    func place(of path: String) -> String { path.hasPrefix("/") ? SSHKit.mark + "/files" + whole(path).string : path }

    func add(_ paths: [String]) async throws {
        guard !paths.isEmpty else { return }
        try await rsync(["-a", "-R", "--no-implied-dirs", "--copy-unsafe-links", "--"] + paths + [files.string + "/"])
    }

    private func rsync(_ words: [String]) async throws {
        try await context.programs.runLong("rsync", words).checked("rsync", to: "collect the hosts' files")
    }

    /// Copies a program with the libraries that the loader finds for it here, and returns the word that starts it on a
    /// host.
    ///
    /// The loader is copied, too, and starts the program, because libc and the loader must have the same version.
    mutating func addClient(_ text: String) async throws -> String {
        let path = text.contains("/") ? whole(text) : Environment.program(text) ?? whole(text)
        guard let name = path.lastComponent?.string else { return text }
        clients += 1
        let place = folder.appending("clients/\(clients)")
        let word = SSHKit.mark + "/clients/\(clients)/"
        let answer = try await context.programs.run("ldd", [path.string], nil)
        let libraries = answer.status == 0 ? Self.libraries(answer.output) : []
        let loader = libraries.first { $0.lastComponent?.string.hasPrefix("ld-") == true }
        try FileManager.default.createDirectory(
            atPath: place.appending("lib").string, withIntermediateDirectories: true)
        try await rsync(["-aL", "--", path.string, place.string + "/"])
        guard let loader = loader?.lastComponent?.string else { return word + name }
        try await rsync(["-aL", "--"] + libraries.map(\.string) + [place.appending("lib").string + "/"])
        let launcher = place.appending("start-\(name)")
        let script = """
            #!/bin/sh
            # Starts the client with the libraries that it had where it was copied from.
            here=$(dirname "$(readlink -f "$0")")
            exec "$here"/lib/\(ShellWords.quoted(loader)) --library-path "$here/lib" "$here"/\(ShellWords.quoted(name)) "$@"

            """
        try Data(script.utf8).write(to: URL(filePath: launcher.string))
        guard chmod(launcher.string, 0o755) == 0 else { throw Errno(rawValue: errno) }
        return word + "start-\(name)"
    }

    /// The files that ldd(1) prints: `libz.so.1 => /lib/libz.so.1 (0x7f...)`, and the loader without an arrow.
    static func libraries(_ text: String) -> [FilePath] {
        var found: [FilePath] = []
        for line in text.split(whereSeparator: \.isNewline) {
            guard let end = line.firstRange(of: " (0x")?.lowerBound else { continue }
            let named = line[..<end]
            let path = (named.firstRange(of: " => ").map { named[$0.upperBound...] } ?? named).trimmed
            if path.hasPrefix("/"), !found.contains(FilePath(path)) { found.append(FilePath(path)) }
        }
        return found
    }
}

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
