import { mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { type GoldenCase, readGoldens } from '../../../../test/support/goldens.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { DEFAULT_LIMITS, DEFAULT_POLICY } from '../../../2-config/src/config/index.js'
import { type AnyVerb, HermesError, type Limits, type VerbContext } from '../../../0-contracts/src/index.js'
import { DiskFiles, formatNodeError, OverlayFiles } from '../../../2-files/src/store/index.js'
import { createSandbox } from '../../../2-sandbox/src/index.js'
import { createPathGate } from '../../../2-files/src/policy/index.js'
import { VERBS } from '../../src/verbs/index.js'

type Leaf = string | { dir: true } | { link: string } | { base64: string } | { repeat: [text: string, times: number] }
export type Tree = Record<string, Leaf>

/** Under which the goldens write the temporary root. */
const ALIAS = '/workspace'
const LIMITS: Limits = {
  ...DEFAULT_LIMITS,
  maxFileBytes: 100_000, maxOutputBytes: 1_000, commandTimeoutMs: 1_000, maxCommandTimeoutMs: 1_000, maxMatches: 5,
}

/**
 * Runs the cases of a golden file: level-2 headings name verbs; fences are `args`, `before` and `after` (trees; no
 * `after` means unchanged), and `data` or `error`; `hint` is what a verb that succeeds says besides. Several `args` run one after the other in one session, and the
 * result is the last one's. Each case runs on the disk, and on an overlay that must leave the disk as it was.
 */
export function runGoldens(file: URL): void {
  const cases = readGoldens(file)
  for (const verb of new Set(cases.map(({ group }) => group))) {
    describe(verb, () => {
      it.each(cases.filter(({ group }) => group === verb))('$name', async (golden) => {
        await runOn(verb, golden, 'disk')
        await runOn(verb, golden, 'overlay')
      })
    })
  }
}

async function runOn(name: string, golden: GoldenCase, kind: 'disk' | 'overlay'): Promise<void> {
  const root = tempDir()
  const before = bodies(golden, 'before')[0] ?? {}
  plant(root, before as Tree)
  const context = contextFor(root, kind)
  let outcome: unknown
  let hints: string[] = []
  for (const args of bodies(golden, 'args')) {
    const { verb = name, ...rest } = args as { verb?: string }
    hints = []
    outcome = await runVerb(verb, rest, { ...context, advise: (hint) => hints.push(hint) })
  }
  const [data] = bodies(golden, 'data')
  expect(outcome).toEqual(data === undefined ? bodies(golden, 'error')[0] : { data })
  const [hint] = bodies(golden, 'hint')
  if (hint !== undefined) expect(hints).toEqual([hint])
  const after = kind === 'disk' ? bodies(golden, 'after')[0] ?? before : before
  expect(snapshot(root)).toEqual(flatten(after as Tree))
}

/** A context over a temporary root that is also written `/workspace`. */
export function contextFor(root: string, kind: 'disk' | 'overlay', limits: Partial<Limits> = {}): VerbContext {
  const overlay = kind === 'overlay' ? new OverlayFiles() : undefined
  const gate = createPathGate({ root, aliases: [ALIAS], ...(overlay && { probe: overlay.probe }) })
  return {
    gate,
    files: overlay ?? new DiskFiles(),
    session: { root: gate.root, context: new Map() },
    limits: { ...LIMITS, ...limits },
    policy: DEFAULT_POLICY,
    runId: 'test',
    sandbox: createSandbox({ root: gate.root }),
    dryRun: kind === 'overlay',
    ui: undefined,
    approve: async () => 'unavailable',
    signal: new AbortController().signal,
  }
}

/** As the executor does: arguments and result are those of the schemas, Node's errors get hermes' wording. */
export async function runVerb(name: string, args: object, context: VerbContext): Promise<unknown> {
  const verb = await loadVerb(name)
  try {
    const parsed = v.parse(verb.args, args) as never
    verb.check?.(parsed)
    const data = await verb.handler(parsed, { ...context, vocabulary: verb.vocabulary })
    return { data: settle(v.parse(verb.result, data)) }
  } catch (error) {
    if (error instanceof v.ValiError) throw error
    const path = String((args as Record<string, unknown>)[verb.primary ?? ''])
    if (!(error instanceof HermesError)) return { message: formatNodeError(error, path, name) }
    const { code, message, hint, data } = error
    return JSON.parse(JSON.stringify({ code, message, hint, data }))
  }
}

export async function loadVerb(name: string): Promise<AnyVerb> {
  const entry = VERBS.find((candidate) => candidate.name === name)
  if (!entry) throw new Error(`no verb ${name}`)
  return entry.load()
}

/** Leaves out what differs from machine to machine: times, sizes of directories. */
function settle(data: unknown): unknown {
  if (!Array.isArray(data)) return data
  return data.map((item: unknown) => {
    if (typeof item !== 'object' || item === null || !('modified' in item)) return item
    expect(item.modified).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    const { modified: _, ...rest } = item
    return 'type' in rest && rest.type === 'directory' ? { ...rest, size: 0 } : rest
  })
}

function bodies(golden: GoldenCase, kind: string): unknown[] {
  return golden.fences
    .filter(({ info }) => info.split(' ')[1] === kind)
    .map(({ body }) => JSON.parse(body) as unknown)
}

export function plant(root: string, tree: Tree): void {
  for (const [path, leaf] of Object.entries(tree)) {
    const target = join(root, path)
    mkdirSync(dirname(target), { recursive: true })
    if (typeof leaf === 'object' && 'dir' in leaf) mkdirSync(target)
    else if (typeof leaf === 'object' && 'link' in leaf) symlinkSync(leaf.link, target)
    else writeFileSync(target, contentOf(leaf))
  }
}

function contentOf(leaf: Exclude<Leaf, { dir: true } | { link: string }>): Buffer {
  if (typeof leaf === 'string') return Buffer.from(leaf)
  return 'base64' in leaf ? Buffer.from(leaf.base64, 'base64') : Buffer.from(leaf.repeat[0].repeat(leaf.repeat[1]))
}

function flatten(tree: Tree): Record<string, string> {
  return Object.fromEntries(Object.entries(tree).map(([path, leaf]) => {
    if (typeof leaf === 'object' && 'dir' in leaf) return [path, 'empty directory']
    if (typeof leaf === 'object' && 'link' in leaf) return [path, `link to ${leaf.link}`]
    return [path, `file: ${contentOf(leaf).toString('latin1')}`]
  }))
}

/** Every file, link and empty directory below `root`. */
function snapshot(root: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const key = relative(root, path)
    if (entry.isSymbolicLink()) found[key] = `link to ${readlinkSync(path)}`
    else if (!entry.isDirectory()) found[key] = `file: ${readFileSync(path, 'latin1')}`
    else if (statSync(path).isDirectory() && readdirSync(path).length === 0) found[key] = 'empty directory'
  }
  return found
}
