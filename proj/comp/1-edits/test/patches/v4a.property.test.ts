import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isCampaign } from '../../../../test/support/campaign.js'
import { applyHunks, readV4a } from '../../src/patches/index.js'

interface Change {
  at: number
  count: number
  added: string[]
}

const indents = ['', '  ', '    ']
const words = fc.constantFrom('class A:', 'def f():', 'x = 1', 'return x', 'é “q”', 'y()')
const line = fc.tuple(fc.constantFrom(...indents), words).map((parts) => parts.join(''))
const rows = fc.oneof({ weight: 5, arbitrary: line }, { weight: 1, arbitrary: fc.constant('') })
const files = fc.array(rows, { minLength: 4, maxLength: 40 })
const added = fc.array(line, { maxLength: 2 })
const step = fc.record({ gap: fc.integer({ min: 1, max: 12 }), count: fc.nat(2), added })
const gaps = fc.array(step, { minLength: 1, maxLength: 4 })
const drifts = {
  none: (text: string) => text,
  'trailing-space': (text: string) => text === '' ? '  ' : `${text} \t`,
  indentation: (text: string) => text === '' ? '' : `   ${text}`,
  'look-alikes': (text: string) => text.replaceAll(/[“”]/g, '"'),
}

/** Changes of lines, from top to bottom, that do not touch one another. */
function placed(lines: readonly string[], wanted: readonly (Omit<Change, 'at'> & { gap: number })[]): Change[] {
  const changes: Change[] = []
  let at = -1
  for (const { gap, count, added: inserted } of wanted) {
    at += gap
    if (at + count > lines.length || (count === 0 && inserted.length === 0)) break
    changes.push({ at, count, added: inserted })
    at += count
  }
  return changes
}

/** The nearest line above with less indentation, if any: what a model writes after @@. */
function enclosing(lines: readonly string[], at: number): string | undefined {
  const depth = (text: string) => text.length - text.trimStart().length
  const own = lines.slice(at).find((text) => text !== '')
  return own === undefined ? undefined : lines.slice(0, at).findLast((text) => text !== '' && depth(text) < depth(own))
}

it.each(['none', 'trailing-space', 'indentation', 'look-alikes'] as const)(
  'a V4A patch is applied where it was made or refused, however its old lines drifted: %s', async (name) => {
    let applied = 0
    await fc.assert(fc.asyncProperty(files, gaps, fc.nat(3), fc.boolean(), fc.boolean(), async (lines, wanted, width, anchors, crlf) => {
      const changes = placed(lines, wanted)
      fc.pre(changes.length > 0)
      const drift = drifts[name]
      const hunks = changes.map(({ at, count, added: inserted }, index) => {
        const from = Math.max(at - width, (changes[index - 1]?.at ?? -1) + (changes[index - 1]?.count ?? 1))
        const to = Math.min(at + count + width, changes[index + 1]?.at ?? lines.length)
        const anchor = anchors ? enclosing(lines, at) : undefined
        // Without a line that tells, a hunk of new lines goes where its anchor is, with no other indentation.
        fc.pre(lines.slice(Math.max(from, 0), to).some((text) => text !== ''))
        const context = (begin: number, end: number) => lines.slice(begin, end).map((text) => ` ${drift(text)}`)
        return [
          `@@${anchor === undefined ? '' : ` ${anchor.trim()}`}`, ...context(Math.max(from, 0), at),
          ...lines.slice(at, at + count).map((text) => `-${drift(text)}`),
          ...inserted.map((text) => `+${name === 'indentation' ? `   ${text}` : text}`), ...context(at + count, to),
        ].join('\n')
      })
      const ending = crlf ? '\r\n' : '\n'
      const text = lines.map((row) => row + ending).join('')
      const reading = readV4a(`*** Begin Patch\n*** Update File: a.py\n${hunks.join('\n')}\n*** End Patch\n`)
      const read = reading.files?.[0]?.hunks ?? []
      const result = await applyHunks(text, read, { path: 'a.py', match: 'tolerant', format: 'v4a' })
      if (result.text === undefined) return
      applied++
      const expected = [...lines]
      for (const { at, count, added: inserted } of changes.toReversed()) expected.splice(at, count, ...inserted)
      expect(result.text).toBe(expected.map((row) => row + ending).join(''))
    }), { numRuns: 1000 })
    expect(applied).toBeGreaterThan(isCampaign ? 45 : 20)
  },
)
