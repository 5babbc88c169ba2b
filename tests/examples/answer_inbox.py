"""Accepts every order for an evening mission and declines the others. Needs a token with the scope pilot, Python 3.9 or later."""
import json, os, urllib.error, urllib.request
from datetime import datetime
from zoneinfo import ZoneInfo

URL = os.environ.get("MARSHAL_URL", "http://localhost:3000")


def call(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {os.environ['MARSHAL_TOKEN']}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{URL}/api/v1{path}", data, headers, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


zone = ZoneInfo(call("GET", "/auth/me")["timeZone"])
for order in call("GET", "/pilot/inbox"):
    start = datetime.fromisoformat(order["startUtc"].replace("Z", "+00:00")).astimezone(zone)
    response = "accepted" if start.hour >= 18 else "declined"
    try:
        call("POST", f"/pilot/inbox/{order['id']}/rsvp", {"response": response})
        print(f"{order['label']} {order['missionName']}: {response}")
    except urllib.error.HTTPError as error:
        refusal = json.load(error)
        if refusal["code"] not in ("SEAT_TAKEN", "NO_SEAT_FREE", "OVERLAP", "ORDER_EXPIRED"):
            raise
        print(f"{order['label']} {order['missionName']}: {refusal['message']}")
