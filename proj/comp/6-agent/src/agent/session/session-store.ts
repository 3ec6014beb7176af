import {
  closeSync, existsSync, fstatSync, ftruncateSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { hermesHome, makeOwnDirectory, writingOwn } from '../../../../2-config/src/index.js'
import { HermesError, isNodeError, orNothing, unlessCode } from '../../../../0-contracts/src/index.js'
import { bytesAt, closing, endsInMidLine, LockFile } from '../../../../2-files/src/index.js'
import { isThisProcess } from '../../../../2-processes/src/index.js'
import { createMasker, type Masker } from '../../../../0-text/src/index.js'
import { headLine, infoOf, readRecords } from './session-records.js'
import type { Session, SessionInfo, SessionMeta, SessionRecord, SessionStore } from './sessions.js'
import { randomBytes } from 'node:crypto'

/** Options of `openSessionStore`. */
export interface SessionStoreOptions {
  /** Default: `sessions` in `HERMES_HOME`, else in `~/.hermes`. */
  directory?: string | undefined
  /** Names and values of further secrets to mask, besides those of the environment: the model's key, for example. */
  secrets?: Readonly<Record<string, string | undefined>> | undefined
}

const SUFFIX = '.jsonl'
const ID = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,126}[A-Za-z0-9_-])?$/
/** Bytes read of each file for a list. */
const HEAD_BYTES = 64 * 1024

/**
 * Stores conversations as append-only JSONL files, one for each session, private to their owner (mode 600 in a
 * directory of mode 700). Known secrets are masked. Only the last line can be torn, where the process was killed; it is
 * skipped.
 */
export function openSessionStore(
  { directory = join(hermesHome(), 'sessions'), secrets = {} }: SessionStoreOptions = {},
): SessionStore {
  const masker = createMasker({ ...process.env, ...secrets })
  const fileOf = (id: string): string => join(directory, `${checkedId(id)}${SUFFIX}`)
  return {
    async open(id, meta = {}) {
      const path = fileOf(id)
      const release = hold(directory, id)
      try {
        return openSession(path, id, meta, masker, release)
      } catch (error) {
        release()
        throw error
      }
    },
    async list() {
      const names = unlessCode(['ENOENT', 'ENOTDIR'], () => readdirSync(directory), [])
        .filter((name) => name.endsWith(SUFFIX)).map((name) => name.slice(0, -SUFFIX.length))
      return names.filter((id) => ID.test(id)).flatMap((id) => orNothing(() => glance(fileOf(id), id), undefined) ?? [])
        .toSorted((sessionInfo, other) => other.updatedMs - sessionInfo.updatedMs)
    },
    async remove(id) {
      if (!existsSync(fileOf(id))) throw new HermesError('ENOENT', `No session ${id}`, {
        hint: 'List those there are.',
      })
      const release = hold(directory, id)
      try {
        rmSync(fileOf(id), { force: true })
      } finally {
        release()
      }
    },
  }
}

/** @throws HermesError `INVALID_OPTION` */
export function checkedId(id: string): string {
  if (ID.test(id)) return id
  throw new HermesError('INVALID_OPTION', `Invalid task id: ${id.slice(0, 200)}`, {
    hint: 'Use letters, digits, ".", "_" and "-", at most 128, with a letter or a digit first.',
  })
}

/** Locks a session for one holder in one process. @throws HermesError `LOCKED` */
function hold(directory: string, id: string): () => void {
  const locks = join(directory, '.locks')
  const path = join(locks, checkedId(id))
  const lock = writingOwn(directory, () => {
    makeOwnDirectory(locks)
    return LockFile.tryAt(path, 'session')
  })
  if (lock instanceof LockFile) return () => lock.release()
  const who = isThisProcess(lock) ? 'in this process already' : `in another process (${lock.pid})`
  throw new HermesError('LOCKED', `Session ${id} is open ${who}`, {
    hint: 'End it there first, or begin another session.',
  })
}

function openSession(path: string, id: string, meta: SessionMeta, masker: Masker, release: () => void): Session {
  const isNew = !existsSync(path)
  const descriptor = writingOwn(path, () => openSync(path, 'a+', 0o600))
  const lines = (texts: readonly string[]): void => (
    appendWhole(descriptor, texts.map((text) => `${text}\n`).join(''), id)
  )
  try {
    if (isNew || fstatSync(descriptor).size === 0) lines([headLine(id, masker.value(meta))])
    // Ends a torn line that a killed process left.
    else if (endsInMidLine(descriptor)) writeSync(descriptor, '\n')
    const text = readFileSync(path, 'utf8')
    const records = readRecords(text)
    const info = infoOf(text, id, statSync(path).mtimeMs)
    return {
      info,
      records,
      append(...added) {
        lines(added.map((record: SessionRecord) => JSON.stringify(masker.value(record))))
        info.updatedMs = Date.now()
      },
      async close() {
        closeSync(descriptor)
        release()
      },
    }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/** Appends all of the text or nothing: half a line would spoil the next. @throws HermesError `ENOSPC` and such */
function appendWhole(descriptor: number, text: string, id: string): void {
  const bytes = Buffer.from(text)
  const { size } = fstatSync(descriptor)
  try {
    // A disk that fills up accepts only a part.
    for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at)
  } catch (error) {
    orNothing(() => ftruncateSync(descriptor, size), undefined)
    if (!isNodeError(error)) throw error
    throw new HermesError(error.code, `Session ${id} could not be written: ${error.message}`, {
      hint: 'Nothing runs that cannot be kept. Make room, then send the message again.', cause: error,
    })
  }
}

/** Reads what a list shows from the beginning of a file. */
function glance(path: string, id: string): SessionInfo {
  return closing(openSync(path, 'r'), (descriptor) => (
    infoOf(bytesAt(descriptor, 0, HEAD_BYTES).toString(), id, fstatSync(descriptor).mtimeMs)
  ))
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Removes conversations in which nothing was said for so many days; one that is open stays. */
export async function pruneSessions(
  sessions: Pick<SessionStore, 'list' | 'remove'>, keepDays: number,
): Promise<void> {
  for (const { id, updatedMs } of await sessions.list()) {
    if (Date.now() - updatedMs <= keepDays * DAY_MS) continue
    try {
      await sessions.remove(id)
    } catch (error) {
      // Another process has it open, or was quicker.
      if (!(error instanceof HermesError) || (error.code !== 'LOCKED' && error.code !== 'ENOENT')) throw error
    }
  }
}

/** Sorts by time: `20261122-174210-3f9a1c`. */
export function newTaskId(now = new Date()): string {
  const [date = '', time = ''] = now.toISOString().replace(/[-:]|\.\d+Z$/g, '').split('T')
  return `${date}-${time}-${randomBytes(3).toString('hex')}`
}
