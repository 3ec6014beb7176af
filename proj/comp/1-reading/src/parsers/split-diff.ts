const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/

/**
 * Splits a unified diff into files, each with its header lines; no text is lost. A file begins at `diff --git`, or at
 * `---` and `+++` if the hunks before are complete or a hunk header follows (their counts are then wrong).
 */
export function splitDiff(patch: string): string[] {
  const lines = patch.split(/(?<=\n)/)
  const files: string[] = []
  let start = 0
  /** Lines of the old and the new file that the current hunk still announces. */
  let old = 0
  let added = 0
  /** The current file already has its `---` line. */
  let named = false
  let git = false
  const begin = (at: number): void => {
    if (at > start && (named || git)) {
      files.push(lines.slice(start, at).join(''))
      start = at
    }
    named = false
    git = false
  }
  lines.forEach((line, at) => {
    const hunk = HUNK.exec(line)
    if (hunk) {
      old = Number(hunk[1] ?? 1)
      added = Number(hunk[2] ?? 1)
    } else if (line.startsWith('diff --git ')) {
      begin(at)
      git = true
      old = added = 0
    } else if (startsFile(lines, at, old, added)) {
      if (named) begin(at)
      named = true
      old = added = 0
    } else {
      if (!line.startsWith('+') && !line.startsWith('\\')) old--
      if (!line.startsWith('-') && !line.startsWith('\\')) added--
    }
  })
  files.push(lines.slice(start).join(''))
  return joined(files)
}

/**
 * Joins the parts about one file, and those between, where one of them moves, copies, creates or removes it: they refer
 * to the files before the whole diff.
 */
function joined(parts: readonly string[]): string[] {
  const byName = new Map<string, { first: number; last: number; isBound: boolean }>()
  for (const [at, part] of parts.entries()) {
    const { names, isBound } = namesOf(part)
    for (const name of names) {
      const known = byName.get(name) ?? { first: at, last: at, isBound: false }
      byName.set(name, { first: known.first, last: at, isBound: known.isBound || isBound })
    }
  }
  /** Index of the last part of each row, by that of its first. */
  const rows = new Map<number, number>()
  for (const { first, last, isBound } of byName.values()) {
    if (isBound) rows.set(first, Math.max(rows.get(first) ?? 0, last))
  }
  const blocks: string[] = []
  let end = -1
  for (const [at, part] of parts.entries()) {
    if (at > end) blocks.push(part)
    else blocks.push((blocks.pop() ?? '') + part)
    end = Math.max(end, rows.get(at) ?? at)
  }
  return blocks
}

/** Bounded repetitions, since a line may repeat itself. */
const NAME = new RegExp('^(?:(?:rename|copy) (?:from|to) (.{1,999}?)'
  + '|(?:---|\\+\\+\\+) [^/\\n]{1,99}/([^\\t\\n]{1,999}?)(?:\\t.{0,99})?'
  + '|diff --git [^/\\n]{1,99}/(.{1,999}) [^/\\n]{1,99}/\\3)\\r?$', 'gm')
const BINDS = /^(?:(?:rename|copy) from |(?:new|deleted) file mode |(?:---|\+\+\+) \/dev\/null)/m

/** Files named above the hunks of a part, without their prefix (`a/`, `b/`). */
function namesOf(part: string): { names: ReadonlySet<string>; isBound: boolean } {
  const hunks = part.search(/^@@/m)
  const head = hunks === -1 ? part : part.slice(0, hunks)
  const names = [...head.matchAll(NAME)].flatMap(([, moved, written, both]) => moved ?? written ?? both ?? [])
  return { names: new Set(names.filter((name) => name !== 'null')), isBound: BINDS.test(head) }
}

function startsFile(lines: readonly string[], at: number, old: number, added: number): boolean {
  if (!/^--- \S/.test(lines[at]!) || !/^\+\+\+ \S/.test(lines[at + 1] ?? '')) return false
  if (old <= 0 && added <= 0) return true
  // Within a hunk these are its last two lines, unless it announces more or fewer, which shows that its counts are
  // wrong.
  return (lines[at + 2] ?? '').startsWith('@@') && !(old === 1 && added === 1)
}
