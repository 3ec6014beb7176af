import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { copySync } from 'fs-extra/esm'
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

it('finds new problems with the TypeScript that is installed beside it, as it was built', () => {
  const directory = tempDir()
  const { project, place } = layOut('project', directory)
  const compiler = realpathSync(dirname(createRequire(import.meta.url).resolve('typescript/package.json')))
  copySync(compiler, join(project, 'node_modules', 'typescript'))
  writeFileSync(join(project, 'tsconfig.json'), '{"compilerOptions": {"strict": true}}')
  const answer = JSON.stringify({ verb: 'write_file', arguments: { path: 'a.ts', content: 'export const a: string = 1\n' } })
  const options = { root: project, gitCommit: false, checks: 'full', checkMs: 100_000 }
  const program = `import { execute } from ${JSON.stringify(pathToFileURL(join(place, 'dist', 'index.js')).href)}
    const { results } = await execute(${JSON.stringify(`\`\`\`json hermes\n${answer}\n\`\`\``)}, ${JSON.stringify(options)})
    console.log(JSON.stringify(results[0].broke))`
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: directory, encoding: 'utf8' })
  expect(JSON.parse(printed)).toMatchObject([{ path: 'a.ts', diagnostics: [{ line: 1, code: 'TS2322' }] }])
})
