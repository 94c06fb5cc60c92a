#!/usr/bin/env lua
local a, b <const> = require("x.y"), require 'z'
--[[ Long
comment ]]
local M = { n = 1, ["k"] = function(x) return x end, [1] = a; }
-- Adds.
function M.sub:add(x, ...)
  for i = 1, #x do if x[i] < 1 and b or not a then goto done end end
  for k, v in pairs(x) do repeat local q = k .. [==[raw ]] ]==] until q end
  while true do break end
  ::done::
  return self.sub:call{ 1 }, M["x"].y'str', select('#', ...) // 2
end
local function hidden() end
M.f = function() end
setmetatable(M, { __index = function(t, k) return rawget(t, k) end })
return M
