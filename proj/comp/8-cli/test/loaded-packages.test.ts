import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { removeSync } from 'fs-extra/esm'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plainEnvironment } from '../../../test/support/cli.js'
import { tempDir } from '../../../test/support/temp-dir.js'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
/** What verbs load only while they run. */
const HEAVY = /node_modules\/((?:@vscode\/)?(?:execa|typescript|re2js|ripgrep|[^/]*tree-sitter[^/]*))\//

/** Writes what was loaded: by import through a hook, by require out of its cache. */
const WATCH = `
import { appendFileSync } from 'node:fs'
import { createRequire, register } from 'node:module'
const hook = \`import { appendFileSync } from 'node:fs'
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context)
  appendFileSync(process.env.LOADED, found.url + '\\\\n')
  return found
}\`
register('data:text/javascript,' + encodeURIComponent(hook))
const { cache } = createRequire(import.meta.url)
process.on('exit', () => appendFileSync(process.env.LOADED, Object.keys(cache).join('\\n')))
`

describe('packages that are loaded', () => {
  let directory = ''
  let program = ''
  beforeAll(async () => {
    directory = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-loaded-')))
    symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'), 'junction')
    writeFileSync(join(directory, 'watch.mjs'), WATCH)
    writeFileSync(join(directory, 'package.json'), '{"version": "0.0.0", "type": "module"}')
    const bundle = await rolldown({
      cwd: root, input: join(root, 'proj', 'src', 'cli.ts'), platform: 'node', logLevel: 'silent', external: /^(?!\.|\/|\w:)/,
    })
    const names = { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' }
    await bundle.write({ dir: join(directory, 'bin'), format: 'esm', ...names })
    await bundle.close()
    program = join(directory, 'bin', 'cli.mjs')
  })
  afterAll(() => removeSync(directory))

  /** @param policy what `hermes.yaml` says */
  function loadedBy(args: readonly string[], input = '', policy?: string): string[] {
    const cwd = tempDir()
    if (policy !== undefined) writeFileSync(join(cwd, 'hermes.yaml'), policy)
    const log = join(cwd, 'loaded')
    const options = { cwd, input, stdio: 'pipe', env: { ...plainEnvironment(), HOME: cwd, LOADED: log } } as const
    execFileSync(process.execPath, ['--import', join(program, '..', '..', 'watch.mjs'), program, ...args], options)
    return existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []
  }

  it.each([
    [['--version']], [['tools', 'list']], [['tools', 'show', 'execute_command']], [['tools', 'list', '--format', 'mcp']],
  ])('%j: none that only verbs use', args => {
    const loaded = loadedBy(args)
    expect(loaded.length).toBeGreaterThan(1)
    expect(loaded.filter(url => HEAVY.test(url))).toEqual([])
  })

  it('the YAML parser with positions only where there is a policy file', () => {
    const envelope = '{"verb": "fs.exists", "arguments": {"path": "x"}}'
    const loads = (policy?: string) => loadedBy(['exec'], envelope, policy).some(url => url.includes('node_modules/yaml/'))
    expect([loads(), loads('deny: [secret]')]).toEqual([false, true])
  })

  it('a verb that needs one loads it', () => {
    const loaded = loadedBy(['exec'], '{"verb": "search_files", "arguments": {"query": "x{2}", "regex": true}}')
    expect(loaded.some(url => url.includes('node_modules/re2js/'))).toBe(true)
  })
})
