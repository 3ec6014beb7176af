import { gitNames, headerName, type HeaderName, pathsMeant, unquoted } from './patch-file-names.js'
import { type FilePatch, type Hunk, linesOf, type PatchReading, reading, UnreadablePatch } from './patch.js'
import { readHunks } from './unified-hunks.js'

const FORM = 'A unified diff names the file in two lines, --- a/path and +++ b/path; then come hunks that begin '
  + 'with @@.'
const EXTENDED = new RegExp('^(?:(?<key>old mode|new mode|deleted file mode|new file mode|copy from|copy to|rename from'
  + '|rename to|rename old|rename new|similarity index|dissimilarity index|index) (?<value>.*))')

/**
 * Reads a unified diff of one or more files: from `diff -u`, or git's with its extended headers (new, deleted, renamed
 * and copied files, modes). Text between the parts is ignored, as in `git apply`.
 */
export function readUnified(patch: string): PatchReading {
  return reading(() => new UnifiedReader(patch).read())
}

interface Names {
  old: HeaderName | undefined
  new: HeaderName | undefined
}

class UnifiedReader {
  readonly #lines: string[]
  #at = 0

  constructor(patch: string) {
    this.#lines = patch.split('\n')
    if (this.#lines.at(-1) === '') this.#lines.pop()
  }

  read(): FilePatch[] {
    const files: FilePatch[] = []
    while (this.#at < this.#lines.length) {
      const line = this.#line()
      if (line.startsWith('diff --git ')) files.push(this.#gitFile())
      else if (this.#isNamePair()) files.push(this.#plainFile())
      else if (/^@@ -\d/.test(line)) throw this.#unreadable('a hunk follows no file name', FORM)
      else if (/^(?:GIT binary patch|Binary files .* differ)/.test(line)) throw this.#binary()
      else this.#at++
    }
    if (files.length === 0) throw this.#unreadable('it names no file', FORM)
    return files
  }

  #plainFile(): FilePatch {
    const line = this.#at + 1
    const file = this.#named(this.#namePair(), line)
    const { hunks, next } = readHunks(this.#lines, this.#at)
    if (hunks.length === 0) throw this.#unreadable('no hunk follows the file name', FORM)
    this.#at = next
    return { ...file, hunks, ...creation(file.kind, hunks) }
  }

  #named({ old, new: renewed }: Names, line: number): FilePatch {
    if (old?.absent !== false && renewed?.absent !== false) throw this.#unreadable('neither side names a file', FORM)
    const paths = pathsMeant(written(old), written(renewed))
    if (old?.absent !== false) return { kind: 'create', line, oldPaths: [], newPath: paths[0], hunks: [] }
    const kind = renewed?.absent === false ? 'modify' : 'delete'
    return { kind, line, oldPaths: paths, newPath: undefined, hunks: [] }
  }

  #gitFile(): FilePatch {
    const line = this.#at + 1
    const names = gitNames(this.#line().slice('diff --git '.length))
    this.#at++
    const header = this.#extendedHeader()
    const pair = this.#isNamePair() ? this.#namePair() : undefined
    if (/^(?:GIT binary patch|Binary files )/.test(this.#line())) throw this.#binary()
    const { hunks, next } = readHunks(this.#lines, this.#at)
    this.#at = next
    return { ...this.#gitChange(header, names, pair, line), hunks, ...executable(header) }
  }

  #gitChange(
    header: ReadonlyMap<string, string>, names: [string, string] | undefined, pair: Names | undefined, line: number,
  ): Omit<FilePatch, 'hunks'> {
    for (const kind of ['rename', 'copy'] as const) {
      const from = header.get(`${kind} from`) ?? header.get(`${kind} old`)
      const to = header.get(`${kind} to`) ?? header.get(`${kind} new`)
      if (from !== undefined && to !== undefined) return { kind, line, oldPaths: [plain(from)], newPath: plain(to) }
    }
    const both = pair === undefined ? undefined : [written(pair.old), written(pair.new)] as const
    const [left, right] = both?.[0] !== undefined && both[1] !== undefined ? both : names ?? both ?? []
    if (left === undefined && right === undefined) {
      throw this.#unreadable('the file of this part is not named', FORM, line)
    }
    const paths = pathsMeant(left, right)
    if (header.has('new file mode') || (pair !== undefined && pair.old?.absent !== false)) {
      return { kind: 'create', line, oldPaths: [], newPath: paths[0] }
    }
    const goes = header.has('deleted file mode') || (pair !== undefined && pair.new?.absent !== false)
    return { kind: goes ? 'delete' : 'modify', line, oldPaths: paths, newPath: undefined }
  }

  /** Git's header lines between `diff --git` and the file names. */
  #extendedHeader(): Map<string, string> {
    const header = new Map<string, string>()
    for (;;) {
      const { key, value } = EXTENDED.exec(this.#line())?.groups ?? {}
      if (key === undefined || value === undefined) return header
      if (key.endsWith('mode') && /^1[26]0000/.test(value)) {
        throw this.#unreadable('it makes or changes a symbolic link or a submodule', 'Patch regular files only.')
      }
      header.set(key, value.replace(/\r$/, ''))
      this.#at++
    }
  }

  #isNamePair(): boolean {
    return /^--- \S/.test(this.#line()) && /^\+\+\+ \S/.test(this.#lines[this.#at + 1] ?? '')
  }

  #namePair(): Names {
    const [old = '', renewed = ''] = this.#lines.slice(this.#at, this.#at + 2)
    this.#at += 2
    return { old: headerName(old.slice(4)), new: headerName(renewed.slice(4)) }
  }

  #line(): string {
    return this.#lines[this.#at] ?? ''
  }

  #binary(): UnreadablePatch {
    return this.#unreadable('it patches a binary file', 'Patch text files only; write others with a command.')
  }

  #unreadable(message: string, hint: string, line = Math.min(this.#at + 1, this.#lines.length)): UnreadablePatch {
    return new UnreadablePatch({ message, line: Math.max(line, 1), hint })
  }
}

/**
 * A single hunk that begins at line 0 without old lines creates the file, as in `git apply`, whatever the names say;
 * not below `diff --git`, where `new file mode` would say so.
 */
function creation(kind: FilePatch['kind'], [hunk, second]: readonly Hunk[]): { mayCreate?: true } {
  if (kind !== 'modify' || hunk?.range?.oldStart !== 0 || second !== undefined) return {}
  return linesOf(hunk, 'old').length === 0 ? { mayCreate: true } : {}
}

/** The written name, if the side has one: a missing file may also be named, with timestamp 0. */
function written(name: HeaderName | undefined): string | undefined {
  return name?.name === '/dev/null' ? undefined : name?.name
}

function plain(name: string): string {
  return (name.startsWith('"') ? unquoted(name)?.text : undefined) ?? name
}

function executable(header: ReadonlyMap<string, string>): { executable?: boolean } {
  const mode = header.get('new mode') ?? header.get('new file mode')
  return mode === undefined ? {} : { executable: (Number.parseInt(mode, 8) & 0o111) !== 0 }
}
