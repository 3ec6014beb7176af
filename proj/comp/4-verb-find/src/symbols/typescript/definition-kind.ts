import type { Definition } from '../../../../2-syntax/src/index.js'

type Kind = Definition['kind']

/** Of TypeScript's `ScriptElementKind`; what is not here is a variable: parameters, properties, enum members. */
const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['class', 'class'],
  ['local class', 'class'],
  ['interface', 'class'],
  ['type', 'class'],
  ['type parameter', 'class'],
  ['enum', 'class'],
  ['module', 'class'],
  ['script', 'class'],
  ['function', 'function'],
  ['local function', 'function'],
  ['method', 'method'],
  ['getter', 'method'],
  ['setter', 'method'],
  ['constructor', 'method'],
  ['construct', 'method'],
  ['call', 'method'],
])

const WORDS =
  /^(?:export |default |declare |abstract |const (?=enum))*(class|interface|enum|type|namespace|module|function)\b/

/**
 * @param kind TypeScript's: that of the whole symbol, also where a type and a value share a name
 * @param text the declaration, which says more
 */
export function definitionKind(kind: string, text: string): Kind {
  const [, word] = WORDS.exec(text) ?? []
  if (word !== undefined) return word === 'function' ? 'function' : 'class'
  return KINDS.get(kind) ?? 'variable'
}
