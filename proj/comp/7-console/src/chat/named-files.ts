import { readdirSync } from 'node:fs'
import { orNothing, type PathGate, unlessRefused } from '../../../0-contracts/src/index.js'
import { escapeControls, isOddName } from '../../../0-text/src/index.js'
import type { Completion } from '../../../2-terminal/src/index.js'

/** Most entries of a directory with the typed beginning that are examined. */
const MOST_ENTRIES = 5000
const MOST_HITS = 200
/** `@` and a path, at the end of the typed text. */
const NAMED = /(?:^|\s)@([^\s@]*)$/

/** Completions after `@`: paths below the root that the model may read. `undefined` where none is being typed. */
export async function namedFiles(before: string, gate: () => Promise<PathGate>): Promise<Completion | undefined> {
  const part = NAMED.exec(before)?.[1]
  if (part === undefined) return undefined
  const at = part.lastIndexOf('/') + 1
  const [directory, beginning] = [part.slice(0, at), part.slice(at)]
  const hits = entriesOf(directory, beginning, await gate())
  const [only] = hits
  const isWhole = hits.length === 1 && only !== undefined && !only.endsWith('/')
  return { hits: isWhole ? [`${only} `] : hits, part }
}

function entriesOf(directory: string, beginning: string, gate: PathGate): string[] {
  const allowed = (path: string, access: 'read' | 'list'): string | undefined => (
    unlessRefused(() => gate.approve(path, access), undefined))
  const place = allowed(directory === '' ? '.' : directory, 'list')
  if (place === undefined) return []
  // What is no directory, or may not be read, holds no names.
  return orNothing(() => {
    return readdirSync(place, { withFileTypes: true })
      .filter(({ name }) => name.startsWith(beginning) && (beginning !== '' || !name.startsWith('.')))
      // Only names that can be printed unescaped.
      .filter(({ name }) => !isOddName(name) && !/\s/.test(name) && escapeControls(name) === name)
      .slice(0, MOST_ENTRIES)
      .map((entry) => `${directory}${entry.name}${entry.isDirectory() ? '/' : ''}`)
      .filter((path) => allowed(path, path.endsWith('/') ? 'list' : 'read') !== undefined).sort().slice(0, MOST_HITS)
  }, [])
}
