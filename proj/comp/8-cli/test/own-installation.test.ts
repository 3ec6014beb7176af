import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { layOut } from '../../../trials/planting/layouts.mjs'
import { tempDir } from '../../../test/support/temp-dir.js'

it.each(['project', 'pnpm', 'tools'] as const)('steps leave hermes where it is installed, though git does not ignore it (%s)', layout => {
  const directory = tempDir()
  const { project, command } = layOut(layout, directory)
  const home = join(directory, 'home')
  mkdirSync(home)
  const env = { PATH: '/usr/bin:/bin', HOME: home }
  const git = (...args: string[]): string => execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd: project, env, encoding: 'utf8' })
  git('init', '-q')
  for (const text of ['first', 'second']) {
    writeFileSync(join(project, 'a.txt'), text)
    git('add', 'a.txt')
    git('commit', '-qm', text)
  }
  writeFileSync(join(project, 'work.txt'), 'mine')
  const hermes = (...args: string[]) => spawnSync(process.execPath, [command, ...args], { cwd: project, env, encoding: 'utf8' })
  expect(hermes('step-back')).toMatchObject({ status: 0, stderr: '' })
  expect([readFileSync(join(project, 'a.txt'), 'utf8'), existsSync(join(project, 'work.txt'))]).toEqual(['first', false])
  expect(hermes('step-forward')).toMatchObject({ status: 0, stderr: '' })
  expect([readFileSync(join(project, 'a.txt'), 'utf8'), readFileSync(join(project, 'work.txt'), 'utf8')]).toEqual(['second', 'mine'])
  expect(git('stash', 'list')).toBe('')
})
