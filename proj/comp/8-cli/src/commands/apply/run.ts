import { Hermes, type PlanRun } from '../../../../5-executor/src/index.js'
import { keptOptions, ownSecrets } from '../../../../2-config/src/index.js'
import { CodeFences } from '../../../../1-reading/src/index.js'
import type { OfferedFormats } from '../../../../7-console/src/index.js'
import { type ExecutionResult, HermesError, type HermesEvent, orNothing } from '../../../../0-contracts/src/index.js'
import { runAtWork, requireOtherFiles } from '../../../../2-files/src/index.js'
import { runReport, type RunReport } from '../../../../7-output/src/index.js'
import { escapeControls } from '../../../../0-text/src/index.js'
import { createRunId } from '../../../../3-transaction/src/index.js'
import { usageError, type Arguments } from '../../arguments.js'
import { replyTokens } from '../../setup/reply-flags.js'
import { wantedExtensions } from '../../setup/wanted-extensions.js'
import { applyOptions, type ApplyOptions, inFlagTerms, mappingOption } from '../../setup/apply-options.js'
import type { Program } from '../../command.js'
import { continuationOf } from '../../setup/continue-flag.js'
import { consentOptions, userAtTerminal } from '../../io/consent-options.js'
import { interruptible, unlessInterrupted } from '../../io/interrupt.js'
import { livePrinter, tellingOf } from '../../io/print-live.js'
import { EXIT, isTerminal, printError } from '../../io/output.js'
import { isStdin, readInput, requireInput } from '../../io/read-input.js'
import { answerOf, type Answer } from '../../io/saved-response.js'
import { exitCode, writeOutputs } from './apply-end.js'
import { fileOf, type ApplyEnd, type ApplyJob } from './apply-job.js'
import { stdinText } from '../../io/stdin-text.js'

/** `hermes apply`: runs every live block of a text. @param text the answer, if it was read already */
export async function apply(args: Arguments, program: Program, text?: string): Promise<number> {
  requireOneForm(args)
  replyTokens(args)
  const given = { ...applyOptions(args), ...mappingOption(args) }
  const report = await runReport(args.values('report'), { ...given, file: fileOf(args) })
  requireOtherOutputs(args, given)
  const plan = args.has('plan') ? await openPlan(args, given, program) : undefined
  if (plan === 'refused') return EXIT.failed
  const job = await openJob(args, given, report, { plan, text: plan?.text ?? text ?? textOfNone(args) })
  const answer = await readAnswer(job).catch(async (error: unknown) => {
    await job.hermes[Symbol.asyncDispose]()
    throw error
  })
  if (job.interrupt.exitCode !== undefined) {
    await job.hermes[Symbol.asyncDispose]()
    return job.interrupt.exitCode
  }
  const also = answer && await offered(job, answer)
  if (job.interrupt.exitCode !== undefined) return job.interrupt.exitCode
  const ended = await runAnswer(job, answer, also)
  return exitCode(job, ended, await writeOutputs(job, ended))
}

/** An empty text where `--continue` at a terminal only asks for the result of a run, without another answer. */
function textOfNone(args: Arguments): string | undefined {
  const isAsked = args.has('continue') && (args.has('reply') || args.has('feedback'))
  return isAsked && args.positionals.length === 0 && !args.has('clipboard') && isTerminal('stdin') ? '' : undefined
}

const FORMS = ['json', 'reply', 'feedback'] as const

function requireOneForm(args: Arguments): void {
  const [first, second] = FORMS.filter((name) => args.has(name))
  if (second === undefined) return
  const hint = 'Give one of them; --report FILE.json also keeps the JSON.'
  throw usageError(`--${first} and --${second} cannot be given together`, hint)
}

/** Checks that no output overwrites the answer or another output. */
function requireOtherOutputs(args: Arguments, { dryRun }: ApplyOptions): void {
  const outputs = ['trajectory', 'record', 'report', ...(dryRun ? ['plan'] : [])].flatMap((flag) =>
    args.values(flag).map((path) => ({ flag: `--${flag}`, path })))
  if (outputs.length === 0) return
  requireOtherFiles(outputs, { paths: [args.positionals[0] ?? '-'], isRead: 'the answer itself' })
}

/** @returns `refused` where the plan no longer holds, after reporting why */
async function openPlan(args: Arguments, given: ApplyOptions, { version }: Program): Promise<PlanRun | 'refused'> {
  const { openPlanOf } = await import('../../setup/plan-flags.js')
  try {
    return await openPlanOf(args, given, version())
  } catch (error) {
    if (!(error instanceof HermesError) || error.code !== 'PLAN_CHANGED') throw error
    const { refuse } = await import('../../io/refusals.js')
    refuse(error, args.has('json'))
    return 'refused'
  }
}

/** Opens the session, and everything that listens to it. */
async function openJob(
  args: Arguments, given: ApplyOptions, report: RunReport, { plan, text }: Pick<ApplyJob, 'plan' | 'text'>,
): Promise<ApplyJob> {
  const { dryRun } = given
  const quiet = FORMS.some((name) => args.has(name))
  const options = plan?.options ?? given
  const going = continuationOf(args, options)
  const keeper = args.has('record') || args.has('trajectory') || args.has('trajectory-as')
    ? (await import('../../../../2-transcripts/src/index.js')).runKeeper({
      record: args.value('record'), trajectory: args.value('trajectory'),
      format: args.value('trajectory-as') ?? 'sharegpt', secrets: ownSecrets(),
      options: { ...options, ...await keptOptions(options) },
    }) : undefined
  const interrupt = interruptible()
  const { signal } = interrupt
  const printer = quiet ? undefined : await livePrinter(options, signal)
  const listeners = [keeper, printer, plan, going, report.listener].filter((value) => value !== undefined)
  const source = await sourceOf(args, text)
  const consent = consentOptions({ yes: args.has('yes'), usesStdin: source === 'stdin', signal })
  // Dry run: list the approvals it would need; ask for none.
  const dry = dryRun ? { rehearse: true, approve: () => 'once' as const } : {}
  // The answer of a plan to be carried out has gone through the extensions already.
  const extending = plan && !dryRun ? {} : await wantedExtensions(args, source === 'stdin')
  const hermes = inFlagTerms(() => new Hermes({
    ...options, ...tellingOf(printer), ...extending, ...consent, ...dry, ...report.options, ...going?.options, signal,
    ...(keeper?.touch && { onTouch: keeper.touch }),
    ...(listeners.length > 0 && { onEvent: (event: HermesEvent) => listeners.forEach((to) => to.event(event)) }),
  }))
  if (source === 'stdin') requireInput('apply', args.positionals[0])
  if (source === 'stdin' && !dryRun) tellWhoWorks(given)
  return {
    args, options, dryRun, quiet, source, text, interrupt, report, plan, keeper, going, printer, hermes,
    isExtended: extending.extensions !== undefined,
  }
}

async function sourceOf(args: Arguments, text: string | undefined): Promise<ApplyJob['source']> {
  const [file] = args.positionals
  if (args.has('clipboard')) (await import('../../io/answer-clipboard.js')).requireNoFile(file)
  if (text !== undefined) return 'known'
  if (args.has('clipboard')) return 'clipboard'
  return isStdin(file) ? 'stdin' : 'file'
}

/** The whole answer, after extensions; `undefined` where it runs while it arrives. */
async function readAnswer(job: ApplyJob): Promise<Answer | undefined> {
  const { args, source, text, plan, keeper, interrupt, hermes, isExtended } = job
  // Recording and rewriting need the whole text.
  const isWhole = keeper !== undefined || plan !== undefined || isExtended
  if (source === 'stdin' && !isWhole) return undefined
  const read = text ?? await (source === 'clipboard'
    ? (await import('../../io/answer-clipboard.js')).readClipboard() : readInput('apply', args.positionals[0]))
  if (plan?.prepared) job.prepared = plan.prepared
  if (!isExtended) return answerOf(read)
  const { prepared } = await import('../../setup/extension-flags.js')
  const ready = await prepared(hermes, read, interrupt, source === 'file' ? args.positionals[0] : undefined)
  if (ready) job.prepared = ready
  return answerOf(ready?.text ?? read)
}

/** Formats that the user at the terminal agrees to read, beyond those of flags and files. */
async function offered(
  { args, options, dryRun, quiet, source, interrupt, plan }: ApplyJob, answer: Answer,
): Promise<OfferedFormats | undefined> {
  const isAsked = !quiet && !dryRun && !plan && source !== 'stdin' && !args.has('yes') && isTerminal('stdout')
  const user = isAsked ? userAtTerminal() : undefined
  if (user === undefined) return undefined
  const { offerFormats } = await import('../../io/offer-formats.js')
  return unlessInterrupted(interrupt, async () =>
    offerFormats(user, answer.response ?? answer.text, options, interrupt.signal))
}

async function runAnswer(
  job: ApplyJob, answer: Answer | undefined, also: OfferedFormats | undefined,
): Promise<ApplyEnd> {
  const { args, dryRun, quiet, interrupt, report, hermes } = job
  const runId = dryRun ? undefined : createRunId()
  const named = runId === undefined ? {} : { runId }
  return interrupt.during(async () => {
    try {
      if (answer) return await runWhole(job, answer, named, also)
      let fences = new CodeFences()
      // The document printed at the end must have every result.
      const kept = quiet || args.has('report') ? { maxKeptBytes: Infinity } : {}
      const held: { answer?: Answer } = {}
      const readResponse = async (text: string) => {
        held.answer = await answerOf(text)
        fences = new CodeFences().push(held.answer.text)
        return held.answer.response
      }
      const pieces = report.reading(counted(stdinText(interrupt.signal), fences))
      const events = hermes.stream(pieces, { ...named, ...kept, readResponse, endWhenStopped: true })
      const ended = await resultOf(events)
      return { ...named, ...held, fences, ...ended }
    } finally {
      await hermes[Symbol.asyncDispose]()
    }
  })
}

async function runWhole(
  { keeper, hermes, prepared, printer }: ApplyJob, answer: Answer, named: { runId?: string },
  also: OfferedFormats | undefined,
): Promise<ApplyEnd> {
  const { text, response } = answer
  keeper?.begin(text, also?.all, prepared)
  const fences = new CodeFences().push(text)
  const result = await hermes.execute(response ?? text, {
    ...named, ...(also && { alsoRead: also.formats }), ...(prepared && { prepared }),
    ...(printer && { onRead: (outcome) => printer.expect(outcome) }),
  })
  return { ...named, answer, fences, result }
}

async function* counted(pieces: AsyncIterable<string>, fences: CodeFences): AsyncIterable<string> {
  for await (const piece of pieces) {
    fences.push(piece)
    yield piece
  }
}

/** Runs a stream to its end. @throws the error of its text, if it failed before any block was found */
async function resultOf(events: AsyncIterable<HermesEvent>): Promise<Pick<ApplyEnd, 'result' | 'failure'>> {
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

/** Reports another run at work in the root: the lock is taken only when a block needs it, which may be late. */
function tellWhoWorks({ root, waitMs = 0 }: ApplyOptions): void {
  const other = orNothing(() => runAtWork(root), undefined)
  if (other === undefined) return
  const waits = waitMs > 0 ? `The first block that changes something waits for it: at most ${waitMs / 1000} s.`
    : 'Until it is done nothing can be changed: --wait SECONDS waits for that.'
  printError(`hermes: another run works in this root: ${escapeControls(other)}\n  ${waits}\n`)
}
