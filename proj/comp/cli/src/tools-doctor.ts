import { readAgentSettings } from '../../config/src/index.js'
import type { AnyVerb } from '../../contracts/src/index.js'
import { policyVerbs, unmetRequirement } from '../../executor/src/index.js'
import { selectToolsets, TOOLSET_NAMES, VerbRegistry } from '../../registry/src/index.js'
import { createPalette, plural } from '../../reports/src/index.js'
import { printableJson } from '../../text/src/index.js'
import { VERBS } from '../../verbs/src/index.js'
import type { Arguments } from './arguments.js'
import { existingRoot } from './existing-root.js'
import { EXIT } from './exit-codes.js'
import { print, wantsColour } from './output.js'

interface Examined {
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

/** `hermes tools doctor`: each toolset, and what keeps it from being used. */
export async function toolsDoctor(args: Arguments): Promise<number> {
  const root = existingRoot(args)
  const given = args.values('toolset')
  if (given.length > 0) selectToolsets(given)
  const enabled = given.length > 0 ? given : await configuredToolsets()
  const all = await new VerbRegistry(VERBS).loadAll()
  const on = new Set((await policyVerbs(all, root)).map(({ name }) => name))
  const examined = TOOLSET_NAMES.filter(name => given.length === 0 || given.includes(name))
    .map(name => examine(name, all.filter(selectToolsets([name])), { on, enabled }))
  print(args.has('json') ? `${printableJson(examined)}\n` : text(examined))
  return examined.some(one => one.enabled && ['partly', 'unavailable'].includes(one.status)) ? EXIT.failed : EXIT.ok
}

/** Those that the user's settings give to a model. @throws HermesError for a name there that is no toolset */
async function configuredToolsets(): Promise<readonly string[]> {
  const { toolsets = TOOLSET_NAMES, disabledToolsets } = await readAgentSettings()
  selectToolsets([...toolsets, ...disabledToolsets])
  return toolsets.filter(name => !disabledToolsets.includes(name))
}

function examine(
  toolset: string, verbs: readonly AnyVerb[], { on, enabled }: { on: ReadonlySet<string>; enabled: readonly string[] },
): Examined {
  const usable = verbs.filter(({ name }) => on.has(name))
  const problems = new Map<string, Examined['problems'][number]>()
  for (const verb of usable) {
    const unmet = unmetRequirement(verb)
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

const WORDS: Readonly<Record<Examined['status'], string>> = {
  available: 'available', partly: 'partly available', unavailable: 'not available', off: 'switched off by the policy',
  empty: 'nothing is configured for it',
}

function text(examined: readonly Examined[]): string {
  const { good, bad, note, faint, strong } = createPalette(wantsColour())
  const paint = { available: good, partly: note, unavailable: bad, off: faint, empty: faint }
  const width = Math.max(...examined.map(({ toolset }) => toolset.length)) + 2
  return examined.flatMap(({ toolset, status, verbs, enabled, problems }) => [
    [
      strong(toolset.padEnd(width)), paint[status](WORDS[status]), verbs > 0 ? faint(`, ${plural(verbs, 'verb')}`) : '',
      enabled ? '' : faint(', not in your settings'),
    ].join(''),
    ...problems.map(({ reason, fix, verbs: names }) => `  ${reason}: ${names.join(', ')}\n    ${fix}`),
  ]).join('\n').concat('\n')
}
