import type { VerbContext } from '../../../../0-contracts/src/index.js'
import { judged, type NamePlace, placeKey, type Verdict, type Verdicts } from '../references/candidate.js'
import type { WorkTime } from '../references/work-time.js'
import type { PythonSymbol, Scope } from './python-scopes.js'
import { KeptModules } from './kept-modules.js'
import type { Meaning } from './python-values.js'

/**
 * Resolves references in Python: names by scopes, imports by the modules of the root, members by the classes that
 * objects evidently have.
 *
 * @throws HermesError `CANCELLED`, `NOT_INSTALLED`
 */
export async function pythonReferences(
  definitions: readonly NamePlace[], candidates: readonly NamePlace[], context: VerbContext,
  time: WorkTime,
): Promise<Verdicts> {
  return KeptModules.with(context, async ({ modules, meanings }) => {
    const meaningAt = ({ path, line, column }: NamePlace): Meaning | undefined => {
      const module = modules.module(path)
      return module && meanings.meaningAt(module, line, column)
    }
    const wanted = new Set<PythonSymbol>()
    for (const definition of definitions) {
      if (time.isOver) break
      for (const symbol of meaningAt(definition)?.symbols ?? []) wanted.add(symbol)
    }
    const namesOf = definitions.map(({ path }) => moduleNames(path, context.session.root))
    const isNamedSo = (module: string): boolean => namesOf.some((names) => names.includes(`.${module}.`))
    const verdicts = await judged(candidates, time, (place) => verdictOf(meaningAt(place), wanted, isNamedSo))
    const isMeant = (place: NamePlace): boolean => [...meaningAt(place)?.symbols ?? []].some((one) => wanted.has(one))
    const judgedAlready = new Set([...definitions.map(placeKey), ...verdicts.keys()])
    const names = new Set([...wanted].map(({ name }) => name))
    const renamed: (NamePlace & { name: string })[] = []
    // Places where files name the wanted symbol by an alias, or in a quoted type.
    for (const path of new Set(candidates.map((candidate) => candidate.path))) {
      if (time.isOver) break
      await time.rest()
      for (const [key, use] of modules.module(path)?.uses ?? []) {
        if (use.kind !== 'name' && use.kind !== 'attribute') continue
        const { name } = use
        if (!names.has(name) && !(use.kind === 'name' && isAlias(name, use.scope, names))) continue
        const [line = 0, column = 0] = key.split(':').map(Number)
        const place = { path, language: 'python' as const, line, column, name }
        if (!judgedAlready.has(placeKey(place)) && isMeant(place)) renamed.push(place)
      }
    }
    return { verdicts, renamed }
  })
}

function isAlias(name: string, start: Scope, names: ReadonlySet<string>): boolean {
  for (let scope: Scope | undefined = start; scope; scope = scope.parent) {
    const bindings = scope.symbols.get(name)?.bindings ?? []
    if (bindings.some(({ kind, imported = '' }) => kind === 'from' && names.has(imported))) return true
  }
  return false
}

/** The module path of a file as an import may write it, between dots: `.app.models.` */
function moduleNames(path: string, root: string): string {
  const below = path.startsWith(root) ? path.slice(root.length) : path
  return `${below.replace(/(?:\/__init__)?\.pyi?$/, '').replaceAll('/', '.')}.`
}

/** @param isNamedSo whether a module that was not found has the name of one with a definition, so may be that one */
function verdictOf(
  meaning: Meaning | undefined, wanted: ReadonlySet<PythonSymbol>, isNamedSo: (module: string) => boolean,
): Verdict {
  if (!meaning) return 'by name'
  for (const symbol of meaning.symbols) if (wanted.has(symbol)) return 'resolved'
  if (meaning.isUnknown || (meaning.external !== undefined && isNamedSo(meaning.external))) return 'by name'
  const isOther = meaning.symbols.size > 0 || meaning.modules.size > 0 || meaning.external !== undefined
  return isOther ? 'unrelated' : 'by name'
}
