/** Code of the quick start on the API reference page: the first calls in curl, TypeScript, Python and Lua. */

/** Answers one call of REST in each language. @param url the server's public address, without a trailing slash */
export function writeQuickStart(url: string): Record<'curl' | 'typescript' | 'python' | 'lua', string> {
  return {
    curl: `export MARSHAL_TOKEN=mrsh_…
curl -H "Authorization: Bearer $MARSHAL_TOKEN" \\
  ${url}/api/v1/auth/me`,

    typescript: `import { createMarshalClient } from 'marshal-client';

const marshal = createMarshalClient({
  baseUrl: '${url}',
  token: process.env.MARSHAL_TOKEN,
});
for (const order of await marshal.pilot.inbox.query()) {
  console.log(order.label, order.status, order.startUtc);
}`,

    python: `import json, os, urllib.request

request = urllib.request.Request(
    "${url}/api/v1/pilot/inbox",
    headers={"Authorization": "Bearer " + os.environ["MARSHAL_TOKEN"]},
)
with urllib.request.urlopen(request) as response:
    for order in json.load(response):
        print(order["label"], order["status"], order["startUtc"])`,

    lua: `-- Saved Games\\DCS\\Scripts\\Hooks\\marshal.lua: today's missions in the chat, when the server starts one
package.path = package.path .. ";.\\\\LuaSocket\\\\?.lua"
package.cpath = package.cpath .. ";.\\\\LuaSocket\\\\?.dll"
local http, ltn12 = require("socket.http"), require("ltn12")
http.TIMEOUT = 3 -- seconds; the simulator waits for the answer

local function announce()
  local parts = {}
  local ok, status = http.request({
    url = "${url}/api/v1/admin/missions/by-date?tz=UTC&date=" .. os.date("!%Y-%m-%d"),
    headers = { Authorization = "Bearer " .. os.getenv("MARSHAL_TOKEN") },
    sink = ltn12.sink.table(parts),
  })
  if not ok or status ~= 200 then
    return log.write("marshal", log.ERROR, "no missions: " .. tostring(status))
  end
  for _, mission in ipairs(net.json2lua(table.concat(parts)).missions) do
    net.send_chat(mission.name .. " starts at " .. mission.startUtc, true)
  end
end

DCS.setUserCallbacks({ onSimulationStart = announce })`,
  };
}
