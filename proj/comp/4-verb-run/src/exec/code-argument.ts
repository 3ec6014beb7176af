import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { undoing } from '../../../2-files/src/index.js'
import { type CodeLanguage, LANGUAGE_RULES } from './languages.js'

/**
 * Most bytes of one argument. Linux takes 128 KiB with the final NUL; Windows 32,767 characters for the whole command
 * line.
 */
const MAX_ARGUMENT_BYTES = process.platform === 'win32' ? 30_000 : 128 * 1024 - 1

export interface CodeArguments {
  args: string[]
  /** What the program reads besides: the temporary file. */
  readable: string[]
  /** Removes the temporary file, if there is one. */
  dispose(): void
}

/** The arguments that run `code`; code too long for one argument goes through a temporary file. */
export function codeArguments(lang: CodeLanguage, code: string): CodeArguments {
  const { argsFor, loaderFor } = LANGUAGE_RULES[lang]
  const args = argsFor(code)
  if (args.every(arg => Buffer.byteLength(arg) <= MAX_ARGUMENT_BYTES)) {
    return { args, readable: [], dispose: () => undefined }
  }
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-exec-')))
  const path = join(directory, 'code')
  const dispose = () => rmSync(directory, { recursive: true, force: true })
  undoing(() => writeFileSync(path, code, { mode: 0o600 }), dispose)
  return { args: argsFor(loaderFor(path)), readable: [path], dispose }
}
