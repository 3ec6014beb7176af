import { valueAt } from '../../0-text/src/index.js'
import {
  type Facts, type Import, type LineRange, type Occurrence, OCCURRENCE_KINDS,
  type VisibleDefinition,
} from '../../2-syntax/src/index.js'
import { ByteReader, ByteWriter, DamagedIndex, type Texts } from './bytes.js'
import { DefinitionTable, writeDefinition } from './definition-table.js'

/** Number of definitions of a name in a file, and of its identifiers, definitions included. */
export interface NameCount {
  definitions: number
  occurrences: number
}

/**
 * Encodes the facts of one file compactly: first texts (names, then containers and modules), then definitions, imports
 * and errors, finally the places of each name. So the data of one name can be read without the rest.
 */
export function encodeFacts({ definitions, occurrences, imports, errors }: Facts): Uint8Array {
  const texts = new Map<string, number>()
  const idOf = (text: string): number => valueAt(texts, text, () => texts.size)
  const places: Occurrence[][] = []
  for (const occurrence of occurrences) (places[idOf(occurrence.name)] ??= []).push(occurrence)
  // Some names are no identifiers: quoted properties, operators.
  for (const { name } of definitions) idOf(name)
  const names = texts.size
  const defined = new Uint32Array(names)
  const known = new ByteWriter()
  known.number(definitions.length)
  const indexes = new Map<VisibleDefinition, number>()
  for (const [index, definition] of definitions.entries()) {
    indexes.set(definition, index)
    defined[idOf(definition.name)]!++
    writeDefinition(known, definition, { idOf, index, indexes })
  }
  known.number(imports.length)
  for (const { module, name, alias, line } of imports) {
    known.number(idOf(module))
    known.number(name === undefined ? 0 : idOf(name) + 1)
    known.number(alias === undefined ? 0 : idOf(alias) + 1)
    known.number(line)
  }
  known.number(errors.length)
  for (const [first, last] of errors) {
    known.number(first)
    known.number(last - first)
  }
  const record = new ByteWriter()
  record.texts([...texts.keys()])
  record.block(known.done())
  writePlaces(record, places, defined)
  return record.done()
}

function writePlaces(to: ByteWriter, places: readonly (Occurrence[] | undefined)[], defined: Uint32Array): void {
  const groups = new ByteWriter()
  to.number(defined.length)
  for (let id = 0; id < defined.length; id++) {
    const before = groups.length
    let line = 0
    for (const { line: here, column, kind } of places[id] ?? []) {
      groups.number(here - line)
      groups.number(column * OCCURRENCE_KINDS.length + OCCURRENCE_KINDS.indexOf(kind))
      line = here
    }
    to.number(defined[id] ?? 0)
    to.number(places[id]?.length ?? 0)
    to.number(groups.length - before)
  }
  to.block(groups.done())
}

interface Group extends NameCount {
  start: number
  length: number
}

/** Decodes the output of `encodeFacts` on demand. All methods throw `DamagedIndex`. */
export class FileRecord {
  readonly #texts: () => Texts
  readonly #known: () => ReturnType<typeof readKnown>
  readonly #groups: () => { groups: Group[]; bytes: Buffer }

  constructor(readonly bytes: Uint8Array) {
    const parts = once(() => {
      const reader = new ByteReader(bytes)
      return { texts: reader.texts(), known: reader.block(), rest: reader.rest() }
    })
    this.#texts = () => parts().texts
    this.#known = once(() => readKnown(parts().known, parts().texts))
    this.#groups = once(() => readGroups(parts().rest, parts().texts.length))
  }

  /** All names, in order of their ids. */
  names(): string[] {
    return this.#texts().first(this.#groups().groups.length)
  }

  /** Counts by name id. */
  counts(): readonly NameCount[] {
    return this.#groups().groups
  }

  definitions(): VisibleDefinition[] {
    return this.#known().definitions.all()
  }

  /** Definitions of a name, in text order. */
  definitionsOf(id: number): VisibleDefinition[] {
    return this.#known().definitions.named(id)
  }

  imports(): Import[] {
    return this.#known().imports
  }

  errors(): LineRange[] {
    return this.#known().errors
  }

  /** Places of a name, in text order. */
  occurrences(id: number): Occurrence[] {
    const { groups, bytes } = this.#groups()
    const group = groups[id]
    if (group === undefined) throw new DamagedIndex('There is no such name')
    const name = this.#texts().at(id)
    const reader = new ByteReader(bytes.subarray(group.start, group.start + group.length))
    let line = 0
    return Array.from({ length: group.occurrences }, () => {
      line += reader.number()
      const place = reader.number()
      const column = Math.floor(place / OCCURRENCE_KINDS.length)
      return { name, line, column, kind: OCCURRENCE_KINDS[place % OCCURRENCE_KINDS.length]! }
    })
  }

  facts(): Facts {
    const all = this.counts().flatMap((_, id) => this.occurrences(id))
    return {
      definitions: this.definitions(),
      occurrences: all.sort((a, b) => a.line - b.line || a.column - b.column),
      imports: this.imports(),
      errors: this.errors(),
    }
  }
}

function readKnown(bytes: Uint8Array, texts: Texts) {
  const reader = new ByteReader(bytes)
  const definitions = new DefinitionTable(reader, texts)
  const imports = Array.from({ length: reader.count() }, (): Import => {
    const [module, name, alias, line] = [reader.number(), reader.number(), reader.number(), reader.number()]
    return {
      module: texts.at(module), ...(name > 0 && { name: texts.at(name - 1) }),
      ...(alias > 0 && { alias: texts.at(alias - 1) }), line,
    }
  })
  const errors = Array.from({ length: reader.count() }, (): LineRange => {
    const first = reader.number()
    return [first, first + reader.number()]
  })
  return { definitions, imports, errors }
}

function readGroups(bytes: Uint8Array, texts: number): { groups: Group[]; bytes: Buffer } {
  const reader = new ByteReader(bytes)
  const count = reader.count()
  if (count > texts) throw new DamagedIndex('There are more names than texts')
  let start = 0
  const groups = Array.from({ length: count }, (): Group => {
    const [definitions, occurrences, length] = [reader.number(), reader.number(), reader.number()]
    // Each place takes at least two bytes.
    if (occurrences * 2 > length) throw new DamagedIndex('A name has too few places')
    start += length
    return { definitions, occurrences, start: start - length, length }
  })
  const places = reader.block()
  if (start !== places.length) throw new DamagedIndex('The places are not as many as they should be')
  return { groups, bytes: places }
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => (made ??= { value: make() }).value
}
