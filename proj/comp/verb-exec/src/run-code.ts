import type { VerbContext } from '../../contracts/src/index.js'
import { codeArguments } from './code-argument.js'
import { interpretersFor, notFound } from './interpreters.js'
import type { Caller, ExecData } from './outcome.js'
import { execData } from './outcome.js'
import type { CodeLanguage } from './languages.js'
import { runFirst } from './run-first.js'

/** A program text, and what its verb knows of it. */
export interface CodeRun extends Caller {
  lang: CodeLanguage
  /** What the verb takes, for hints. */
  languages: readonly CodeLanguage[]
  code: string
  /** Prefix of the interpreter's version. */
  version?: string | undefined
  cwd: string
}

/**
 * Runs a program's text by the interpreter of its language.
 * @throws HermesError `TIMEOUT`, `CANCELLED`, `NONZERO_EXIT`; `ENOENT` and `INVALID_PARAMETER` for interpreters that
 *   are not there
 */
export async function runCode(code: CodeRun, { limits, signal }: VerbContext): Promise<ExecData> {
  const programs = await interpretersFor(code, { cwd: code.cwd, signal })
  const { args, dispose } = codeArguments(code.lang, code.code)
  try {
    const run = {
      args, cwd: code.cwd, timeoutMs: code.limit.timeoutMs, maxOutputBytes: limits.maxOutputBytes, signal,
    }
    return execData(code, await runFirst(code.verb, programs, run, () => notFound(code)))
  } finally {
    dispose()
  }
}
