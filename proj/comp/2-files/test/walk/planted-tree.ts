import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { DiskFiles } from '../../src/store/index.js'
import { createPathGate } from '../../src/policy/index.js'
import { walk, type WalkOptions } from '../../src/walk/index.js'

export type Tree = Record<string, string>

export function plant(root: string, tree: Tree): void {
  for (const [path, content] of Object.entries(tree)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}

export async function walked(
  root: string, start = '.', options: Partial<WalkOptions> = {}, aliases: string[] = [],
): Promise<string[]> {
  const gate = createPathGate({ root, aliases })
  const context = { gate, files: new DiskFiles(), signal: new AbortController().signal }
  const found: string[] = []
  for await (const { relative } of walk(gate.approve(start, 'read'), context, {
    gitignore: true, onUnreadable: (path, error) => expect.unreachable(`${path}: ${error.code}`), ...options,
  })) found.push(relative)
  return found
}

export function git(root: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'], HOME: root, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
  })
}
