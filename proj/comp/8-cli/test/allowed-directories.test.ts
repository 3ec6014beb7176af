/** Programs that a run put into a directory of `--allow` which is in PATH: later commands that do not name it. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { useCli } from '../../../test/support/cli.js'
import { tempDir } from '../../../test/support/temp-dir.js'

const cli = useCli()
let base = ''
let mark = ''

beforeEach(() => {
  base = tempDir()
  mark = join(base, 'mark')
  for (const name of ['home', 'project', 'allowed/bin']) mkdirSync(join(base, name), { recursive: true })
})

/** In the project; `PATH` begins with the directory that runs were allowed. */
function run(...args: string[]) {
  return cli.run(args, {
    cwd: join(base, 'project'), env: { HOME: join(base, 'home'), PATH: `${join(base, 'allowed', 'bin')}:${process.env['PATH']}` },
  })
}

function apply(...flags: string[]) {
  writeFileSync(join(base, 'answer.md'), '```json hermes\n{"verb": "fs.writeFile", "arguments": {"path": "a.txt", "content": "a"}}\n```\n')
  return run('apply', join(base, 'answer.md'), ...flags)
}

function plant(): void {
  for (const name of ['bash', 'git']) {
    writeFileSync(join(base, 'allowed', 'bin', name), `#!/bin/sh\necho "$0" >> '${mark}'\nexit 1\n`, { mode: 0o755 })
  }
}

it.skipIf(process.platform === 'win32')('are not started by a command that does not name the directory', async () => {
  expect(await apply('--allow', join(base, 'allowed'))).toMatchObject({ exitCode: 0 })
  plant()
  for (const command of ['doctor', 'undo', 'log']) await run(command)
  expect(existsSync(mark)).toBe(false)
})

it.skipIf(process.platform === 'win32')('are the user\'s where no run was allowed to write there', async () => {
  expect(await apply('--dry-run', '--allow', join(base, 'allowed'))).toMatchObject({ exitCode: 0 })
  plant()
  await run('doctor')
  expect(existsSync(mark)).toBe(true)
})
