import { realpathSync } from 'node:fs'
import { readAgentSettings } from '../../../2-config/src/index.js'
import type { AnyVerb } from '../../../0-contracts/src/index.js'
import { valueAt } from '../../../0-text/src/index.js'
import { policyVerbs, unmetIn, userPolicy, type Unmet } from '../../../5-executor/src/index.js'
import { selectToolsets, TOOLSET_NAMES } from '../../../1-registry/src/index.js'
import { createSandbox } from '../../../2-sandbox/src/index.js'

export interface ExaminedToolset {
  toolset: string
  /**
   * `partly`: some of its verbs cannot be used; `off`: switched off by the policy; `empty`: nothing is configured for
   * it.
   */
  status: 'available' | 'partly' | 'unavailable' | 'off' | 'empty'
  verbs: number
  /** Whether it was asked for, or enabled in the user's settings: then it counts for the exit code. */
  enabled: boolean
  problems: { reason: string; fix: string; verbs: string[] }[]
  /** A note on its commands, where no sandbox confines them here. */
  commands?: string
}

/**
 * Examines each toolset for reasons why it cannot be used.
 *
 * @param all all existing verbs
 * @param given toolsets to examine; if empty all, of which the user's settings enable some
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

/** What happens to commands where no sandbox works: each needs approval, or is refused if the user named a sandbox. */
async function unheldCommands(root: string): Promise<string | undefined> {
  const { sandbox, terminal } = await userPolicy(realpathSync(root))
  if (sandbox.value === 'none' || (terminal.backend ?? 'local') !== 'local') return undefined
  const problem = await createSandbox({ root: realpathSync(root), mode: sandbox.value }).problem()
  if (problem === undefined) return undefined
  return sandbox.value === 'auto' ? `each command asks first: there is no sandbox (${problem})`
    : `no command runs: the sandbox ${sandbox.value} does not work here (${problem})`
}

/** The toolsets that the user's settings enable. @throws HermesError for an unknown toolset among them */
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
    valueAt(problems, unmet.reason, () => ({ ...unmet, verbs: [] })).verbs.push(verb.name)
  }
  const missing = [...problems.values()].reduce((sum, problem) => sum + problem.verbs.length, 0)
  const status = verbs.length === 0 ? 'empty' : usable.length === 0 ? 'off'
    : missing === 0 ? 'available' : missing < usable.length ? 'partly' : 'unavailable'
  return {
    toolset, status, verbs: usable.length - missing, enabled: enabled.includes(toolset),
    problems: [...problems.values()],
    ...(commands !== undefined && usable.some(isCommand) && { commands }),
  }
}

const isCommand = selectToolsets(['execute'])
