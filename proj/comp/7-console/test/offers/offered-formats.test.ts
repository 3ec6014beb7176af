import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { ReadFormat } from '../../../0-contracts/src/index.js'
import { offeredFormats } from '../../src/offers/offered-formats.js'

const CLINE = '<write_to_file>\n<path>new.txt</path>\n<content>\nnew\n</content>\n</write_to_file>\n'
const RUNS = '<execute_command>\n<command>touch ran.txt</command>\n</execute_command>\n'
const WHOLE = 'a.txt\n\n```text\none\n2\n```\n'
const OWN = '<tool_call>{"name": "write_file", "arguments": {"path": "own.txt", "content": "own"}}</tool_call>\n'

function offer(answer: string, editFormats?: readonly ReadFormat[], policy = '') {
  const root = tempDir()
  writeFileSync(join(root, 'a.txt'), 'one\ntwo\n')
  if (policy !== '') writeFileSync(join(root, 'hermes.yaml'), policy)
  const options = { root, rootAliases: [], gitCommit: false, ...(editFormats && { editFormats }) }
  return { root, offered: offeredFormats({ answer, options, colour: false, columns: 80 }) }
}

it('shows what blocks of formats that are off would do, does nothing of it, and leaves out the others', async () => {
  const { root, offered } = offer(`${CLINE}${RUNS}${WHOLE}${OWN}`)
  expect(await offered).toEqual({
    formats: ['whole', 'cline'], all: ['whole', 'cline'], shown: [
      '✓  b1   write_to_file → fs.writeFile  new.txt  created', '    new file new.txt (1 line)', '    +new',
      '✓  b2   execute_command     touch ran.txt', '    note: Dry run: not started.',
      '✓  b3   write_file          a.txt  replaced, 6 B', '    --- a/a.txt', '    +++ b/a.txt', '    @@ -1,2 +1,2 @@',
      '     one', '    -two', '    +2', '',
    ].join('\n'),
  })
  expect(['new.txt', 'ran.txt', 'own.txt'].filter((name) => existsSync(join(root, name)))).toEqual([])
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\ntwo\n')
})

it('keeps what is read already, by an option or a file', async () => {
  expect(await offer(CLINE + WHOLE, ['whole']).offered).toMatchObject({ formats: ['cline'], all: ['whole', 'cline'] })
  expect(await offer(CLINE + WHOLE, undefined, 'dialects: [cline]\n').offered).toMatchObject({ formats: ['whole'], all: ['cline', 'whole'] })
})

it.each([
  ['is all read', CLINE, ['cline'] as const], ['is of hermes', OWN, undefined],
  ['is only talked about', `~~~md\n${CLINE}~~~\n`, undefined],
  ['would fail', 'a.txt\n\n```text\none\n// ... existing code ...\n```\n', undefined],
])('offers nothing where the answer %s', async (_, answer, formats) => {
  expect(await offer(answer, formats).offered).toBeUndefined()
})
