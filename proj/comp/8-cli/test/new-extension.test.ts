import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { useCli } from '../../../test/support/cli.js'
import { tempDir } from '../../../test/support/temp-dir.js'

const cli = useCli()
const root = fileURLToPath(new URL('../../../..', import.meta.url))
const packages = join(root, 'proj', 'node_modules')
const ANSWER = '#!SHAM [@three-char-SHA-256: abc]  \naction = "file_read"\npath = "/w/a.txt"\n#!END_SHAM_abc\n'

interface Written {
  files: string[]
  prepare?: string
  command: string[]
}

/** As `npm install` and `npm run build` would, but that the types are those of the sources. */
function install(place: string): void {
  const modules = join(place, 'node_modules')
  mkdirSync(modules)
  symlinkSync(root, join(modules, 'hermes'), 'junction')
  const written = JSON.parse(readFileSync(join(place, 'tsconfig.json'), 'utf8')) as { compilerOptions: object }
  const compilerOptions = {
    ...written.compilerOptions, noEmit: true, exactOptionalPropertyTypes: true, types: ['node'], typeRoots: [join(packages, '@types')],
    paths: { 'hermes/extension': [join(root, 'proj', 'src', 'extension.ts')] },
  }
  writeFileSync(join(place, 'checked.json'), JSON.stringify({ compilerOptions, files: ['extension.mts'] }))
  execFileSync(process.execPath, [join(packages, 'typescript', 'bin', 'tsc'), '-p', 'checked.json'], { cwd: place, stdio: 'pipe' })
  const { outputText } = ts.transpileModule(readFileSync(join(place, 'extension.mts'), 'utf8'), { compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 } })
  writeFileSync(join(place, 'extension.mjs'), outputText)
}

describe.each(['py', 'ts'])('hermes ext new --lang %s', language => {
  it('writes one that runs as it is, and passes hermes ext test', async () => {
    const cwd = realpathSync(tempDir())
    const { exitCode, stdout } = await cli.run(['ext', 'new', 'tidy-up', '--lang', language, '--json'], { cwd })
    const { files, prepare, command } = JSON.parse(stdout) as Written
    expect(exitCode).toBe(0)
    expect(readdirSync(join(cwd, 'tidy-up')).map(name => join(cwd, 'tidy-up', name)).toSorted()).toEqual(files.toSorted())
    expect(readFileSync(files[0] ?? '', 'utf8')).not.toContain('my-extension')
    expect(prepare).toBe(language === 'ts' ? 'npm install && npm run build' : undefined)
    if (language === 'ts') install(join(cwd, 'tidy-up'))

    const tested = await cli.run(['ext', 'test', '--json', '--', ...command], { cwd })
    expect(JSON.parse(tested.stdout)).toMatchObject({ success: true, wrong: 0, leftOut: 0 })
    writeFileSync(join(cwd, 'answer.md'), ANSWER)
    const ran = await cli.run(['ext', 'run', '--command', 'strip', '--message', 'answer.md', '--', ...command], { cwd })
    expect([ran.exitCode, ran.stdout]).toEqual([0, ANSWER.replace('  \n', '\n')])
    const looked = await cli.run(['ext', 'run', '--command', 'check', '--message', 'answer.md', '--', ...command], { cwd })
    expect(looked.stderr).toBe(`${command.at(-1)?.split('/').at(-1) ?? ''}: check: 1 blocks can be read, 0 errors\n`)
  })
})

it.each([['', 'hermes'], ['exec', 'npx hermes'], ['run-script', 'npx hermes']])('hermes ext new says how to go on as it was called: npm_command=%s', async (command, name) => {
  const { stdout } = await cli.run(['ext', 'new', 'tidy-up'], { cwd: tempDir(), env: { npm_command: command } })
  expect(stdout).toContain(`Test it:     ${name} ext test -- python3 /`)
  expect(stdout).toContain(`Run it:      ${name} ext run --command check`)
})

it('hermes ext new quotes what a shell, or YAML, would take apart', async () => {
  const cwd = join(tempDir(), 'my, own tools')
  mkdirSync(cwd)
  const { stdout } = await cli.run(['ext', 'new', 'tidy-up'], { cwd })
  const place = realpathSync(join(cwd, 'tidy-up', 'extension.py'))
  expect(stdout).toContain(`ext test -- python3 '${place}'\n`)
  expect(stdout).toContain(`    args: ["${place}"]\n`)
})

it('hermes ext new replaces nothing', async () => {
  const cwd = tempDir()
  mkdirSync(join(cwd, 'taken'))
  const { exitCode, stderr } = await cli.run(['ext', 'new', 'taken'], { cwd })
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('/taken (EEXIST)\n  Choose another name; what is there is left as it is.\n')])
  expect(readdirSync(join(cwd, 'taken'))).toEqual([])
})

it('hermes ext test exits with 1 where something is wrong, and says what', async () => {
  const cwd = tempDir()
  writeFileSync(join(cwd, 'deaf.sh'), 'echo "I am here"; cat > /dev/null\n')
  const { exitCode, stdout } = await cli.run(['ext', 'test', '--', 'sh', './deaf.sh'], { cwd })
  expect(exitCode).toBe(1)
  expect(stdout).toContain([
    '✗  introduces itself, and counts the bytes of its frames',
    '   It wrote "I am here\\n" where "Content-Length: N\\r\\n\\r\\n" and N bytes of JSON belong',
  ].join('\n'))
  expect(stdout).toMatch(/\n0 right, 1 wrong, \d+ left out\n$/)
  expect(existsSync(join(cwd, '.hermes'))).toBe(false)
})
