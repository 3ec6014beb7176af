import type {
  KeptReading, Limits, NetworkReach, Permission, Policy, PolicyClass, Ruling, SandboxMode,
} from '../../../0-contracts/src/index.js'
import { compilePattern } from '../../../2-files/src/index.js'
import { DEFAULT_LIMITS, DEFAULT_POLICY } from './defaults.js'
import { shownOwnFile } from './hermes-home.js'
import { mergeNetwork, mergeSandbox } from './merge-confinement.js'
import { languageServers, mcpServers } from './server-settings.js'
import { LIMIT_OF } from './policy-schema.js'
import { keptReading } from './reading-choices.js'
import type { PolicySource } from './source.js'
import { PERMISSIONS, smallest, strictest } from './strictest.js'

const LIST_FIELDS = ['command_allowlist', 'env'] as const

/** Settings by options or flags of a run; `undefined`: not set. */
export interface PolicyWishes {
  sandbox?: SandboxMode | undefined
  network?: NetworkReach | undefined
  limits: Partial<Limits>
}

/** Classes that hold a permission only; `network` may also be a list of hosts. */
type HeldClass = Exclude<PolicyClass, 'network'>

export interface MergedPolicy {
  policy: Policy
  limits: Limits
  reading: KeptReading
  /** Settings of a project's file that are not permitted, one line each. */
  warnings: string[]
}

/**
 * Merges all policies. A setting replaces the default; of several settings the strictest counts; a project can only
 * make the policy stricter.
 *
 * @param user the user's file, or an option in its place
 * @throws HermesError `POLICY_DENIED` where an option asks for what a file denies
 */
export function mergePolicies(
  user: PolicySource | undefined, projects: readonly PolicySource[], wishes: PolicyWishes,
): MergedPolicy {
  const sources = [...(user ? [user] : []), ...projects]
  const network = mergeNetwork(wishes.network, user, projects)
  const sandbox = mergeSandbox(wishes.sandbox, user, projects)
  const permission = (name: HeldClass): Ruling<Permission> => (
    strictest(PERMISSIONS, sources.map((source) => written(source, name))) ?? DEFAULT_POLICY.verbs[name]
  )
  return {
    policy: {
      verbs: {
        read: permission('read'), write: permission('write'), exec: permission('exec'), git: permission('git'),
        network: network.ruling,
      },
      ...(network.hosts && { hosts: network.hosts }),
      sandbox: sandbox.ruling,
      commandAllowlist: commandAllowlist(user, projects),
      passesEnv: environmentFilter(user, projects),
      terminal: user?.values.terminal ?? DEFAULT_POLICY.terminal,
      ...(user?.values.mcp_servers && { mcpServers: mcpServers(user.values.mcp_servers, user) }),
      ...(user?.values.language_servers && {
        languageServers: languageServers(user.values.language_servers, user),
      }),
    },
    limits: limitsOf(user, projects, wishes),
    reading: keptReading(user, projects),
    warnings: [...sandbox.warnings, ...network.warnings, ...vainLists(user, projects)],
  }
}

function written({ values, place }: PolicySource, name: HeldClass): Ruling<Permission> | undefined {
  const value = values.verbs?.[name]
  return value === undefined ? undefined : { value, by: place('verbs', name) }
}

function limitsOf(
  user: PolicySource | undefined, projects: readonly PolicySource[], wishes: PolicyWishes,
): Limits {
  const limits: Limits = { ...DEFAULT_LIMITS, ...smallest(wishes.limits, ...(user ? [writtenLimits(user)] : [])) }
  const capped: Limits = { ...limits, ...smallest(limits, ...projects.map(writtenLimits)) }
  return { ...capped, commandTimeoutMs: Math.min(capped.commandTimeoutMs, capped.maxCommandTimeoutMs) }
}

function writtenLimits({ values: { limits = {} } }: PolicySource): Partial<Limits> {
  return Object.fromEntries(Object.entries(limits).flatMap(([field, value]) => (
    LIMIT_OF[field as keyof typeof LIMIT_OF].map((name) => [name, value])
  )))
}

/** Entries a project has for lists that only the user can open; one line each. */
function vainLists(user: PolicySource | undefined, projects: readonly PolicySource[]): string[] {
  return projects.flatMap(({ values, place }) => LIST_FIELDS
    .filter((field) => (values[field] ?? []).length > 0 && (user?.values[field] ?? []).length === 0)
    .map((field) => `${place(field)}: ${field} has no effect: a project can only narrow that of ${shownOwnFile()}`))
}

/** The user's entries that are also in each project's list, where it has one. */
function commandAllowlist(user: PolicySource | undefined, projects: readonly PolicySource[]): string[] {
  const lists = projects.flatMap(({ values }) => (values.command_allowlist ? [values.command_allowlist] : []))
  return (user?.values.command_allowlist ?? []).filter((entry) => lists.every((list) => list.includes(entry)))
}

/** Whether a variable is on the user's list and on each project's that has one. */
function environmentFilter(
  user: PolicySource | undefined, projects: readonly PolicySource[],
): (name: string) => boolean {
  const lists = [user?.values.env ?? [], ...projects.flatMap(({ values }) => (values.env ? [values.env] : []))]
    .map((names) => names.map(variable))
  return (name) => lists.every((tests) => tests.some((matches) => matches(name)))
}

/** `CI`, `NPM_*`. On Windows names have no case. */
function variable(pattern: string): (name: string) => boolean {
  const fold = (text: string): string => (process.platform === 'win32' ? text.toUpperCase() : text)
  const folded = compilePattern('policy', 'env', fold(pattern), { dot: true })
  return (name) => folded.matches(fold(name))
}
