import { HermesError, type ExecutionResult } from '../../../../0-contracts/src/index.js'
import { createMasker, escapeControls } from '../../../../0-text/src/index.js'
import type { Arguments } from '../../arguments.js'
import { isUnattended } from '../../io/consent-options.js'
import { failureDocument, fatalFields } from '../../io/failure-document.js'
import { EXIT, print, printError, printJson, printRaw } from '../../io/output.js'
import { keepForSecond } from '../../setup/continue-flag.js'
import { textForModel } from '../../setup/reply-flags.js'
import { fileOf, type ApplyEnd, type ApplyJob } from './apply-job.js'

/** Prints the result of the run, and writes its files. @returns the error of a file that could not be written */
export async function writeOutputs(job: ApplyJob, ended: ApplyEnd): Promise<unknown> {
  const { args, interrupt, report, plan, keeper, going, printer, hermes } = job
  const { answer, failure, runId } = ended
  const own = ended.result
  const result = going?.end(own) ?? own
  ended.result = result
  const interrupted = interrupt.exitCode
  const planned = answer !== undefined && interrupted === undefined && failure === undefined
    ? await plan?.end(answer.given, own, job.prepared) : undefined
  const fences = ended.fences.end()
  printer?.end(result, interrupted !== undefined, fences)
  if (runId !== undefined) keepForSecond(args, going, runId, {
    own, result, isTold: printer !== undefined, isInterrupted: interrupted !== undefined,
  })
  const forModel = textForModel(args, hermes, result, { runId, fences, ...(answer && { text: answer.text }) })
  if (forModel !== undefined) {
    printRaw(forModel)
    // Warnings are for the user, not part of the reply for the model.
    for (const warning of result.warnings ?? []) printError(`note: ${escapeControls(warning)}\n`)
    if (args.has('clipboard')) await (await import('../../io/answer-clipboard.js')).handBack(forModel)
  }
  const missing = requiresMore(args, result) ? NO_BLOCKS : undefined
  const stopped = failure ?? (interrupted === undefined ? missing : INTERRUPTED)
  const told = asStopped(result, stopped)
  if (args.has('github')) await annotate(job, told)
  if (stopped !== undefined && stopped === missing) printError(`hermes: ${missing.message}\n  ${missing.hint ?? ''}\n`)
  let unwritten: unknown
  try {
    await report.write(told, answer?.text, documentOf(ended, stopped))
    if (planned !== undefined) printError(planned)
    if (answer !== undefined) await keeper?.end(answer.text, own, hermes.registry)
  } catch (error) {
    unwritten = error
  }
  if (args.has('json')) {
    const document = documentOf(ended, unwritten ?? stopped)
    printJson(isUnattended() ? createMasker({}, { shapes: true }).value(document) : document)
  }
  return unwritten
}

/** Prints annotations. GitHub reads both streams, so they leave standard output to a requested document. */
async function annotate({ args, quiet }: ApplyJob, result: ExecutionResult): Promise<void> {
  const { renderAnnotations, runItems } = await import('../../../../1-reports/src/index.js')
  const lines = renderAnnotations(runItems(createMasker({}, { shapes: true }).value(result), fileOf(args)))
  if (lines !== '') (quiet ? printError : print)(lines)
}

/** The exit code. @throws the error of a file that could not be written, or why the text could not be read */
export function exitCode(
  { args, quiet, interrupt }: ApplyJob, { result, failure }: ApplyEnd, unwritten: unknown,
): number {
  if (unwritten !== undefined) throw unwritten
  if (interrupt.exitCode !== undefined) return interrupt.exitCode
  if (failure !== undefined) throw failure
  if (result.fatalError !== undefined) {
    if (quiet) printError(`hermes: the run was stopped: ${result.fatalError}\n`)
    return EXIT.usage
  }
  if (requiresMore(args, result)) return EXIT.failed
  return result.success ? EXIT.ok : EXIT.failed
}

function requiresMore(args: Arguments, { totalBlocks }: ExecutionResult): boolean {
  return args.has('require-blocks') && totalBlocks === 0
}

/** The result as reports and annotations show it: an interrupt, or nothing to run, is not a block's failure. */
function asStopped(result: ExecutionResult, stopped: unknown): ExecutionResult {
  if (!(stopped instanceof HermesError)) return result
  return { ...result, success: false, fatalError: result.fatalError ?? stopped.message }
}

const NO_BLOCKS = new HermesError('NO_BLOCKS', 'No live block was found, and --require-blocks asks for one', {
  hint: 'hermes parse says what was read and why nothing of it is live; hermes help formats shows how blocks look.',
})
const INTERRUPTED = new HermesError('CANCELLED', 'Interrupted', {
  hint: 'What had run stays: hermes log lists it, and hermes undo takes it back.',
})

/** The document of `--json`. @param failure why the text could not be read to its end, or a file not be written */
function documentOf({ runId, answer, result }: ApplyEnd, failure: unknown): object {
  return {
    schemaVersion: 1, ...(runId !== undefined && { runId }), ...(answer?.response && { input: answer.response.input }),
    ...result, ...fatalFields(result),
    ...(failure instanceof HermesError && failureDocument(failure)),
  }
}
