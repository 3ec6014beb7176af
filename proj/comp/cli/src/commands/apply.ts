import { Hermes } from '../../../executor/src/index.js'
import { renderFeedback } from '../../../reports/src/index.js'
import type { ExecutionResult, HermesOptions } from '../../../contracts/src/index.js'
import { printableJson } from '../../../text/src/index.js'
import { usageError, type Arguments } from '../arguments.js'
import { applyOptions, asFlagError } from '../apply-options.js'
import { consentOptions } from '../consent.js'
import { EXIT } from '../exit-codes.js'
import { interruptible } from '../interrupt.js'
import { livePrinter } from '../live-printer.js'
import { print, printError } from '../output.js'
import { readInput } from '../read-input.js'
import { reportWriter } from '../report-file.js'

/** `hermes apply`: runs every live block of a text. */
export async function apply(args: Arguments): Promise<number> {
  if (args.has('json') && args.has('feedback')) {
    const hint = 'Give one of them; --report FILE.json also keeps the JSON.'
    throw usageError('--json and --feedback cannot be given together', hint)
  }
  const quiet = args.has('json') || args.has('feedback')
  const options = applyOptions(args)
  const writeReport = reportWriter(args.value('report'))
  const interrupt = interruptible()
  const printer = quiet ? undefined : await livePrinter(options)
  const [file] = args.positionals
  const consent = consentOptions({
    yes: args.has('yes'), usesStdin: file === undefined || file === '-', signal: interrupt.signal,
  })
  const hermes = createSession({
    ...options, ...consent, signal: interrupt.signal, ...(printer && { onEvent: printer.event }),
  })
  const text = await readInput('apply', file)
  const result = await interrupt.during(() => hermes.execute(text))
  const { exitCode: interrupted } = interrupt

  printer?.end(result, interrupted !== undefined)
  if (args.has('json')) print(`${printableJson(result)}\n`)
  if (args.has('feedback')) print(renderFeedback(result))
  writeReport(result)
  if (interrupted !== undefined) return interrupted
  if (quiet && result.fatalError !== undefined) printError(`hermes: the run was stopped: ${result.fatalError}\n`)
  return exitCode(result, args.has('require-blocks'))
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
