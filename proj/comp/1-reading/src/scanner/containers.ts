import { advanceColumns, isBlank, skipIndent, type Cursor } from './columns.js'

/** An open list item; `width`: columns of its content relative to its parent's. */
export interface ListItem {
  width: number
  /** False while only its marker was seen; a blank line then ends it. */
  hasContent: boolean
}

/** Most nested list items; deeper ones are read as text. */
const MAX_DEPTH = 100

/**
 * Moves the cursor past the containers that continue in this line; returns how many do. Without lazy continuation: the
 * others have ended.
 */
export function matchContainers(stack: ListItem[], text: string, cursor: Cursor, end: number): number {
  for (let depth = 0; depth < stack.length; depth++) {
    const item = stack[depth]!
    const probe = { at: cursor.at, column: cursor.column }
    const indent = skipIndent(text, probe, end)
    if (probe.at >= end) {
      if (!item.hasContent) return depth
    } else if (indent >= item.width) advanceColumns(text, cursor, item.width, end)
    else return depth
  }
  return stack.length
}

/**
 * Recognises a thematic break (`***`, `- - -`), which is no list; the line's indentation is already skipped.
 *
 * @returns the line's end for a break, else where it fails: from any marker before that place it fails too
 */
export function thematicBreakEnd(text: string, from: number, end: number): number {
  const code = text.charCodeAt(from)
  if (code !== 0x2a && code !== 0x2d && code !== 0x5f) return from
  let marks = 0
  for (let at = from; at < end; at++) {
    if (text.charCodeAt(at) === code) marks++
    else if (!isBlank(text.charCodeAt(at))) return at
  }
  return marks >= 3 ? end : from
}

export function isSetextUnderline(text: string, from: number, end: number): boolean {
  const char = text.charCodeAt(from)
  if (char !== 0x2d && char !== 0x3d) return false
  let at = from
  while (at < end && text.charCodeAt(at) === char) at++
  while (at < end && isBlank(text.charCodeAt(at))) at++
  return at === end
}

/**
 * Opens the list item whose marker is at the cursor, behind `indent` columns of indentation: pushes it and moves the
 * cursor to its content. False where no item starts (CommonMark 0.31.2, section 5.2).
 */
export function openListItem(
  stack: ListItem[], text: string, cursor: Cursor, end: number, indent: number, afterParagraph: boolean,
): boolean {
  if (stack.length >= MAX_DEPTH) return false
  const marker = markerLength(text, cursor.at, end)
  if (marker === 0) return false
  const after = cursor.at + marker
  if (after < end && !isBlank(text.charCodeAt(after))) return false
  const probe = { at: after, column: cursor.column + marker }
  const spaces = skipIndent(text, probe, end)
  const empty = probe.at >= end
  if (afterParagraph && (empty || (marker > 1 && Number(text.slice(cursor.at, after - 1)) !== 1))) return false
  cursor.at = after
  cursor.column += marker
  const padding = empty || spaces >= 5 ? 1 : spaces
  advanceColumns(text, cursor, padding, end)
  stack.push({ width: indent + marker + padding, hasContent: !empty })
  return true
}

/** Length of a list marker: 1 for a bullet, digits plus one for an ordered one, 0 for none. */
function markerLength(text: string, from: number, end: number): number {
  const code = text.charCodeAt(from)
  if (code === 0x2a || code === 0x2b || code === 0x2d) return 1
  let at = from
  while (at < end && at - from < 9 && isDigit(text.charCodeAt(at))) at++
  if (at === from || at >= end) return 0
  const close = text.charAt(at)
  return close === '.' || close === ')' ? at - from + 1 : 0
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}
