import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { tempDir } from '../../../../../test/support/temp-dir.js'
import { defineVerb, type Requirements } from '../../../../0-contracts/src/index.js'
import { VerbRegistry } from '../../../../1-registry/src/index.js'
import { Hermes } from '../../../src/executor/index.js'

const KEY = 'sk-of-the-weather-0123456789'

afterEach(() => {
  vi.unstubAllEnvs()
})

/** A session with one verb, which says what it got as keys. */
function session(requires: Requirements, options: object = {}): Hermes {
  const verb = defineVerb({
    name: 'weather', vocabulary: 'clada', description: 'Says what keys it has.', category: 'net', type: 'read', requires,
    args: v.strictObject({}), result: v.strictObject({ keys: v.record(v.string(), v.string()) }), examples: [{}],
    handler: (_, { keys = {} }) => ({ keys: { ...keys } }),
  })
  return new Hermes({ root: tempDir(), gitCommit: false, policy: false, registry: new VerbRegistry([verb]), ...options })
}

async function called(hermes: Hermes): Promise<object> {
  const { results: [result] } = await hermes.execute('<tool_call>{"name": "weather", "arguments": {}}</tool_call>')
  const { code, error, hint, data } = result!
  return { code, error, hint, data, offered: (await hermes.verbs()).map(({ name }) => name) }
}

function home(): string {
  const place = tempDir()
  mkdirSync(join(place, '.hermes'))
  vi.stubEnv('HERMES_HOME', join(place, '.hermes'))
  return join(place, '.hermes', '.env')
}

describe('what a verb needs', () => {
  it('a key that is not set: it is not offered, and a call says where to get one', async () => {
    const file = home()
    const key = { name: 'WEATHER_API_KEY', description: 'for forecasts', url: 'https://weather.example/keys' }
    expect(await called(session({ keys: [key] }))).toEqual({
      code: 'NOT_INSTALLED', error: 'weather is not available: WEATHER_API_KEY (for forecasts) is not set',
      hint: 'Do without it; the user can make it available. Set WEATHER_API_KEY in the environment, or write a line '
        + `WEATHER_API_KEY=… into ${file}. It is to be had at https://weather.example/keys`,
      offered: [],
    })
  })

  it.each(['WEATHER_API_KEY', 'WEATHER'])('a key %s of the environment or of .env: the handler has it, and nobody sees it', async (name) => {
    const file = home()
    writeFileSync(file, `${name}=${KEY}\nOTHER_API_KEY=another-key-of-the-user\n`, { mode: 0o600 })
    const masked = name === 'WEATHER' ? '[masked WEATHER_KEY]' : '[masked WEATHER_API_KEY]'
    const expected = { data: { keys: { [name]: masked } }, offered: ['weather'] }
    expect(await called(session({ keys: [name] }))).toMatchObject(expected)
    writeFileSync(file, '')
    vi.stubEnv(name, KEY)
    expect(await called(session({ keys: [{ name }] }))).toMatchObject(expected)
  })

  it('a key whose file others could change: the reason says so', async () => {
    writeFileSync(home(), `WEATHER_API_KEY=${KEY}\n`, { mode: 0o666 })
    vi.stubEnv('WEATHER_API_KEY', '')
    const { chmodSync } = await import('node:fs')
    chmodSync(join(process.env['HERMES_HOME'] ?? '', '.env'), 0o666)
    expect(await called(session({ keys: ['WEATHER_API_KEY'] }))).toMatchObject({
      code: 'NOT_INSTALLED', error: expect.stringContaining('WEATHER_API_KEY cannot be read: '), offered: [],
    })
  })

  it('a program, or a package, that is not there', async () => {
    expect(await called(session({ programs: ['no-such-program-here'] }))).toMatchObject({
      code: 'NOT_INSTALLED', error: 'weather is not available: no-such-program-here is not in PATH', offered: [],
    })
    expect(await called(session({ packages: ['no-such-package-here'] }))).toMatchObject({ code: 'NOT_INSTALLED', offered: [] })
    expect(await called(session({ programs: ['sh'] }))).toMatchObject({ data: { keys: {} }, offered: ['weather'] })
  })

  it('an MCP server that is not configured, or switched off', async () => {
    const servers = (server: object) => ({ policy: { mcp_servers: { maps: { command: 'maps-server', ...server } } } })
    expect(await called(session({ servers: ['maps'] }))).toMatchObject({
      code: 'NOT_INSTALLED', error: 'weather is not available: the MCP server maps is not configured', offered: [],
    })
    expect(await called(session({ servers: ['maps'] }, servers({ calls: 'off' })))).toMatchObject({
      error: expect.stringMatching(/the MCP server maps is switched off: .* says calls: off/), offered: [],
    })
    expect(await called(session({ servers: ['maps'] }, servers({})))).toMatchObject({ data: { keys: {} }, offered: ['weather'] })
  })
})
