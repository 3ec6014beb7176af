import type { Definition } from '../../../../2-syntax/src/index.js'

type Kind = Definition['kind']

/** Of TypeScript's `ScriptElementKind`; what is not here is a variable: parameters, properties, enum members. */
const KINDS = {
  class: ['class', 'local class', 'interface', 'type', 'type parameter', 'enum', 'module', 'script'],
  function: ['function', 'local function'],
  method: ['method', 'getter', 'setter', 'constructor', 'construct', 'call'],
} as const
const BY_NAME: ReadonlyMap<string, Kind> = new Map(Object.entries(KINDS).flatMap(([kind, names]) => (
  names.map((name) => [name, kind as Kind] as const)
)))

const WORDS =
  /^(?:export |default |declare |abstract |const (?=enum))*(class|interface|enum|type|namespace|module|function)\b/

/**
 * @param kind TypeScript's: that of the whole symbol, also where a type and a value share a name
 * @param text the declaration, which says more
 */
export function definitionKind(kind: string, text: string): Kind {
  const [, word] = WORDS.exec(text) ?? []
  if (word !== undefined) return word === 'function' ? 'function' : 'class'
  return BY_NAME.get(kind) ?? 'variable'
}
