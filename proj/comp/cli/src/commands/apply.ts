import { Hermes } from '../../../executor/src/index.js'
import { renderFeedback } from '../../../reports/src/index.js'
import { type ExecutionResult, HermesError, type HermesEvent, type HermesOptions } from '../../../contracts/src/index.js'
import { printableJson } from '../../../text/src/index.js'
import { usageError, type Arguments } from '../arguments.js'
import { applyOptions, asFlagError } from '../apply-options.js'
import { consentOptions } from '../consent.js'
import { EXIT } from '../exit-codes.js'
import { interruptible } from '../interrupt.js'
import { livePrinter } from '../live-printer.js'
import { print, printError } from '../output.js'
import { isStdin, readInput, requireInput } from '../read-input.js'
import { reportWriter } from '../report-file.js'
import { stdinText } from '../stdin-text.js'

/** `hermes apply`: runs every live block of a text. */
export async function apply(args: Arguments): Promise<number> {
  if (args.has('json') && args.has('feedback')) {
    const hint = 'Give one of them; --report FILE.json also keeps the JSON.'
    throw usageError('--json and --feedback cannot be given together', hint)
  }
  const quiet = args.has('json') || args.has('feedback')
  const options = applyOptions(args)
  const writeReport = reportWriter(args.value('report'))
  const outputs = ['trajectory', 'record', 'report'].flatMap((flag) => args.values(flag).map((path) => ({ flag: `--${flag}`, path })))
  if (outputs.length > 0) {
    const { requireOtherFiles } = await import('../output-guard.js')
    requireOtherFiles(outputs, { paths: [args.positionals[0] ?? '-'], isRead: 'the answer itself' })
  }
  const keeper = args.has('record') || args.has('trajectory') || args.has('trajectory-as')
    ? (await import('../run-keeper.js')).runKeeper(args, options) : undefined
  const interrupt = interruptible()
  const printer = quiet ? undefined : await livePrinter(options)
  const listeners = [keeper, printer].filter((one) => one !== undefined)
  const [file] = args.positionals
  const usesStdin = isStdin(file)
  const consent = consentOptions({ yes: args.has('yes'), usesStdin, signal: interrupt.signal })
  const hermes = createSession({
    ...options, ...consent, signal: interrupt.signal, ...(listeners.length > 0 && { onEvent: (event: HermesEvent) => listeners.forEach((one) => one.event(event)) }),
  })
  requireInput('apply', file)
  // What is recorded, or rewritten, has the whole text.
  const read = usesStdin && keeper === undefined && !args.has('extension') ? undefined : await readInput('apply', file)
  const text = read === undefined || !args.has('extension') ? read
    : await (await import('../extension-rewrite.js')).rewritten(args, read, options, interrupt)
  if (interrupt.exitCode !== undefined) return interrupt.exitCode
  if (text !== undefined) keeper?.begin(text)
  const { result, failure } = await interrupt.during(async (): Promise<Ended> => {
    try {
      if (text !== undefined) return { result: await hermes.execute(text) }
      // What is printed in the end is to have every result.
      const keepAll = quiet || args.has('report')
      return await resultOf(hermes.stream(stdinText(interrupt.signal), keepAll ? { maxKeptBytes: Infinity } : {}))
    } finally {
      await hermes[Symbol.asyncDispose]()
    }
  })
  const { exitCode: interrupted } = interrupt

  printer?.end(result, interrupted !== undefined)
  if (args.has('json')) print(`${printableJson(result)}\n`)
  if (args.has('feedback')) print(renderFeedback(result))
  writeReport(result)
  if (text !== undefined) await keeper?.end(text, result, hermes.registry)
  if (interrupted !== undefined) return interrupted
  if (failure !== undefined) throw failure
  if (quiet && result.fatalError !== undefined) printError(`hermes: the run was stopped: ${result.fatalError}\n`)
  return exitCode(result, args.has('require-blocks'))
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

function createSession(options: HermesOptions): Hermes {
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
