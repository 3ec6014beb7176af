import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readGoldens } from '../../../../test/support/goldens.js'
import { INITIALIZE_MS, SHUTDOWN_MS } from '../../src/host/extension-host.js'
import { converse, type Conversation } from './converse.js'

const cases = readGoldens(new URL('../../test-data/host/conversations.cases.md', import.meta.url))

// Most of each case is waiting for a process.
describe.concurrent('the host and an extension that follows a script', () => {
  let base = ''
  beforeAll(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-conversations-')))
  })
  afterAll(() => rmSync(base, { recursive: true, force: true, maxRetries: 3 }))

  it.each(cases.map((one, place) => ({ ...one, place })))('$group: $name', async ({ fences, place }) => {
    const body = (kind: string): string | undefined => fences.find(({ info }) => info.split(' ')[1] === kind)?.body
    const settings = JSON.parse(body('settings') ?? '{}') as Partial<Conversation>
    const directory = join(base, String(place))
    mkdirSync(directory)
    const { received, shown, text, left } = await converse({ ...settings, steps: body('extension') ?? '', message: body('message') }, directory)
    expect({ received, shown, text, left }).toEqual({
      // Where it is not said, what the extension gets before it is gone is chance.
      received: body('received') === undefined ? received : lines(body('received')),
      shown: lines(body('shown')), text: body('after') ?? body('message') ?? '', left: [],
    })
  })
})

it('waits as long as seed 001 says', () => {
  expect([INITIALIZE_MS, SHUTDOWN_MS]).toEqual([10_000, 5000])
})

function lines(body: string | undefined): string[] {
  return body === undefined || body === '' ? [] : body.split('\n')
}
