import { addTo, lowerBound } from '../../0-text/src/index.js'
import { LANGUAGE_IDS, type LanguageId } from '../../2-syntax/src/index.js'
import { ByteReader, ByteWriter, DamagedIndex } from './bytes.js'
import { FileRecord } from './file-record.js'

/** State of a file when it was indexed. */
export interface FileState {
  /** Bytes. */
  size: number
  /** Milliseconds since the epoch; 0 where it does not prove that the file is unchanged. */
  mtimeMs: number
  /** Change time, which programs cannot set; 0 where the platform does not provide it. */
  ctimeMs: number
  /** First 128 bits of the text's SHA-256. */
  hash: Uint8Array
}

/** The index entry of a file. */
export interface Entry extends FileState {
  /** Absent where no facts are kept: for prose, and for files that only have passages. */
  language?: LanguageId
  /** Why there is no record, on one line. */
  problem?: string
  /** The problem may not occur in another process, so it is not saved. */
  isPassing?: true
  /** It has syntax errors. */
  isBroken: boolean
  /** Output of `encodeFacts`; empty with a `problem`, and without a language. */
  record: Uint8Array
}

/** An occurrence of a name in a file. */
export interface Posting {
  file: number
  /** Id of the name in the file's record. */
  id: number
  definitions: number
  occurrences: number
}

const MAGIC = Buffer.from('hermes code index 6\n')
const HASH_BYTES = 16

/**
 * Many files in one buffer, which is also the format on disk: a table of files, a sorted table of names, the postings
 * of each name, and the records. Only the table of files is parsed at once.
 */
export class Segment {
  /** Index keys, sorted. */
  readonly keys: readonly string[]
  readonly #files: readonly Omit<Entry, 'record'>[]
  readonly #places: Block[] = []
  readonly #names: { ends: Buffer; texts: Buffer }
  readonly #postings: { ends: Buffer; lists: Buffer }
  readonly #blobs: Buffer
  #defined: readonly string[] | undefined

  /** @throws DamagedIndex where the table of files is damaged; methods throw it for what they read */
  constructor(readonly bytes: Uint8Array) {
    const reader = new ByteReader(bytes)
    if (!reader.bytes(MAGIC.length).equals(MAGIC)) throw new DamagedIndex('It is no index of this version')
    const table = new ByteReader(reader.block())
    const keys = table.texts()
    this.keys = keys.first(keys.length)
    let at = 0
    const block = (length: number): Block => ({ start: at, length: (at += length, length) })
    this.#files = this.keys.map(() => {
      const file = readState(table)
      this.#places.push(block(table.number()))
      return file
    })
    this.#names = { ends: reader.block(), texts: reader.block() }
    this.#postings = { ends: reader.block(), lists: reader.block() }
    this.#blobs = reader.rest()
    if (at !== this.#blobs.length) throw new DamagedIndex('It is not as long as it should be')
    if (this.#names.ends.length % 4 !== 0 || this.#names.ends.length !== this.#postings.ends.length) {
      throw new DamagedIndex('The table of names is not as long as it should be')
    }
  }

  get nameCount(): number {
    return this.#names.ends.length / 4
  }

  entry(file: number): Entry {
    const state = this.#files[file]
    const place = this.#places[file]
    if (state === undefined || place === undefined) throw new DamagedIndex('There is no such file')
    return { ...state, record: this.#blobs.subarray(place.start, place.start + place.length) }
  }

  state(file: number): Omit<Entry, 'record'> | undefined {
    return this.#files[file]
  }

  record(file: number): FileRecord {
    return new FileRecord(this.entry(file).record)
  }

  name(index: number): string {
    return slice(this.#names.texts, this.#names.ends, index).toString('utf8')
  }

  /** The postings of a name; empty for an unknown name. */
  postings(name: string): Posting[] {
    const at = lowerBound(0, this.nameCount, (index) => this.name(index) < name)
    return at < this.nameCount && this.name(at) === name ? this.postingsAt(at) : []
  }

  postingsAt(index: number): Posting[] {
    const reader = new ByteReader(slice(this.#postings.lists, this.#postings.ends, index))
    reader.number()
    let file = 0
    return Array.from({ length: reader.count() }, () => {
      file += reader.number()
      const [id, definitions, occurrences] = [reader.number(), reader.number(), reader.number()]
      if (file >= this.keys.length) throw new DamagedIndex('A name is in no file')
      return { file, id, definitions, occurrences }
    })
  }

  /** All defined names; computed once. */
  definedNames(): readonly string[] {
    if (this.#defined) return this.#defined
    const names: string[] = []
    for (let index = 0; index < this.nameCount; index++) {
      const start = index === 0 ? 0 : this.#postings.ends.readUInt32LE(index * 4 - 4)
      // Postings start with the number of definitions: a byte of 0 means none.
      if (this.#postings.lists[start] !== 0) names.push(this.name(index))
    }
    return this.#defined = names
  }
}

interface Block {
  start: number
  length: number
}

function readState(table: ByteReader): Omit<Entry, 'record'> {
  const size = table.number()
  const [mtimeMs, ctimeMs] = [table.double(), table.double()]
  const hash = table.bytes(HASH_BYTES)
  const number = table.number()
  const language = LANGUAGE_IDS[number - 1]
  if (number > 0 && language === undefined) throw new DamagedIndex('A language is not known')
  const isBroken = table.number() === 1
  const problem = table.block().toString('utf8')
  return {
    size, mtimeMs, ctimeMs, hash, isBroken,
    ...(language !== undefined && { language }), ...(problem !== '' && { problem }),
  }
}

/** One of several consecutive pieces, by a table of their ends. */
function slice(pieces: Buffer, ends: Buffer, index: number): Buffer {
  const start = index === 0 ? 0 : ends.readUInt32LE(index * 4 - 4)
  const end = ends.readUInt32LE(index * 4)
  if (start > end || end > pieces.length) throw new DamagedIndex('A piece is where none can be')
  return pieces.subarray(start, end)
}

/** Writes a segment with these entries, by key. */
export function writeSegment(entries: ReadonlyMap<string, Entry>): Uint8Array {
  const keys = [...entries.keys()].sort()
  const table = new ByteWriter()
  table.texts(keys)
  const blobs = new ByteWriter()
  /** By name: groups of file, id, definitions, occurrences. */
  const places = new Map<string, number[]>()
  for (const [file, key] of keys.entries()) {
    const { size, mtimeMs, ctimeMs, hash, language, isBroken, problem, record } = entries.get(key)!
    table.number(size)
    table.double(mtimeMs)
    table.double(ctimeMs)
    table.bytes(hash)
    table.number(language === undefined ? 0 : LANGUAGE_IDS.indexOf(language) + 1)
    table.number(isBroken ? 1 : 0)
    table.block(Buffer.from(problem ?? ''))
    table.number(record.length)
    blobs.bytes(record)
    if (record.length > 0) addNames(places, file, new FileRecord(record))
  }
  const names = [...places.keys()].sort()
  const [texts, lists] = [new ByteWriter(), new ByteWriter()]
  const [textEnds, listEnds] = [Buffer.alloc(names.length * 4), Buffer.alloc(names.length * 4)]
  for (const [index, name] of names.entries()) {
    texts.bytes(Buffer.from(name))
    textEnds.writeUInt32LE(texts.length, index * 4)
    writePostings(lists, places.get(name)!)
    listEnds.writeUInt32LE(lists.length, index * 4)
  }
  const all = new ByteWriter()
  all.bytes(MAGIC)
  for (const part of [table.done(), textEnds, texts.done(), listEnds, lists.done()]) all.block(part)
  all.bytes(blobs.done())
  return all.done()
}

function addNames(places: Map<string, number[]>, file: number, record: FileRecord): void {
  const counts = record.counts()
  for (const [id, name] of record.names().entries()) {
    const { definitions, occurrences } = counts[id]!
    addTo(places, name, file, id, definitions, occurrences)
  }
}

/** Starts with the number of definitions in all files. */
function writePostings(to: ByteWriter, list: readonly number[]): void {
  let definitions = 0
  for (let at = 2; at < list.length; at += 4) definitions += list[at]!
  to.number(definitions)
  to.number(list.length / 4)
  let before = 0
  for (let at = 0; at < list.length; at += 4) {
    to.number(list[at]! - before)
    before = list[at]!
    for (let part = 1; part < 4; part++) to.number(list[at + part]!)
  }
}
