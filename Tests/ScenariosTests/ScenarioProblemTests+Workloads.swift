/// The problems of wrong steps and commands.
extension ScenarioProblemTests {
    static let workloads = [
        Case("no steps", base + "workload: []\n", "4:11 this list is empty"),
        Case("a text", base + "workload: go\n", "4:11 'go' is not a list of steps such as"),
        Case(
            "unknown step", base + "workload: [{request: {tags: [a]}}, {slep: 2 s}]\n",
            "4:37 there is no key 'slep' in a step | did you mean 'sleep'?"),
        Case(
            "two steps in one", base + "workload: [{request: {tags: [a]}, sleep: 2 s}]\n",
            "4:35 'sleep' cannot be combined with 'request' in a step | keep one of them"),
        Case(
            "no request", base + "workload: [{sleep: 2 s}]\n", "4:11 no step is a request | add {request: {tags: […]}}"),
        Case("no tags", base + "workload: [{request: {tags: []}}]\n", "4:29 this list is empty"),
        Case(
            "tag", base + "workload: [{request: {tags: red}}]\n",
            "4:29 found 'red', expected a list of tags, such as [level-2] | write [a, b]"),
        Case(
            "priority", base + "workload: [{request: {tags: [a], priority: 2}}]\n",
            "4:44 '2' is not a priority: 0 to 1, or urgent"),
        Case(
            "priority misspelt", base + "workload: [{request: {tags: [a], priority: urgnt}}]\n",
            "4:44 'urgnt' is not a priority: 0 to 1, or urgent | did you mean 'urgent'?"),
        Case(
            "id twice", base + "workload: [{request: {id: x, tags: [a]}}, {request: {id: x, tags: [a]}}]\n",
            "4:54 an earlier request is already called 'x' | choose another name"),
        Case(
            "id that is a word", base + "workload: [{request: {id: error, tags: [a]}}]\n",
            "4:27 'error' is not a request's name"),
        Case(
            "end of nothing", base + "workload: [{request: {tags: [a]}}, {end: r2}]\n",
            "4:42 no earlier step begins a request 'r2' | did you mean 'r1'?"),
        Case(
            "wait in front", base + "workload: [{request: {tags: [a]}}, {wait: r1}]\n",
            "4:43 'r1' has completed before this step | begin it with 'background: true'"),
        Case(
            "cancel without place", base + "workload: [{request: {tags: [a], background: true}}, {cancel: r1}]\n",
            "4:63 'r1' does not say what to cancel and when | write 'r1 after 40 %'"),
        Case(
            "pause without place", base + "workload: [{request: {tags: [a], background: true}}, {pause: r1}]\n",
            "4:62 'r1' does not say what to pause and when | write 'r1 after 40 %'"),
        Case(
            "priority without one", base + "workload: [{request: {tags: [a], background: true}}, {priority: r1}]\n",
            "4:65 'r1' does not say which request gets which priority | write 'r1 urgent'"),
        Case(
            "resume of nobody", base + "workload: [{request: {tags: [a], background: true}}, {resume: r2}]\n",
            "4:63 no earlier step begins a request 'r2' | did you mean 'r1'?"),
        Case(
            "placeholder", base + "workload: {command: [curl, '{manifst}']}\n",
            "4:29 '{manifst}' is not a placeholder | did you mean '{manifest}'?"),
        Case(
            "url of which pack", base + "workload: {command: 'curl {url}'}\n",
            "4:12 {url} needs a pack | add 'pack:' and a tag or a file name"),
        Case(
            "pattern", base + "workload: {command: curl, progress: {match: '(\\d+'}}\n",
            "4:45 '(\\d+' is not a regular expression with one group"),
        Case(
            "pattern without group", base + "workload: {command: curl, progress: {match: '\\d+'}}\n",
            "4:45 '\\d+' is not a regular expression with one group, such as '(\\d+)%' | put the number in parentheses"),
    ]
}
