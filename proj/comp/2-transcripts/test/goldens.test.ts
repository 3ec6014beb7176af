import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readGoldens } from '../../../test/support/goldens.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { readTranscriptFile, TRANSCRIPT_FORMATS } from '../src/index.js'
import { renderTurns } from './render-turns.js'

const cases = readGoldens(new URL('../test-data/formats.cases.md', import.meta.url))

describe('readTranscriptFile', () => {
  it.each(cases)('$group: $name', async ({ fences }) => {
    const [input, expected] = fences
    const [, file = '', flag = ''] = (input?.info ?? '').split(' ')
    const path = join(tempDir(), file)
    writeFileSync(path, `${input?.body ?? ''}\n`)
    const format = TRANSCRIPT_FORMATS.find((one) => flag === `--format=${one}`)
    const lines: string[] = []
    for await (const item of readTranscriptFile(path, { format })) {
      if ('bad' in item) lines.push(`BAD line ${item.bad.line ?? '-'}: ${item.bad.code}: ${item.bad.message}`)
      else lines.push(`# ${item.transcript.name} ${item.transcript.format} line ${item.transcript.line ?? '-'}`, ...renderTurns(item.transcript))
    }
    expect(lines).toEqual(expected?.body.split('\n'))
  })
})
