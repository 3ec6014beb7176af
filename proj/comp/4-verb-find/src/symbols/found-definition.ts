import type { ApprovedPath } from '../../../0-contracts/src/index.js'
import type { Definition } from '../../../2-syntax/src/index.js'

/** What a name means: where it is defined, and the module outside the root that it comes from, if so. */
export interface DefinitionAnswer {
  found: FoundDefinition[]
  external?: string
}

/** A definition with the text it is in; of its own or of a library outside the root. */
export interface FoundDefinition {
  path?: ApprovedPath
  /** File of TypeScript's own library. */
  library?: string
  /** Of the whole file. */
  text: string
  name: string
  kind: Definition['kind']
  /** Of the name; 1-based, the column in UTF-16 units. */
  line: number
  column: number
  startLine: number
  endLine: number
  /** By types, scopes or imports; false: only by name. */
  resolved: boolean
}
