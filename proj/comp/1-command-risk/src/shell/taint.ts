/**
 * Texts are known as far as the script itself says them. What it does not say is one character of Unicode's private
 * use, which also tells where it would come from.
 */
export const ANY = '\ue000'
/** From the network. */
export const REMOTE = '\ue001'
/** Decoded or unpacked: it was hidden. */
export const DECODED = '\ue002'
/** Printed by a program of this machine. */
export const PRINTED = '\ue003'
/** Keys, passwords and tokens. */
export const SECRET = '\ue004'
/** The contents of a file. */
export const CONTENT = '\ue005'
/** Numbers of processes, found by a search. */
export const PROCESSES = '\ue006'

/** Stands behind another one: a line of many, so that what is done to it is done to all. */
const LISTED = '\ue007'

const UNKNOWN = /[\ue000-\ue007]/
/** Nothing but what is not known. */
const ONLY_UNKNOWN = /^\s*[\ue000-\ue007]+\s*$/

export function isKnown(text: string): boolean {
  return !UNKNOWN.test(text)
}

export function isWhollyUnknown(text: string): boolean {
  return ONLY_UNKNOWN.test(text)
}

/** What a program printed or a file holds, taken line by line. */
export function listed(text: string): string {
  return text.replace(new RegExp(`[${ANY}${PRINTED}${CONTENT}](?!${LISTED})`, 'g'), (taint) => taint + LISTED)
}

/** Whether it names each of many things in turn. */
export function isListed(text: string): boolean {
  return text.includes(LISTED)
}

/** Without the characters that have a meaning here, should the text itself hold them. */
export function withoutTaints(text: string): string {
  return text.replace(/[\ue000-\ue01f]/g, '?')
}

/** A text for people: unknown parts are dots. */
export function shown(text: string): string {
  return text.replace(/[\ue000-\ue007]+/g, '…')
}

/** What a change of `text` that is not followed here gives. */
export function changed(text: string): string {
  const taint = [SECRET, REMOTE, DECODED, CONTENT, PROCESSES, PRINTED, ANY].find((one) => text.includes(one))
  return taint ?? (text.trim() === '' ? '' : DECODED)
}
