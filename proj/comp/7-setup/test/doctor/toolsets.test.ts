import { expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { VerbRegistry } from '../../../1-registry/src/index.js'
import { VERBS } from '../../../5-executor/src/index.js'
import { examineToolsets, renderToolsets } from '../../src/doctor/index.js'

it('says of toolsets with commands what becomes of these where no sandbox holds them', async () => {
  const verbs = await new VerbRegistry(VERBS).loadAll()
  const examined = await examineToolsets(tempDir(), verbs, ['edit', 'execute'])
  // Whether one works depends on the machine; toolsets without commands have nothing to tell.
  expect(examined.find(({ toolset }) => toolset === 'edit')).not.toHaveProperty('commands')
  const [, execute] = examined
  if (!execute) throw new Error('two toolsets')
  const { commands: _, ...held } = execute
  expect(renderToolsets([held], { colour: false })).toBe(`execute  available, ${held.verbs} verbs\n`)
  const asked = renderToolsets([{ ...held, commands: 'each command asks first: there is no sandbox (why)' }], { colour: false })
  expect(asked).toBe(`execute  available, ${held.verbs} verbs\n  each command asks first: there is no sandbox (why)\n`)
})
