import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { spread } from '../support/campaign.js'
import { needing } from '../support/needs.js'
import { useProgram } from '../support/program.js'
import { type Escape, ESCAPES } from './escapes.js'
import { Stage } from './stage.js'

const source = new URL('./run-commands.ts', import.meta.url)

/** Ways out of the sandbox, each tried in it and without it: a try that fails without it would prove nothing. */
describe.skipIf(process.platform !== 'linux')('a command, as an unprivileged user,', () => {
  const program = useProgram(source)

  async function tried(escape: Escape, sandbox: 'bwrap' | 'none') {
    const stage = new Stage()
    await escape.prepare?.(stage)
    const results = await stage.run(program.path, escape.answers(stage), { ...escape.options, sandbox })
    for (const { results: [result], fatalError } of results) {
      expect(fatalError).toBeUndefined()
      expect(result?.data).toMatchObject({ sandbox })
    }
    return { hasEscaped: () => escape.escaped(stage, results), shown: JSON.stringify(results, null, 1) }
  }

  needing('bubblewrap').it.each(spread(ESCAPES, 3))('$name: not out of the sandbox', async (escape) => {
    const { hasEscaped, shown } = await tried(escape, 'bwrap')
    await sleep(escape.settlesMs ?? 0)
    expect(hasEscaped(), shown).toBe(false)
  })

  it.each(spread(ESCAPES, 6))('$name: without a sandbox', async (escape) => {
    const { hasEscaped, shown } = await tried(escape, 'none')
    await vi.waitFor(() => expect(hasEscaped(), shown).toBe(true), 20_000)
  })
})
