import { type ParsedBlock, settingName } from '../../../0-contracts/src/index.js'
import { callText } from '../../../1-registry/src/index.js'
import type { Understood, VerbCall } from '../../../2-mapping/src/index.js'

/** Longest call that a hint shows whole, in UTF-16 units; of longer ones it lists the parameter names. */
const MOST_CALL = 2000
/** Most calls shown, of a block that holds several. */
const MOST_CALLS = 8

type Unmapped = Extract<Understood, { kind: 'unmapped' }>

/**
 * The hint for an action that is no verb: the verb call that a mapping makes of it; `undefined` where there is none,
 * and its name gives no clue.
 */
export async function foreignHint(
  block: ParsedBlock, understood: Understood, isOffered: (verb: string) => Promise<boolean>,
): Promise<string | undefined> {
  const { action } = block
  switch (understood.kind) {
    case 'call': {
      const { call, mappings } = understood
      if (!await isOffered(call.verb)) return undefined
      if (call.missing.length > 0) return missingHint(action, call)
      return `Write it as a call of ${call.verb}${written(block, [call])}\n${withMapping(mappings)}`
    }
    case 'ambiguous': return ambiguousHint(action, understood)
    case 'several': {
      const { calls, mappings } = understood
      if (!(await Promise.all(calls.map(({ verb }) => isOffered(verb)))).every(Boolean)) return undefined
      return `Write each of them as a call of its own${written(block, calls)}\n${withMapping(mappings)}`
    }
    case 'unmapped': return unmappedHint(block, understood)
    case 'skipped': return `Leave it out: ${understood.reason}.`
    case 'unknown': return undefined
  }
}

/** The hint for a mapped call that lacks parameters of its verb. @param call the mapped call */
export function missingHint(action: string, { verb, missing }: VerbCall): string {
  return `${action} runs as ${verb}, which needs ${missing.join(', ')} too: add ${missing.length > 1 ? 'them' : 'it'}.`
}

export function ambiguousHint(action: string, { readings }: Extract<Understood, { kind: 'ambiguous' }>): string {
  const meanings = readings.map(({ calls, mappings }) => (
    `${calls.map((call) => `${call.verb} ${shortArguments(call)}`).join(' and ') || 'nothing to run'} `
      + `(${mappings.join(', ')})`
  ))
  return `${action} means different things: ${meanings.join(', or ')}. Call the verb that is meant by its own name; `
    + `the user can say whose tool it is with ${settingName('mapping')}.`
}

export function unmappedHint({ action }: ParsedBlock, { reason, mappings }: Unmapped): string {
  return `It is known as a tool of ${mappings.join(', ')}, but not as it is written here: ${reason}. `
    + (elseHint(action) ?? 'Call a verb by its own name; hermes tools list shows all.')
}

/** The hint for calls that should run as one and cannot. */
export function apartHint(block: ParsedBlock, { calls }: Extract<Understood, { kind: 'several' }>): string {
  return `Write each of them as a call of its own${written(block, calls)}`
}

/** The hint for an unknown action whose name suggests that it changes part of a file. */
export function elseHint(action: string): string | undefined {
  return /edit|replace|patch|modify|update|diff/i.test(action)
    ? 'To change part of a file, write edit_replace with path, old_text (whole lines as they stand in the file) and '
      + 'new_text.' : undefined
}

function written(block: ParsedBlock, calls: readonly VerbCall[]): string {
  const { format, id } = block
  const texts = calls.slice(0, MOST_CALLS).map(({ verb, arguments: args }) => callText(format, id, verb, args))
  const rest = calls.length > texts.length ? `\n(and ${calls.length - texts.length} more like these)` : ''
  const whole = `:\n${texts.join('\n')}${rest}`
  if (whole.length <= MOST_CALL) return whole
  const each = calls.slice(0, MOST_CALLS).map((call) => `${call.verb} with ${Object.keys(call.arguments).join(', ')}`)
  return `: ${each.join('; ')}${rest}.`
}

function withMapping(mappings: readonly string[]): string {
  const name = mappings.length === 1 ? mappings[0] : 'auto'
  return `hermes runs it as it is with ${settingName('mapping')} ${name}.`
}

/** Short, but enough to tell two readings apart. */
function shortArguments({ arguments: args }: VerbCall): string {
  const text = JSON.stringify(args)
  return text.length <= 200 ? text : `with ${Object.keys(args).join(', ')}`
}
