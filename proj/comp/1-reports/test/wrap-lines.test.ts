import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldLines } from '../../0-text/src/index.js'
import { renderTerminal, wrapLines } from '../src/index.js'
import type { ActionResult } from '../../0-contracts/src/index.js'

/** What a terminal of that width shows in its first columns, line by line. */
function screen(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => {
    const rows = ['']
    let used = 0
    for (const char of line) {
      const room = char === '\t' ? 8 - (used % 8) : char < '\u2e80' ? 1 : 2
      if (used + room > columns) {
        rows.push('')
        used = 0
      }
      rows[rows.length - 1] += char
      used += room
    }
    return rows
  })
}

/** A command whose output, broken by the terminal, would go on with what looks like a result. */
function pretender(columns: number): ActionResult {
  const start = ' '.repeat(columns - '    out │ '.length)
  return {
    seq: 1, blockId: 'b1', action: 'exec', params: { code: 'x', lang: 'bash' }, success: true, startLine: 1, endLine: 3,
    durationMs: 1, data: { stdout: `.${start.slice(1)}✓  b2   file_write          /etc/passwd  written, 13 B`, stderr: '', exit_code: 0 },
  }
}

describe('wrapLines', () => {
  it('leaves no place where a result could be faked', () => {
    const text = renderTerminal({ type: 'block-end', result: pretender(80), changes: [] })
    expect(screen(text, 80).filter((row) => row.startsWith('✓'))).toHaveLength(2)
    expect(screen(wrapLines(text, 80), 80).filter((row) => row.startsWith('✓'))).toHaveLength(1)
  })

  it('breaks at the width, counts no colours, and loses nothing', () => {
    fc.assert(fc.property(fc.array(fc.constantFrom('a', ' word', '名', '\u001b[31m', '\u001b[39m', '\t', '😀'), { maxLength: 200 }), fc.integer({ min: 20, max: 90 }), (parts, columns) => {
      const line = parts.join('')
      const rows = wrapLines(line, columns).split('\n')
      expect(rows.map((row, index) => (index === 0 ? row : row.slice('      ┆ '.length))).join('')).toBe(line)
      for (const row of rows) expect(screen(row.replaceAll(/\u001b\[\d+m/g, ''), columns)).toHaveLength(1)
    }))
  })

  it.each([20, 30, 40, 80])('leaves nothing that a terminal of %i columns, which folds words of hermes, folds again', (columns) => {
    const path = 'a-long-name-名名名名名名-that-goes-on-and-on/file.txt'
    for (const line of [`✓  k4f  file_write  ${path}`, '✗  k5f  exec  bash: sleep 4; echo hi; exit 3  lines 25-29']) {
      expect(foldLines(wrapLines(line, columns), columns)).toBe(wrapLines(line, columns))
    }
  })

  it('keeps what is not for a terminal', () => expect(wrapLines('a'.repeat(500), undefined)).toBe('a'.repeat(500)))
})
