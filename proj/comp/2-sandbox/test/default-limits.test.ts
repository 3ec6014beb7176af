import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../2-config/src/config/index.js'
import { COMMAND_CONFINEMENT, DEFAULT_RESOURCES } from '../src/index.js'

const page = (path: string): string => readFileSync(fileURLToPath(new URL(`../../../../${path}`, import.meta.url)), 'utf8')

it('commands may use as much as a run allows, and the page about the sandbox says so', () => {
  const { processes, memoryBytes, fileBytes, cpuSeconds } = DEFAULT_RESOURCES
  expect([processes, memoryBytes]).toEqual([DEFAULT_LIMITS.maxProcesses, DEFAULT_LIMITS.maxMemoryBytes])
  expect(page('docs/sandbox.md')).toContain(`${processes} processes, memory (${memoryBytes / 2 ** 30} GiB, `)
  expect(page('docs/sandbox.md')).toContain(`${fileBytes / 2 ** 30} GiB a file, ${cpuSeconds / 3600} h of processor time`)
})

it('the derived design says that commands are sandboxed, and how', () => {
  const design = page('unified-design.yaml')
  expect(design).not.toContain('not sandboxed')
  expect(COMMAND_CONFINEMENT).toMatchObject({ sandbox: 'auto', platforms: { linux: 'bwrap', darwin: 'seatbelt' } })
  for (const [field, value] of Object.entries(COMMAND_CONFINEMENT)) {
    if (typeof value !== 'object') expect(design).toMatch(new RegExp(`^    ${field}: '?${value}'?$`, 'm'))
  }
})
