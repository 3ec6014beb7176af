import { readdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { decidingPolicy } from '../../../2-config/src/index.js'
import { orNothing, type HermesOptions } from '../../../0-contracts/src/index.js'
import { shortHash } from './compare/fingerprint.js'

interface Deciding {
  /** Hash of the mapping. */
  mapping: string
  /** Format of exported training data. */
  format: string | undefined
  execution: HermesOptions
  /** The running script of hermes: its directory identifies the version. */
  program: string
}

/** Options that do not influence a block's result. */
const WITHOUT_EFFECT = new Set(['durable', 'waitMs', 'approve', 'ui', 'signal', 'onEvent'])

/**
 * What influences the results of a replay besides fixtures and transcripts, by name: values, or hashes of long ones.
 */
export async function decidingSettings(
  { mapping, format, execution, program }: Deciding,
): Promise<Record<string, string>> {
  const options = Object.entries(execution).filter(([name, value]) => (
    !WITHOUT_EFFECT.has(name) && value !== undefined && (value !== false || name === 'gitCommit')
      && !(Array.isArray(value) && value.length === 0)
  ))
  const policy = await decidingPolicy()
  return {
    hermes: programHash(program), mapping: mapping.slice(0, 16),
    ...Object.fromEntries(
      options.map(([name, value]) => [kebab(name), typeof value === 'string' ? value : JSON.stringify(value)]),
    ),
    ...(execution.approve !== undefined && { yes: 'true' }),
    ...(policy !== '' && { policy: shortHash(policy) }),
    ...(format !== undefined && { 'export-as': format }),
  }
}

/** Hash of the program's file names, which change with their content. */
function programHash(program: string): string {
  const directory = dirname(orNothing(() => realpathSync(program), ''))
  const names = [directory, join(directory, 'cli')].flatMap((place) => orNothing(() => readdirSync(place), []))
  return shortHash(names.filter((name) => /-[\w-]+\.cjs$/.test(name)).sort().join('\n'))
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
