"""Makes a result of many cells from a real one, by repeating its attempts with other numbers."""

import json
import os
import random
import subprocess

SCENARIO = """
scenario: Page
catalog: shapes
link: {profile: 3g, seed: 7}
workload:
  - request: {tags: [red], priority: urgent}
expect: available
budgets:
  time_to_first_byte: max <= 5 s
  time_to_available: max <= 2 x ideal
  longest_stall: max <= 3 s
  redundant_bytes: max <= 64 KiB
  progress: [monotonic, honest within 2 %]
attempts: 2
"""


def real(headwind, folder):
    """Runs a small scenario; returns its result, and the lines of events by attempt."""
    scenario = os.path.join(folder, "page.yaml")
    with open(scenario, "w", encoding="utf-8") as file:
        file.write(SCENARIO)
    output = os.path.join(folder, "real")
    run = subprocess.run([headwind, "run", scenario, "--output", output, "--backend", "proxy"], capture_output=True, text=True)
    if run.returncode not in (0, 99):
        raise RuntimeError(f"the run that the result is made of ended with {run.returncode}: {run.stderr[-300:]}")
    with open(os.path.join(output, "result.json"), encoding="utf-8") as file:
        result = json.load(file)
    events = {}
    with open(os.path.join(output, "events.jsonl"), encoding="utf-8") as file:
        for line in file:
            head, mark, rest = line.partition(',"cell":"')
            cell, _, rest = rest.partition('","attempt":')
            number, _, rest = rest.partition(",")
            events.setdefault(int(number), []).append((head, "," + rest))
    return result, events


def write(result, events, folder, cells, attempts, seed=1):
    """Writes result.json and events.jsonl with `cells` cells of `attempts` attempts; returns their sizes in bytes."""
    draw = random.Random(seed)
    base = result["cells"][0]
    places = {"result": os.path.join(folder, "result.json"), "events": os.path.join(folder, "events.jsonl")}
    made = []
    with open(places["events"], "w", encoding="utf-8") as file:
        for index in range(cells):
            cell = one(base, index, attempts, draw)
            made.append(cell)
            name = f"{cell['scenario']} [{', '.join(p['axis'] + '=' + p['value'] for p in cell['point'])}]"
            for number in range(1, attempts + 1):
                lines = events[1 + (number - 1) % len(events)]
                middle = f',"cell":"{name}","attempt":{number}'
                file.write("".join(head + middle + rest for head, rest in lines))
    run = {**result, "cells": made, "planned_cells": cells, "unfinished_cells": [], "findings": []}
    verdicts = [cell["verdict"] for cell in made]
    run["verdict"], run["exit_code"] = ("fail", 99) if "fail" in verdicts else ("pass", 0)
    with open(places["result"], "w", encoding="utf-8") as file:
        json.dump(run, file, indent=2, sort_keys=True)
        file.write("\n")
    return {name: os.path.getsize(place) for name, place in places.items()}


def one(base, index, attempts, draw):
    """Makes the cell with this index; one of 25 fails."""
    cell = json.loads(json.dumps(base))
    fails = index % 25 == 7
    cell["scenario"] = f"page-{index // 20}"
    cell["point"] = [{"axis": "link.profile", "value": f"p{index % 5}"}, {"axis": "link.seed", "value": str(index // 5 % 4)}]
    cell["planned_attempts"] = cell["maximum_attempts"] = attempts
    cell["attempts"] = [attempt(base, number, draw, fails) for number in range(1, attempts + 1)]
    cell["verdict"], cell["exit_code"] = ("fail", 99) if fails else ("pass", 0)
    for check in cell["checks"]:
        evidence = check.get("evidence")
        check["verdict"], check["broken_in_attempts"] = "pass", []
        if not evidence or evidence["unit"] != "seconds":
            if evidence:
                evidence["values"] = [evidence["measured"]] * attempts
            continue
        key = evidence["metric"] + "_seconds"
        evidence["values"] = [attempt["samples"][key] for attempt in cell["attempts"]]
        evidence["measured"] = max(evidence["values"])
        if fails and evidence["metric"] == "time_to_available":
            evidence["limit"] = sorted(evidence["values"])[attempts // 2]
            check["verdict"] = "fail"
            check["broken_in_attempts"] = [i + 1 for i, value in enumerate(evidence["values"]) if value > evidence["limit"]]
    return cell


def attempt(base, number, draw, fails):
    record = json.loads(json.dumps(base["attempts"][(number - 1) % len(base["attempts"])]))
    record["number"] = number
    factor = draw.lognormvariate(0, 0.05)
    for key, value in record["samples"].items():
        if key.endswith("_seconds") and isinstance(value, float):
            record["samples"][key] = value * factor
    record["duration_seconds"] *= factor
    record["schedule"] = {**record["schedule"], "file": f"schedules/{number}.txt"} if record.get("schedule") else None
    return record
