/**
 * Text of unknown content is one character of Unicode's private use area, which also tells its origin. This one:
 * unknown origin.
 */
export const ANY = '\ue000'
/** From the network. */
export const REMOTE = '\ue001'
/** Decoded or unpacked, so it was hidden. */
export const DECODED = '\ue002'
/** Output of a local program. */
export const PRINTED = '\ue003'
/** Keys, passwords and tokens. */
export const SECRET = '\ue004'
/** Contents of a file. */
export const CONTENT = '\ue005'
/** Process ids found by a search. */
export const PROCESSES = '\ue006'

/** Follows another one: a line of many, so that an action on it applies to all. */
const LISTED = '\ue007'

export function isKnown(text: string): boolean {
  return !/[\ue000-\ue007]/.test(text)
}

export function isWhollyUnknown(text: string): boolean {
  return /^\s*[\ue000-\ue007]+\s*$/.test(text)
}

/** Output or file content taken line by line. */
export function listed(text: string): string {
  return text.replace(new RegExp(`[${ANY}${PRINTED}${CONTENT}](?!${LISTED})`, 'g'), (taint) => taint + LISTED)
}

/** Whether a text stands for each of many items in turn. */
export function isListed(text: string): boolean {
  return text.includes(LISTED)
}

/** Removes these characters from text that itself contains them. */
export function withoutTaints(text: string): string {
  return text.replace(/[\ue000-\ue01f]/g, '?')
}

/** The text for display, with unknown parts as dots. */
export function shown(text: string): string {
  return text.replace(/[\ue000-\ue007]+/g, '…')
}

/** The result of a transformation of `text` that is not followed. */
export function changed(text: string): string {
  const taint = [SECRET, REMOTE, DECODED, CONTENT, PROCESSES, PRINTED, ANY].find((mark) => text.includes(mark))
  return taint ?? (text.trim() === '' ? '' : DECODED)
}
