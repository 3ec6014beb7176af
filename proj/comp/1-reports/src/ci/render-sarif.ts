import type { CiItem } from './ci-item.js'
import { messageOf } from './render-annotations.js'

/**
 * SARIF 2.1.0, as code scanning services read it: a result for each item that did not pass, and for each note. Files
 * are relative references from the working directory.
 */
export function renderSarif(items: readonly CiItem[]): string {
  const found = items.flatMap((item) => {
    const { outcome, notes = [] } = item
    const isBad = outcome === 'failed' || outcome === 'error'
    return [
      ...(isBad ? [result(item, 'error', item.code ?? outcome, messageOf(item))] : []),
      ...notes.map((note) => result(item, 'warning', 'note', note)),
    ]
  })
  const rules = [...new Set(found.map(({ ruleId }) => ruleId))].map((id) => ({ id }))
  const driver = { name: 'hermes', rules }
  const document = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0',
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results: found }],
  }
  return `${JSON.stringify(document, undefined, 2)}\n`
}

function result(item: CiItem, level: 'error' | 'warning', ruleId: string, message: string) {
  const { name, file, line = 1 } = item
  const endLine = Math.max(line, item.endLine ?? line)
  const locations = file === undefined ? [] : [{
    physicalLocation: { artifactLocation: { uri: uriOf(file) }, region: { startLine: line, endLine } },
  }]
  return { ruleId, level, message: { text: `${name}: ${message}`.toWellFormed() }, locations }
}

/** A path may hold what ends a part of an address, or begins one. */
function uriOf(file: string): string {
  const path = encodeURI(file.toWellFormed().replaceAll('\\', '/')).replace(/[?#]/g, encodeURIComponent)
  if (path.startsWith('/')) return `file://${path}`
  return /^[^/]*:/.test(path) ? `./${path}` : path
}
