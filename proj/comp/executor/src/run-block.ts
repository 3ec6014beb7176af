import {
  HermesError, isNodeError, type ActionResult, type AnyVerb, type ParsedBlock, type VerbContext,
} from '../../contracts/src/index.js'
import { formatNodeError } from '../../files/src/index.js'
import { validateCall, type VerbRegistry } from '../../registry/src/index.js'
import type { Settings } from './settings.js'

type Outcome = Pick<ActionResult, 'success' | 'error' | 'code' | 'hint' | 'data'>

export interface BlockRun {
  outcome: Outcome
  /** The handler was started. */
  started: boolean
}

/** Verbs that act outside the file store, and so cannot be tried in a dry run. */
const NOT_IN_DRY_RUN = new Set(['exec', 'dynamic', 'git'])

/** Looks up, validates and runs one block. Never throws: whatever goes wrong is the block's outcome. */
export async function runBlock(block: ParsedBlock, registry: VerbRegistry, settings: Settings, context: VerbContext): Promise<BlockRun> {
  try {
    const verb = block.action === '' ? undefined : await registry.load(block.action)
    const refusal = verb ? refuse(verb, settings) : unknownAction(block, registry)
    if (refusal || !verb) return { outcome: { success: false, ...refusal }, started: false }
    const valid = validateCall(verb, block.format, block.params, settings.rules)
    if (!valid.ok) {
      const { code, message, hint } = valid
      return { outcome: { success: false, error: message, code, ...(hint !== undefined && { hint }) }, started: false }
    }
    if (settings.dryRun && NOT_IN_DRY_RUN.has(verb.type)) {
      return { outcome: { success: true, hint: 'Dry run: not started.' }, started: false }
    }
    return { outcome: await handle(verb, block, valid.args, valid.warning, context), started: true }
  } catch (error) {
    return { outcome: failure(error, block), started: false }
  }
}

async function handle(
  verb: AnyVerb, block: ParsedBlock, args: unknown, warning: string | undefined, context: VerbContext,
): Promise<Outcome> {
  try {
    const data: unknown = await verb.handler(args as never, context)
    return { success: true, ...(data !== undefined && { data }), ...(warning !== undefined && { hint: warning }) }
  } catch (error) {
    return failure(error, block, verb)
  }
}

function unknownAction(block: ParsedBlock, registry: VerbRegistry): Pick<Outcome, 'error' | 'code' | 'hint'> {
  const names = registry.names()
  if (block.action === '') {
    return { code: 'MISSING_ACTION', error: "Missing 'action' field in SHAM block", hint: `Add a line action = "…" with one of: ${names.join(', ')}.` }
  }
  const meant = registry.nearest(block.action)
  return {
    code: 'UNKNOWN_ACTION',
    error: `Unknown action: ${oneLine(block.action)}`,
    hint: meant === undefined ? `Actions: ${names.join(', ')}.` : `Did you mean ${meant}?`,
  }
}

function refuse(verb: AnyVerb, settings: Settings): Pick<Outcome, 'error' | 'code' | 'hint'> | undefined {
  if (!verb.accessibility.includes('llm')) {
    return { code: 'POLICY_DENIED', error: `${verb.name} can be called by the user only`, hint: 'Ask the user to run it.' }
  }
  if (settings.inToolset && !settings.inToolset(verb)) {
    return { code: 'POLICY_DENIED', error: `${verb.name} is not in the enabled toolsets`, hint: 'Use a verb of the enabled toolsets.' }
  }
  return undefined
}

function failure(error: unknown, block: ParsedBlock, verb?: AnyVerb): Outcome {
  if (error instanceof HermesError) {
    const { code, hint, data } = error
    return {
      success: false, error: oneLine(error.message), code,
      ...(hint !== undefined && { hint }), ...(data !== undefined && { data }),
    }
  }
  if (isNodeError(error)) {
    const primary = verb?.primary === undefined ? undefined : block.params[verb.primary]
    const path = typeof primary === 'string' ? primary : (error.path ?? '')
    return { success: false, error: oneLine(formatNodeError(error, path, verb?.name ?? block.action)), code: error.code }
  }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return {
    success: false, code: 'INTERNAL', error: oneLine(`Internal error in ${block.action}: ${message}`),
    hint: 'This is a defect of hermes or of the verb; other blocks are not affected.',
  }
}

/** Errors are one line; the rest of a longer message would look like other lines of a report. */
function oneLine(message: string): string {
  return message.replace(/\s*[\r\n]+\s*/g, ' ')
}
