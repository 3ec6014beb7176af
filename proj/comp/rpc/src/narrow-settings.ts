import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { HermesError, orNothing, type HermesOptions } from '../../contracts/src/index.js'
import { isInside } from '../../policy/src/index.js'
import type { InitializeParams } from './params.js'
import type { ServeOptions } from './serve-options.js'

/** Options of a session: what the server was started with, narrowed by what its client asks for. */
export type SessionSettings = HermesOptions & { root: string; allow: readonly string[]; rootAliases: readonly string[] }

/** @throws HermesError `POLICY_DENIED` for what the server was not started for, `INVALID_OPTION` */
export function narrowSettings({ settings, bounded }: Pick<ServeOptions, 'settings' | 'bounded'>, params: InitializeParams): SessionSettings {
  const home = resolve(settings.root ?? process.cwd())
  const root = resolve(home, params.workspaceRoot ?? '.')
  const allow = (params.allow ?? []).map((directory) => resolve(root, directory))
  const bounds = [home, ...(settings.allow ?? [])].map(canonical)
  // A policy file of the server's root counts for that root; below it, it might not.
  if (bounded && !bounds.includes(canonical(root))) throw outside('workspaceRoot', root, bounds)
  const foreign = bounded ? allow.find((directory) => !bounds.some((bound) => isInside(bound, canonical(directory)))) : undefined
  if (foreign !== undefined) throw outside('allow', foreign, bounds)
  const { editFormats, match, startsInThink, atomic } = params
  const timeouts = [settings.timeoutMs, params.timeoutMs].filter((one) => one !== undefined)
  return {
    ...settings,
    root,
    allow: [...(settings.allow ?? []), ...allow],
    rootAliases: [...(settings.rootAliases ?? []), ...(params.rootAliases ?? [])],
    relativePaths: settings.relativePaths === true || params.relativePaths === true,
    ...toolsets(settings.toolsets, params.toolsets),
    ...(editFormats && { editFormats }),
    ...(match && { match }),
    ...(atomic !== undefined && { atomic }),
    ...(startsInThink !== undefined && { startsInThink }),
    ...(params.gitCommit !== undefined && settings.gitCommit !== false && { gitCommit: params.gitCommit }),
    durable: settings.durable === true || params.durable === true,
    ...(params.waitMs !== undefined && { waitMs: params.waitMs }),
    ...(timeouts.length > 0 && { timeoutMs: Math.min(...timeouts) }),
  }
}

/** @throws HermesError `POLICY_DENIED` for a directory that the server was not started for */
export function requireWithin(name: string, directory: string, { settings, bounded }: Pick<ServeOptions, 'settings' | 'bounded'>): void {
  if (!bounded) return
  const bounds = [resolve(settings.root ?? process.cwd()), ...(settings.allow ?? [])].map(canonical)
  if (!bounds.some((bound) => isInside(bound, canonical(directory)))) throw outside(name, directory, bounds)
}

function toolsets(server: readonly string[] | undefined, client: readonly string[] | undefined): { toolsets?: readonly string[] } {
  if (!client) return server ? { toolsets: server } : {}
  const foreign = server && client.find((name) => !server.includes(name))
  if (!foreign) return { toolsets: client }
  throw new HermesError('POLICY_DENIED', `The toolset ${foreign} is not among those the server was started with`, {
    hint: `Toolsets: ${server.join(', ')}.`,
  })
}

function outside(name: string, directory: string, bounds: readonly string[]): HermesError {
  return new HermesError('POLICY_DENIED', `${name}: ${directory} is none of the directories that the server was started for`, {
    hint: `It serves ${bounds.join(', ')}; hermes serve --root and --allow open others.`,
  })
}

function canonical(directory: string): string {
  return orNothing(() => realpathSync.native(directory), resolve(directory))
}
