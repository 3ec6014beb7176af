/**
 * A process of its own that lets an answer stream through the library: `KIND BYTES`. Prints as JSON how many blocks
 * there were, the seconds they took, and the most resident memory in MB during the first tenth of the text and the
 * rest.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hermes, VERBS, VerbRegistry } from '../../../dist/index.js'
import { pieces, TEXTS } from './stream-texts.mjs'
import { nothing } from './verb-nothing.mjs'

const [kind, bytes] = [process.argv[2], Number(process.argv[3])]
const root = mkdtempSync(join(tmpdir(), 'hermes-bench-'))
const most = { first: 0, rest: 0 }

function* source() {
  let sent = 0
  for (const piece of pieces(TEXTS[kind], bytes)) {
    const part = sent < bytes / 10 ? 'first' : 'rest'
    most[part] = Math.max(most[part], process.memoryUsage.rss() / 1e6)
    sent += piece.length
    yield piece
  }
}

try {
  const registry = new VerbRegistry(VERBS).register(nothing())
  const hermes = new Hermes({ root, registry, policy: false, gitCommit: false, limits: { maxBlocks: 1e9 } })
  const started = performance.now()
  let result
  for await (const event of hermes.stream(source())) if (event.type === 'end') result = event.result
  if (!result.success) throw new Error(JSON.stringify(result).slice(0, 1000))
  console.log(JSON.stringify({ blocks: result.totalBlocks, seconds: (performance.now() - started) / 1000, ...most }))
} finally {
  rmSync(root, { recursive: true, force: true })
}
