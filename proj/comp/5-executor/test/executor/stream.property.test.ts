import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { editSoup } from '../../../../test/support/edit-soup.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { EDIT_FORMATS, type ExecutionResult } from '../../../0-contracts/src/index.js'
import { execute, Hermes, type ExecutorOptions } from '../../src/executor/index.js'
import { timeless } from './accounts.js'
import { anyAnswer, withoutCommands } from './answers.js'
import { foundTree } from './trees.js'

const RUNS = Number(process.env['RUNS'] ?? 200)
const STRAY = /<\/(think|thinking|reasoning)>/i

const edit = fc.record({ from: fc.constantFrom('one', 'two', 'three', 'none'), to: fc.constantFrom('one', 'x', '<<<<<<< SEARCH', '') })
  .map(({ from, to }) => `a.txt\n\`\`\`\n<<<<<<< SEARCH\n${from}\n=======\n${to}\n>>>>>>> REPLACE\n\`\`\`\n`)
const wholeFile = fc.constantFrom('a.txt', './a.txt', 'b.txt').map((path) => `${path}\n\`\`\`\none\n\`\`\`\n`)
const answer = fc.array(fc.oneof(anyAnswer, edit, edit, wholeFile, editSoup), { maxLength: 4 }).map((parts) => parts.join('\n'))
  .filter((text) => text.isWellFormed() && !STRAY.test(text.replaceAll('\n<think>\nHm.\n</think>\n', '')))

async function streamed(chunks: Uint8Array[], options: ExecutorOptions): Promise<ExecutionResult> {
  for await (const event of new Hermes(options).stream(chunks)) if (event.type === 'end') return event.result
  throw new Error('no end')
}

it('bytes in any pieces give what the whole text gives, edits of one file in a row included', async () => {
  const directory = tempDir()
  await fc.assert(fc.asyncProperty(answer, fc.array(fc.nat(), { maxLength: 12 }), fc.boolean(), async (text, seed, dryRun) => {
    const own = mkdtempSync(join(directory, 'run-'))
    try {
      const [whole, pieces] = [join(own, 'whole', 'root'), join(own, 'pieces', 'root')]
      const options = (root: string): ExecutorOptions => ({ ...withoutCommands(root), editFormats: EDIT_FORMATS, dryRun })
      const expected = await execute(text, options(whole))
      const found = await streamed(cutBytes(text, seed), options(pieces))
      fc.pre(!found.parseErrors.some(({ error }) => error.code === 'STRAY_THINK_END'))
      expect(settled(found, pieces)).toEqual(settled(expected, whole))
      expect(foundTree(pieces)).toEqual(foundTree(whole))
    } finally {
      rmSync(own, { recursive: true })
    }
  }), { numRuns: RUNS })
})

function cutBytes(text: string, seed: readonly number[]): Uint8Array[] {
  const bytes = Buffer.from(text)
  const places = [0, ...seed.map((number) => number % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return places.slice(1).map((place, at) => bytes.subarray(places[at], place))
}

/** Without times and places, and without the sizes of directories. */
function settled(result: ExecutionResult, root: string): unknown {
  const text = JSON.stringify(timeless(result)).replaceAll(root, '<root>')
  return JSON.parse(text.replace(/"modified":"[^"]*"/g, '"modified":""').replace(/"type":"directory","size":\d+/g, '"type":"directory"')) as unknown
}
