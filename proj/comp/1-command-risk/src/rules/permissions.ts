import { hasLong, readOptions } from '../commands/read-options.js'
import { isEverything, isHome, isSystemPath } from '../commands/paths.js'
import type { Rule } from '../commands/call.js'

const chmod: Rule = ({ args }) => {
  // A mode may begin with a dash: `-x`.
  const plain = args.filter((arg) => !/^-(?:[RvcfHLP]+|-\w[\w-]*(?:=.*)?|-)$/.test(arg))
  const [mode = '', ...paths] = plain
  const options = readOptions(args.filter((arg) => !plain.includes(arg)))
  if (/^\d+$/.test(mode)) {
    const digits = mode.padStart(4, '0').slice(-4)
    if (/^[^1357].*[2367]$/.test(digits)) return 'world-writable permissions'
    if (/^[2-9]/.test(digits)) return 'set-uid permissions'
  } else {
    const parts = mode.split(',')
    if (parts.some((part) => /^[ugoa]*[oa][ugoa]*[+=][rwxXst]*w/.test(part))) return 'world-writable permissions'
    if (parts.some((part) => /^[ugoa]*[+=]\w*s/.test(part))) return 'set-uid permissions'
  }
  if (
    (options.short.has('R') || hasLong(options, 'recursive'))
    && /^(?:0*0|a?[-=](?:r?w?x?)?$|a?-\w+)$/.test(mode)
    && paths.some((path) => isEverything(path) || isHome(path))
  )
    return 'permission change in a system path'
  return paths.some((path) => isHome(path) || isSystemPath(path)) ? 'permission change in a system path' : undefined
}

const chown: Rule = ({ args }) => {
  const options = readOptions(args, ['from', 'reference'])
  const [owner = '', ...paths] = options.operands
  const isRecursive = options.short.has('R') || hasLong(options, 'recursive')
  if (paths.some((path) => isHome(path) || isSystemPath(path))) return 'permission change in a system path'
  return isRecursive && /^(?:root|0|nobody)(?:[:.]|$)/.test(owner) ? 'permission change in a system path' : undefined
}

export const PERMISSION_RULES: Readonly<Record<string, Rule>> = { chmod, 'chown chgrp': chown }
