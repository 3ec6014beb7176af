import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { tempDir } from '../../../test/support/temp-dir.js'
import { requireTrustedRoot, trustPlaces } from '../src/index.js'
import { NestedWatch } from '../src/nested-control.js'

/** How many directories are looked at here. */
const MOST = 20

function makeDirectories(root: string, count: number): void {
  for (let at = 0; at < count; at++) mkdirSync(join(root, `d${at}`))
}

describe('more directories than are looked at', () => {
  beforeEach(() => {
    vi.stubEnv('HERMES_HOME', tempDir())
    return () => vi.unstubAllEnvs()
  })

  it('are refused before a command: a repository in the deepest could not be kept', () => {
    const root = tempDir()
    makeDirectories(root, MOST - 1)
    expect(new NestedWatch([root], MOST).control('exec')).toEqual({ kept: [], missing: [] })
    mkdirSync(join(root, 'd0/one-more'))
    expect(() => new NestedWatch([root], MOST).control('exec')).toThrow(`exec: more than ${MOST} directories in ${root}`)
  })

  it('make the root untrusted where a command made them: what is in the deepest nobody has seen', () => {
    const root = tempDir()
    const watch = new NestedWatch([root], MOST)
    makeDirectories(root, MOST)
    mkdirSync(join(root, 'd0/sub/.git'), { recursive: true })
    writeFileSync(join(root, 'd0/sub/.git/config'), 'x')
    watch.end()
    expect(() => requireTrustedRoot(join(root, 'd0/sub'))).toThrow(`A command of hermes made ${root}, or more directories in it`)
    expect(() => requireTrustedRoot(root)).toThrow('goes by it yet')
    expect(trustPlaces(root)).toEqual([root])
    expect(() => requireTrustedRoot(root)).not.toThrow()
  })
})
