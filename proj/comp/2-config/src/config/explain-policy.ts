import { DEFAULT_CHECKS, type Permission, type PolicyClass } from '../../../0-contracts/src/index.js'
import { DEFAULT_CALL_TOKENS, DEFAULT_REPLY_TOKENS } from '../../../1-reports/src/index.js'
import { shownCommand } from './hook-commands.js'
import { loadPolicy, policySources } from './load-policy.js'
import { LIMIT_OF, namesAt, POLICY_LISTS } from './policy-schema.js'
import { dialectSources, NO_MAPPING } from './reading-choices.js'
import type { PolicySource } from './source.js'
import { bytesInWords, millisecondsInWords } from './units.js'

/** An effective value, and the line that sets it. */
export interface ExplainedValue {
  value: string
  /** `hermes.yaml:7`, `default`. */
  from: string
}

export interface ExplainedField {
  /** Full name: `verbs.exec`. */
  name: string
  /** One value, or the entries of a list. */
  values: ExplainedValue[]
  isList: boolean
}

export interface ExplainedPolicy {
  fields: ExplainedField[]
  /** Settings without effect, one line each. */
  warnings: string[]
}

const DEFAULT = 'default'
/** Fields that only count in the user's file. */
const OF_THE_USER = ['readable', 'command_allowlist', 'env', 'trusted_hooks', 'verbs.modules']

/**
 * Each field of the policy that applies to a root, with the sources of its values.
 *
 * @param root absolute, links resolved
 * @throws HermesError `INVALID_POLICY`, `POLICY_DENIED`
 */
export async function explainPolicy(root: string): Promise<ExplainedPolicy> {
  const request = { root, policy: undefined, wishes: { limits: {} } }
  const { policy, limits, reading, hooks, warnings } = await loadPolicy(request)
  const { user, projects } = await policySources(root, undefined)
  const sources = [...(user ? [user] : []), ...projects]
  const field = (name: string, value: string, from: string | undefined): ExplainedField => (
    { name, values: [{ value, from: from ?? DEFAULT }], isList: false }
  )
  const lists = POLICY_LISTS.map((name): ExplainedField => {
    const those = OF_THE_USER.includes(name) ? sources.slice(0, user ? 1 : 0)
      : name === 'dialects' ? dialectSources(user, projects) : sources
    const entries = those.flatMap((source) => entriesOf(source, name))
    const counts = name === 'command_allowlist'
      ? entries.filter(({ value }) => policy.commandAllowlist.includes(value)) : entries
    return { name, values: counts, isList: true }
  })
  const verbs = (Object.keys(policy.verbs) as PolicyClass[]).map((name) => (
    name === 'network' && policy.hosts
      ? field('verbs.network', hostsInWords(policy.verbs.network.value, policy.hosts.value), policy.hosts.by)
      : field(`verbs.${name}`, policy.verbs[name].value, policy.verbs[name].by)
  ))
  const bounds = (Object.keys(LIMIT_OF) as (keyof typeof LIMIT_OF)[]).map((name) => {
    const [limit] = LIMIT_OF[name]
    const value = limits[limit]
    const from = sources.find(({ values }) => values.limits?.[name] === value)
    const words = limit.endsWith('Ms') ? millisecondsInWords : limit.endsWith('Bytes') ? bytesInWords : String
    return field(`limits.${name}`, words(value), from?.place('limits', name))
  })
  const terminal = namesAt(['terminal']).flatMap((name) => {
    const value = user?.values.terminal?.[name as 'backend']
    if (value === undefined) return name === 'backend' ? [field('terminal.backend', 'local', undefined)] : []
    return [field(`terminal.${name}`, value, user?.place('terminal', name))]
  })
  const commands = (['before', 'after_write', 'after'] as const).map((on): ExplainedField => ({
    name: `hooks.${on}`, isList: true,
    values: hooks.filter((hook) => hook.on === on).map(({ run, by, project }) => (
      { value: `${shownCommand(run)}${project && !project.isTrusted ? ' (not trusted: asked first)' : ''}`, from: by }
    )),
  }))
  return {
    fields: [
      ...lists, field('mapping', reading.mapping?.value ?? NO_MAPPING, reading.mapping?.by),
      field('checks', reading.checks?.value ?? DEFAULT_CHECKS, reading.checks?.by),
      field('reply.tokens', String(reading.replyTokens?.value ?? DEFAULT_REPLY_TOKENS), reading.replyTokens?.by),
      field('reply.call_tokens', String(reading.callTokens?.value ?? DEFAULT_CALL_TOKENS), reading.callTokens?.by),
      ...verbs, field('sandbox', policy.sandbox.value, policy.sandbox.by), ...bounds, ...terminal,
      ...commands.filter(({ values }) => values.length > 0),
    ],
    warnings,
  }
}

/** Describes the allowed hosts, and whether the network has to be asked for first. */
function hostsInWords(permission: Permission, hosts: readonly string[]): string {
  return `${permission === 'ask' ? 'ask, then ' : ''}${hosts.join(', ')}`
}

function entriesOf({ values, place }: PolicySource, name: string): ExplainedValue[] {
  const entries = (name === 'verbs.modules' ? values.verbs?.modules : values[name as 'deny']) ?? []
  return entries.map((value, index) => ({ value, from: place(...name.split('.'), index) }))
}
