import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { denialOf, unfitPath } from '../../../2-files/src/index.js'
import { invalidTranscript } from '../transcript-failure.js'
import {
  bytesOfContent, LEFT_OUT, STARTING_KINDS, type KeptContent, type StartingPath,
} from './starting-model.js'

/** Of all runs of a recording. */
const MOST_READ = 100_000

const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))
const count = v.pipe(v.number(), v.integer(), v.minValue(0))

/** One starting path as a recording or a job has it. */
export const STARTING_PATH = v.object({
  path: v.string(),
  kind: v.picklist(STARTING_KINDS),
  mode: v.optional(v.pipe(count, v.maxValue(0o777))),
  size: v.optional(count),
  sha256: v.optional(hash),
  target: v.optional(v.string()),
  left: v.optional(v.picklist(LEFT_OUT)),
})
const TEXT = v.object({ text: v.string() })
const BASE64 = v.object({ base64: v.string() })
/** Contents by SHA-256, as a job has them. */
export const CONTENTS = v.record(hash, v.union([TEXT, BASE64]))
const CONTENT = v.union([v.object({ sha256: hash, ...TEXT.entries }), v.object({ sha256: hash, ...BASE64.entries })])

type Event = Record<string, unknown>

/**
 * The contents that a recording holds, by SHA-256.
 *
 * @throws HermesError `INVALID_TRANSCRIPT` where one is not what its hash says
 */
export function contentsIn(events: readonly Event[]): Record<string, KeptContent> {
  const contents: Record<string, KeptContent> = {}
  for (const event of events) {
    if (event['type'] !== 'content') continue
    const { success, output } = v.safeParse(CONTENT, event)
    if (!success) throw invalidTranscript('A content of the recording has no known form')
    const { sha256, ...content } = output
    if (createHash('sha256').update(bytesOfContent(content)).digest('hex') !== sha256) {
      throw invalidTranscript(`A content of the recording is not what its hash says: ${sha256}`)
    }
    contents[sha256] = content
  }
  return contents
}

/**
 * What the paths of one run were before it; of those that were looked at twice what was seen last, which is more.
 *
 * @throws HermesError `INVALID_TRANSCRIPT` for a path that leads out of the root, and for a content that is not there
 */
export function startIn(
  events: readonly Event[], contents: Readonly<Record<string, KeptContent>>,
): StartingPath[] | undefined {
  const found = new Map<string, StartingPath>()
  for (const event of events) {
    if (event['type'] !== 'start') continue
    const { success, output } = v.safeParse(STARTING_PATH, event)
    if (!success) throw invalidTranscript('A starting file of the recording has no known form')
    const { path } = output
    requireFitStart(output as StartingPath, contents)
    found.delete(path)
    found.set(path, output as StartingPath)
    if (found.size > MOST_READ) throw invalidTranscript(`The recording has more than ${MOST_READ} starting files`)
  }
  return found.size === 0 ? undefined : [...found.values()]
}

/**
 * Whether a path can be put into a workspace.
 *
 * @throws HermesError `INVALID_TRANSCRIPT` for a path that leads out of the root, and for a content that is not there
 */
export function requireFitStart(
  { path, kind, target, left, sha256 }: StartingPath, contents: Readonly<Record<string, KeptContent>>,
): void {
  // Nothing is made of these.
  if (left !== undefined && kind === 'other') return
  const isRoot = path === '' && kind === 'directory'
  // What is closed to models is so to a recording: it would decide how its own replay runs.
  if (!isRoot && (unfitPath(path) !== undefined || denialOf(`/${path}`, path, 'list') !== undefined)) {
    throw invalidTranscript(`A starting file of the recording would not be in the root: ${JSON.stringify(path)}`)
  }
  if (sha256 !== undefined && left === undefined && !Object.hasOwn(contents, sha256)) {
    throw invalidTranscript(`The recording lacks the content of the starting file ${JSON.stringify(path)}`)
  }
  if (kind !== 'link' || left !== undefined) return
  if (target === undefined || !staysInside(path, target)) {
    throw invalidTranscript(`A link of the recording would lead out of the root: ${JSON.stringify(path)}`)
  }
}

/** By its names alone, and whatever other links are on its way. */
function staysInside(path: string, target: string): boolean {
  if (target === '' || target.startsWith('/') || /[\0\\]/.test(target) || /^[a-z]:/i.test(target)) return false
  const names = target.split('/').filter((name) => name !== '' && name !== '.')
  const up = names.findIndex((name) => name !== '..')
  // Behind a name `..` may be anywhere: the name may be a link.
  return !names.slice(up === -1 ? names.length : up).includes('..')
    && (up === -1 ? names.length : up) <= path.split('/').length - 1
}
