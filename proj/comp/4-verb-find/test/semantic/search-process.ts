import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_LIMITS, DEFAULT_POLICY } from '../../../2-config/src/config/index.js'
import { DiskFiles } from '../../../2-files/src/store/index.js'
import { createSandbox } from '../../../2-sandbox/src/index.js'
import { createPathGate } from '../../../2-files/src/policy/index.js'
import { semanticSearch } from '../../src/semantic/semantic-search.js'

/** A process of its own that changes a file and searches, again and again. */
const [, , root = '', number = ''] = process.argv
const gate = createPathGate({ root })
const files = new DiskFiles()
for (let round = 1; ; round++) {
  const file = join(root, `f${Number(number) + 50}.txt`)
  files.write(gate.approve(file, 'write'), 'needle word\n'.repeat(round))
  utimesSync(file, round, round)
  const { results, indexed_files } = await semanticSearch.handler(
    { query: `needle${number}`, scope: 'workspace', path: undefined, max_results: 1 },
    {
      gate,
      files,
      session: { root: gate.root, context: new Map() },
      limits: { ...DEFAULT_LIMITS, maxFileBytes: 100_000, maxOutputBytes: 1000, maxMatches: 5 },
      policy: DEFAULT_POLICY,
      runId: 'test',
      sandbox: createSandbox({ root: gate.root }),
      dryRun: false,
      ui: undefined,
      approve: async () => 'unavailable',
      signal: new AbortController().signal,
    },
  )
  if (round < 10) continue
  process.stdout.write(`${results[0]?.path} ${indexed_files}\n`)
  break
}
