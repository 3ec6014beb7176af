import {
  HermesError, type ActionResult, type ExecutionResult, type ParseError,
} from '../../../0-contracts/src/index.js'
import { mendText, parse, putFixes } from '../../../1-reading/src/index.js'
import { execute, type ExecutorOptions } from '../executor/index.js'

/** Most rounds. Each round can reveal the next error: first the name, then the parameters of its verb. */
const MOST_ROUNDS = 8

/** Codes of errors in a block itself, whatever the state of the machine. */
const OF_BLOCK: ReadonlySet<string> = new Set([
  'UNKNOWN_ACTION', 'MISSING_ACTION', 'MISSING_PARAMETER', 'UNKNOWN_PARAMETER', 'INVALID_PARAMETER',
])

/** An answer with its fixes in place; `text` is the answer itself where there was nothing to fix. */
export interface MendedAnswer {
  text: string
  /** Errors whose fix was applied. Line numbers refer to the text before that round. */
  mended: ParseError[]
  /** The same for blocks that parsed but would not have run. */
  mendedResults: ActionResult[]
  /** Errors left in the corrected text. */
  errors: ParseError[]
  results: ActionResult[]
}

/**
 * Applies every fix to an answer, also for blocks that do not match their verb, which a dry run finds. Nothing is
 * changed and no command is started.
 *
 * @param options those of the run; `editFormats` as the answer is read
 * @throws HermesError `INVALID_OPTION`, `RUN_STOPPED` where nothing could run
 */
export async function mendAnswer(given: string, options: ExecutorOptions = {}): Promise<MendedAnswer> {
  const mended: ParseError[] = []
  const mendedResults: ActionResult[] = []
  let text = given
  for (let round = 1; ; round++) {
    const read = mendText(text, (whole) => parse(whole, options))
    mended.push(...read.mended)
    const { results } = await dryRun(read.text, options)
    const fixable = results.flatMap((result) => (result.fix ? [{ result, fix: result.fix }] : []))
    const put = round === MOST_ROUNDS ? { text: read.text, used: [] } : putFixes(read.text, fixable)
    if (put.used.length === 0) {
      const left = results.filter(({ success, code = '' }) => !success && OF_BLOCK.has(code))
      return { text: read.text, mended, mendedResults, errors: read.outcome.errors, results: left }
    }
    text = put.text
    mendedResults.push(...put.used.map(({ result }) => result))
  }
}

async function dryRun(text: string, options: ExecutorOptions): Promise<ExecutionResult> {
  const result = await execute(text, { ...options, dryRun: true, checkMs: 0, approve: () => 'once' })
  if (result.fatalError === undefined) return result
  throw new HermesError('RUN_STOPPED', `Nothing can run: ${result.fatalError}`, { hint: 'Mend that first.' })
}
