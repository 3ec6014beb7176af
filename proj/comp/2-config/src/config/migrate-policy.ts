import type { Document } from 'yaml'
import { parsePolicy } from './parse-policy.js'
import type { PolicyText } from './edit-policy.js'
import { rendered } from './list-entries.js'

/** A migration from the previous version of the config. */
export interface Migration {
  to: number
  /** What it does, for people. */
  does: string
  migrate(document: Document): void
}

/** In order. Add one where names or meanings change; its result is shown to the user before it is written. */
export const MIGRATIONS: readonly Migration[] = [
  {
    to: 1, does: 'say the version, so that later versions of hermes know what the file was written for',
    migrate: () => undefined,
  },
]

export interface Migrated {
  from: number
  to: number
  /** Description of each step; empty where the file is up to date. */
  steps: string[]
  text: string
}

/**
 * The text of a policy file migrated to this version; comments stay.
 *
 * @throws HermesError `INVALID_POLICY` where the result is invalid
 */
export async function migratePolicy(
  { text, name, directory }: PolicyText, migrations: readonly Migration[] = MIGRATIONS,
): Promise<Migrated> {
  const { isMap, parseDocument } = await import('yaml')
  const document = parseDocument(text, { schema: 'core', version: '1.2', prettyErrors: false, logLevel: 'silent' })
  const written: unknown = document.get?.('_config_version')
  const from = typeof written === 'number' ? written : 0
  const steps = migrations.filter(({ to }) => to > from)
  const to = steps.at(-1)?.to ?? from
  // An unreadable file is not touched; parsing it reports why.
  if (steps.length === 0 || document.errors.length > 0 || !(isMap(document.contents) || document.contents === null)) {
    await parsePolicy(text, name, directory)
    return { from, to: from, steps: [], text }
  }
  for (const { migrate } of steps) migrate(document)
  document.set('_config_version', to)
  const migrated = rendered(document, text)
  await parsePolicy(migrated, name, directory)
  return { from, to, steps: steps.map(({ does }) => does), text: migrated }
}
