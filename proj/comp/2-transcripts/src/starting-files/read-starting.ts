import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { denialOf, unfitPath } from '../../../2-files/src/index.js'
import { invalidTranscript } from '../transcript-failure.js'
import {
  bytesOfContent, LEFT_OUT, STARTING_KINDS, type KeptContent, type StartingPath,
} from './starting-model.js'

/** Most starting paths to read from a recording. */
const MOST_READ = 100_000

const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))
const count = v.pipe(v.number(), v.integer(), v.minValue(0))

/** A starting path in a recording or job. */
export const STARTING_PATH = v.object({
  path: v.string(),
  kind: v.picklist(STARTING_KINDS),
  mode: v.optional(v.pipe(count, v.maxValue(0o777))),
  size: v.optional(count),
  sha256: v.optional(hash),
  target: v.optional(v.string()),
  left: v.optional(v.picklist(LEFT_OUT)),
  listed: v.optional(v.literal(true)),
})
const TEXT = v.object({ text: v.string() })
const BASE64 = v.object({ base64: v.string() })
/** Contents by SHA-256, in a job. */
export const CONTENTS = v.record(hash, v.union([TEXT, BASE64]))
const CONTENT = v.union([v.object({ sha256: hash, ...TEXT.entries }), v.object({ sha256: hash, ...BASE64.entries })])

type Event = Record<string, unknown>

/**
 * The contents in a recording, by SHA-256.
 *
 * @throws HermesError `INVALID_TRANSCRIPT` where one does not match its hash
 */
export function contentsIn(events: readonly Event[]): Record<string, KeptContent> {
  const contents: Record<string, KeptContent> = {}
  for (const event of events) {
    if (event['type'] !== 'content') continue
    const { success, output } = v.safeParse(CONTENT, event)
    if (!success) throw invalidTranscript('A content of the recording has no known form')
    const { sha256, ...content } = output
    if (createHash('sha256').update(bytesOfContent(content)).digest('hex') !== sha256) {
      throw invalidTranscript(
        `A content of the recording is not what its hash says: ${sha256}`,
        'The file was changed since it was recorded: take it from version control, or record it again.',
      )
    }
    contents[sha256] = content
  }
  return contents
}

/**
 * States of paths before one run; if a path was recorded twice, the later record counts, which has more.
 *
 * @throws HermesError `INVALID_TRANSCRIPT` for a path outside the root, or a missing content
 */
export function startIn(
  events: readonly Event[], contents: Readonly<Record<string, KeptContent>>,
): StartingPath[] | undefined {
  const paths = new Map<string, StartingPath>()
  for (const event of events) {
    if (event['type'] !== 'start') continue
    const { success, output } = v.safeParse(STARTING_PATH, event)
    if (!success) throw invalidTranscript('A starting file of the recording has no known form')
    const { path } = output
    requireFitStart(output as StartingPath, contents)
    paths.delete(path)
    paths.set(path, output as StartingPath)
    if (paths.size > MOST_READ) throw invalidTranscript(`The recording has more than ${MOST_READ} starting files`)
  }
  return paths.size === 0 ? undefined : [...paths.values()]
}

/**
 * Checks that a path can be created in a workspace.
 *
 * @throws HermesError `INVALID_TRANSCRIPT` for a path outside the root, or a missing content
 */
export function requireFitStart(
  { path, kind, target, left, sha256 }: StartingPath, contents: Readonly<Record<string, KeptContent>>,
): void {
  // Nothing is created for these.
  if (left !== undefined && kind === 'other') return
  const isRoot = path === '' && kind === 'directory'
  // Paths denied to models are also denied to a recording, which could otherwise control its own replay.
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

/** Whether a link stays inside the root, by its names alone, whatever links are on its way. */
function staysInside(path: string, target: string): boolean {
  if (target === '' || target.startsWith('/') || /[\0\\]/.test(target) || /^[a-z]:/i.test(target)) return false
  const names = target.split('/').filter((name) => name !== '' && name !== '.')
  const up = names.findIndex((name) => name !== '..')
  // `..` behind a name may lead anywhere, since the name may be a link.
  return !names.slice(up === -1 ? names.length : up).includes('..')
    && (up === -1 ? names.length : up) <= path.split('/').length - 1
}
