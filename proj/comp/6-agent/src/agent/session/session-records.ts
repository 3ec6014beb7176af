import { isRecord, parseJson } from '../../../../0-contracts/src/index.js'
import { areImages } from '../image-input.js'
import { recordedRewrite } from '../../../../2-transcripts/src/index.js'
import type { SessionInfo, SessionMeta, SessionRecord } from './sessions.js'

/** Version of the record format; raised when older versions of hermes cannot continue a session. */
const VERSION = 1
const LONGEST_TITLE = 100

/** Checks that a record of each type has what rebuilding a conversation needs. */
const FITS: Readonly<Record<SessionRecord['type'], (record: Record<string, unknown>) => boolean>> = {
  message: ({ message }) => isMessage(message),
  note: ({ text, takenBack = [] }) => typeof text === 'string' && Array.isArray(takenBack)
    && takenBack.every((item) => typeof item === 'string'),
  part: ({ text }) => typeof text === 'string',
  calls: ({ calls }) => Array.isArray(calls) && calls.every((call) => isRecord(call) && typeof call['id'] === 'string'),
  start: ({ id }) => typeof id === 'string',
  result: ({ id, result }) => typeof id === 'string' && isRecord(result),
  rewritten: ({ original, text, rewrites, texts }) => typeof original === 'string' && typeof text === 'string'
    && Array.isArray(rewrites) && rewrites.every((rewrite) => recordedRewrite(rewrite) !== undefined)
    && Array.isArray(texts) && texts.every((candidate) => typeof candidate === 'string'),
  replace: ({ messages }) => Array.isArray(messages) && messages.every(isMessage),
  open: ({ pid }) => typeof pid === 'number',
}

export function headLine(id: string, meta: SessionMeta): string {
  return JSON.stringify({ type: 'session', version: VERSION, id, createdMs: Date.now(), ...meta })
}

/** The records of a file; invalid lines (torn, or of a later version) are skipped. */
export function readRecords(text: string): SessionRecord[] {
  return text.split('\n').flatMap((line) => {
    const record = parsed(line)
    const type = record?.['type']
    const fits = typeof type === 'string' && Object.hasOwn(FITS, type) ? FITS[type as SessionRecord['type']] : undefined
    return record && fits?.(record) ? [record as SessionRecord] : []
  })
}

/** @param text the file, or its beginning */
export function infoOf(text: string, id: string, updatedMs: number): SessionInfo {
  const head = parsed(text.slice(0, text.indexOf('\n')))
  const string = (name: string) => (typeof head?.[name] === 'string' ? { [name]: head[name] } : {})
  const title = head && typeof head['title'] === 'string' ? head['title'] : titleOf(text)
  return {
    id, createdMs: typeof head?.['createdMs'] === 'number' ? head['createdMs'] : updatedMs, updatedMs,
    ...string('model'), ...string('root'), ...(title !== undefined && { title }),
  }
}

/** The start of a user's message in the file; one with images may be longer than the part that was read. */
const SAID = /^\{"type":"message","message":\{"role":"user","content":"((?:[^"\\]|\\[^u]|\\u[0-9a-f]{4})*)/m

function titleOf(text: string): string | undefined {
  const content = SAID.exec(text)?.[1]
  if (content === undefined) return undefined
  const line = (JSON.parse(`"${content}"`) as string).split('\n').find((candidate) => candidate.trim() !== '') ?? ''
  return line.trim().slice(0, LONGEST_TITLE)
}

function isMessage(value: unknown): boolean {
  if (!isRecord(value)) return false
  const { role, content } = value
  if (role === 'assistant') {
    return typeof content === 'string' || (content === null && Array.isArray(value['tool_calls']))
  }
  if (role === 'tool' && typeof value['tool_call_id'] !== 'string') return false
  if (role === 'user' && value['images'] !== undefined) return typeof content === 'string' && areImages(value['images'])
  return typeof content === 'string' && (role === 'user' || role === 'system' || role === 'tool')
}

function parsed(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined
  const value = parseJson(line)
  return isRecord(value) ? value : undefined
}
