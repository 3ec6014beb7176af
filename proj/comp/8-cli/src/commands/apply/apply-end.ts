import { HermesError, type ExecutionResult } from '../../../../0-contracts/src/index.js'
import { EXIT } from '../../exit-codes.js'
import { failureDocument, fatalFields } from '../../io/failure-document.js'
import { print, printError, printJson, printRaw } from '../../io/output.js'
import { keepForSecond } from '../../setup/continue-flag.js'
import { textForModel } from '../../setup/reply-flags.js'
import { fileOf, type ApplyEnd, type ApplyJob } from './apply-job.js'

/** Prints what the run came to, and writes the files that keep it. @returns why one could not be written */
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
  if (runId !== undefined) keepForSecond(going, runId, {
    own, result, isTold: printer !== undefined, isInterrupted: interrupted !== undefined,
  })
  const forModel = textForModel(args, hermes, result, { runId, fences, ...(answer && { text: answer.text }) })
  if (forModel !== undefined) printRaw(forModel)
  if (forModel !== undefined && args.has('clipboard')) {
    await (await import('../../io/answer-clipboard.js')).handBack(forModel)
  }
  if (args.has('github')) await annotate(job, result)
  const stopped = failure ?? (interrupted && INTERRUPTED)
  let unwritten: unknown
  try {
    await report.write(result, answer?.text, documentOf(ended, stopped))
    if (planned !== undefined) printError(planned)
    if (answer !== undefined) await keeper?.end(answer.text, own, hermes.registry)
  } catch (error) {
    unwritten = error
  }
  if (args.has('json')) printJson(documentOf(ended, unwritten ?? stopped))
  return unwritten
}

/** GitHub reads both streams: standard output is left to what was asked for, where that is not the report. */
async function annotate({ args, quiet }: ApplyJob, result: ExecutionResult): Promise<void> {
  const { renderAnnotations, runItems } = await import('../../../../1-reports/src/index.js')
  const { createMasker } = await import('../../../../0-text/src/index.js')
  const lines = renderAnnotations(runItems(createMasker({}, { shapes: true }).value(result), fileOf(args)))
  if (lines !== '') (quiet ? printError : print)(lines)
}

/** @throws what could not be written, and why the text could not be read */
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
  if (args.has('require-blocks') && result.totalBlocks === 0) return EXIT.failed
  return result.success ? EXIT.ok : EXIT.failed
}

const INTERRUPTED = new HermesError('CANCELLED', 'Interrupted', {
  hint: 'What had run stays: hermes log lists it, and hermes undo takes it back.',
})

/** @param failure why the text could not be read to its end, or what was to be kept of the run not be written */
function documentOf({ runId, answer, result }: ApplyEnd, failure: unknown): object {
  return {
    schemaVersion: 1, ...(runId !== undefined && { runId }), ...(answer?.response && { input: answer.response.input }),
    ...result, ...fatalFields(result),
    ...(failure instanceof HermesError && failureDocument(failure)),
  }
}
