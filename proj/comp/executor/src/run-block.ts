import type { AnyVerb, ParsedBlock, VerbContext } from '../../contracts/src/index.js'
import { parameterDefinitions, validateCall, type VerbRegistry } from '../../registry/src/index.js'
import { bounded, failure, type Outcome } from './failures.js'
import { namesFor } from './known-names.js'
import type { Settings } from './settings.js'

export interface BlockRun {
  outcome: Outcome
  /** The handler was started. */
  started: boolean
  /** The verb whose handler was started. */
  verb?: AnyVerb
  /** The parameters do not fit the verb. */
  isInvalid?: true
}

/** Types of verbs that act outside the file store, and so cannot be tried in a dry run. */
const NOT_IN_DRY_RUN = new Set(['exec', 'dynamic', 'git'])
/** Nobody is asked about what is not going to happen. */
const USER_INTERACTION = 'user_interaction'

/** Looks up, validates and runs one block. Never throws: whatever goes wrong is the block's outcome. */
export async function runBlock(
  block: ParsedBlock, registry: VerbRegistry, settings: Settings, context: VerbContext,
): Promise<BlockRun> {
  const { outcome, ...rest } = await attempt(block, registry, settings, context)
  return { outcome: bounded(outcome), ...rest }
}

async function attempt(
  block: ParsedBlock, registry: VerbRegistry, settings: Settings, context: VerbContext,
): Promise<BlockRun> {
  try {
    const verb = block.action === '' ? undefined : await registry.load(block.action)
    const refusal = verb ? await refuse(verb, settings, registry) : await unknownAction(block, registry, settings)
    if (refusal || !verb) return { outcome: { success: false, ...refusal }, started: false }
    const valid = validateCall(verb, block.format, block.params, settings.rules)
    if (!valid.ok) {
      const { code, message, hint } = valid
      const outcome = { success: false, error: message, code, ...(hint !== undefined && { hint }) }
      return { outcome, started: false, isInvalid: true }
    }
    if (settings.dryRun && (NOT_IN_DRY_RUN.has(verb.type) || verb.category === USER_INTERACTION)) {
      for (const path of pathsOf(verb, valid.args)) context.gate.approve(path, 'read')
      return { outcome: { success: true, hint: 'Dry run: not started.' }, started: false }
    }
    return { outcome: await handle(verb, block, valid.args, valid.warning, context), started: true, verb }
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

async function unknownAction(
  block: ParsedBlock, registry: VerbRegistry, settings: Settings,
): Promise<Pick<Outcome, 'error' | 'code' | 'hint'>> {
  if (block.action === '') {
    return {
      code: 'MISSING_ACTION', error: "Missing 'action' field in SHAM block",
      hint: `Add a line action = "…" with one of: ${await namesFor(block, registry, settings)}`,
    }
  }
  const meant = registry.nearest(block.action)
  return {
    code: 'UNKNOWN_ACTION',
    error: `Unknown action: ${block.action}`,
    hint: meant === undefined ? `Actions: ${await namesFor(block, registry, settings)}` : `Did you mean ${meant}?`,
  }
}

async function refuse(
  verb: AnyVerb, settings: Settings, registry: VerbRegistry,
): Promise<Pick<Outcome, 'error' | 'code' | 'hint'> | undefined> {
  if (!verb.accessibility.includes('llm')) {
    return { code: 'POLICY_DENIED', error: `${verb.name} can be called by the user only`, hint: 'Ask the user to run it.' }
  }
  const { inToolset, toolsets } = settings
  if (!inToolset || inToolset(verb)) return undefined
  const loaded = await Promise.allSettled(registry.names().map((name) => registry.load(name)))
  const enabled = loaded.flatMap((each) => (each.status === 'fulfilled' && each.value && inToolset(each.value) ? [each.value.name] : []))
  return {
    code: 'POLICY_DENIED',
    error: `${verb.name} is not in the enabled toolsets (${toolsets.join(', ') || 'none'})`,
    hint: enabled.length > 0 ? `Use a verb of ${toolsets.join(', ')}: ${enabled.join(', ')}.` : 'No verb is enabled: ask the user for a toolset.',
  }
}

/** The values of a call's path parameters. */
function pathsOf(verb: AnyVerb, args: unknown): string[] {
  const values = args as Record<string, unknown>
  return Object.entries(parameterDefinitions(verb.args))
    .filter(([, { format }]) => format === 'absolute_path' || format === 'path')
    .map(([name]) => values[name])
    .filter((value) => typeof value === 'string')
}
