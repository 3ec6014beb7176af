import { readAgentSettings } from '../../../2-config/src/index.js'
import type { AnyVerb } from '../../../0-contracts/src/index.js'
import { policyVerbs, unmetIn, type Unmet } from '../../../5-executor/src/index.js'
import { selectToolsets, TOOLSET_NAMES } from '../../../1-registry/src/index.js'

export interface ExaminedToolset {
  toolset: string
  /**
   * `partly`: some of its verbs cannot be used; `off`: the policy switches it off; `empty`:
   * nothing is configured for it.
   */
  status: 'available' | 'partly' | 'unavailable' | 'off' | 'empty'
  verbs: number
  /** Asked for, or in the user's settings: it counts for the exit code. */
  enabled: boolean
  problems: { reason: string; fix: string; verbs: string[] }[]
}

/**
 * Each toolset, and what keeps it from being used.
 *
 * @param all the verbs there are
 * @param given those that count; without any all, of which the user's settings say which are enabled
 */
export async function examineToolsets(
  root: string, all: readonly AnyVerb[], given: readonly string[],
): Promise<ExaminedToolset[]> {
  if (given.length > 0) selectToolsets(given)
  const enabled = given.length > 0 ? given : await configuredToolsets()
  const on = new Set((await policyVerbs(all, root)).map(({ name }) => name))
  const unmetOf = await unmetIn(root)
  return TOOLSET_NAMES.filter(name => given.length === 0 || given.includes(name))
    .map(name => examine(name, all.filter(selectToolsets([name])), { on, enabled, unmetOf }))
}

/** Those that the user's settings give to a model. @throws HermesError for a name there that is no toolset */
async function configuredToolsets(): Promise<readonly string[]> {
  const { toolsets = TOOLSET_NAMES, disabledToolsets } = await readAgentSettings()
  selectToolsets([...toolsets, ...disabledToolsets])
  return toolsets.filter(name => !disabledToolsets.includes(name))
}

function examine(
  toolset: string, verbs: readonly AnyVerb[], { on, enabled, unmetOf }: {
    on: ReadonlySet<string>
    enabled: readonly string[]
    unmetOf: (verb: AnyVerb) => Unmet | undefined
  },
): ExaminedToolset {
  const usable = verbs.filter(({ name }) => on.has(name))
  const problems = new Map<string, ExaminedToolset['problems'][number]>()
  for (const verb of usable) {
    const unmet = unmetOf(verb)
    if (!unmet) continue
    const known = problems.get(unmet.reason) ?? { ...unmet, verbs: [] }
    known.verbs.push(verb.name)
    problems.set(unmet.reason, known)
  }
  const missing = [...problems.values()].reduce((sum, one) => sum + one.verbs.length, 0)
  const status = verbs.length === 0 ? 'empty' : usable.length === 0 ? 'off'
    : missing === 0 ? 'available' : missing < usable.length ? 'partly' : 'unavailable'
  return {
    toolset, status, verbs: usable.length - missing, enabled: enabled.includes(toolset),
    problems: [...problems.values()],
  }
}
