import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { spread } from '../support/campaign.js'
import { needing } from '../support/needs.js'
import { useProgram } from '../support/program.js'
import { type Escape, ESCAPES } from './escapes.js'
import { type Account, ACCOUNTS, SANDBOXES, spreadIn, Stage } from './stage.js'

const source = new URL('./run-commands.ts', import.meta.url)

/** Ways out of the sandbox, each tried in it and without it: a try that fails without it would prove nothing. */
for (const account of ACCOUNTS) describe.skipIf(process.platform !== 'linux')(`a command, as ${account},`, () => {
  const program = useProgram(source)

  for (const [sandbox, needs] of SANDBOXES) {
    const escapes = ESCAPES.filter(one => account !== 'root' || one.onlyUnprivileged !== true)
    needing(...needs).it.each(spreadIn(sandbox, escapes, 4))(`$name: not out of ${sandbox}`, async escape => {
      const { hasEscaped, shown } = await tried(program.path, escape, sandbox, account)
      await sleep(escape.settlesMs ?? 0)
      // What a sandbox does not hold is said in docs/sandbox.md.
      expect(hasEscaped(), shown).toBe(escape.open === sandbox)
    })
  }

  // What root could do without one is no news.
  it.each(account === 'root' ? [] : spread(ESCAPES, 8))('$name: without a sandbox', async escape => {
    const { hasEscaped, shown } = await tried(program.path, escape, 'none', account)
    await vi.waitFor(() => expect(hasEscaped(), shown).toBe(true), 20_000)
  })
})

async function tried(program: string, escape: Escape, sandbox: 'bwrap' | 'unshare' | 'none', account: Account) {
  const stage = new Stage(account)
  await escape.prepare?.(stage)
  const results = await stage.run(program, escape.answers(stage), { ...escape.options, sandbox })
  for (const { results: [result], fatalError } of results) {
    expect(fatalError).toBeUndefined()
    expect(result?.data).toMatchObject({ sandbox })
  }
  return { hasEscaped: () => escape.escaped(stage, results), shown: JSON.stringify(results, null, 1) }
}
