import { type FilePatch, type Hunk, linesOf, type PatchReading, reading, UnreadablePatch } from './patch.js'

const BEGIN = '*** Begin Patch'
const END = '*** End Patch'
const END_OF_FILE = '*** End of File'
const SECTION = /^\*\*\* (Add|Update|Delete) File: ?(.*)$/
const MOVE = /^\*\*\* Move to: ?(.*)$/
const FORM = `A patch is '${BEGIN}', then '*** Update File: path' (or Add File, Delete File) with its hunks, then `
  + `'${END}'.`

/**
 * Reads a V4A patch, the format of OpenAI's models: `*** Begin Patch`, a section for each file, `*** End Patch`. A
 * heredoc around it (`apply_patch <<'EOF'`) or a fence is ignored.
 */
export function readV4a(patch: string): PatchReading {
  return reading(() => new V4aReader(patch).read())
}

class V4aReader {
  readonly #lines: string[]
  #at = 0

  constructor(patch: string) {
    this.#lines = patch.split('\n')
    const end = indentedEnd(this.#lines)
    if (end !== -1) this.#lines[end] = END
  }

  read(): FilePatch[] {
    this.#findBegin()
    const files: FilePatch[] = []
    while (this.#marker() !== END) {
      const line = this.#line()
      if (line === undefined) {
        throw this.#unreadable(`'${END}' is missing`, `The patch may be cut off: send it again, whole. ${FORM}`)
      }
      const section = SECTION.exec(line.trim())
      if (section !== null) files.push(this.#file(section[1] ?? '', (section[2] ?? '').trim()))
      else if (line.trim() === '' || line.startsWith('*** Environment ID:')) this.#at++
      else throw this.#unreadable(`this line belongs to no file: ${shown(line)}`, FORM)
    }
    if (files.length === 0) throw this.#unreadable('the patch changes no file', FORM)
    return files
  }

  /** Skips to the start of the patch; only a wrapper may precede it. */
  #findBegin(): void {
    const wrapper = /^\s*(?:$|`{3,}|~{3,}|.*<<-?\s*['"]?\w+['"]?)/
    while (this.#marker() !== BEGIN) {
      const line = this.#line()
      if (line === undefined || !wrapper.test(line)) throw this.#unreadable(`the first line must be '${BEGIN}'`, FORM)
      this.#at++
    }
    this.#at++
  }

  #file(verb: string, path: string): FilePatch {
    const line = this.#at + 1
    if (path === '') throw this.#unreadable(`'*** ${verb} File:' names no file`, 'Write the path after the colon.')
    this.#at++
    if (verb === 'Delete') return { kind: 'delete', line, oldPaths: [path], newPath: undefined, hunks: [] }
    if (verb === 'Add') return { kind: 'create', line, oldPaths: [], newPath: path, hunks: this.#added() }
    const target = MOVE.exec(this.#marker() ?? '')?.[1]?.trim()
    if (target !== undefined) this.#at++
    const hunks = this.#hunks()
    if (hunks.length === 0 && target === undefined) {
      const hint = `Write its hunks, each after a line '@@', or leave it out.`
      throw this.#unreadable(`the update of '${path}' has no hunk`, hint)
    }
    const moves = target !== undefined && target !== path
    return { kind: moves ? 'rename' : 'modify', line, oldPaths: [path], newPath: moves ? target : undefined, hunks }
  }

  /** The content of a new file: every line begins with `+`. */
  #added(): Hunk[] {
    const hunk: Hunk = { line: this.#at + 1, lines: [], anchors: [], atEnd: false }
    for (let line = this.#line(); line !== undefined && !isMarker(line); line = this.#line()) {
      const blankUntil = this.#blankUntil()
      if (blankUntil === this.#at && !line.startsWith('+')) {
        const hint = `Begin each of its lines with '+'.`
        throw this.#unreadable(`a line of a new file does not begin with '+': ${shown(line)}`, hint)
      }
      if (blankUntil === this.#at) {
        hunk.lines.push({ sign: '+', text: line.slice(1) })
        this.#at++
        continue
      }
      // Blank lines before a marker are only spacing; between added lines they are lines of the file that lack their
      // sign.
      if (this.#lines[blankUntil]?.startsWith('+') === true) {
        for (let at = this.#at; at < blankUntil; at++) hunk.lines.push({ sign: '+', text: '' })
      }
      this.#at = blankUntil
    }
    return hunk.lines.length > 0 ? [hunk] : []
  }

  #blankUntil(): number {
    let at = this.#at
    while (this.#lines[at]?.trim() === '') at++
    return at
  }

  #hunks(): Hunk[] {
    const hunks: Hunk[] = []
    while (this.#line() !== undefined && !isSection(this.#line() ?? '')) {
      const from = this.#at
      const hunk = this.#hunk()
      if (hunk.lines.some(({ sign }) => sign !== ' ')) hunks.push(hunk)
      else if (hunk.lines.some(({ text }) => text.trim() !== '')) {
        this.#at = from
        throw this.#unreadable('the hunk changes nothing', `Begin lines to remove with '-' and lines to add with '+'.`)
      }
    }
    return hunks
  }

  #hunk(): Hunk {
    const hunk: Hunk = { line: this.#at + 1, lines: [], anchors: [], atEnd: false }
    for (let line = this.#line(); line?.startsWith('@@') === true; line = this.#line()) {
      const anchor = anchorOf(line)
      if (anchor !== '') hunk.anchors.push(anchor)
      this.#at++
    }
    for (let line = this.#line(); line !== undefined && !endsHunk(line); line = this.#line()) {
      hunk.lines.push(this.#hunkLine(line))
      this.#at++
    }
    if (this.#marker() === END_OF_FILE) {
      hunk.atEnd = true
      this.#at++
    } else takeBlankEnd(hunk, this.#lines, this.#at)
    if (hunk.anchors.length > 0 && hunk.lines.length === 0) {
      throw this.#unreadable(`nothing follows '@@ ${hunk.anchors.at(-1)}'`, 'Write the lines of the hunk after it.')
    }
    return hunk
  }

  #hunkLine(line: string): Hunk['lines'][number] {
    const sign = line[0]
    if (sign === '+' || sign === '-' || sign === ' ') return { sign, text: line.slice(1) }
    if (line.trim() === '') return { sign: ' ', text: line }
    throw this.#unreadable(
      `a line of a hunk begins with none of ' ', '-', '+': ${shown(line)}`,
      'Begin context lines with one space more than they have in the file.',
    )
  }

  #line(): string | undefined {
    return this.#lines[this.#at]
  }

  /** The current line, trimmed, where it is a marker. */
  #marker(): string | undefined {
    const line = this.#line()?.trim()
    return line?.startsWith('*** ') === true ? line : undefined
  }

  #unreadable(message: string, hint: string): UnreadablePatch {
    return new UnreadablePatch({ message, line: Math.min(this.#at + 1, this.#lines.length), hint })
  }
}

function isSection(line: string): boolean {
  return SECTION.test(line.trimEnd()) || line.trimEnd() === END
}

function isMarker(line: string): boolean {
  return isSection(line) || line.trimEnd() === END_OF_FILE
}

function endsHunk(line: string): boolean {
  return line.startsWith('@@') || isMarker(line)
}

/** The anchor after `@@`. Line numbers, as in unified diffs, are dropped, since models get them wrong. */
function anchorOf(line: string): string {
  const anchor = line.replace(/^@@+(?: -\d+(?:,\d+)? \+\d+(?:,\d+)? @@+)?/, '').replace(/\s@@+\s*$/, '').trim()
  return anchor === '...' ? '' : anchor
}

/** Unsigned blank lines at the end of a hunk usually only separate it from the next. */
function takeBlankEnd(hunk: Hunk, lines: readonly string[], end: number): void {
  let count = 0
  for (let at = end - 1; /^\r?$/.test(lines[at] ?? '-') && linesOf(hunk, 'old').length > 0; at--) {
    hunk.lines.pop()
    count++
  }
  if (count > 0) hunk.blankEnd = count
}

/**
 * The last line, where it is an indented `*** End Patch` and no unindented one ends the patch, as codex reads it; else
 * -1. Elsewhere such a line is context.
 */
function indentedEnd(lines: readonly string[]): number {
  if (lines.some((line) => line.trimEnd() === END)) return -1
  const last = lines.findLastIndex((line) => !/^\s*(?:`{3,}|~{3,}|\w*)\s*$/.test(line))
  return lines[last]?.trim() === END ? last : -1
}

function shown(line: string): string {
  return JSON.stringify(line.length > 60 ? `${line.slice(0, 60)}…` : line)
}
