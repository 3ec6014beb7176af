import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { plainEnvironment, useCli } from '../../../test/support/cli.js'
import { tempDir } from '../../../test/support/temp-dir.js'

const cli = useCli()
const program = fileURLToPath(new URL('../test-data/seed_client.py', import.meta.url))

it.skipIf(process.platform === 'win32')('answers a client that knows the text of seed 001 alone, whose own example counts wrong', async () => {
  const root = tempDir()
  const { stdout } = await promisify(execFile)('python3', [program, process.execPath, cli.path, 'serve'], {
    cwd: root, env: { ...plainEnvironment(), HOME: root },
  })
  expect(JSON.parse(stdout)).toEqual({ example: [-32700, -32700], parallel: 400, unknown: -32601, refused: -32602, left: '', code: 0 })
})
