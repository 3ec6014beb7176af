import {
  HermesError, type ActionResult, type ExecutionResult, type Fix, type ParseError,
} from '../../../0-contracts/src/index.js'
import { mendText, parse, putFixes } from '../../../1-reading/src/index.js'
import { Hermes, type ExecutorOptions } from '../executor/index.js'

/** Each round mends what the one before laid open: a name first, then what its verb wants. */
const MOST_ROUNDS = 8

/** What is wrong with a block itself, wherever it runs. */
const OF_BLOCK: ReadonlySet<string> = new Set([
  'UNKNOWN_ACTION', 'MISSING_ACTION', 'MISSING_PARAMETER', 'UNKNOWN_PARAMETER', 'INVALID_PARAMETER',
])

export interface MendedAnswer {
  text: string
  /** The errors whose fix was used. Their lines are those of the text as the round before left it. */
  mended: ParseError[]
  /** Likewise the blocks that parsed and would not have run. */
  mendedResults: ActionResult[]
  /** What the mended text still has that no block can run with. */
  errors: ParseError[]
  results: ActionResult[]
}

/**
 * An answer with each fix in place, those of blocks that do not fit their verb as well: a dry run says which. Nothing
 * is changed and no command is started.
 *
 * @param options those of the run; `editFormats` as the answer is read
 * @throws HermesError `INVALID_OPTION`, `RUN_STOPPED` where nothing could run
 */
export async function mendAnswer(given: string, options: ExecutorOptions): Promise<MendedAnswer> {
  const mended: ParseError[] = []
  const mendedResults: ActionResult[] = []
  let text = given
  for (let round = 1; ; round++) {
    const read = mendText(text, (whole) => parse(whole, options))
    mended.push(...read.mended)
    const { results } = await dryRun(read.text, options)
    const put = round === MOST_ROUNDS ? { text: read.text, used: [] } : putFixes(read.text, results.flatMap(withFix))
    if (put.used.length === 0) {
      const left = results.filter(({ success, code = '' }) => !success && OF_BLOCK.has(code))
      return { text: read.text, mended, mendedResults, errors: read.outcome.errors, results: left }
    }
    text = put.text
    mendedResults.push(...put.used.map(({ result }) => result))
  }
}

function withFix(result: ActionResult): { result: ActionResult; fix: Fix }[] {
  return result.fix ? [{ result, fix: result.fix }] : []
}

async function dryRun(text: string, options: ExecutorOptions): Promise<ExecutionResult> {
  const hermes = new Hermes({ ...options, dryRun: true, checkMs: 0, approve: () => 'once' })
  try {
    const result = await hermes.execute(text)
    if (result.fatalError === undefined) return result
    throw new HermesError('RUN_STOPPED', `Nothing can run: ${result.fatalError}`, { hint: 'Mend that first.' })
  } finally {
    await hermes[Symbol.asyncDispose]()
  }
}
