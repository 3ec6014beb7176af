import { realpathSync } from 'node:fs'
import { readAgentSettings } from '../../../2-config/src/index.js'
import type { AnyVerb } from '../../../0-contracts/src/index.js'
import { policyVerbs, unmetIn, type Unmet } from '../../../5-executor/src/index.js'
import { selectToolsets, TOOLSET_NAMES } from '../../../1-registry/src/index.js'
import { createSandbox } from '../../../2-sandbox/src/index.js'
import { policyOf } from './policy-of.js'

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
  /** What is to know of its commands, where nothing holds them here. */
  commands?: string
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
  const commands = await unheldCommands(root)
  return TOOLSET_NAMES.filter(name => given.length === 0 || given.includes(name))
    .map(name => examine(name, all.filter(selectToolsets([name])), { on, enabled, unmetOf, commands }))
}

/** Where no sandbox works each command is asked about, or refused where the user named one that is to hold it. */
async function unheldCommands(root: string): Promise<string | undefined> {
  const { sandbox, terminal } = await policyOf(root)
  if (sandbox.value === 'none' || (terminal.backend ?? 'local') !== 'local') return undefined
  const problem = await createSandbox({ root: realpathSync(root), mode: sandbox.value }).problem()
  if (problem === undefined) return undefined
  return sandbox.value === 'auto' ? `each command asks first: there is no sandbox (${problem})`
    : `no command runs: the sandbox ${sandbox.value} does not work here (${problem})`
}

/** Those that the user's settings give to a model. @throws HermesError for a name there that is no toolset */
async function configuredToolsets(): Promise<readonly string[]> {
  const { toolsets = TOOLSET_NAMES, disabledToolsets } = await readAgentSettings()
  selectToolsets([...toolsets, ...disabledToolsets])
  return toolsets.filter(name => !disabledToolsets.includes(name))
}

function examine(
  toolset: string, verbs: readonly AnyVerb[], { on, enabled, unmetOf, commands }: {
    on: ReadonlySet<string>
    enabled: readonly string[]
    unmetOf: (verb: AnyVerb) => Unmet | undefined
    commands: string | undefined
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
    ...(commands !== undefined && usable.some(isCommand) && { commands }),
  }
}

const isCommand = selectToolsets(['execute'])
