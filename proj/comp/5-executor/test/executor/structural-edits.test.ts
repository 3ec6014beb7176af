import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { HermesEvent } from '../../../0-contracts/src/index.js'
import { Hermes } from '../../src/executor/index.js'

const call = (verb: string, args: object) => ['```json hermes', JSON.stringify({ verb, arguments: { path: 'a.py', ...args } }), '```'].join('\n')
const replace = (symbol: string, newText: string) => call('symbol_replace', { symbol, new_text: newText })
const CODE = 'def one():\n    return 1\n\n\ndef two():\n    return 2\n'

describe('structural edits of one file in one answer', () => {
  it('each see what those before did, and write the file once', async () => {
    const root = tempDir()
    writeFileSync(join(root, 'a.py'), CODE)
    const events: HermesEvent[] = []
    const hermes = new Hermes({ root, gitCommit: false, onEvent: (event) => events.push(event) })
    const { results } = await hermes.execute([
      replace('one', 'def uno():\n    return 1\n'), replace('one', 'def eins():\n    return 1\n'),
      replace('uno', 'def uno():\n    return "1"\n'), replace('two', 'def two():\n    return "2"\n'),
    ].join('\n\n'))
    expect(results.map(({ success, code }) => code ?? success)).toEqual([true, 'TEXT_NOT_FOUND', true, true])
    expect(results[0]?.hint).toBe('The new lines declare uno instead of one: what uses one may have to follow.')
    expect(results[1]?.hint).toBe('The file declares uno, two.\n'
      + 'This file was changed earlier in this run: symbol must be as the file is after that.')
    expect(readFileSync(join(root, 'a.py'), 'utf8')).toBe('def uno():\n    return "1"\n\n\ndef two():\n    return "2"\n')
    const ends = events.filter((event) => event.type === 'block-end')
    expect(ends.map(({ changes }) => changes.length)).toEqual([0, 0, 0, 1])
  })

  it('go together with other edits, and with a file that another block makes', async () => {
    const root = tempDir()
    const { success } = await new Hermes({ root, gitCommit: false }).execute([
      call('edit_replace', { old_text: '', new_text: CODE }),
      call('symbol_insert_after', { symbol: 'two', new_text: 'def three():\n    return 3' }),
      call('symbol_insert_before', { symbol: 'one', new_text: '# Numbers.\nLAST = 3' }),
      call('file_insert', { line: 1, new_text: '#!/usr/bin/env python3\n' }),
      call('edit_replace', { old_text: '    return 2', new_text: '    return LAST - 1' }),
      replace('one', ''),
    ].join('\n\n'))
    expect(success).toBe(true)
    expect(readFileSync(join(root, 'a.py'), 'utf8')).toBe([
      '#!/usr/bin/env python3', '# Numbers.', 'LAST = 3', '', '', 'def two():', '    return LAST - 1', '', '',
      'def three():', '    return 3', '',
    ].join('\n'))
  })

  it('are taken back together where the run is atomic, and change nothing in a dry run', async () => {
    const root = tempDir()
    writeFileSync(join(root, 'a.py'), CODE)
    const text = [replace('one', 'def one():\n    return 3\n'), replace('nowhere', 'x = 1\n')].join('\n\n')
    const atomic = await new Hermes({ root, gitCommit: false, atomic: true }).execute(text)
    expect(atomic).toMatchObject({ success: false, rolledBack: true })
    await new Hermes({ root, gitCommit: false, dryRun: true }).execute(text)
    expect(readFileSync(join(root, 'a.py'), 'utf8')).toBe(CODE)
  })

  it('are written as SHAM, too', async () => {
    const root = tempDir()
    writeFileSync(join(root, 'a.py'), CODE)
    const { results } = await new Hermes({ root, gitCommit: false }).execute([
      '#!SHAM [@three-char-SHA-256: abc]', 'action = "symbol_replace"', 'path = "a.py"', 'symbol = "two"', 'line = "5"',
      "new_text = <<'EOT_SHAM_abc'", 'def two(x):', '    return x', 'EOT_SHAM_abc', '#!END_SHAM_abc', '',
    ].join('\n'))
    expect(results[0]).toMatchObject({ success: true, data: { symbol: 'two', startLine: 5, endLine: 6 } })
    expect(readFileSync(join(root, 'a.py'), 'utf8')).toBe('def one():\n    return 1\n\n\ndef two(x):\n    return x\n')
  })
})
