import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isCampaign } from '../../../../test/support/campaign.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { contextFor, runVerb } from '../../../5-executor/test/verbs/golden-harness.js'
import {
  changed, changes, created, edited, edits, gitView, plant, type RandomFile, type RandomTree, texts, trees,
} from './support/random-trees.js'

const ENVIRONMENT = {
  PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', HOME: '/nowhere',
}
function git(cwd: string, args: readonly string[], input = ''): string {
  return execFileSync('git', args, { cwd, env: ENVIRONMENT, encoding: 'utf8', stdio: 'pipe', input })
}
function gitTakes(cwd: string, patch: string): boolean {
  try {
    git(cwd, ['apply', '--whitespace=nowarn', '-'], patch)
    return true
  } catch {
    return false
  }
}

/** What GNU diff writes; it ends with 1 where there are differences. */
function diff(cwd: string, ...args: string[]): string {
  try {
    return execFileSync('diff', ['--text', ...args], { cwd, encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    return String((error as { stdout: unknown }).stdout)
  }
}

const flags = fc.constantFrom<string[]>(
  [], ['-M'], ['-M', '-C', '--find-copies-harder'], ['-U1'], ['--no-prefix'],
  ['-M', '--src-prefix=old/', '--dst-prefix=new/'],
)
/** More of both for a long campaign by hand. */
const numRuns = Number(process.env['HERMES_RUNS'] ?? 30)

describe('patch_unified', () => {
  it('makes of a tree what git makes of it, given a diff of git', async () => {
    const [repository, target] = [tempDir(), tempDir()]
    git(repository, ['init', '-q'])
    const tree = (content: RandomTree): string => {
      plant(repository, content)
      git(repository, ['add', '-A'])
      return git(repository, ['write-tree']).trim()
    }
    await fc.assert(fc.asyncProperty(trees, changes, created, flags, async (before, list, added, options) => {
      const sides = [tree(before), tree(changed(before, list, added))]
      const patch = git(repository, ['diff', '--text', ...options, ...sides])
      // Without prefixes a directory 'b' looks like one.
      fc.pre(patch !== '' && (!options.includes('--no-prefix') || !/ b\/b$/m.test(patch)))
      plant(target, before)
      const outcome = await runVerb('patch_unified', { patch }, contextFor(target, 'disk'))
      expect({ outcome, view: gitView(target) }).toEqual({
        outcome: { data: expect.objectContaining({ files: expect.any(Array) }) }, view: gitView(repository),
      })
    }), { numRuns })
  }, 600_000)

  it.each(['exact', 'tolerant'] as const)('does with a file that drifted what git apply does (%s)', async (match) => {
    const [byGit, byUs, scratch] = [tempDir(), tempDir(), tempDir()]
    const counts = { both: 0, none: 0, usOnly: 0 }
    const widths = fc.constantFrom('-U3', '-U1', '-U0', '-U8')
    await fc.assert(fc.asyncProperty(texts, edits, edits, widths, async (base, change, drift, width) => {
      const [next, drifted] = [edited(base, change), edited(base, drift)]
      fc.pre(base !== next && base !== '' && next !== '')
      writeFileSync(join(scratch, 'old'), base)
      writeFileSync(join(scratch, 'new'), next)
      const patch = diff(scratch, width, 'old', 'new').replace(/^--- .*\n\+\+\+ .*$/m, '--- a/f\n+++ b/f')
      if (departs(patch, drifted, base)) return
      for (const root of [byGit, byUs]) writeFileSync(join(root, 'f'), drifted)
      const before = gitView(byUs)
      const taken = gitTakes(byGit, patch)
      const context = { ...contextFor(byUs, 'disk'), match }
      const outcome = await runVerb('patch_unified', { patch }, context) as { code?: string; message?: string }
      const isDone = outcome.code === undefined
      const view = gitView(byUs)
      const isDoubted = match === 'tolerant' && outcome.code === 'AMBIGUOUS_MATCH'
        && String(outcome.message).includes('where git apply would take it')
      if (taken && !isDoubted) expect({ outcome, view }).toMatchObject({ outcome: { data: {} }, view: gitView(byGit) })
      else if (match === 'exact') expect(outcome).toHaveProperty('code')
      if (!isDone) expect(view).toEqual(before)
      counts[taken ? 'both' : isDone ? 'usOnly' : 'none']++
    }), { numRuns: numRuns * 10 })
    expect(counts.none).toBeGreaterThan(0)
    expect(counts.both).toBeGreaterThan(0)
    // oxlint-disable-next-line no-console
    if (process.env['HERMES_RUNS'] !== undefined) console.log(match, counts)
  }, 600_000)

  it('does with files that drifted, went, or are there already what git apply does', async () => {
    const [repository, byGit, byUs] = [tempDir(), tempDir(), tempDir()]
    git(repository, ['init', '-q'])
    const tree = (content: RandomTree): string => {
      plant(repository, content)
      git(repository, ['add', '-A'])
      return git(repository, ['write-tree']).trim()
    }
    const counts = { both: 0, none: 0 }
    await fc.assert(fc.asyncProperty(trees, changes, changes, created, async (before, list, drift, added) => {
      const patch = git(repository, ['diff', '--text', '-M', '-C', tree(before), tree(changed(before, list, added))])
      const drifted = changed(before, drift)
      for (const root of [byGit, byUs]) plant(root, drifted)
      const [bases, contents] = [before, drifted].map((files) => [...files.values()].map(({ text }) => text))
      if (contents?.some((text) => bases?.some((base) => departs(patch, text, base)))) return
      // File by file: git takes all of a patch or nothing.
      for (const part of patch.split(/^(?=diff --git )/m).filter((text) => text !== '')) {
        const isTaken = gitTakes(byGit, part)
        const outcome = await runVerb('patch_unified', { patch: part }, { ...contextFor(byUs, 'disk'), match: 'exact' })
        const isDone = !('code' in (outcome as object))
        const [ours, theirs] = [gitView(byUs), gitView(byGit)]
        expect({ part, outcome, isDone, view: ours }).toEqual({ part, outcome, isDone: isTaken, view: theirs })
        counts[isTaken ? 'both' : 'none']++
      }
    }), { numRuns })
    // Fewer runs may hold none that git takes.
    if (isCampaign) expect(Math.min(counts.both, counts.none)).toBeGreaterThan(0)
  }, 600_000)

  it('patches a tree as GNU diff describes the difference of two directories', async () => {
    const root = tempDir()
    await fc.assert(fc.asyncProperty(trees, changes, async (before, list) => {
      plant(join(root, 'old'), plain(before))
      plant(join(root, 'new'), plain(changed(before, list)))
      plant(join(root, 'target'), plain(before))
      const patch = diff(root, '-ruN', 'old', 'new')
      fc.pre(/^@@/m.test(patch))
      const outcome = await runVerb('patch_unified', { patch }, contextFor(join(root, 'target'), 'disk'))
      expect(outcome).toHaveProperty('data.files')
      // diff -N tells no empty file from none.
      expect(withoutEmpty(gitView(join(root, 'target')))).toEqual(withoutEmpty(gitView(join(root, 'new'))))
    }), { numRuns })
  }, 600_000)
})

/**
 * Where git is not followed: it appends lines without context, joins a line to the next where the patch says that
 * no line feed ends it, and gives LF to what takes the place of a last line without a line feed alone, also in a file
 * with CRLF.
 */
function departs(patch: string, drifted: string, base: string): boolean {
  if (/^@@ -\d+,0 /m.test(patch)) return true
  if (/^@@ -\d+(?:,1)? .*\n-.*\n\\ No/m.test(patch) && drifted.includes('\r')) return true
  const last = base.split('\n').at(-1) ?? ''
  const lines = drifted.split('\n').slice(0, drifted.endsWith('\n') ? -2 : -1)
  const mayJoin = lines.some((line) => line.startsWith(last) && line.slice(last.length).trim() === '')
  return /^\\ No/m.test(patch) && mayJoin
}

function plain(tree: RandomTree): RandomTree {
  return new Map([...tree].map(([name, { text }]) => [name, { text, executable: false }]))
}

function withoutEmpty(view: Record<string, RandomFile>): Record<string, RandomFile> {
  return Object.fromEntries(Object.entries(view).filter(([, { text }]) => text !== ''))
}
