import { REMOTE } from '../shell/taint.js'
import { always, when, type Rule } from './rule.js'

/** Runs what it reads or is given. */
const fetched: Rule = ({ args, stdin }) =>
  [...args, stdin].some((text) => text.includes(REMOTE)) ? 'remote code' : undefined

/** Commands of cmd and their like; names in small letters. */
export const WINDOWS_RULES: Readonly<Record<string, Rule>> = {
  erase: when(/(?:^|\s)\/[sqf]\b|\*/i, 'recursive delete'),
  rd: when(/(?:^|\s)\/s\b/i, 'recursive delete'),
  format: when(/(?:^|\s)[a-z]:/i, 'disk format'),
  reg: when(/^(?:delete|add|import)\b/i, 'system setting'),
  vssadmin: when(/\bdelete\b|\bresize\b/i, 'mass delete'),
  wbadmin: when(/\bdelete\b/i, 'mass delete'),
  bcdedit: when(/\/(?:set|delete)/i, 'system setting'),
  cipher: when(/\/w/i, 'secure erase'),
  takeown: when(/\/f/i, 'permission change in a system path'),
  icacls: when(/\b(?:everyone|\*S-1-1-0):\S*[fmw]|\/reset|\/t\b/i, 'world-writable permissions'),
  attrib: when(/\/s\b/i, 'permission change in a system path'),
  taskkill: when(/\/f\b/i, 'kill of many processes'),
  wmic: when(/\b(?:delete|call\s+(?:terminate|create))\b/i, 'kill of many processes'),
  schtasks: when(/\/(?:create|delete|change)\b/i, 'scheduled job change'),
  netsh: when(/\b(?:firewall|advfirewall)\b.*\b(?:off|disable|delete|add)\b/i, 'system setting'),
  powercfg: always('system setting'),
  robocopy: when(/\/(?:mir|purge|move)\b/i, 'mass delete'),
  rundll32: when(/javascript:|https?:/i, 'remote code'),
  'remove-item': when(/-r\w*\b|-fo\w*\b/i, 'recursive delete'),
  'clear-disk': always('disk format'),
  'format-volume': always('disk format'),
  iex: fetched,
  'invoke-expression': fetched,
  'stop-computer': always('system shutdown'),
  'restart-computer': always('system shutdown'),
}
