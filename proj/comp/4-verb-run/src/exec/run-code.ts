import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { undoing } from '../../../2-files/src/index.js'
import { admitCommand, reachesNetwork, runWithMore, type CommandCall } from '../command-processes/index.js'
import type { VerbContext } from '../../../0-contracts/src/index.js'
import { interpretersFor, notFound, requireInterpreter } from './interpreters.js'
import { execData, wallsOf, type Caller, type ExecData } from './outcome.js'
import { LANGUAGE_RULES, type CodeLanguage } from './languages.js'
import { runFirst } from './run-first.js'

/**
 * Most bytes of one argument. Linux takes 128 KiB with the final NUL; Windows 32,767 characters for the whole command
 * line.
 */
const MAX_ARGUMENT_BYTES = process.platform === 'win32' ? 30_000 : 128 * 1024 - 1

/** Code to run, and what its verb knows of it. */
export interface CodeRun extends Caller {
  lang: CodeLanguage
  /** Languages that the verb accepts, for hints. */
  languages: readonly CodeLanguage[]
  code: string
  /** Prefix of the interpreter's version. */
  version?: string | undefined
  cwd: string
}

/**
 * Runs code by the interpreter of its language, in the sandbox.
 * @throws HermesError `TIMEOUT`, `CANCELLED`, `NONZERO_EXIT`, `APPROVAL_DENIED`; `ENOENT` and `INVALID_PARAMETER` for a
 * missing interpreter
 */
export async function runCode(code: CodeRun, context: VerbContext): Promise<ExecData> {
  const { limits, runId, noteProcess, signal, sandbox } = context
  requireInterpreter(code, context)
  let programs: readonly string[] = []
  const { lang, code: text } = code
  const call: CommandCall = {
    verb: code.verb, source: lang === 'bash' ? { kind: 'shell', text } : { kind: 'code', lang, text },
    shown: text, lang, cwd: code.cwd, mayBeOpened: true,
    async check() {
      const probe = { cwd: code.cwd, runId, signal, sandbox, network: reachesNetwork(context) }
      if (!context.dryRun) programs = await interpretersFor(code, probe)
    },
  }
  const admitted = await admitCommand(call, context)
  const { args, readable, dispose } = codeArguments(lang, text)
  try {
    const run = {
      sandbox, args, readable, cwd: code.cwd, timeoutMs: code.limit.timeoutMs,
      maxOutputBytes: limits.maxOutputBytes, runId, noteProcess, signal, printing: context.printing,
    }
    const ran = await runWithMore(call, admitted, async opened => runFirst(code.verb, programs, {
      ...run, network: reachesNetwork(opened), access: opened.access,
    }, () => notFound(code)), outcome => wallsOf(outcome, outcome))
    return execData(code, ran, context)
  } finally {
    dispose()
  }
}

/**
 * The arguments that run `code`; code too long for one argument goes through a temporary file.
 *
 * @returns `readable`: what the program reads besides; `dispose` removes the file
 */
function codeArguments(lang: CodeLanguage, code: string): { args: string[]; readable: string[]; dispose(): void } {
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
