import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundleForNode } from '../../../../test/support/bundle.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { storeEnvValues, whileLocked } from '../../src/config/index.js'

const program = new URL('support/hold-file.ts', import.meta.url).pathname

/** A process that holds the lock of a file. */
async function holderOf(file: string) {
  const script = await bundleForNode(program, tempDir())
  const child = spawn(process.execPath, [script, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}

describe('the lock of a file of settings', () => {
  it('is taken over from a process that was killed', async () => {
    const directory = tempDir()
    const child = await holderOf(join(directory, '.env'))
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(readdirSync(directory)).toEqual(['.env.lock'])
    await storeEnvValues({ KEY: 'value' }, directory)
    expect(readFileSync(join(directory, '.env'), 'utf8')).toMatch(/^KEY=value$/m)
    expect(readdirSync(directory)).toEqual(['.env'])
  })

  it('is taken over where a link to nowhere stands in its place', async () => {
    const directory = tempDir()
    symlinkSync('nowhere', join(directory, 'config.yaml.lock'))
    expect(await whileLocked(join(directory, 'config.yaml'), () => 'done')).toBe('done')
    expect(readdirSync(directory)).toEqual([])
  })
})
