import {
  addPackages, HermesError, type AnyVerb, type Policy, type RequiredKey, type Requirements,
} from '../../../../0-contracts/src/index.js'
import { keyValue, shownOwnFile } from '../../../../2-config/src/index.js'
import { findPackage } from '../../../../2-packages/src/index.js'
import { ownProgram } from '../../../../2-processes/src/index.js'
import { VERBS } from '../../verbs/index.js'

/** A requirement of a verb that this machine does not meet. */
export interface Unmet {
  reason: string
  /** How the user can meet it. */
  fix: string
}

/** Results of earlier look-ups: a program or package installed later is noticed at the next start. */
const looked = new Map<string, boolean>()

/**
 * The first unmet requirement of a verb; `undefined` where all are met.
 *
 * @param policy names the MCP servers that may be called; without it they are not checked
 */
export function unmetRequirement(
  { requires = {} }: Pick<AnyVerb, 'requires'>, policy?: Pick<Policy, 'mcpServers' | 'languageServers'>,
): Unmet | undefined {
  const { env = [], keys = [], programs = [], packages = [], servers = [], languageServer = false } = requires
  const variable = env.find((name) => (process.env[name] ?? '') === '')
  if (variable !== undefined) {
    return { reason: `${variable} is not set`, fix: `Set ${variable} in the environment of hermes.` }
  }
  for (const key of keys) {
    const unmet = unmetKey(typeof key === 'string' ? { name: key } : key)
    if (unmet) return unmet
  }
  const program = programs.find((name) => !isThere(`program ${name}`, () => ownProgram(name) !== undefined))
  if (program !== undefined) return { reason: `${program} is not in PATH`, fix: `Install ${program}.` }
  const missing = packages.find((name) => !isThere(`package ${name}`, () => findPackage(name) !== undefined))
  if (missing !== undefined) {
    return { reason: `the package ${missing} is not installed`, fix: `${addPackages(missing)}.` }
  }
  if (policy && languageServer && (policy.languageServers ?? []).length === 0) {
    return {
      reason: 'no language server is configured',
      fix: `Name one under language_servers in ${shownOwnFile()}: hermes help language-servers.`,
    }
  }
  return policy && unmetServer(servers, policy)
}

function unmetKey({ name, description, url }: RequiredKey): Unmet | undefined {
  const where = url === undefined ? '' : ` It is to be had at ${url}`
  const what = description === undefined ? '' : ` (${description})`
  try {
    if (keyValue(name) !== undefined) return undefined
  } catch (error) {
    if (!(error instanceof HermesError)) throw error
    return { reason: `${name} cannot be read: ${error.message}`, fix: error.hint ?? 'Set it in the environment.' }
  }
  return {
    reason: `${name}${what} is not set`,
    fix: `Set ${name} in the environment, or write a line ${name}=… into ${shownOwnFile('.env')}.${where}`,
  }
}

function unmetServer(servers: readonly string[], { mcpServers = [] }: Pick<Policy, 'mcpServers'>): Unmet | undefined {
  for (const name of servers) {
    const server = mcpServers.find((mcpServer) => mcpServer.name === name)
    if (server === undefined) {
      return {
        reason: `the MCP server ${name} is not configured`,
        fix: `Name it under mcp_servers in ${shownOwnFile()}: hermes help mcp.`,
      }
    }
    if (server.calls === 'off') {
      return { reason: `the MCP server ${name} is switched off: ${server.by} says calls: off`, fix: 'Write ask or on.' }
    }
  }
  return undefined
}

function isThere(what: string, look: () => boolean): boolean {
  const known = looked.get(what)
  if (known !== undefined) return known
  const state = look()
  looked.set(what, state)
  return state
}

const BUILT_IN = new Set(VERBS.map(({ name }) => name))

/**
 * Checks a verb's requirements before a call. The built-in verbs look for their programs and packages themselves: they
 * know what works without.
 *
 * @throws HermesError `NOT_INSTALLED`
 */
export function requireMet({ name, requires }: AnyVerb, policy: Pick<Policy, 'mcpServers' | 'languageServers'>): void {
  if (!requires) return
  const asked: Requirements = BUILT_IN.has(name) ? { ...requires, programs: [], packages: [] } : requires
  const unmet = unmetRequirement({ requires: asked }, policy)
  if (unmet) throw new HermesError(
    'NOT_INSTALLED', `${name} is not available: ${unmet.reason}`,
    { hint: `Do without it; the user can make it available. ${unmet.fix}` },
  )
}
