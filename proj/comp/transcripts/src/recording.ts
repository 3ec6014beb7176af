import { EDIT_FORMATS, isRecord, type ActionResult, type ParseError } from '../../contracts/src/index.js'
import { invalidTranscript } from './failures.js'
import { asText, listOf, textOf } from './fields.js'
import type { Conversation, TranscriptSettings } from './model.js'
import { blockOutcomes, recordedOutcome } from './outcomes.js'
import { TurnBuilder } from './turns.js'

/** Of the schema in docs/replay.md; a reader takes no later one. */
export const RECORDING_VERSION = 1

/** What `hermes apply --record` wrote: one event a line, of one run or of several in the order they were made. */
export function readRecording(events: readonly unknown[]): Conversation {
  const builder = new TurnBuilder()
  let root: string | undefined
  let aliases: string[] = []
  let settings: TranscriptSettings | undefined
  let results: ActionResult[] = []
  let errors: ParseError[] = []
  const endTurn = (): void => {
    for (const outcome of blockOutcomes(results, errors)) builder.result(recordedOutcome(outcome))
    results = []
    errors = []
  }
  for (const [index, event] of events.entries()) {
    if (!isRecord(event)) throw invalidTranscript(`Event ${index + 1} is no object`)
    const { type } = event
    if (type === 'run') {
      endTurn()
      if (event['version'] !== RECORDING_VERSION) {
        throw invalidTranscript(`The recording has version ${asText(event['version'])}, this hermes reads ${RECORDING_VERSION}`)
      }
      root ??= textOf(event['root'])
      settings ??= settingsIn(event)
      aliases = [...new Set([...aliases, ...listOf(event['rootAliases']).map(asText)])]
    } else if (type === 'answer') {
      builder.begin()
      builder.text(asText(event['text']))
    } else if (type === 'block-end' && isActionResult(event['result'])) results.push(event['result'])
    else if (type === 'parse-error' && isParseError(event['error'])) errors.push(event['error'])
  }
  endTurn()
  return {
    turns: builder.end(),
    ...(root !== undefined && { root }),
    ...(aliases.length > 0 && { rootAliases: aliases }),
    ...(settings && { settings }),
  }
}

/** What decides how answers are read and run, where a record says so. */
export function settingsIn(event: Record<string, unknown>): TranscriptSettings | undefined {
  const { relativePaths, match } = event
  const editFormats = EDIT_FORMATS.filter((format) => listOf(event['editFormats']).includes(format))
  const settings: TranscriptSettings = {
    ...(relativePaths === true && { relativePaths }),
    ...(editFormats.length > 0 && { editFormats }),
    ...((match === 'exact' || match === 'tolerant') && { match }),
  }
  return Object.keys(settings).length > 0 ? settings : undefined
}

/** What an exported transcript says of the run it was made from. */
export function placeIn(record: unknown): Pick<Conversation, 'root' | 'rootAliases' | 'settings'> {
  const place = isRecord(record) ? record['hermes'] : undefined
  if (!isRecord(place)) return {}
  const root = textOf(place['root'])
  const rootAliases = listOf(place['rootAliases']).filter((alias) => typeof alias === 'string')
  const settings = settingsIn(place)
  return { ...(root !== undefined && { root }), ...(rootAliases.length > 0 && { rootAliases }), ...(settings && { settings }) }
}

function isActionResult(value: unknown): value is ActionResult {
  return isRecord(value) && typeof value['success'] === 'boolean' && typeof value['startLine'] === 'number'
    && typeof value['blockId'] === 'string' && typeof value['action'] === 'string' && isRecord(value['params'])
}

function isParseError(value: unknown): value is ParseError {
  return isRecord(value) && typeof value['startLine'] === 'number' && isRecord(value['error'])
    && typeof value['error']['message'] === 'string' && typeof value['error']['code'] === 'string'
}
