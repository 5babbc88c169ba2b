-- Marshal: keeps each cockpit for the pilot who has the order for it, until 15 minutes after the start of the mission.
-- How to install it: server/missions/cockpit/README.md in Marshal's repository.
--
-- Hooks of DCS World have no TLS, so this one reads the answer of Marshal's /api/v1/slots from a file that a scheduled task
-- writes each minute. Without an answer, with an old or a broken one, and after any error of its own, it refuses nobody.

local PATH = lfs.writedir() .. 'marshal-slots.json'
local MAX_AGE = 300 -- seconds; the same for a clock that is wrong

local function note(text)
  log.write('MARSHAL', log.INFO, text)
end

-- Instants are compared as text: years to seconds in UTC.
local function utc(seconds)
  return os.date('!%Y-%m-%dT%H:%M:%S', seconds)
end

local function readAnswer()
  local file = io.open(PATH, 'rb')
  if not file then error('there is no ' .. PATH, 0) end
  local text = file:read('*a')
  file:close()
  local answer = net.json2lua(text)
  local asOf, now = answer.asOfUtc:sub(1, 19), os.time()
  if asOf < utc(now - MAX_AGE) or asOf > utc(now + MAX_AGE) then
    error('the answer is from ' .. asOf .. 'Z: look at the task that loads it, and at the clock', 0)
  end
  return answer
end

-- The mission whose key is in the name of the running file; nil for a file that is not from Marshal.
local function readMission()
  local key = (DCS.getMissionFilename() or ''):lower():match('%.marshal%-(%x+)%.')
  if not key then return nil end
  for _, mission in ipairs(readAnswer().missions) do
    if mission.fileKey == key then return mission end
  end
  return nil
end

local function isKept(slot)
  return not slot.isOpen and type(slot.unit) == 'table' and type(slot.pilot) == 'table' and slot.pilot.names[1] ~= nil
    and utc(os.time()) < slot.keptUntilUtc:sub(1, 19)
end

local function whole(name)
  return name:lower():match('^%s*(.-)%s*$')
end

-- Letters and digits, so that a call sign is found in "[JG54] Vesper" and "Vesper | 1-1".
local function bare(name)
  return (name:lower():gsub('[%c%s%p]', ''))
end

local function hasName(pilot, name, isAlike)
  for _, one in ipairs(pilot.names) do
    if isAlike(name, one) then return true end
  end
  return false
end

local function isSame(name, one)
  return whole(name) == whole(one)
end

local function isWithin(name, one)
  return bare(one) ~= '' and bare(name):find(bare(one), 1, true) ~= nil
end

-- In doubt the player is the pilot. Only a name that is another pilot's as a whole is no doubt.
local function mayBe(name, pilot, mission)
  if hasName(pilot, name, isSame) then return true end
  for _, slot in ipairs(mission.slots) do
    if type(slot.pilot) == 'table' and hasName(slot.pilot, name, isSame) then return false end
  end
  for _, other in ipairs(mission.standby) do
    if hasName(other, name, isSame) then return false end
  end
  return hasName(pilot, name, isWithin)
end

-- "12" is the pilot's place in unit 12, "12_1" that of the second crew member.
local function slotIdOf(unit)
  return unit.station > 1 and unit.unitId .. '_' .. (unit.station - 1) or tostring(unit.unitId)
end

local function isFree(slot)
  if type(slot.unit) ~= 'table' or isKept(slot) then return false end
  for _, playerID in ipairs(net.get_player_list()) do
    local _, taken = net.get_slot(playerID)
    if tostring(taken) == slotIdOf(slot.unit) then return false end
  end
  return true
end

local function refusal(kept, mission, name)
  local callSign, zulu = kept.pilot.callSign, kept.keptUntilUtc:sub(12, 13) .. kept.keptUntilUtc:sub(15, 16) .. 'Z'
  local first = kept.label .. ' is ' .. callSign .. "'s until " .. zulu .. '. '
  for _, slot in ipairs(mission.slots) do
    if isKept(slot) and mayBe(name, slot.pilot, mission) then return first .. 'Your seat is ' .. slot.label .. '.' end
  end
  local isYours = ' If you are ' .. callSign .. ', put ' .. callSign .. ' in your player name.'
  local free
  for _, slot in ipairs(mission.slots) do
    if slot.side == kept.side and isFree(slot) and (not free or (slot.aircraft == kept.aircraft and free.aircraft ~= kept.aircraft)) then
      free = slot
    end
  end
  return first .. (free and free.label .. ' is free.' or 'It is open to everybody then.') .. isYours
end

-- The reason against the player in this slot; nil for none. Seats that Marshal does not know are for everybody.
local function judge(playerID, side, slotID)
  if side == 0 or not DCS.isServer() or playerID == net.get_server_id() then return nil end
  local unitID = tostring(slotID):match('^%d+')
  local mission = unitID and readMission()
  if not mission then return nil end
  for _, slot in ipairs(mission.slots) do
    if isKept(slot) and slotIdOf(slot.unit) == tostring(slotID) then
      -- a file that was changed since may have given the number to another group
      if DCS.getUnitProperty(unitID, DCS.UNIT_GROUPNAME) ~= slot.unit.group then return nil end
      local name = net.get_player_info(playerID, 'name')
      if mayBe(name, slot.pilot, mission) then return nil end
      return refusal(slot, mission, name)
    end
  end
  return nil
end

local marshal = {}

-- Returns nothing to allow: true would keep other hooks from deciding.
function marshal.onPlayerTryChangeSlot(playerID, side, slotID)
  local isDone, reason = pcall(judge, playerID, side, slotID)
  if not isDone then note('keeps no seats: ' .. tostring(reason)) end
  if not isDone or not reason then return end
  pcall(net.send_chat_to, reason, playerID)
  note('refused ' .. tostring(slotID) .. ': ' .. reason)
  return false
end

function marshal.onSimulationStart()
  local isDone, mission = pcall(readMission)
  if not isDone then return note('keeps no seats: ' .. tostring(mission)) end
  note(mission and 'keeps the seats of ' .. mission.name or 'keeps no seats: this file is not of a current mission of Marshal')
end

DCS.setUserCallbacks(marshal)
