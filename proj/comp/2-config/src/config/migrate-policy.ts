import type { Document } from 'yaml'
import { parsePolicy } from './parse-policy.js'
import type { PolicyText } from './edit-policy.js'
import { rendered } from './list-entries.js'

/** One step from the version before. Seed 003 'Config Version Migration'. */
export interface Migration {
  to: number
  /** What it does, for people. */
  does: string
  migrate(document: Document): void
}

/** In order. A new one is added where names or meanings change; what it writes is shown before it is written. */
export const MIGRATIONS: readonly Migration[] = [
  {
    to: 1, does: 'say the version, so that later versions of hermes know what the file was written for',
    migrate: () => undefined,
  },
]

export interface Migrated {
  from: number
  to: number
  /** What each step does; none where the file is up to date. */
  steps: string[]
  text: string
}

/**
 * The text of a policy file as this version writes it; comments stay.
 *
 * @throws HermesError `INVALID_POLICY` where what came of it is not valid
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
  // What cannot be read at all is not touched: reading it says why.
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
