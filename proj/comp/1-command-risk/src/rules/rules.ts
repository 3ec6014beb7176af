import { ACCOUNT_RULES } from './accounts.js'
import { CLOUD_RULES } from './cloud.js'
import { DATABASE_RULES } from './databases.js'
import { DISK_RULES } from './disks.js'
import { FILE_RULES } from './files.js'
import { gitDanger } from './git.js'
import { NETWORK_RULES } from './network.js'
import { PERMISSION_RULES } from './permissions.js'
import type { Rule } from './rule.js'
import { SYSTEM_RULES } from './system.js'
import { WINDOWS_RULES } from './windows.js'

const RULES: Readonly<Record<string, Rule>> = {
  ...FILE_RULES,
  ...DISK_RULES,
  ...PERMISSION_RULES,
  ...SYSTEM_RULES,
  ...ACCOUNT_RULES,
  ...NETWORK_RULES,
  ...CLOUD_RULES,
  ...DATABASE_RULES,
  ...WINDOWS_RULES,
  git: gitDanger,
  hub: gitDanger,
}
export const RULE_NAMES = Object.keys(RULES)

/** What judges a command of that name. */
export function ruleFor(name: string): Rule | undefined {
  if (Object.hasOwn(RULES, name)) return RULES[name]
  if (/^(?:mkfs|newfs|mke2fs)(?:[._]\w+)?$/.test(name)) return () => 'disk format'
  // Windows and macOS ignore case in the names of programs.
  const lower = name.toLowerCase()
  return Object.hasOwn(RULES, lower) ? RULES[lower] : undefined
}
