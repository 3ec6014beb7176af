import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { needing } from '../../../../test/support/needs.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { HermesError } from '../../../0-contracts/src/index.js'
import type { Language } from '../../src/exec/languages.js'
import { failExec, runExec } from './run-exec.js'

/** Prints `é✓`, something on stderr, and one line read from the working directory. */
const PROGRAMS: Record<Language, string> = {
  python: 'import sys\nprint("é✓")\nprint("warn", file=sys.stderr)\nprint(open("note.txt").read())',
  javascript: 'const { readFileSync } = require("node:fs")\nconsole.log("é✓")\nconsole.error("warn")\n'
    + 'console.log(readFileSync("note.txt", "utf8"))',
  bash: 'echo "é✓"\necho warn >&2\ncat note.txt; echo',
  ruby: 'puts "é✓"\nwarn "warn"\nputs File.read("note.txt")',
}
const COMMENTS: Record<Language, string> = { python: '#', javascript: '//', bash: '#', ruby: '#' }
const FAILURES: Record<Language, [code: string, hint: RegExp]> = {
  python: ['raise ValueError("bad é")', /^stderr says: ValueError: bad é$/],
  javascript: ['throw new TypeError("bad é")', /^stderr says: TypeError: bad é$/],
  bash: ['echo "bad é" >&2; exit 1', /^stderr says: bad é$/],
  ruby: ['raise ArgumentError, "bad é"', /^stderr says: .*bad é \(ArgumentError\)$/],
}

for (const lang of ['python', 'javascript', 'bash', 'ruby'] as const) {
  const needs = lang === 'ruby' ? ['ruby'] as const : []
  needing(...needs).describe(lang, () => {
    const root = () => {
      const dir = tempDir()
      writeFileSync(join(dir, 'note.txt'), 'from the root')
      return dir
    }

    const printed = { stdout: 'é✓\nfrom the root\n', stderr: 'warn\n', exit_code: 0 }

    it('runs in the root and keeps the streams apart', async () => {
      expect(await runExec({ lang, code: PROGRAMS[lang] }, { root: root() })).toEqual({ ...printed, sandbox: 'none' })
    })

    needing('bubblewrap').it('does so in the sandbox', async () => {
      expect(await runExec({ lang, code: PROGRAMS[lang] }, { root: root(), mode: 'auto' }))
        .toEqual({ ...printed, sandbox: 'bwrap' })
    })

    it('runs 300 KiB of code the same, and leaves no temporary file', async () => {
      const directory = root()
      const temporary = tempDir()
      vi.stubEnv('TMPDIR', temporary)
      onTestFinished(() => void vi.unstubAllEnvs())
      const filler = `${COMMENTS[lang]} ${'é'.repeat(100)}\n`.repeat(1600)
      const code = `${filler}${PROGRAMS[lang]}\n`
      expect(Buffer.byteLength(code)).toBeGreaterThan(300 * 1024)
      const result = await runExec({ lang, code }, { root: directory })
      expect(result).toEqual({ ...printed, sandbox: 'none' })
      expect(readdirSync(temporary)).toEqual([])
    })

    it('reports a failure with its last words', async () => {
      const [code, hint] = FAILURES[lang]
      const failure = await failExec({ lang, code })
      expect(failure).toMatchObject({
        code: 'NONZERO_EXIT', message: `exec: ${lang} exited with code 1`, data: { stdout: '', exit_code: 1 },
      })
      expect(failure.hint).toMatch(hint)
    })

    it.each(['', '-1', '+1', '--help'])('takes %j as code, not as an option', async code => {
      // `--help` is wrong in every language, and `-1` is no command of bash.
      const outcome = await runExec({ lang, code }).catch((error: HermesError) => error.code)
      const isProgram = code === '' || (code !== '--help' && lang !== 'bash')
      expect(outcome).toEqual(isProgram ? { stdout: '', stderr: '', sandbox: 'none', exit_code: 0 } : 'NONZERO_EXIT')
    })
  })
}

describe('javascript', () => {
  it('is CommonJS, with require and dynamic import', async () => {
    const code = 'import("node:os").then(os => console.log(typeof os.EOL, typeof require, this === globalThis))'
    expect(await runExec({ lang: 'javascript', code })).toMatchObject({ stdout: 'string function true\n' })
    const long = `//${'x'.repeat(2 ** 17)}\n${code}`
    expect(await runExec({ lang: 'javascript', code: long })).toMatchObject({ stdout: 'string function true\n' })
  })

  it('requires modules from the working directory', async () => {
    const root = tempDir()
    writeFileSync(join(root, 'own.js'), 'module.exports = 42')
    expect(await runExec({ lang: 'javascript', code: 'console.log(require("./own.js"))' }, { root }))
      .toMatchObject({ stdout: '42\n' })
  })
})

it('refuses NUL in code', async () => {
  expect(await failExec({ lang: 'bash', code: 'echo a\0b' })).toMatchObject({
    code: 'INVALID_PARAMETER', message: 'exec: code must not contain NUL characters',
  })
})
