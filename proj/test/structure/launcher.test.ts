import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import { copySync } from 'fs-extra/esm'
import { describe, expect, it } from 'vitest'
import { shamBlock } from '../../comp/1-registry/src/registry/index.js'
import { plainEnvironment } from '../support/cli.js'
import { tempDir } from '../support/temp-dir.js'

const dist = fileURLToPath(new URL('../../../dist', import.meta.url))
const ANSWER = [
  shamBlock('abc', 'file_write', { path: '/w/a.txt', content: 'é\n' }),
  '```yaml hermes\nverb: fs.readFile\narguments:\n  path: a.txt\n```',
  // It starts a program.
  '```yaml hermes\nverb: sys.machineInfo\narguments: {}\n```',
  shamBlock('bad', 'file_write', { path: '/w/b.txt' }),
].join('\n')

describe('the launcher', () => {
  it('runs the same with the code cache and, as any other Node does, without', () => {
    const plain = tempDir()
    copySync(dist, join(plain, 'dist'))
    symlinkSync(join(dist, '..', 'node_modules'), join(plain, 'node_modules'))
    writeFileSync(join(plain, 'package.json'), '{"version": "1.2.3", "type": "module"}')
    const launcher = join(plain, 'dist', 'cli.cjs')
    const source = readFileSync(launcher, 'utf8')
    expect(source).toContain(`'${process.version} ${process.platform} ${process.arch}'`)
    writeFileSync(launcher, source.replace(process.version, 'v1.0.0'))

    const outcomes = [join(dist, 'cli.cjs'), launcher].map((program) => {
      const cwd = tempDir()
      const options = { cwd, input: ANSWER, encoding: 'utf8', env: { ...plainEnvironment(), HOME: cwd } } as const
      const args = [program, 'apply', '-', '--root-alias', '/w', '--no-git']
      const { stdout, stderr, status } = spawnSync(process.execPath, args, options)
      return { stdout: stdout.replace(/\d+\.\d\d s/, '0.00 s'), stderr, status, file: readFileSync(join(cwd, 'a.txt'), 'utf8') }
    })
    expect(outcomes[0]).toMatchObject({ stderr: '', status: 1, file: 'é\n' })
    expect(outcomes[1]).toEqual(outcomes[0])
    expect(execFileSync(process.execPath, [launcher, '--version'], { encoding: 'utf8' })).toBe('1.2.3\n')
  })

  it('is found where npx has kept a link to the former place of the command', () => {
    const link = join(tempDir(), 'hermes')
    symlinkSync(join(dist, 'cli.js'), link)
    expect(execFileSync(link, ['--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it('starts also where a code cache cannot be read, or is cut off', () => {
    const copy = tempDir()
    copySync(dist, join(copy, 'dist'))
    writeFileSync(join(copy, 'package.json'), '{"version": "1.2.3", "type": "module"}')
    const launcher = join(copy, 'dist', 'cli.cjs')
    const version = (): string => execFileSync(process.execPath, [launcher, '--version'], { encoding: 'utf8' })
    const [cache = ''] = readdirSync(join(copy, 'dist')).filter((name) => name.endsWith('.cache'))
    writeFileSync(join(copy, 'dist', cache), readFileSync(join(copy, 'dist', cache)).subarray(0, 1000))
    expect(version()).toBe('1.2.3\n')
    rmSync(join(copy, 'dist', cache))
    mkdirSync(join(copy, 'dist', cache))
    expect(version()).toBe('1.2.3\n')
  })

  it('gets a code cache of every chunk that writing a file needs, and V8 takes it', () => {
    const chunks = ['.', 'chunks'].flatMap((directory) => readdirSync(join(dist, directory)).map((name) => join(dist, directory, name)))
    const cached = chunks.filter((file) => chunks.includes(`${file}.cache`))
    expect(cached.map((file) => /(\w+(?:-\w+)?)-[\w-]{8}\.cjs$/.exec(file)?.[1])).toEqual(
      expect.arrayContaining(['cli', 'apply', 'base', 'reading', 'running', 'file-write']),
    )
    for (const filename of cached) {
      const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(filename, 'latin1')}\n})`
      const script = new Script(source, { filename, cachedData: readFileSync(`${filename}.cache`) })
      expect([filename, script.cachedDataRejected]).toEqual([filename, false])
    }
  })
})
