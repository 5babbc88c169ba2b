-- What DCS World gives to hooks, around one hook: reads a case per line, answers with what the hook did.
-- lua5.1 game-server.lua <hook> <folder>
local cjson = require 'cjson'
local hookPath, folder = arg[1], arg[2]
local case, did, hook = nil, { chat = {}, log = {} }, nil

lfs = { writedir = function() return folder end }
log = { INFO = 'info', write = function(_, _, text) table.insert(did.log, text) end }
net = {
  json2lua = cjson.decode,
  get_server_id = function() return 1 end,
  get_player_info = function(playerID, what) return what == 'name' and case.players[playerID].name or nil end,
  get_slot = function(playerID) return case.players[playerID].side, case.players[playerID].slot end,
  get_player_list = function()
    local ids = {}
    for id in ipairs(case.players) do ids[id] = id end
    return ids
  end,
  send_chat_to = function(text, playerID) table.insert(did.chat, playerID .. ': ' .. text) end,
}
DCS = {
  UNIT_GROUPNAME = 'group name',
  isServer = function() return true end,
  getMissionFilename = function() return case.file end,
  getUnitProperty = function(unitID, property) return property == 'group name' and case.groups[unitID] or nil end,
  setUserCallbacks = function(callbacks) hook = callbacks end,
}
os.time = function() return case.now end

local function write(text)
  os.remove(folder .. 'marshal-slots.json')
  if type(text) ~= 'string' then return end
  local file = assert(io.open(folder .. 'marshal-slots.json', 'wb'))
  file:write(text)
  file:close()
end

dofile(hookPath)
for line in io.lines() do
  case, did = cjson.decode(line), { chat = {}, log = {} }
  write(case.answer)
  if case.playerID then
    local results = { n = 0 }
    local function take(...) results = { n = select('#', ...), ... } end
    take(hook.onPlayerTryChangeSlot(case.playerID, case.side, case.slot))
    did.returned = results.n == 0 and 'nothing' or tostring(results[1])
  else
    hook.onSimulationStart()
  end
  did.chat[1], did.log[1] = did.chat[1] or cjson.null, did.log[1] or cjson.null
  print(cjson.encode(did))
  io.flush()
end
