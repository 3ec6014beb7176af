import { EDIT_FORMATS, READ_FORMATS, type ReadFormat } from '../../../0-contracts/src/index.js'

/** What a flag in a text fence's info string does to the input below it. */
const FLAGS = {
  /** `\r`, `\n`, `\t`, `\x20`, `\u00e9` stand for the characters, `\*40{…}` for 40 times what is in the braces. */
  escapes: (text: string) => unescape(repeat(text)),
  crlf: (text: string) => text.replaceAll('\n', '\r\n'),
  bom: (text: string) => `\ufeff${text}`,
  /** The last line has no line break. */
  open: (text: string) => text.replace(/\n$/, ''),
  'starts-in-think': (text: string) => text,
  /** All edit formats are enabled, or this one. */
  'edit-formats': (text: string) => text,
  'search-replace': (text: string) => text,
  v4a: (text: string) => text,
  unified: (text: string) => text,
  whole: (text: string) => text,
  ...Object.fromEntries(READ_FORMATS.map((format) => [format, (text: string) => text])),
}

export interface GoldenInput {
  text: string
  startsInThink: boolean
  editFormats: readonly ReadFormat[]
}

export function decodeInput(body: string, flags: readonly string[]): GoldenInput {
  let text = `${body}\n`
  for (const flag of flags) {
    if (!isFlag(flag)) throw new Error(`unknown flag ${flag}; known: ${Object.keys(FLAGS).join(', ')}`)
    text = FLAGS[flag](text)
  }
  const editFormats = [
    ...READ_FORMATS.filter((format) => flags.includes(format)),
    ...flags.includes('edit-formats') ? EDIT_FORMATS : [],
  ]
  return { text, startsInThink: flags.includes('starts-in-think'), editFormats }
}

function isFlag(flag: string): flag is keyof typeof FLAGS {
  return Object.hasOwn(FLAGS, flag)
}

function repeat(text: string): string {
  return text.replace(/\\\*(\d+)\{([^}]*)\}/g, (_, times: string, part: string) => part.repeat(Number(times)))
}

const NAMED: Record<string, string> = { r: '\r', n: '\n', t: '\t' }

function unescape(text: string): string {
  const escape = /\\(?:([rnt])|x([\da-f]{2})|u([\da-f]{4}))/g
  return text.replace(escape, (_, named?: string, byte?: string, unit?: string) => (
    named === undefined ? String.fromCharCode(parseInt(byte ?? unit ?? '', 16)) : NAMED[named] ?? ''
  ))
}
