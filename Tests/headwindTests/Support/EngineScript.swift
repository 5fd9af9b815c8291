/// The shell functions that tests of engines share.
enum EngineScript {
    /// Returns a line that writes a script to the file `script`.
    ///
    /// In the script, `cells FOLDER` prints the cells of a result with their verdicts, and `await TEXT FILE` waits
    /// until a file contains a text.
    static func writing(_ script: String) -> String {
        """
        cat > script <<'END'
        cells() {
            python3 -c 'import json, sys
        for cell in json.load(open(sys.argv[1] + "/result.json"))["cells"]: print(cell["scenario"], cell["verdict"])' "$1"
        }
        # For a minute at most.
        await() {
            for i in $(seq 600); do grep -q "$1" "$2" 2> /dev/null && return; sleep 0.1; done
            echo "no '$1' in $2"; cat "$2"; exit 1
        }
        \(script)
        END
        """
    }
}
