import type { PathAccess, PathPolicy } from '../../../0-contracts/src/index.js'
import { isInside } from '../../../2-processes/src/index.js'
import { DENIED_ACCESS, DENY_PATTERNS, type DenyPattern } from './protected-paths.js'

/** Why a path is denied, and what to do instead. */
export interface Denial {
  reason: string
  hint: string
}

/** Outputs of commands, which verbs may read; compared like the relative patterns. */
const READABLE = /^\.hermes\/runs(\/.*)?$/s
const CHANGES: ReadonlySet<PathAccess> = new Set(DENIED_ACCESS.changes)
const READ_ONLY: Denial = {
  reason: 'the output of commands, which can only be read',
  hint: 'Verbs may read it and not change it; write to another path.',
}
const HINTS: Readonly<Record<DenyPattern['denies'], string>> = {
  all: 'No verb may use it, whatever the root; ask the user to do this.',
  content: 'No verb may read or change it; ask the user: `readable` in config.yaml opens it (hermes help policy).',
  changes: 'Verbs may read it and not change it; ask the user to do this.',
}

/** All patterns in one, since most paths match none. */
const ON_ABSOLUTE = regexOf(DENY_PATTERNS, true)
const ON_RELATIVE = regexOf(DENY_PATTERNS, false)

type Compiled = DenyPattern & { regex: RegExp; absolute: boolean }
let compiled: readonly Compiled[] | undefined
const PLAIN = /^[\x20-\x7e]*$/
const IGNORED = /\p{Default_Ignorable_Code_Point}/gu

export interface DenialOptions {
  /** Rules of the user's and the project's policy files. */
  policy?: PathPolicy | undefined
  /** For actions of the user, such as an undo: only patterns that bind the user count. */
  forUser?: boolean | undefined
  /** Whether the path is a directory; only called where it matters. */
  isDirectory?: () => boolean
}

/**
 * @param absolute path with links resolved
 * @param below the path relative to its root; `''` for the root itself
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

/**
 * In lower case, and without what some file systems ignore in names, so that no other spelling of `.git` passes:
 * characters without a form of their own (HFS+), compatibility forms, case beyond ASCII (APFS folds `ſ` to `s`),
 * trailing dots and spaces, and the stream after a colon (NTFS). More is taken for the same than any one file system
 * does.
 *
 * @param below relative path, `/` between names
 */
function comparableNames(below: string): string {
  const folded = PLAIN.test(below) ? below.toLowerCase()
    : below.replace(IGNORED, '').normalize('NFKC').toUpperCase().toLowerCase().replace(IGNORED, '')
  return /[.: ](?:\/|$)|:/.test(folded) ? folded.split('/').map(withoutTail).join('/') : folded
}

/** Character by character: a pattern for it would take the square of the length. */
function withoutTail(name: string): string {
  const colon = name.indexOf(':')
  let end = colon > 0 ? colon : name.length
  while (end > 0 && (name[end - 1] === '.' || name[end - 1] === ' ')) end--
  return name.slice(0, end)
}

/** What is closed for a reason of its own; what leads there cannot be removed either. */
export function closedBy(
  closed: readonly (Pick<DenyPattern, 'denies' | 'reason'> & { path: string })[], absolute: string, access: PathAccess,
): Denial | undefined {
  const rule = closed.find(({ path, denies }) => DENIED_ACCESS[denies].includes(access) && (
    isInside(path, absolute) || (access === 'remove' && isInside(absolute, path))
  ))
  return rule && { reason: rule.reason, hint: HINTS[rule.denies] }
}

/** The strictest pattern that denies the access. */
function patternOf(
  absolute: string, plain: string, access: PathAccess, forUser = false,
): DenyPattern | undefined {
  // No relative pattern matches the root itself.
  if (!ON_ABSOLUTE.test(absolute) && (plain === '' || !ON_RELATIVE.test(plain))) return undefined
  compiled ??= DENY_PATTERNS.map((deny) => (
    { ...deny, regex: regexOf([deny], isAbsolute(deny)), absolute: isAbsolute(deny) }
  ))
  return compiled.find((deny) => (
    (!forUser || deny.bindsUser)
      && DENIED_ACCESS[deny.denies].includes(access) && deny.regex.test(deny.absolute ? absolute : plain)
  ))
}

function isAbsolute({ pattern }: DenyPattern): boolean {
  return pattern.startsWith('/')
}

/** Compared names are in lower case, since a case-insensitive pattern would take milliseconds to compile. */
function regexOf(denies: readonly DenyPattern[], absolute: boolean): RegExp {
  const pattern = denies.filter((deny) => isAbsolute(deny) === absolute).map((deny) => deny.pattern).join('|')
  return absolute ? new RegExp(`^(?:${pattern})$`, 'isu') : new RegExp(`^(?:${pattern.toLowerCase()})$`, 's')
}
