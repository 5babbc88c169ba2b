"""Busy intervals of the fixtures by another program: Python's icalendar and recurring_ical_events.

apt-get install python3-icalendar python3-recurring-ical-events
python3 witness.py   writes a .json beside each .ics
"""
import datetime, json, pathlib, re, sys
import icalendar, recurring_ical_events
from zoneinfo import ZoneInfo

HOME = ZoneInfo('Europe/Berlin')
FROM, TO = datetime.datetime(2026, 11, 29, tzinfo=datetime.timezone.utc), datetime.datetime(2027, 5, 1, tzinfo=datetime.timezone.utc)

def instant(value):
    if not isinstance(value, datetime.datetime):
        value = datetime.datetime(value.year, value.month, value.day)
    return (value if value.tzinfo else value.replace(tzinfo=HOME)).astimezone(datetime.timezone.utc)

def is_busy(event):
    return event.get('STATUS') != 'CANCELLED' and event.get('TRANSP') != 'TRANSPARENT'

for path in sorted(pathlib.Path(sys.argv[1]).glob('*.ics')):
    # the parts of rules that a maker adds, on which this icalendar fails, change no date
    text = re.sub(r';X-[A-Z-]+=[^;\r\n]*', '', path.read_text())
    calendar = icalendar.Calendar.from_ical(text)
    found = set()
    for event in recurring_ical_events.of(calendar).between(FROM - datetime.timedelta(days=2), TO + datetime.timedelta(days=2)):
        if not is_busy(event): continue
        start, end = event['DTSTART'].dt, event['DTEND'].dt
        if not isinstance(start, datetime.datetime) and start == end: end = start + datetime.timedelta(days=1)
        start, end = max(instant(start), FROM), min(instant(end), TO)
        if start < end: found.add((start, end))
    merged = []
    for start, end in sorted(found):
        if merged and start <= merged[-1][1]: merged[-1][1] = max(end, merged[-1][1])
        else: merged.append([start, end])
    text = [f'{a:%Y-%m-%dT%H:%MZ}/{b:%Y-%m-%dT%H:%MZ}' for a, b in merged]
    path.with_suffix('.json').write_text(json.dumps(text, indent=2) + '\n')
    print(path.stem, len(text))
