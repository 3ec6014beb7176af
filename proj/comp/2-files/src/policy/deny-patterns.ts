import type { PathAccess, PathPolicy } from '../../../0-contracts/src/index.js'
import { comparableNames } from './comparable-names.js'
import { isInside } from '../../../2-processes/src/index.js'
import { DENIED_ACCESS, DENY_PATTERNS, type DenyPattern } from './protected-paths.js'

/** Why a path is denied, and what to do instead. */
export interface Denial {
  reason: string
  hint: string
}

/** Outputs of commands, which verbs may read (contract section 3 `proc.run`); compared like the relative patterns. */
const READABLE = /^\.hermes\/runs(\/.*)?$/s
const CHANGES: ReadonlySet<PathAccess> = new Set(DENIED_ACCESS.changes)
const READ_ONLY: Denial = {
  reason: 'the output of commands, which can only be read',
  hint: 'Verbs may read it and not change it; write to another path.',
}
const HINTS: Readonly<Record<DenyPattern['denies'], string>> = {
  all: 'No verb may use it, whatever the root; ask the user to do this.',
  content: 'No verb may read or change it; ask the user, who can open it (`readable` in ~/.hermes/config.yaml).',
  changes: 'Verbs may read it and not change it; ask the user to do this.',
}

/** Most paths are on none: one look instead of many. */
const ON_ABSOLUTE = regexOf(patternsOf((deny) => isAbsolute(deny)), true)
const ON_RELATIVE = regexOf(patternsOf((deny) => !isAbsolute(deny)), false)

type Compiled = DenyPattern & { regex: RegExp; absolute: boolean }
let compiled: readonly Compiled[] | undefined

export interface DenialOptions {
  /** What the user's and the project's policy say. */
  policy?: PathPolicy | undefined
  /** For what the user does himself, such as an undo: only patterns that bind him count. */
  forUser?: boolean | undefined
  /** Whether a directory is at the path; asked only where it matters. */
  isDirectory?: () => boolean
}

/**
 * @param absolute canonical path
 * @param below the part of it below its root; `''` for the root itself
 */
export function denialOf(
  absolute: string, below: string, access: PathAccess,
  { policy, forUser, isDirectory = () => true }: DenialOptions = {},
): Denial | undefined {
  const slashed = below.replaceAll('\\', '/')
  if (READABLE.test(slashed)) {
    if (CHANGES.has(access)) return READ_ONLY
  } else {
    const denies = patternOf(absolute, comparableNames(slashed), access, forUser)
    const isOpened = denies?.denies === 'content' && policy?.opens(absolute, below) === true
    if (denies && forUser) return { reason: denies.reason, hint: 'Look at it, and mend it by hand.' }
    if (denies && !(isOpened && !CHANGES.has(access))) {
      return { reason: denies.reason, hint: HINTS[isOpened ? 'changes' : denies.denies] }
    }
  }
  const reason = forUser ? undefined : policy?.denies(absolute, below, access, isDirectory)
  return reason === undefined ? undefined : { reason, hint: 'The policy of the user denies it; use another path.' }
}

/** What is closed for a reason of its own; what leads there cannot be removed either. */
export function closedBy(
  closed: readonly (Pick<DenyPattern, 'denies' | 'reason'> & { path: string })[], absolute: string, access: PathAccess,
): Denial | undefined {
  const found = closed.find(({ path, denies }) => DENIED_ACCESS[denies].includes(access) && (
    isInside(path, absolute) || (access === 'remove' && isInside(absolute, path))
  ))
  return found && { reason: found.reason, hint: HINTS[found.denies] }
}

/** The strictest pattern that denies the access. */
function patternOf(
  absolute: string, plain: string, access: PathAccess, forUser = false,
): DenyPattern | undefined {
  // None of the relative ones fits the root itself.
  if (!ON_ABSOLUTE.test(absolute) && (plain === '' || !ON_RELATIVE.test(plain))) return undefined
  compiled ??= DENY_PATTERNS.map((deny) => (
    { ...deny, regex: regexOf(deny.pattern, isAbsolute(deny)), absolute: isAbsolute(deny) }
  ))
  return compiled.find((deny) => (
    (!forUser || deny.bindsUser)
      && DENIED_ACCESS[deny.denies].includes(access) && deny.regex.test(deny.absolute ? absolute : plain)
  ))
}

function isAbsolute({ pattern }: DenyPattern): boolean {
  return pattern.startsWith('/')
}

function patternsOf(isMeant: (deny: DenyPattern) => boolean): string {
  return DENY_PATTERNS.filter(isMeant).map(({ pattern }) => pattern).join('|')
}

/** Comparable names are in lower case: a pattern that ignored case would take milliseconds to compile. */
function regexOf(pattern: string, absolute: boolean): RegExp {
  return absolute ? new RegExp(`^(?:${pattern})$`, 'isu') : new RegExp(`^(?:${pattern.toLowerCase()})$`, 's')
}
