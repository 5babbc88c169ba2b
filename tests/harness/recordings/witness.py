"""Who was aboard in the recordings beside this file, written to JSON: `python3 witness.py`.

An oracle for server/missions/mission-file/rules/acmi.ts that counts another way: it walks over pairs of neighbouring frames,
and everybody aboard between the two gets that piece of time. Only Python's standard library.
"""
import json, pathlib, re
from datetime import datetime, timedelta, timezone


def instant(text):
    return datetime.fromisoformat(text.strip().replace("Z", "+00:00"))


def fields(line):
    pairs = re.split(r"(?<!\\),", line)
    return pairs[0], dict(re.sub(r"\\,", ",", p).split("=", 1) for p in pairs[1:] if "=" in p)


def read(path):
    text = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    lines = text.replace("\\\n", " ").split("\n")
    objects, frames, facts = {}, [], {}
    # each frame: its time, who is aboard after it, and its events
    for line in lines[2:]:
        if line.startswith("#"):
            frames.append((float(line[1:]), [], None))
        elif line.startswith("-"):
            objects.pop(line[1:], None)
        elif line:
            key, values = fields(line)
            if key == "0":
                if "Event" in values and frames:
                    kind, who = values["Event"].split("|")[:2]
                    frames[-1][1].append((kind, dict(objects.get(who, {}))))
                facts = {**values, **facts}
            else:
                objects[key] = {**objects.get(key, {}), **values}
        if frames:
            time, events, _ = frames[-1]
            frames[-1] = (time, events, {k: dict(v) for k, v in objects.items()})
    first = frames[0][0]
    if "RecordingTime" in facts:
        zero = instant(facts["RecordingTime"]) - timedelta(seconds=first)
    else:
        zero = instant(facts["ReferenceTime"])

    def who(o):
        colour = (o.get("Color") or o.get("Coalition") or "").lower()
        side = {"blue": 0, "red": 1}.get(colour)
        return o["Pilot"].strip(), o.get("Group", ""), o.get("Name"), side

    pieces, events = {}, {}
    for (start, happened, aboard), (end, _, _) in zip(frames, frames[1:] + [(frames[-1][0], [], {})]):
        for kind, o in happened:
            events.setdefault(who(o), []).append((kind, start))
        if not 0 < end - start <= 60:
            continue
        for o in aboard.values():
            if "Air" in o.get("Type", "").split("+") and o.get("Pilot", "").strip():
                pieces.setdefault(who(o), []).append((start, end))

    def utc(seconds):
        at = (zero + timedelta(seconds=seconds)).astimezone(timezone.utc)
        return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    rows = []
    for key, times in pieces.items():
        merged = []
        for start, end in sorted(times):
            if merged and start <= merged[-1][1]:
                merged[-1][1] = max(merged[-1][1], end)
            else:
                merged.append([start, end])
        for start, end in merged:
            within = [e for e in events.get(key, []) if start <= e[1] <= end]
            off = [t for kind, t in within if kind == "TakenOff"]
            down = [t for kind, t in within if kind == "Landed"]
            rows.append({
                "name": key[0], "unit": key[1], "aircraft": key[2], "side": key[3],
                "from": utc(start), "to": utc(end),
                "tookOff": utc(off[0]) if off else None, "landed": utc(down[-1]) if down else None,
            })
    rows.sort(key=lambda row: (row["name"], row["from"]))
    times = [f[0] for f in frames]
    return {"covers": [utc(min(times)), utc(max(times))], "aboard": rows}


if __name__ == "__main__":
    for path in sorted(pathlib.Path(__file__).parent.glob("*.acmi")):
        path.with_suffix(".json").write_text(json.dumps(read(path), indent=2) + "\n")
