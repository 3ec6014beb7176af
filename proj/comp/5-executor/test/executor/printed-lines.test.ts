import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { HermesOptions, PrintedLines } from '../../../0-contracts/src/index.js'
import { Hermes } from '../../src/index.js'
import { needing } from '../../../../test/support/needs.js'
import { tempDir } from '../../../../test/support/temp-dir.js'

const SECRET = 'a-secret-value-of-some-length'

/** Runs a command that ends when the last of `until` was told; what was told before. */
async function watch(command: string, until: string, given: Partial<HermesOptions> = {}, name = 'execute_command') {
  const root = tempDir()
  const told: PrintedLines[] = []
  const onOutput = (output: PrintedLines): void => {
    told.push(output)
    if (output.lines.some((line) => line.startsWith(until))) writeFileSync(join(root, 'go'), '')
  }
  await using hermes = new Hermes({
    root, relativePaths: true, sandbox: 'none', policy: false, gitCommit: false, approve: () => 'once',
    secrets: { SERVER_TOKEN: SECRET }, onOutput, ...given,
  })
  const run = await hermes.call([{
    id: 'c1', name, arguments: { command: `${command}; until test -e go; do sleep 0.02; done` },
  }])
  return { told, result: run.results[0] }
}

describe('what a running command prints', () => {
  it('is told while it runs: the last lines, secrets masked, the last state of a line', async () => {
    const { told, result } = await watch(
      `{ seq 1 20; printf 'key %s\\n' '${SECRET}'; printf '10%%\\r90%%\\r99%%\\n'; echo the end; } >&2`, 'the end',
    )
    expect(result).toMatchObject({ success: true })
    const { blockId, lines } = told.at(-1) ?? { blockId: '', lines: [] }
    expect(blockId).toBe('c1')
    expect(lines).toEqual(['14', '15', '16', '17', '18', '19', '20', 'key [masked SERVER_TOKEN]', '99%', 'the end'])
    expect(JSON.stringify(told)).not.toContain(SECRET)
  })

  it('is bounded, and a word that may go on is kept back', async () => {
    const { told, result } = await watch(
      `head -c 3000 /dev/zero | tr '\\0' x; printf '\\nwhole\\nhalf of ${SECRET.slice(0, 10)}'`, 'whole',
    )
    expect(result).toMatchObject({ success: true, data: { stdout: expect.stringContaining('half of a-') as unknown } })
    for (const { lines } of told) for (const line of lines) expect(line.length).toBeLessThanOrEqual(500)
    expect(JSON.stringify(told)).not.toContain(SECRET.slice(0, 10))
  })

  needing('node-pty').it('is told of a terminal as its screen shows it', async () => {
    const { told, result } = await watch(
      "printf '\\033[31mred\\033[0m\\nold\\r\\033[Knew\\nthe end\\n'", 'the end', {}, 'terminal_run',
    )
    expect(result).toMatchObject({ success: true })
    expect(told.at(-1)?.lines.slice(-3)).toEqual(['red', 'new', 'the end'])
  })

  it('fails the call where the listener throws, once the command has ended', async () => {
    const root = tempDir()
    const { result } = await watch('echo one', 'nothing', {
      root,
      onOutput() {
        writeFileSync(join(root, 'go'), '')
        throw new Error('no room on the screen')
      },
    })
    expect(result).toMatchObject({ success: false, code: 'CALLBACK_FAILED', error: expect.stringContaining('onOutput') as unknown })
  })
})
