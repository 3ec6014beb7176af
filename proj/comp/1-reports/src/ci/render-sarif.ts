import type { CiItem } from './ci-item.js'
import { messageOf } from './render-annotations.js'

/**
 * Renders SARIF 2.1.0, as read by code scanning services: a result for each item that did not pass, and for each note.
 * Files are relative to the working directory.
 */
export function renderSarif(items: readonly CiItem[]): string {
  const results = items.flatMap((item) => {
    const { outcome, notes = [] } = item
    const isBad = outcome === 'failed' || outcome === 'error'
    return [
      ...(isBad ? [result(item, 'error', item.code ?? outcome, messageOf(item))] : []),
      ...notes.map((note) => result(item, 'warning', 'note', note)),
    ]
  })
  const rules = [...new Set(results.map(({ ruleId }) => ruleId))].map((id) => ({
    id, shortDescription: { text: WORDS.get(id) ?? `hermes help ${id}` },
  }))
  const document = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0',
    runs: [{ tool: { driver: { name: 'hermes', rules } }, columnKind: 'utf16CodeUnits', results }],
  }
  return `${JSON.stringify(document, undefined, 2)}\n`
}

/** Descriptions of rules that are no error codes. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['note', 'What to know of it'],
  ['changed', 'A result or a path is not as it was recorded or expected'],
  ['newly-failing', 'What succeeded when it was recorded fails now'],
  ['newly-passing', 'What failed when it was recorded succeeds now'],
  ['missing', 'A path that is expected is not there'],
  ['unexpected', 'A path that is not expected is there'],
])

function result(item: CiItem, level: 'error' | 'warning', ruleId: string, message: string) {
  const { name, file, line = 1 } = item
  const endLine = Math.max(line, item.endLine ?? line)
  const locations = file === undefined ? [] : [{
    physicalLocation: { artifactLocation: { uri: uriOf(file) }, region: { startLine: line, endLine } },
  }]
  // Kinds of drift are words, not codes.
  const told = { text: `${name}: ${message}`.toWellFormed() }
  return { ruleId: ruleId.replaceAll(' ', '-'), level, message: told, locations }
}

/** Encodes a path as a URI reference. */
function uriOf(file: string): string {
  const path = encodeURI(file.toWellFormed().replaceAll('\\', '/')).replace(/[?#]/g, encodeURIComponent)
  if (path.startsWith('/')) return `file://${path}`
  return /^[^/]*:/.test(path) ? `./${path}` : path
}
