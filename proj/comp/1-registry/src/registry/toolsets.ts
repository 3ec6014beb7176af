import { EDIT_FORMAT_SPECS, HermesError, type AnyVerb } from '../../../0-contracts/src/index.js'
import { nearest } from '../../../0-text/src/index.js'

/**
 * Named selections of verbs: the three vocabularies, and selections by what verbs do in all of them. Verbs that run
 * arbitrary commands are only in `execute` and their vocabularies; `git` may run the repository's hooks, filters and
 * signing program, which no verb can write. Tools of MCP servers are only in `mcp`; `own` has those of the user's
 * config.
 */
const TOOLSETS: Readonly<Record<string, (verb: AnyVerb) => boolean>> = {
  clada: ({ vocabulary }) => vocabulary === 'clada',
  hermes: ({ vocabulary, category }) => vocabulary === 'hermes' && category !== 'mcp',
  core: ({ vocabulary }) => vocabulary === 'core',
  'read-only': ({ type }) => type === 'read',
  edit: ({ type }) => type === 'read' || type === 'write',
  execute: ({ type, category }) => (type === 'exec' || type === 'dynamic') && category !== 'mcp',
  git: ({ type, category }) => type === 'git' || category === 'version_control',
  terminal: ({ category }) => category === 'terminal',
  skills: ({ category }) => category === 'skills',
  cron: ({ category }) => category === 'cron',
  delegate: ({ category }) => category === 'delegate',
  context: ({ category }) => category === 'context',
  mcp: ({ category }) => category === 'mcp',
  own: ({ origin }) => origin !== undefined,
  'edit-formats': ({ name }) => EDIT_FORMAT_VERBS.has(name),
}

/** Verbs that blocks of edit formats call. */
const EDIT_FORMAT_VERBS = new Set<string>(Object.values(EDIT_FORMAT_SPECS).flatMap(({ verbs }) => verbs))

/** Names of the toolsets, for `--toolset` and `toolsets`. */
export const TOOLSET_NAMES: readonly string[] = Object.keys(TOOLSETS)

/**
 * Tests whether a verb is in any of the named toolsets.
 *
 * @throws HermesError `INVALID_OPTION` for an unknown name
 */
export function selectToolsets(names: readonly string[]): (verb: AnyVerb) => boolean {
  const selectors = names.map((name) => {
    const selector = Object.hasOwn(TOOLSETS, name) ? TOOLSETS[name] : undefined
    if (selector) return selector
    const meant = nearest(name, TOOLSET_NAMES)
    throw new HermesError('INVALID_OPTION', `Unknown toolset: ${name}`, {
      hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}Toolsets: ${TOOLSET_NAMES.join(', ')}.`,
    })
  })
  return (verb) => selectors.some((selector) => selector(verb))
}
