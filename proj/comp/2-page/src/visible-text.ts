import { escapeControls, isNeeded } from '../../0-text/src/index.js'

/** A piece of text; `isControl`: it stands for a character that hides or turns text. */
export interface VisiblePiece {
  text: string
  isControl: boolean
}

/** Text as it can be shown: every control and bidirectional character as a visible escape, in a piece of its own. */
export function visiblePieces(text: string): VisiblePiece[] {
  if (escapeControls(text) === text) return [{ text, isControl: false }]
  const pieces: VisiblePiece[] = []
  let at = 0
  for (const character of text) {
    const shown = isNeeded(character, at, text) ? character : escapeControls(character)
    at += character.length
    const isControl = shown !== character
    const last = pieces.at(-1)
    if (last && last.isControl === isControl && !isControl) last.text += character
    else pieces.push({ text: shown, isControl })
  }
  return pieces
}
