import { resolve } from 'node:path'
import { HermesError, type HermesOptions } from '../../0-contracts/src/index.js'
import { canonicalDirectory, isInside } from '../../2-files/src/index.js'
import type { InitializeParams } from './params.js'
import type { ServeOptions } from './serve-options.js'

/** Options of a session: those of the server, narrowed by its client's. */
export type SessionSettings = HermesOptions & { root: string; allow: readonly string[]; rootAliases: readonly string[] }

/** @throws HermesError `POLICY_DENIED` for anything beyond the server's options, `INVALID_OPTION` */
export function narrowSettings(
  { settings, bounded }: Pick<ServeOptions, 'settings' | 'bounded'>, params: InitializeParams,
): SessionSettings {
  const home = resolve(settings.root ?? process.cwd())
  const root = resolve(home, params.workspaceRoot ?? '.')
  const allow = (params.allow ?? []).map((directory) => resolve(root, directory))
  const bounds = [home, ...(settings.allow ?? [])].map(canonicalDirectory)
  // The policy files of the server's root count for that root: in another one they would not.
  if (bounded && canonicalDirectory(root) !== bounds[0]) throw outside('workspaceRoot', root, bounds.slice(0, 1))
  const foreign = bounded
    ? allow.find((directory) => !bounds.some((bound) => isInside(bound, canonicalDirectory(directory)))) : undefined
  if (foreign !== undefined) throw outside('allow', foreign, bounds)
  const { editFormats, mapping, match, checks, startsInThink, atomic } = params
  const timeouts = [settings.timeoutMs, params.timeoutMs].filter((value) => value !== undefined)
  return {
    ...settings,
    root,
    // A directory inside of an allowed one is not added: by its own name, a closed place inside of it would become
    // open.
    allow: [...(settings.allow ?? []), ...(bounded ? [] : allow)],
    rootAliases: [...(settings.rootAliases ?? []), ...(params.rootAliases ?? [])],
    relativePaths: settings.relativePaths === true || params.relativePaths === true,
    toolsets: toolsets(settings.toolsets, params.toolsets),
    editFormats: editFormats ?? settings.editFormats, mapping: mapping ?? settings.mapping,
    match: match ?? settings.match, checks: checks ?? settings.checks, atomic, startsInThink,
    gitCommit: settings.gitCommit === false ? false : params.gitCommit ?? settings.gitCommit,
    durable: settings.durable === true || params.durable === true, waitMs: params.waitMs ?? settings.waitMs,
    timeoutMs: timeouts.length > 0 ? Math.min(...timeouts) : undefined,
  }
}

function toolsets(
  server: readonly string[] | undefined, client: readonly string[] | undefined,
): readonly string[] | undefined {
  if (!client) return server
  const foreign = server && client.find((name) => !server.includes(name))
  if (!foreign) return client
  throw new HermesError('POLICY_DENIED', `The toolset ${foreign} is not among those the server was started with`, {
    hint: `Toolsets: ${server.join(', ')}.`,
  })
}

function outside(name: string, directory: string, bounds: readonly string[]): HermesError {
  return new HermesError('POLICY_DENIED', `${name}: ${directory} is not what the server was started for`, {
    hint: `It serves ${bounds.join(', ')}; its user opens others with hermes serve --root and --allow.`,
  })
}
