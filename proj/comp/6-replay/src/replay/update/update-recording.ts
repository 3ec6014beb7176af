import { isRecord, type ActionResult, type ParseError } from '../../../../0-contracts/src/index.js'
import { blockOutcomes, recordedRuns, type RecordPlace } from '../../../../2-transcripts/src/index.js'
import { JsonText } from '../compare/json-text.js'
import type { MadeResult } from '../replay-transcript.js'
import { isNew, type RecordUpdater, type Rewritten, type UpdateCounts } from './update-model.js'

interface BlockEnd extends Pick<RecordPlace, 'start' | 'bytes'> {
  result: ActionResult
}

/** Updates a recording of hermes: its events stay, and each result gets its present fields. */
export function recordingUpdater(made: readonly MadeResult[], counts: UpdateCounts): RecordUpdater {
  const places = new Map<unknown, RecordPlace>()
  return {
    take(place) {
      if (place.part !== undefined) places.set(place.value, place)
      return []
    },
    end() {
      return recordedRuns([...places.keys()]).flatMap(({ events }, index) => {
        const ends = events.flatMap((event): BlockEnd[] => {
          const { type, result } = event
          const place = places.get(event)
          return type === 'block-end' && isRecord(result) && place
            ? [{ ...place, result: result as unknown as ActionResult }] : []
        })
        const errors = events.filter(({ type }) => type === 'parse-error').map(({ error }) => error as ParseError)
        return rewriteRun({ ends, errors, made: made.filter(({ turn }) => turn === index + 1) }, counts)
      })
    },
  }
}

interface Run {
  ends: readonly BlockEnd[]
  errors: readonly ParseError[]
  made: readonly MadeResult[]
}

function rewriteRun({ ends, errors, made }: Run, counts: UpdateCounts): Rewritten[] {
  const rewritten: Rewritten[] = []
  const order = blockOutcomes(ends.map(({ result }) => result), errors)
  // In the order of `blockOutcomes`: several blocks may be on one line.
  const inOrder = [...ends].sort((a, b) => a.result.startLine - b.result.startLine)
  for (const [at, { params, action }] of order.entries()) {
    const end = params === undefined ? undefined : inOrder.shift()
    const result = made[at]
    if (result && !isNew(result)) continue
    const now = result?.result?.outcome
    if (!now || made.length !== order.length || action === '' || !end) {
      counts.without++
      continue
    }
    const { success: _, error: __, code: ___, hint: ____, data: _____, ...rest } = end.result
    const json = new JsonText(end.bytes.toString('utf8'))
    json.replace(['result'], { ...rest, ...now })
    rewritten.push({ start: end.start, bytes: end.bytes, text: json.toString() })
    counts.put++
  }
  return rewritten
}
