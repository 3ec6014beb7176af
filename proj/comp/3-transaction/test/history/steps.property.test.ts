import { chmodSync, lstatSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isCampaign } from '../../../../test/support/campaign.js'
import { isNodeError } from '../../../0-contracts/src/index.js'
import { Sandbox } from './sandbox.js'

const NAMES = ['a', 'b', 'd', 'd/x', 'd/e/y', 'é "q"', 'line\nbreak', ' -n', 'x.ign']
const CONTENTS = ['', 'one\n', 'two\r\n', '\0binary', '\ufefftext without end']
const name = fc.constantFrom(...NAMES)
const edit = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), name, content: fc.constantFrom(...CONTENTS) }),
  fc.record({ kind: fc.constantFrom('remove', 'link', 'executable', 'add', 'intend', 'uncache') as fc.Arbitrary<
    'remove' | 'link' | 'executable' | 'add' | 'intend' | 'uncache'>, name }),
)
const step = fc.record({ edits: fc.array(edit, { maxLength: 4 }), forward: fc.boolean() })

/** What cannot be done in the tree as it is, is left out. */
function apply(sandbox: Sandbox, change: typeof edit extends fc.Arbitrary<infer T> ? T : never): void {
  const file = join(sandbox.root, change.name)
  const literal = `:(literal)${change.name}`
  const stat = statOf(file)
  if (change.kind === 'write' || change.kind === 'link') {
    makeRoom(sandbox.root, file)
    rmSync(file, { recursive: true, force: true })
    sandbox.put({ [change.name]: change.kind === 'write' ? change.content : '' })
    if (change.kind === 'write') return
    rmSync(file)
    symlinkSync('to nowhere', file)
  } else if (change.kind === 'uncache') {
    sandbox.git('rm', '-r', '--quiet', '--cached', '--ignore-unmatch', '--', literal)
  } else if (stat === undefined) return
  else if (change.kind === 'remove') rmSync(file, { recursive: true })
  else if (change.kind === 'executable' && stat.isFile()) chmodSync(file, (stat.mode ^ 0o111) & 0o777)
  else if (change.kind !== 'executable') {
    const flags = change.kind === 'intend' ? ['--intent-to-add'] : []
    if (change.name !== 'x.ign') sandbox.git('add', ...flags, '--', literal)
  }
}

function makeRoom(root: string, file: string): void {
  if (dirname(file) !== root) makeRoom(root, dirname(file))
  const stat = statOf(file)
  if (stat?.isDirectory() === false) rmSync(file)
}

function statOf(file: string) {
  try {
    return lstatSync(file, { throwIfNoEntry: false })
  } catch (error) {
    if (isNodeError(error) && error.code === 'ENOTDIR') return undefined
    throw error
  }
}

it('what is done at a commit is there again on return to it, or named as a conflict and kept in a stash', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async steps => {
    const sandbox = Sandbox.of(
      { 'a': 'one\n', 'd/x': 'x', '.gitignore': '*.ign\n' },
      { 'a': null, 'b': 'b', 'd': null },
      { 'b': null, 'a': 'two\n', 'd/e/y': 'y', 'd/x': 'x2', 'line\nbreak': 'l' },
    )
    const left = new Map<string, object>()
    let ahead = 0
    const walkOne = async (forward: boolean): Promise<void> => {
      const start = sandbox.snapshot()
      const outcome = await (forward ? sandbox.forward() : sandbox.back()).catch((error: { code: string }) => error)
      if ('code' in outcome) {
        // A name in the way of the older commit: nothing has changed.
        expect(outcome.code).toBe('EEXIST')
        expect(sandbox.snapshot()).toEqual(start)
        throw new Refused()
      }
      left.set(outcome.from, start)
      ahead += forward ? -1 : 1
      if (outcome.conflicts) {
        for (const stash of outcome.kept_stashes ?? []) expect(sandbox.stashes()).toContain(stash)
        left.delete(outcome.to)
      } else if (left.has(outcome.to)) expect(sandbox.snapshot()).toEqual(withoutIgnored(left.get(outcome.to), sandbox))
      else expect(sandbox.git('status', '--porcelain')).toBe('')
    }
    try {
      for (const { edits, forward } of steps) {
        for (const change of edits) apply(sandbox, change)
        if (forward ? ahead > 0 : ahead < 2) await walkOne(forward)
      }
      while (ahead > 0) await walkOne(true)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
    }
  }), { numRuns: Number(process.env['STEP_RUNS'] ?? (isCampaign ? 10 : 3)) })
}, 600_000)

class Refused extends Error {}

/** An ignored file belongs to no commit: it is as it is now. */
function withoutIgnored(snapshot: object | undefined, sandbox: Sandbox): object {
  const { files, ...rest } = snapshot as { files: Record<string, string> }
  const now = sandbox.files()['x.ign']
  const { 'x.ign': _, ...others } = files
  return { ...rest, files: { ...others, ...(now !== undefined && { 'x.ign': now }) } }
}
