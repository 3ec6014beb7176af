import { endUnclosedFenceCall, fenceCallLine } from '../calls/dialect-fences.js'
import { CharSet } from '../char-set.js'
import { skipIndent } from '../columns.js'
import { matchContainers } from '../containers.js'
import { diffLine, endDiffAtEnd, openDiff } from './diff-lines.js'
import {
  beginsGitDiff, FOREIGN_MARKER, NEW_FILE, OLD_FILE, readPatchCall, readPatchMarker, readSearchMarker,
  replaceMarkerLength,
} from './edit-markers.js'
import { cutEdit } from './edit-items.js'
import { pathOfFirstLine } from './edit-paths.js'
import type { OpenEdit, OpenUnnamedFence } from './edit-state.js'
import { EDIT_FORMAT_SPECS, type EditFormat, type ErrorCode } from '../../../../0-contracts/src/index.js'
import { endUnclosedPatch, openPatch, patchCall, patchLine } from './patch-lines.js'
import type { ScanState } from '../scan-state.js'
import { endUnclosedSearch, openSearch, searchLine } from './search-lines.js'
import { giveUpFence } from './taken-fence.js'
import { isTooLong } from '../too-long.js'
import { endUnclosedFile, wholeFileLine } from './whole-file-lines.js'

/**
 * Reads a line of the open edit block. Its length is checked line by line, so that cuts change nothing.
 *
 *     <<<<<<< SEARCH
 *     const a = 1
 *     ^^^^^^^^^^^
 *     =======
 */
export function editLine(s: ScanState): number {
  const edit = s.edit!
  const at = lineOf(s, edit)
  if (s.edit === edit && isTooLong(s, edit.start, s.abs(s.next))) cutEdit(s, edit)
  return at
}

function lineOf(s: ScanState, edit: OpenEdit): number {
  switch (edit.format) {
    case 'search-replace': return searchLine(s, edit)
    case 'v4a': return patchLine(s, edit)
    case 'unified': return diffLine(s, edit)
    case 'whole-file': return wholeFileLine(s, edit)
    case 'unnamed-fence': return unnamedFenceLine(s, edit)
    case 'fence-call': return fenceCallLine(s, edit)
  }
}

/** The text has ended with an edit block open; reading may resume inside it. */
export function endEditAtEnd(s: ScanState): void {
  const edit = s.edit!
  const end = s.abs(s.region.length)
  switch (edit.format) {
    case 'search-replace': return endUnclosedSearch(s, edit, s.line, end)
    case 'v4a': return endUnclosedPatch(s, edit, s.line, end)
    case 'unified': return endDiffAtEnd(s, edit)
    case 'whole-file': return endUnclosedFile(s, edit, s.line, end)
    case 'unnamed-fence': return openOtherwise(s, edit)
    case 'fence-call': return endUnclosedFenceCall(s, edit, s.line, end)
  }
}

/** Cheap test whether a line that starts with `code` can begin an edit block, or end one that is not open. */
export function mayBeEdit(code: number): boolean {
  return FIRST.has(code)
}

const FIRST = new CharSet('<>*-+d[{')
/** Longest line that can begin or end an edit, in UTF-16 units. */
const MAX_LINE = 1000

/**
 * Begins the edit block at `at`, in a place where blocks are live; `undefined` where none begins. A block of a format
 * that is not enabled is reported, and its lines keep their ordinary meaning.
 */
export function beginEdit(s: ScanState, at: number, column: number): number | undefined {
  const code = s.region.charCodeAt(at)
  if (code < 0x40 && s.region.charCodeAt(at + 1) !== code) return undefined
  if (code === 0x3c || code === 0x3e || code === 0x2b) return searchMark(s, at, column)
  if (code === 0x2a) return patchMark(s, at, column)
  if (code === 0x5b || code === 0x7b) return callMark(s, at)
  if (code === 0x64) return gitDiff(s, at, column)
  return code === 0x2d ? dashes(s, at, column) : undefined
}

/** Whether a block of a format that is read begins at `at`; a diff shows that only on its next line. */
export function beginsEdit(s: ScanState, at: number): boolean {
  if (s.formats.size === 0 || !FIRST.has(s.region.charCodeAt(at))) return false
  const line = lineAt(s, at)
  const search = readSearchMarker(line)
  return (s.formats.has('search-replace') && search !== undefined && search.problem === undefined)
    || (s.formats.has('v4a') && readPatchMarker(line)?.begins === true)
    || (s.formats.has('unified') && beginsGitDiff(line))
}

function lineAt(s: ScanState, at: number): string {
  return s.region.slice(at, Math.min(s.end, at + MAX_LINE))
}

/** `<<<<<<< Search`, but not prose or a search result. */
const FEW_WORDS = /^<{5,9}[ \t]*search[ \t:>]*$/i
/** The new file of a diff, but not a sum. */
const NAMES_PATH = /^\+\+\+ (?:[a-z]\/\S|\/dev\/null|\S+\.\w+(?:\t|[ \t]*$))/

function searchMark(s: ScanState, at: number, column: number): number | undefined {
  const line = lineAt(s, at)
  const marker = readSearchMarker(line)
  if (marker) {
    if (s.formats.has('search-replace')) return openSearch(s, marker, at, column)
    return marker.problem === undefined || FEW_WORDS.test(line) ? skip(s, 'search-replace', at) : undefined
  }
  if (s.formats.has('search-replace') && FOREIGN_MARKER.test(line)) {
    return strayMark(s, 'INVALID_EDIT', line, at, 'is no SEARCH marker',
      'Write <<<<<<< SEARCH, the old lines, =======, the new lines, >>>>>>> REPLACE.')
  }
  const old = s.diffStart
  if (NEW_FILE.test(line)) {
    if (!s.formats.has('unified') && !NAMES_PATH.test(line)) return undefined
    if (!s.formats.has('unified')) return skip(s, 'unified', at)
    if (old?.line === s.line - 1 && old.column === column) {
      openDiff(s, old)
      return s.at
    }
  }
  if (!s.formats.has('search-replace') || replaceMarkerLength(line) === 0) return undefined
  return strayMark(s, 'MISMATCHED_END', line, at, 'ends no SEARCH/REPLACE block',
    'Each block begins with its own <<<<<<< SEARCH line; write the whole block again.')
}

/** A mark of an edit that opens and ends nothing. */
function strayMark(s: ScanState, code: ErrorCode, line: string, at: number, what: string, hint: string): number {
  s.leaveProse()
  const mark = line.trimEnd()
  s.nearMiss(s.error(code, `'${mark}' ${what}`, at, mark.length, hint))
  return -1
}

function patchMark(s: ScanState, at: number, column: number): number | undefined {
  const line = lineAt(s, at)
  const marker = readPatchMarker(line)
  if (!marker) return undefined
  if (!s.formats.has('v4a')) return marker.begins && marker.exact ? skip(s, 'v4a', at) : undefined
  if (marker.begins) return openPatch(s, marker.exact, at, column)
  return strayMark(s, 'MISMATCHED_END', line, at, 'ends no patch',
    'Write the whole patch again, from *** Begin Patch to *** End Patch.')
}

function callMark(s: ScanState, at: number): number | undefined {
  const call = readPatchCall(s.region.slice(at, s.end))
  if (!call) return undefined
  return s.formats.has('v4a') ? patchCall(s, call, at) : skip(s, 'v4a', at)
}

function gitDiff(s: ScanState, at: number, column: number): number | undefined {
  if (!s.formats.has('unified') || !beginsGitDiff(lineAt(s, at))) return undefined
  openDiff(s, diffStart(s, at, column))
  return -1
}

function dashes(s: ScanState, at: number, column: number): number | undefined {
  if (s.formats.has('unified') && OLD_FILE.test(lineAt(s, at))) s.diffStart = diffStart(s, at, column)
  return s.formats.has('search-replace') ? searchMark(s, at, column) : undefined
}

function diffStart(s: ScanState, at: number, column: number) {
  return { line: s.line, start: s.abs(s.lineStart), column, text: s.region.slice(at, s.next) }
}

/**
 * A block of a format that is not enabled, in a live place, is an error, since it asks for something that will not be
 * done. Its lines keep their ordinary meaning.
 */
function skip(s: ScanState, format: EditFormat, at: number): undefined {
  if (s.fence) s.fence.noticed = format
  const { called } = EDIT_FORMAT_SPECS[format]
  const message = `${called.charAt(0).toUpperCase()}${called.slice(1)} is not read here`
  const hint = `Read it with --edit-format ${format} (option editFormats), or write the change as a hermes block.`
  s.nearMiss(s.error('NOT_READ', message, at, s.end - at, hint))
  return undefined
}

/** The first line of a fence without a path: a comment that names the file, and is none of its lines, or any other. */
function unnamedFenceLine(s: ScanState, edit: OpenUnnamedFence): number {
  const cursor = { at: s.at, column: 0 }
  const isInside = matchContainers(s.list, s.region, cursor, s.end) === s.list.length
  skipIndent(s.region, cursor, s.end)
  const path = isInside ? pathOfFirstLine(s.region.slice(cursor.at, s.end)) : undefined
  if (path === undefined) {
    openOtherwise(s, edit)
    return s.at
  }
  s.edit = { ...edit, format: 'whole-file', path }
  return -1
}

/** It names no file: what it is without one. */
function openOtherwise(s: ScanState, edit: OpenUnnamedFence): void {
  const { call, spokenOf, startLine } = edit
  s.edit = call && { ...edit, format: 'fence-call', call }
  if (call) return
  giveUpFence(s, edit)
  if (spokenOf === undefined) return
  const reason = `looks like ${spokenOf}: to write it, put its path alone on the line above`
  s.emit({ kind: 'skipped', block: { startLine, endLine: startLine, reason } })
}
