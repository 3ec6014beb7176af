import { nulFields } from './nul-fields.js'

export interface StatusBranch {
  /** `null` before the first commit. */
  head: string | null
  /** `null` when HEAD is detached. */
  branch: string | null
  upstream?: string
  /** Absent where the upstream is unknown or gone. */
  ahead?: number
  behind?: number
}

export interface StatusEntry {
  /** Relative to the top of the work tree, with `/`. */
  path: string
  /** Old path of a rename or copy. */
  oldPath?: string
  /** Change from HEAD to the index: `M`, `A`, `D`, `R`, `C`, `T`, `U`, or `.` for none. */
  index: string
  /** Change from the index to the work tree. */
  workTree: string
  kind: 'changed' | 'conflicted' | 'untracked'
}

/**
 * Parses `git status --porcelain=v2 --branch -z`: records end with NUL, and names are unquoted.
 *
 * 1 XY sub mH mI mW hH hI path
 * 2 XY sub mH mI mW hH hI Xscore path NUL old path
 * u XY sub m1 m2 m3 mW h1 h2 h3 path
 */
export function parseStatus(output: Uint8Array): { branch: StatusBranch; entries: StatusEntry[] } {
  const branch: StatusBranch = { head: null, branch: null }
  const entries: StatusEntry[] = []
  const fields = nulFields(output)
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at]!
    if (field.startsWith('# ')) readHeader(field, branch)
    else if (field.startsWith('1 ')) entries.push(entry(field, 8, 'changed'))
    else if (field.startsWith('2 ')) entries.push({ ...entry(field, 9, 'changed'), oldPath: fields[++at] ?? '' })
    else if (field.startsWith('u ')) entries.push(entry(field, 10, 'conflicted'))
    else if (field.startsWith('? ')) {
      entries.push({ path: field.slice(2), index: '?', workTree: '?', kind: 'untracked' })
    }
  }
  return { branch, entries }
}

/** @param before number of fields in front of the path, which may have spaces */
function entry(field: string, before: number, kind: StatusEntry['kind']): StatusEntry {
  let start = 0
  for (let count = 0; count < before; count++) start = field.indexOf(' ', start) + 1
  return { path: field.slice(start), index: field[2] ?? '.', workTree: field[3] ?? '.', kind }
}

function readHeader(field: string, branch: StatusBranch): void {
  const [, name, value = ''] = /^# branch\.(\S+) (.*)$/s.exec(field) ?? []
  if (name === 'oid') branch.head = value === '(initial)' ? null : value
  else if (name === 'head') branch.branch = value === '(detached)' ? null : value
  else if (name === 'upstream') branch.upstream = value
  else if (name === 'ab') {
    const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(value) ?? []
    if (ahead === undefined || behind === undefined) return
    branch.ahead = Number(ahead)
    branch.behind = Number(behind)
  }
}
