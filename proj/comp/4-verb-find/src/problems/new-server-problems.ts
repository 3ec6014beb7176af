import {
  caughtLater, HermesError, type ApprovedPath, type LanguageServer, type VerbContext,
} from '../../../0-contracts/src/index.js'
import { addTo, withoutMark } from '../../../0-text/src/index.js'
import {
  serverFor, withServer, type AskedServer, type ServerDiagnostic,
} from '../../../2-language-servers/src/index.js'
import type { ScriptProblem } from '../symbols/typescript/check-thread.js'
import type { ChangedFile, ChangedFileProblems } from './changed-file.js'

/** Begins what is said of a server that cannot be started. */
const VERB = 'checks'

/** What servers find; `served`: the files that they were asked about. */
export interface ServedProblems extends ChangedFileProblems {
  served: Set<ApprovedPath>
}

/**
 * The errors that language servers find in changed files and did not find in them before: each server is given the old
 * texts, then the new ones. It has `call_time` for all of that.
 *
 * @throws HermesError `CANCELLED`
 */
export async function newServerProblems(
  files: readonly ChangedFile[], context: VerbContext,
): Promise<ServedProblems> {
  const servedProblems: ServedProblems = { problems: new Map(), unknown: [], served: new Set() }
  const byServer = new Map<LanguageServer, ChangedFile[]>()
  for (const file of files) {
    const server = serverFor(file.path, context)
    if (!server) continue
    addTo(byServer, server, file)
    servedProblems.served.add(file.path)
  }
  for (const [server, own] of byServer) {
    const why = await compare(server, own, context, servedProblems.problems)
    if (why !== undefined) servedProblems.unknown.push(`${why}: new problems of the changed files are not known`)
  }
  return servedProblems
}

/** @returns why not all is known, where that is so */
async function compare(
  server: LanguageServer, files: readonly ChangedFile[], context: VerbContext, problems: Map<string, ScriptProblem[]>,
): Promise<string | undefined> {
  const told = async (
    asked: AskedServer, textOf: (file: ChangedFile) => string | undefined, left: () => number,
  ): Promise<Map<ApprovedPath, ServerDiagnostic[] | undefined>> => {
    // All of them first: what one has depends on the others.
    for (const file of files) {
      const text = textOf(file)
      if (text !== undefined) await asked.open(file.path, withoutMark(text))
    }
    const all = new Map<ApprovedPath, ServerDiagnostic[] | undefined>()
    await Promise.all(files.map(async (file) => {
      const text = textOf(file)
      const own = text === undefined ? [] : await asked.diagnostics(file.path, withoutMark(text), left())
      all.set(file.path, own)
    }))
    return all
  }
  return caughtLater(HermesError, () => withServer(VERB, server, context, async (asked) => {
    const until = performance.now() + server.callMs
    const left = (): number => Math.max(until - performance.now(), 0)
    const before = await told(asked, (file) => file.before, left)
    const after = await told(asked, (file) => file.after, left)
    let isWhole = true
    for (const { path } of files) {
      const [old, now] = [before.get(path), after.get(path)]
      const scriptProblems = old && now && newOnes(old, now)
      if (!scriptProblems) isWhole = false
      else if (scriptProblems.length > 0) problems.set(path, scriptProblems)
    }
    return isWhole ? undefined : `${server.name} was not done within ${server.callMs / 1000} s`
  }), (error) => {
    if (context.signal.aborted) throw error
    return error.message
  })
}

/** A problem is new where the text before has fewer of its code and message. */
function newOnes(
  before: readonly ServerDiagnostic[], after: readonly ServerDiagnostic[],
): ScriptProblem[] {
  const known = new Map<string, number>()
  for (const each of before) if (each.severity === 'error') known.set(keyOf(each), (known.get(keyOf(each)) ?? 0) + 1)
  return after.filter((serverDiagnostic) => {
    if (serverDiagnostic.severity !== 'error') return false
    const left = known.get(keyOf(serverDiagnostic)) ?? 0
    known.set(keyOf(serverDiagnostic), left - 1)
    return left <= 0
  }).map(({ line, code, source, message }) => (
    { line, code: code ?? source ?? '', message: message.replace(/\s*\n\s*/g, ' ') }
  ))
}

function keyOf({ code = '', message }: ServerDiagnostic): string {
  return `${code} ${message}`
}
