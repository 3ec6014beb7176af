import { safeParse } from 'valibot'
import { isRecord } from '../../0-contracts/src/index.js'
import { uriOf } from '../../2-files/src/index.js'
import type { Methods } from '../../2-wire/src/index.js'
import { CONFIGURATION_PARAMS } from './protocol-schemas.js'

/** Whatever a server asks for that only an editor has. */
const REFRESHES = ['semanticTokens', 'codeLens', 'inlayHint', 'inlineValue', 'diagnostic', 'foldingRange']

/** The answers to what servers ask of their client. */
export function serverRequests(
  { root, settings }: { root: string; settings: Readonly<Record<string, unknown>> },
): Methods['requests'] {
  const nothing = (): null => null
  return {
    'workspace/configuration': (params) => {
      const asked = safeParse(CONFIGURATION_PARAMS, params)
      return asked.success ? asked.output.items.map(({ section }) => sectionOf(settings, section ?? '')) : []
    },
    'workspace/workspaceFolders': () => workspaceFolders(root),
    // Edits are made only where a verb asked for them.
    'workspace/applyEdit': () => ({ applied: false, failureReason: 'hermes makes only the edits it has asked for' }),
    'client/registerCapability': nothing,
    'client/unregisterCapability': nothing,
    'window/workDoneProgress/create': nothing,
    'window/showMessageRequest': nothing,
    'window/showDocument': () => ({ success: false }),
    ...Object.fromEntries(REFRESHES.map((name) => [`workspace/${name}/refresh`, nothing])),
  }
}

export function workspaceFolders(root: string): { uri: string; name: string }[] {
  return [{ uri: uriOf(root), name: 'root' }]
}

/** A section by its path of names, e.g. `python.analysis`; names that have dots themselves count too. */
function sectionOf(settings: Readonly<Record<string, unknown>>, section: string): unknown {
  if (section === '') return settings
  if (Object.hasOwn(settings, section)) return settings[section]
  let value: unknown = settings
  for (const name of section.split('.')) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return null
    value = value[name]
  }
  return value
}
