import type { PathAccess } from '../../contracts/src/index.js'

export interface DenyPattern {
  /**
   * Regular expression for a whole path, `/` between names, case ignored. One that starts with `/` is compared with
   * the canonical absolute path, the others with the part below the root or allowed directory.
   */
  pattern: string
  /** Completes "is denied: …". */
  reason: string
}

/**
 * What no verb touches, whatever the root (contract section 3 'root'): the patterns of seed 002's
 * `unified-design.yaml`, and the state of git and of hermes itself. Directories are denied with all they hold.
 */
export const DENY_PATTERNS: readonly DenyPattern[] = [
  { pattern: '(.*/)?\\.ssh(/.*)?', reason: 'SSH keys and settings' },
  { pattern: '(.*/)?\\.git(/.*)?', reason: "git's own files" },
  { pattern: '(.*/)?\\.hermes(/.*)?', reason: "hermes' own state" },
  { pattern: '(.*/)?\\.hermes-tmp-[^/]*(/.*)?', reason: "hermes' temporary files" },
  { pattern: '(.*/)?hermes\\.yaml', reason: "hermes' policy file" },
  { pattern: '/(private/)?etc(/.*)?', reason: 'system settings' },
  { pattern: '/sys(/.*)?', reason: 'kernel interface' },
  { pattern: '/proc(/.*)?', reason: 'kernel interface' },
]

/** Outputs of commands, which verbs may read (contract section 3 `proc.run`); compared like the relative patterns. */
const READABLE = /^\.hermes\/runs(\/.*)?$/s
export const READ_ONLY = 'the output of commands, which can only be read'

const COMPILED = DENY_PATTERNS.map(({ pattern, reason }) => ({
  regex: new RegExp(`^(?:${pattern})$`, 'is'),
  absolute: pattern.startsWith('/'),
  reason,
}))

/**
 * @param absolute canonical path
 * @param below the part of it below its root; `''` for the root itself
 * @returns the reason of the first pattern that denies it, or `undefined`
 */
export function deniedBecause(absolute: string, below: string, access: PathAccess): string | undefined {
  const slashed = below.replaceAll('\\', '/')
  if (READABLE.test(slashed)) return access === 'read' ? undefined : READ_ONLY
  const plain = plainNames(slashed)
  return COMPILED.find((deny) => deny.regex.test(deny.absolute ? absolute : plain))?.reason
}

/**
 * Undoes what some file systems ignore in names, so that no other spelling of `.git` passes: invisible characters
 * (HFS+), trailing dots and spaces (NTFS).
 */
function plainNames(below: string): string {
  return below
    .replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')
    .split('/').map(withoutTrail).join('/')
}

/** Character by character: a pattern for it would take the square of the length. */
function withoutTrail(name: string): string {
  let end = name.length
  while (end > 0 && (name[end - 1] === '.' || name[end - 1] === ' ')) end--
  return name.slice(0, end)
}
