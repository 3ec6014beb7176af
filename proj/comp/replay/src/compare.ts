import type { ResultRule } from '../../tool-mapping/src/index.js'
import type { RecordedOutcome, RecordedResult, TranscriptFormat } from '../../transcripts/src/index.js'
import type { ReplayOutcome } from './model.js'
import type { Normalizer } from './normalizer.js'
import { outcomeText } from './outcome-text.js'
import { tellsFailure } from './tells-failure.js'

export interface Comparison {
  outcome: ReplayOutcome
  expected?: string
  actual?: string
}

export interface Compared {
  recorded: RecordedResult | undefined
  actual: RecordedOutcome
  /** Of a call that was mapped. */
  rule: ResultRule | undefined
  format: TranscriptFormat
}

/** Holds what came of a block against what was recorded of it. */
export function compare({ recorded, actual, rule, format }: Compared, normalizer: Normalizer): Comparison {
  if (!recorded) return { outcome: 'unrecorded' }
  if (recorded.outcome && !rule) {
    return judge(recorded.outcome.success, actual.success, outcomeText(recorded.outcome, normalizer), outcomeText(actual, normalizer))
  }
  const failed = recorded.isError ?? rule?.failed(recorded.text) ?? (format === 'anthropic' && recorded.text !== '' ? false : undefined)
  const text = rule?.textOf(actual.data)
  // Without data there is no output to compare: the command did not run.
  if (text !== undefined && (actual.success || actual.data !== undefined)) {
    const [expected, now] = [rule?.unwrap(recorded.text) ?? '', text].map((one) => normalizer.text(one, true).trimEnd())
    return judge(true, true, expected ?? '', now ?? '')
  }
  if (failed === undefined) {
    if (actual.success) return { outcome: 'unrecorded' }
    // A command that printed something then has not even started now; of other calls a result tells that they worked.
    if (text === undefined && tellsFailure(recorded.text)) return { outcome: 'unrecorded' }
    return judge(true, false, shown(recorded, normalizer), outcomeText(actual, normalizer))
  }
  if (failed === !actual.success) return { outcome: 'same' }
  return judge(!failed, actual.success, shown(recorded, normalizer), outcomeText(actual, normalizer))
}

function judge(didSucceed: boolean, succeeds: boolean, expected: string, actual: string): Comparison {
  if (didSucceed !== succeeds) return { outcome: succeeds ? 'newly passing' : 'newly failing', expected, actual }
  return expected === actual ? { outcome: 'same' } : { outcome: 'changed', expected, actual }
}

function shown({ text }: RecordedResult, normalizer: Normalizer): string {
  return normalizer.text(text, true).trimEnd()
}
