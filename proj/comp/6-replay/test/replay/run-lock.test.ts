import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundleForNode } from '../../../../test/support/bundle.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { killedUnseen } from '../../../../test/support/zombie.js'
import { RunOutput } from '../../src/replay/run-output.js'

const program = new URL('support/hold-run.ts', import.meta.url).pathname

describe.skipIf(process.platform !== 'linux')('a run whose process was killed', () => {
  it('is gone on with, also where nobody took note of its end', async () => {
    const directory = join(tempDir(), 'run')
    const script = await bundleForNode(program, tempDir())
    await killedUnseen(process.execPath, [script, directory])
    expect(existsSync(join(directory, 'lock'))).toBe(true)
    const output = await RunOutput.open(directory, true)
    await expect(RunOutput.open(directory, true)).rejects.toMatchObject({
      code: 'LOCKED', message: expect.stringContaining(`Another replay works in the run ${directory} (process ${process.pid})`),
    })
    output.close()
    expect(existsSync(join(directory, 'lock'))).toBe(false)
  })
})
