/**
 * The attack suite: one named attempt a row in `*.cases.json`, each run from model text by the whole of hermes, in a
 * fresh tree full of bait. Whatever its code: nothing outside the root is touched, nothing protected is changed, and no
 * result shows what they hold.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { execute, type ActionResult } from '../../src/index.js'
import { isCampaign, spread } from '../support/campaign.js'
import { MARK, plantAttackTree } from './attack-tree.js'

type Attempt = [verb: string, args: Record<string, unknown>]
interface Case {
  name: string
  /** One call, or several; the last is the attempt. */
  try: Attempt | Attempt[]
  /** Of the last call; `ok`: it succeeds, and is contained all the same; `any`: it only has to end. */
  code: string
  /** In the data of the last call. */
  shows?: string
  needs?: 'device' | 'exec'
  /** Seconds: for a campaign. */
  isLong?: true
}

const folder = fileURLToPath(new URL('./', import.meta.url))
/** A result of more than this, as JSON, was not bounded. */
const MOST_RESULT = 8 * 2 ** 20

describe.skipIf(process.platform === 'win32').each(
  readdirSync(folder).filter((name) => name.endsWith('.cases.json')).map((name) => [name.replace('.cases.json', ''), name]),
)('attack: %s', (_topic, file) => {
  const cases = JSON.parse(readFileSync(join(folder, file ?? ''), 'utf8')) as Case[]
  it.each(spread(cases.filter(({ isLong }) => isCampaign || !isLong), 5))('$name', async ({ try: attempts, code, shows, needs }) => {
    const { root, fill, guarded } = await plantAttackTree(JSON.stringify(attempts))
    if (needs === 'device' && !makeDevice(join(root, 'zero'))) return
    const before = guarded()
    const calls = (typeof attempts[0] === 'string' ? [attempts] : attempts) as Attempt[]
    const answer = calls.map(([verb, args]) => block(verb, JSON.parse(fillIn(args, fill)))).join('\n')
    const result = await execute(answer, {
      root, relativePaths: true, rootAliases: ['/workspace'], gitCommit: false, policy: false, approve: () => 'once',
    })
    const last = result.results.at(-1)
    expect(result.results.length, JSON.stringify(result.parseErrors).slice(0, 500)).toBe(calls.length)
    for (const step of result.results.slice(0, -1)) expect(step.error).toBeUndefined()
    if (code !== 'any') expect(last?.success === true ? 'ok' : last?.code, last?.error).toBe(code)
    expect(last?.error ?? '').not.toMatch(/[\n\r]/)
    if (shows !== undefined) expect(JSON.stringify(last?.data)).toContain(shows)
    expectNothingShown(result.results)
    expect(guarded()).toEqual(before)
  })
})

function expectNothingShown(results: readonly ActionResult[]): void {
  // What the model wrote itself is no secret.
  const told = results.map(({ params: _params, ...others }) => JSON.stringify(others))
  for (const text of told) {
    expect(text).not.toContain(`KEY=${MARK}`)
    expect(text.length).toBeLessThan(MOST_RESULT)
  }
}

function fillIn(args: Record<string, unknown>, fill: (text: string) => string): string {
  return JSON.stringify(args, (_key, value: unknown) => (typeof value === 'string' ? fill(value) : value))
}

function block(verb: string, args: unknown): string {
  return ['```json hermes', JSON.stringify({ verb, arguments: args }), '```', ''].join('\n')
}

/** Only root may. */
function makeDevice(path: string): boolean {
  try {
    execFileSync('mknod', [path, 'c', '1', '5'], { stdio: 'ignore' })
    return true
  } catch (error) {
    if (error instanceof Error) return false
    throw error
  }
}
