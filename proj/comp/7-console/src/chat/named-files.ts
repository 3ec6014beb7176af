import { readdirSync } from 'node:fs'
import { HermesError, isNodeError, type PathGate } from '../../../0-contracts/src/index.js'
import { escapeControls, isOddName } from '../../../0-text/src/index.js'
import type { Completion } from '../../../2-terminal/src/index.js'

/** So many entries of a directory that begin as what is typed are looked at. */
const MOST_ENTRIES = 5000
const MOST_HITS = 200
/** `@` and the path behind it, at the end of what was typed. */
const NAMED = /(?:^|\s)@([^\s@]*)$/

/** What Tab offers behind `@`: paths below the root that the model may read. `undefined` where none is being typed. */
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
  const allowed = (path: string, access: 'read' | 'list'): string | undefined => {
    try {
      return gate.approve(path, access)
    } catch (error) {
      if (!(error instanceof HermesError)) throw error
      return undefined
    }
  }
  const place = allowed(directory === '' ? '.' : directory, 'list')
  if (place === undefined) return []
  try {
    return readdirSync(place, { withFileTypes: true })
      .filter(({ name }) => name.startsWith(beginning) && (beginning !== '' || !name.startsWith('.')))
      // They are printed as they are.
      .filter(({ name }) => !isOddName(name) && !/\s/.test(name) && escapeControls(name) === name)
      .slice(0, MOST_ENTRIES)
      .map((entry) => `${directory}${entry.name}${entry.isDirectory() ? '/' : ''}`)
      .filter((path) => allowed(path, path.endsWith('/') ? 'list' : 'read') !== undefined).sort().slice(0, MOST_HITS)
  } catch (error) {
    // What is no directory, or may not be read, holds no names.
    if (!isNodeError(error)) throw error
    return []
  }
}
