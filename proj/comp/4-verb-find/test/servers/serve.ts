import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { outputFileSync } from 'fs-extra/esm'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { Hermes, type ExecutorOptions } from '../../../5-executor/src/executor/index.js'

export const FAKE_SERVER = fileURLToPath(new URL('../../../2-language-servers/test/fake-server.mjs', import.meta.url))

/** What `fake-server.mjs` reads. */
export type Scenario = Readonly<Record<string, unknown>>

export interface Served {
  root: string
  hermes: Hermes
  /** Runs one verb, and tells what came of it. */
  call(verb: string, args: object): Promise<Outcome>
  read(path: string): string
  /** What the server got so far. */
  log(): { id?: unknown; method?: string; params?: Record<string, unknown>; result?: unknown; error?: unknown }[]
}

export interface Outcome {
  success: boolean
  code?: string
  error?: string
  hint?: string
  data?: Record<string, unknown>
  broke?: unknown
  warnings: readonly string[]
}

/** A session in a temporary root with a server for Python that follows a scenario; outside of any sandbox. */
export function serve(
  files: Readonly<Record<string, string>>, scenario: Scenario,
  { server = {}, ...options }: Partial<ExecutorOptions> & { server?: object } = {},
): Served {
  const root = tempDir()
  const place = tempDir()
  const log = join(place, 'log')
  const file = join(place, 'scenario.json')
  writeFileSync(log, '')
  writeFileSync(file, JSON.stringify({ log, once: join(place, 'once'), ...scenario }))
  for (const [name, content] of Object.entries(files)) {
    outputFileSync(join(root, name), content)
  }
  const policy = {
    language_servers: {
      fake: { command: process.execPath, args: [FAKE_SERVER, file], languages: ['python'], ...server },
    },
  }
  const hermes = new Hermes({ root, gitCommit: false, sandbox: 'none', policy, ...options })
  return {
    root, hermes,
    async call(verb, args) {
      const text = ['```json hermes', JSON.stringify({ verb, arguments: args }), '```'].join('\n')
      const { results: [first], warnings = [], parseErrors } = await hermes.execute(text)
      if (!first) throw new Error(JSON.stringify(parseErrors))
      const { success, code, error, hint, data, broke } = first
      return {
        success, warnings, ...(code !== undefined && { code }), ...(error !== undefined && { error }),
        ...(hint !== undefined && { hint }), ...(data !== undefined && { data: data as Record<string, unknown> }),
        ...(broke && { broke }),
      }
    },
    read: (path) => readFileSync(join(root, path), 'utf8'),
    log: () => readFileSync(log, 'utf8').split('\n').filter(Boolean)
      .map((line) => JSON.parse(line) as ReturnType<Served['log']>[number]),
  }
}
