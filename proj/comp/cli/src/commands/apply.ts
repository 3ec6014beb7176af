import { Hermes, type ExecutorOptions } from '../../../executor/src/index.js'
import { renderFeedback } from '../../../reports/src/index.js'
import { type ExecutionResult, HermesError, type HermesEvent, orNothing } from '../../../contracts/src/index.js'
import { runAtWork } from '../../../journal/src/index.js'
import { requireOtherFiles } from '../../../policy/src/index.js'
import { escapeControls } from '../../../text/src/index.js'
import { createRunId } from '../../../transaction/src/index.js'
import type { PlanRun } from '../../../plans/src/index.js'
import { usageError, type Arguments } from '../arguments.js'
import { applyOptions, asFlagError, type ApplyOptions } from '../setup/apply-options.js'
import type { Program } from '../command.js'
import { consentOptions } from '../io/consent.js'
import { EXIT } from '../exit-codes.js'
import { failureDocument, fatalFields } from '../io/failure-document.js'
import { interruptible } from '../io/interrupt.js'
import { livePrinter } from '../io/live-printer.js'
import { print, printError, printJson } from '../io/output.js'
import { isStdin, readInput, requireInput } from '../io/read-input.js'
import { reportWriter } from '../report-file.js'
import { stdinText } from '../io/stdin-text.js'

/** Others have it from here: a file that `apply` shares with them would be one more to open for every run. */
export { livePrinter }

/** `hermes apply`: runs every live block of a text. */
export async function apply(args: Arguments, program: Program): Promise<number> {
  if (args.has('json') && args.has('feedback')) {
    const hint = 'Give one of them; --report FILE.json also keeps the JSON.'
    throw usageError('--json and --feedback cannot be given together', hint)
  }
  const quiet = args.has('json') || args.has('feedback')
  const given = applyOptions(args)
  const report = await reportWriter(args.value('report'), given)
  const outputs = ['trajectory', 'record', 'report', ...(given.dryRun ? ['plan'] : [])].flatMap((flag) =>
    args.values(flag).map((path) => ({ flag: `--${flag}`, path })))
  if (outputs.length > 0) {
    requireOtherFiles(outputs, { paths: [args.positionals[0] ?? '-'], isRead: 'the answer itself' })
  }
  const plan = args.has('plan') ? await openPlan(args, given, program) : undefined
  if (plan === 'refused') return EXIT.failed
  const options = plan?.options ?? given
  const keeper = args.has('record') || args.has('trajectory') || args.has('trajectory-as')
    ? (await import('../../../transcripts/src/index.js')).runKeeper({
      record: args.value('record'), trajectory: args.value('trajectory'),
      format: args.value('trajectory-as') ?? 'sharegpt', options,
    }) : undefined
  const interrupt = interruptible()
  const printer = quiet ? undefined : await livePrinter(options)
  const listeners = [keeper, printer, plan, report.listener].filter((one) => one !== undefined)
  const [file] = args.positionals
  const fromClipboard = args.has('clipboard')
  if (fromClipboard) (await import('../io/clipboard.js')).requireNoFile(file)
  const usesStdin = !fromClipboard && plan?.text === undefined && isStdin(file)
  const consent = consentOptions({ yes: args.has('yes'), usesStdin, signal: interrupt.signal })
  // What would be asked is told, and asked of nobody.
  const dry = given.dryRun ? { rehearse: true, approve: () => 'once' as const } : {}
  const hermes = createSession({
    ...options, ...consent, ...dry, ...report.options, signal: interrupt.signal,
    ...(listeners.length > 0 && { onEvent: (event: HermesEvent) => listeners.forEach((one) => one.event(event)) }),
  })
  if (usesStdin) requireInput('apply', file)
  if (usesStdin && !given.dryRun) tellWhoWorks(given)
  // What is recorded, or rewritten, has the whole text.
  const read = plan?.text
    ?? (usesStdin && keeper === undefined && plan === undefined && !args.has('extension') ? undefined
    : fromClipboard ? await (await import('../io/clipboard.js')).readClipboard() : await readInput('apply', file))
  const runId = given.dryRun ? undefined : createRunId()
  const text = read === undefined || !args.has('extension') ? read
    : await (await import('../setup/extension-flags.js')).rewritten(args, read, options, interrupt)
  if (interrupt.exitCode !== undefined) return interrupt.exitCode
  if (text !== undefined) keeper?.begin(text)
  const { result, failure } = await interrupt.during(async (): Promise<Ended> => {
    try {
      const named = runId === undefined ? {} : { runId }
      if (text !== undefined) return { result: await hermes.execute(text, named) }
      // What is printed in the end is to have every result.
      const keepAll = quiet || args.has('report')
      const pieces = report.reading(stdinText(interrupt.signal))
      const kept = keepAll ? { maxKeptBytes: Infinity } : {}
      return await resultOf(hermes.stream(pieces, { ...named, ...kept, endWhenStopped: true }))
    } finally {
      await hermes[Symbol.asyncDispose]()
    }
  })
  const { exitCode: interrupted } = interrupt

  const planned = text !== undefined && interrupted === undefined && failure === undefined
    ? await plan?.end(text, result) : undefined
  printer?.end(result, interrupted !== undefined)
  if (args.has('feedback')) print(renderFeedback(result))
  if (args.has('feedback') && fromClipboard) await (await import('../io/clipboard.js')).handBack(renderFeedback(result))
  const stopped = failure ?? (interrupted && INTERRUPTED)
  let unwritten: unknown
  try {
    await report.write(result, text, documentOf(result, runId, stopped))
    if (planned !== undefined) printError(planned)
    if (text !== undefined) await keeper?.end(text, result, hermes.registry)
  } catch (error) {
    unwritten = error
  }
  if (args.has('json')) printJson(documentOf(result, runId, unwritten ?? stopped))
  if (unwritten !== undefined) throw unwritten
  if (interrupted !== undefined) return interrupted
  if (failure !== undefined) throw failure
  if (quiet && result.fatalError !== undefined) printError(`hermes: the run was stopped: ${result.fatalError}\n`)
  return exitCode(result, args.has('require-blocks'))
}

const INTERRUPTED = new HermesError('CANCELLED', 'Interrupted', {
  hint: 'What had run stays: hermes log lists it, and hermes undo takes it back.',
})

/** @param failure why the text could not be read to its end, or what was to be kept of the run not be written */
function documentOf(result: ExecutionResult, runId: string | undefined, failure: unknown): object {
  return {
    schemaVersion: 1, ...(runId !== undefined && { runId }), ...result, ...fatalFields(result),
    ...(failure instanceof HermesError && failureDocument(failure)),
  }
}

/** @returns `refused` where the plan no longer holds, which is told then */
async function openPlan(args: Arguments, given: ApplyOptions, { version }: Program): Promise<PlanRun | 'refused'> {
  const { openPlanOf } = await import('../setup/plan-flags.js')
  try {
    return await openPlanOf(args, given, version())
  } catch (error) {
    if (!(error instanceof HermesError) || error.code !== 'PLAN_CHANGED') throw error
    const { refuse } = await import('../io/refusals.js')
    refuse(error, args.has('json'))
    return 'refused'
  }
}

interface Ended {
  result: ExecutionResult
  /** Why the text could not be read to its end. */
  failure?: unknown
}

/** Runs a stream to its end. @throws what its text failed with, where it did before any block was found */
async function resultOf(events: AsyncIterable<HermesEvent>): Promise<Ended> {
  let result: ExecutionResult | undefined
  try {
    for await (const event of events) if (event.type === 'end') result = event.result
  } catch (failure) {
    if (!result || result.totalBlocks + result.parseErrors.length === 0) throw failure
    return { result, failure }
  }
  if (!result) throw new HermesError('INTERNAL', 'The run did not end')
  return { result }
}

/** The lock is taken when a block needs it, which may come late. */
function tellWhoWorks({ root, waitMs = 0 }: ApplyOptions): void {
  const other = orNothing(() => runAtWork(root), undefined)
  if (other === undefined) return
  const waits = waitMs > 0 ? `The first block that changes something waits for it: at most ${waitMs / 1000} s.`
    : 'Until it is done nothing can be changed: --wait SECONDS waits for that.'
  printError(`hermes: another run works in this root: ${escapeControls(other)}\n  ${waits}\n`)
}

function createSession(options: ExecutorOptions): Hermes {
  try {
    return new Hermes(options)
  } catch (error) {
    throw asFlagError(error)
  }
}

function exitCode(result: ExecutionResult, requireBlocks: boolean): number {
  if (result.fatalError !== undefined) return EXIT.usage
  if (requireBlocks && result.totalBlocks === 0) return EXIT.failed
  return result.success ? EXIT.ok : EXIT.failed
}
