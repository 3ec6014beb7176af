import type { VerbContext } from '../../../../0-contracts/src/index.js'
import { judged, type NamePlace, placeKey, type Verdict, type Verdicts } from '../references/candidate.js'
import type { WorkTime } from '../references/work-time.js'
import { KeptUnits } from './kept-units.js'
import type { ScopedMeaning, ScopedMeanings } from './scoped-meanings.js'
import { isType, type Target } from './scoped-targets.js'
import type { Declared } from './scoped-unit.js'

/**
 * Resolves references by scopes, packages and imports, with each language's table; members by declared types.
 *
 * @throws HermesError `CANCELLED`, `NOT_INSTALLED`
 */
export async function scopedReferences(
  definitions: readonly NamePlace[], candidates: readonly NamePlace[], context: VerbContext, time: WorkTime,
): Promise<Verdicts> {
  return KeptUnits.with(context, 'find_symbol', async ({ units, meanings }) => {
    const wanted = new Map<string, Declared>()
    for (const definition of definitions) {
      if (time.isOver) break
      const own = units.unit(definition.path)?.declared.get(`${definition.line}:${definition.column}`)
      if (own) wanted.set(placeKey(definition), own)
    }
    const verdicts = await judged(candidates, time, ({ path, language, line, column }) => {
      const unit = units.unit(path)
      const meaning = unit && meanings.meaningAt(unit, line, column)
      const sameLanguage = [...wanted.values()].filter((symbol) => symbol.unit.language === language)
      return verdictOf(meaning, sameLanguage, meanings)
    })
    return { verdicts, renamed: [] }
  })
}

function verdictOf(
  meaning: ScopedMeaning | undefined, wanted: readonly Declared[], meanings: ScopedMeanings,
): Verdict {
  if (!meaning || wanted.length === 0) return 'by name'
  const { target, of } = meaning
  if (target.kind === 'unknown' || target.kind === 'module') return 'by name'
  if (target.kind === 'declared' && target.all.some((symbol) => wanted.includes(symbol))) return 'resolved'
  if (of && wanted.some((symbol) => mayOverride(symbol, of, meanings))) return 'by name'
  return 'unrelated'
}

/** Whether a method may be called through a member of another type, as an implementation of it. */
function mayOverride(method: Declared, of: Target, { names }: ScopedMeanings): boolean {
  if (method.kind !== 'method') return false
  const { table } = method.unit
  const own = method.scope.kind === 'type' ? method.scope.owner : undefined
  const ancestors = own ? ancestorsOf(own, names) : { keys: new Set<string>(), isOpen: true }
  // For an external type it is unknown whether types of the root implement it.
  if (of.kind === 'module' || (of.kind === 'external' && of.isPackage)) return false
  if (of.kind !== 'declared') return ancestors.isOpen || table.structural === true
  const [type] = of.all.filter(isType)
  if (!type) return true
  const isAbstract = table.abstract.has(type.type?.type ?? '') || table.abstract.has(type.node.type)
  return ancestors.keys.has(names.keyOf(type)) || (isAbstract && (table.structural === true || !table.seesMembers))
}

function ancestorsOf(type: Declared, names: ScopedMeanings['names']): { keys: Set<string>; isOpen: boolean } {
  const keys = new Set<string>()
  let isOpen = false
  const open = [type]
  for (let next = open.pop(); next; next = open.pop()) {
    for (const target of next.body ? names.supersOf([next.body]) : []) {
      if (target.kind !== 'declared') isOpen = true
      for (const each of target.kind === 'declared' ? target.all.filter(isType) : []) {
        if (keys.has(names.keyOf(each))) continue
        keys.add(names.keyOf(each))
        open.push(each)
      }
    }
  }
  return { keys, isOpen }
}
