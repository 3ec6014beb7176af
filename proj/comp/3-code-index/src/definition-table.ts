import type { DefinitionKind, VisibleDefinition } from '../../2-syntax/src/index.js'
import { type ByteReader, type ByteWriter, DamagedIndex, type Texts } from './bytes.js'

const KINDS: readonly DefinitionKind[] = ['class', 'method', 'function', 'variable']
/** Numbers stored for each definition, see `writeDefinition`. */
const WIDTH = 10

export function writeDefinition(
  to: ByteWriter, definition: VisibleDefinition,
  { idOf, index, indexes }: {
    idOf: (text: string) => number; index: number; indexes: ReadonlyMap<VisibleDefinition, number>
  },
): void {
  const { name, kind, container, parameter, shared, within, startLine, endLine, nameLine } = definition
  const outer = within === undefined ? undefined : indexes.get(within)
  to.number(idOf(name))
  to.number(KINDS.indexOf(kind) + (parameter ? 4 : 0) + (shared ? 8 : 0))
  to.number(outer === undefined ? 0 : index - outer)
  to.number(container === undefined ? 0 : idOf(container) + 1)
  to.number(startLine)
  to.number(definition.startColumn)
  to.number(endLine - startLine)
  to.number(definition.endColumn)
  to.number(nameLine - startLine)
  to.number(definition.nameColumn)
}

/** The definitions of a file, each decoded on demand. */
export class DefinitionTable {
  readonly #numbers: Float64Array
  readonly #made: (VisibleDefinition | undefined)[] = []

  /** @throws DamagedIndex */
  constructor(reader: ByteReader, private readonly texts: Texts) {
    this.#numbers = new Float64Array(reader.count(WIDTH) * WIDTH)
    for (let at = 0; at < this.#numbers.length; at++) this.#numbers[at] = reader.number()
  }

  get length(): number {
    return this.#numbers.length / WIDTH
  }

  all(): VisibleDefinition[] {
    return Array.from({ length: this.length }, (_, index) => this.#at(index))
  }

  /** Definitions whose name has this id. */
  named(id: number): VisibleDefinition[] {
    const definitions: VisibleDefinition[] = []
    for (let index = 0; index < this.length; index++) {
      if (this.#numbers[index * WIDTH] === id) definitions.push(this.#at(index))
    }
    return definitions
  }

  #at(index: number): VisibleDefinition {
    return this.#made[index] ??= this.#make(index)
  }

  #make(index: number): VisibleDefinition {
    const numbers = this.#numbers.subarray(index * WIDTH, (index + 1) * WIDTH)
    const [name, marks, back, container, startLine, startColumn, lines, endColumn, nameLines, nameColumn] = (
      numbers as unknown as Ten
    )
    // Only earlier definitions can contain it, so the recursion ends.
    if (back > index) throw new DamagedIndex('A definition is within none')
    const within = back === 0 ? undefined : this.#at(index - back)
    return {
      name: this.texts.at(name),
      kind: KINDS[marks % 4]!,
      startLine, startColumn, endLine: startLine + lines, endColumn,
      nameLine: startLine + nameLines, nameColumn,
      ...(container > 0 && { container: this.texts.at(container - 1) }),
      parameter: (marks & 4) !== 0,
      ...(within && { within }),
      depth: within ? within.depth + 1 : 0,
      shared: (marks & 8) !== 0,
    }
  }
}

type Ten = [number, number, number, number, number, number, number, number, number, number]
