import { admitCommand, reachesNetwork, runWithMore, type CommandCall } from '../command-processes/index.js'
import type { VerbContext } from '../../../0-contracts/src/index.js'
import { codeArguments } from './code-argument.js'
import { codeSource } from './code-source.js'
import { interpretersFor, notFound, requireInterpreter } from './interpreters.js'
import type { Caller, ExecData } from './outcome.js'
import { execData, wallsOf } from './outcome.js'
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
 * Runs a program's text by the interpreter of its language, in the sandbox.
 * @throws HermesError `TIMEOUT`, `CANCELLED`, `NONZERO_EXIT`, `APPROVAL_DENIED`; `ENOENT` and `INVALID_PARAMETER` for
 *   interpreters that are not there
 */
export async function runCode(code: CodeRun, context: VerbContext): Promise<ExecData> {
  const { limits, runId, noteProcess, signal, sandbox } = context
  requireInterpreter(code, context)
  let programs: readonly string[] = []
  const call: CommandCall = {
    verb: code.verb, source: codeSource(code.lang, code.code), shown: code.code, lang: code.lang, cwd: code.cwd,
    mayBeOpened: true,
    async check() {
      const probe = { cwd: code.cwd, runId, signal, sandbox, network: reachesNetwork(context) }
      if (!context.dryRun) programs = await interpretersFor(code, probe)
    },
  }
  const admitted = await admitCommand(call, context)
  const { args, readable, dispose } = codeArguments(code.lang, code.code)
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
