import { readFileSync } from 'node:fs'
import { isInside } from '../../2-files/src/index.js'
import { addTo } from '../../0-text/src/index.js'

/** A file system that is mounted on this machine, as `/proc/self/mountinfo` tells it. */
export interface HostMount {
  at: string
  /** Its flags in the words of `mount -o`; a namespace of the user's own may add to them, and take none away. */
  flags: readonly string[]
}

/** Flags that are kept: the kernel locks them in namespaces of users. */
const KEPT = new Set(['ro', 'nosuid', 'nodev', 'noexec', 'noatime', 'nodiratime', 'relatime', 'nosymfollow'])

interface Row extends HostMount {
  id: string
  parent: string
}

/** The mounts of this machine that can be reached, outer before inner. */
export function hostMounts(): HostMount[] {
  return reachableMounts(readFileSync('/proc/self/mountinfo', 'utf8'))
}

/** What one mount covers of another cannot be reached. */
export function reachableMounts(table: string): HostMount[] {
  const rows = table.split('\n').filter(line => line !== '').map(parseRow)
  const children = new Map<string, Row[]>()
  for (const row of rows) addTo(children, row.parent, row)
  const ids = new Set(rows.map(({ id }) => id))
  const mounts: HostMount[] = []
  const visit = (row: Row): void => {
    // Of several at one place the last.
    const inside = [...new Map((children.get(row.id) ?? []).map(mount => [mount.at, mount])).values()]
    const onTop = inside.find(({ at }) => at === row.at)
    if (onTop !== undefined) return visit(onTop)
    mounts.push({ at: row.at, flags: row.flags })
    const isCovered = (path: string) => inside.some(({ at }) => at !== path && isInside(at, path))
    inside.filter(({ at }) => !isCovered(at)).forEach(visit)
  }
  rows.filter(({ at, parent }) => at === '/' && !ids.has(parent)).forEach(visit)
  return mounts
}

/** The mount that holds a path. */
export function mountOf(mounts: readonly HostMount[], path: string): HostMount | undefined {
  return mounts.filter(({ at }) => isInside(at, path)).toSorted((a, b) => b.at.length - a.at.length)[0]
}

function parseRow(line: string): Row {
  const [id = '', parent = '', , , at = '', flags = ''] = line.split(' ')
  // The kernel writes blanks, and what else would break a line, as octal numbers of bytes.
  const path = at.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)))
  return { id, parent, at: path, flags: flags.split(',').filter(flag => KEPT.has(flag)) }
}
