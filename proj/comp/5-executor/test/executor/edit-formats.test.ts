import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { namesIn } from '../../../../test/support/file-tree.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { EDIT_FORMATS, type EditFormat, type HermesEvent } from '../../../0-contracts/src/index.js'
import { execute, Hermes } from '../../src/executor/index.js'

const ANSWER = `a.txt
\`\`\`
<<<<<<< SEARCH
=======
one
>>>>>>> REPLACE
\`\`\`

*** Begin Patch
*** Update File: a.txt
-one
+two
*** End Patch

--- a/a.txt
+++ b/a.txt
@@ -1 +1 @@
-two
+three

b.txt
\`\`\`
whole
\`\`\`
`

describe('edit formats', () => {
  it('do nothing where they are not enabled, and are told of', async () => {
    const root = tempDir()
    const { success, parseErrors, results } = await execute(ANSWER, { root })
    expect(parseErrors.map(({ startLine, error }) => [startLine, error.code])).toEqual([[3, 'NOT_READ'], [9, 'NOT_READ'], [16, 'NOT_READ']])
    expect({ success, results }).toEqual({ success: false, results: [] })
    expect(namesIn(root)).toEqual([])
  })

  it.each([
    ['editFormats', { editFormats: EDIT_FORMATS }],
    ['toolset edit-formats', { toolsets: ['edit-formats'] }],
  ])('are enabled by %s: each block sees what those before it did', async (_, options) => {
    const root = tempDir()
    const { results, skipped } = await execute(ANSWER, { root, ...options })
    expect(results.map(({ action, success, error }) => [action, success, error])).toEqual([
      ['edit_replace', true, undefined], ['apply_patch', true, undefined], ['patch_unified', true, undefined], ['write_file', true, undefined],
    ])
    expect(skipped).toEqual([])
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('three\n')
    expect(readFileSync(join(root, 'b.txt'), 'utf8')).toBe('whole\n')
  })

  it('are read from a stream: a block runs when its end is decided', async () => {
    const root = tempDir()
    const seen: [string, string[]][] = []
    async function* lines(): AsyncGenerator<string> {
      for (const line of ANSWER.split(/(?<=\n)/)) {
        yield line
        seen.push([line, namesIn(root)])
      }
    }
    const events: HermesEvent[] = []
    for await (const event of new Hermes({ root, editFormats: EDIT_FORMATS }).stream(lines())) events.push(event)
    expect(events.filter(({ type }) => type === 'block-end')).toHaveLength(4)
    expect(seen.find(([line]) => line.startsWith('>>>>>>> REPLACE'))?.[1]).toEqual(['a.txt'])
  })

  it('a whole file waits for the end of a stream, where an edit of it may come, and is refused where one does', async () => {
    const seen: string[][] = []
    const run = async (text: string, editFormats: readonly EditFormat[]): Promise<HermesEvent | undefined> => {
      const root = tempDir()
      async function* pieces(): AsyncGenerator<string> {
        yield text
        seen.push(namesIn(root))
        yield '\nThat is all.\n'
      }
      const events: HermesEvent[] = []
      for await (const event of new Hermes({ root, editFormats }).stream(pieces())) events.push(event)
      seen.push(namesIn(root))
      return events.at(-1)
    }
    const whole = 'a.txt\n```\nwhole\n```\n\nb.txt\n```\nwhole\n```\n'
    const edit = '\na.txt\n```\n<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE\n```\n'
    const last = await run(whole + edit, EDIT_FORMATS)
    expect(last).toMatchObject({ result: { executedActions: 2, parseErrors: [{ startLine: 2, error: { code: 'INVALID_EDIT' } }] } })
    await run(whole, ['whole'])
    expect(seen).toEqual([[], ['a.txt', 'b.txt'], ['a.txt', 'b.txt'], ['a.txt', 'b.txt']])
  })

  it('other names are refused', async () => {
    await expect(execute('', { editFormats: ['v4' as 'v4a'] })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })
})
