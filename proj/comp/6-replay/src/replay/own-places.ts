import {
  matchResults, stepsOf, type Asked, type RecordedCall, type Transcript,
} from '../../../2-transcripts/src/index.js'
import type { MadeResult, Replayed } from './replay-transcript.js'

/** A result as it may be shared: without the places in a record where it would be written. */
export function withoutPlaces(replayed: Replayed): Replayed {
  const { results } = replayed
  return results ? { ...replayed, results: results.map((step) => step.map((made) => placed(made, {}))) } : replayed
}

/** Results made elsewhere, with the places of the own transcript. `undefined` where they do not match its steps. */
export function withOwnPlaces(
  { turns }: Transcript, results: readonly (readonly MadeResult[])[],
): MadeResult[][] | undefined {
  const steps = stepsOf(turns)
  if (steps.length !== results.length) return undefined
  let before = 0
  const all = steps.map(({ turns: own, results: recorded }, at) => {
    const made = results[at] ?? []
    const asked = own.flatMap(({ calls }, index) =>
      askedOf(calls, made.filter(({ turn }) => turn === before + index + 1).length))
    const isInOrder = made.every(({ turn }, index) => turn >= (made[index - 1]?.turn ?? before + 1))
    before += own.length
    if (!isInOrder || asked.length !== made.length) return undefined
    const matched = matchResults(asked, recorded)
    return made.map((result, index) => placed(result, { callId: asked[index]?.callId, place: matched[index]?.place }))
  })
  const known = all.filter((candidate) => candidate !== undefined)
  return known.length === all.length ? known : undefined
}

/** For a turn with so many results: the blocks of its text, then its calls. */
function askedOf(calls: readonly Pick<RecordedCall, 'id' | 'byService'>[], count: number): Asked[] {
  const blocks = Array.from({ length: Math.max(0, count - calls.length) }, () => ({ isCall: false }))
  return [...blocks, ...calls.map(({ id: callId, byService }) => ({ isCall: true, callId, byService }))]
}

type Where = Pick<NonNullable<MadeResult['result']>, 'place'> & { callId?: string | undefined }

function placed(
  { result, ...made }: MadeResult, { callId, place }: { [Name in keyof Where]?: Where[Name] | undefined },
): MadeResult {
  if (!result) return { ...made, result }
  const { place: _, callId: __, ...said } = result
  return { ...made, result: { ...said, ...(callId !== undefined && { callId }), ...(place && { place }) } }
}
