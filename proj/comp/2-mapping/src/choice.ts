import { MAPPING_NAMES, type MappingName } from '../../0-contracts/src/index.js'
import { valueAt } from '../../0-text/src/index.js'
import { loadMapping } from './load-mapping.js'
import type { MappedCall, ToolMapping, VerbCall } from './mapping.js'
import type { KnownParameters, MappingPlace } from './mapping-types.js'
import { shippedHas } from './shipped/index.js'

/** The result of mapping a call, with the names of the mappings. */
export type Understood =
  | { kind: 'call'; call: VerbCall; mappings: readonly string[] }
  /** The call does not concern this machine. */
  | { kind: 'skipped'; reason: string; mappings: readonly string[] }
  /** The call stands for several, to be run as a unit. */
  | { kind: 'several'; calls: readonly VerbCall[]; reason: string; mappings: readonly string[] }
  | { kind: 'unmapped'; reason: string; mappings: readonly string[] }
  /** Several mappings know the tool, with different meanings. */
  | { kind: 'ambiguous'; readings: readonly { calls: readonly VerbCall[]; mappings: readonly string[] }[] }
  | { kind: 'unknown' }

/** One mapping that the user names, or all of them, in which case argument names decide. */
export class MappingChoice {
  readonly #names: readonly MappingName[]
  readonly #loaded = new Map<MappingName, Promise<ToolMapping>>()

  constructor(choice: MappingName | 'auto', private readonly parametersOf: KnownParameters) {
    // The rules of `common` are in the mappings that it consists of.
    this.#names = choice === 'auto' ? MAPPING_NAMES.filter((name) => name !== 'common') : [choice]
  }

  async read(name: string, args: Record<string, unknown>, place: MappingPlace): Promise<Understood> {
    const readings = new Map<string, { mapped: MappedCall; mappings: string[] }>()
    for (const mapping of this.#names.filter((each) => shippedHas(each, name))) {
      const mapped = (await this.#load(mapping)).map(name, args, place)
      if (mapped.kind === 'unknown') continue
      valueAt(readings, meaningOf(mapped), () => ({ mapped, mappings: [] })).mappings.push(mapping)
    }
    return best([...readings.values()])
  }

  /** Loading takes milliseconds, so only mappings with the tool are loaded. */
  async #load(name: MappingName): Promise<ToolMapping> {
    return valueAt(this.#loaded, name, () => loadMapping([name], this.parametersOf))
  }
}

/** A text that is equal for equal readings. */
function meaningOf(mapped: MappedCall): string {
  const calls = callsOf(mapped)
  if (calls.length === 0) return mapped.kind === 'unmapped' ? mapped.reason : mapped.kind
  return JSON.stringify(calls.map(({ verb, arguments: args, missing }) => (
    [verb, Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1)), missing.length > 0]
  )))
}

/** Prefers readings that can run, then those that lack something, then those without a rule. */
function best(readings: readonly { mapped: MappedCall; mappings: readonly string[] }[]): Understood {
  const runs = readings.filter(({ mapped }) => mapped.kind === 'skipped' || isWhole(mapped))
  const able = runs.length > 0 ? runs : readings.filter(({ mapped }) => callsOf(mapped).length > 0)
  const [first, second] = able
  const only = first ?? readings[0]
  if (!only || only.mapped.kind === 'unknown') return { kind: 'unknown' }
  const { mapped, mappings } = only
  if (second) {
    return {
      kind: 'ambiguous', readings: able.map((each) => ({ calls: callsOf(each.mapped), mappings: each.mappings })),
    }
  }
  return mapped.kind === 'call' ? { kind: 'call', call: mapped, mappings } : { ...mapped, mappings }
}

function isWhole(mapped: MappedCall): boolean {
  const calls = callsOf(mapped)
  return calls.length > 0 && calls.every(({ missing }) => missing.length === 0)
}

function callsOf(mapped: MappedCall): readonly VerbCall[] {
  return mapped.kind === 'call' ? [mapped] : mapped.kind === 'several' ? mapped.calls : []
}
