import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { lockSchemas, lockViolations, VerbRegistry, type SchemaLock } from '../../../1-registry/src/registry/index.js'
import { VERBS } from '../../src/verbs/index.js'

const lock = JSON.parse(readFileSync(new URL('../../test-data/verbs/schemas.lock.json', import.meta.url), 'utf8')) as SchemaLock

it('versions say how much the schemas changed', async () => {
  const now = lockSchemas(await new VerbRegistry(VERBS).loadAll())
  expect(lockViolations(lock, now)).toEqual([])
})

it('the lock is up to date: npm run design', async () => {
  expect(lock).toEqual(lockSchemas(await new VerbRegistry(VERBS).loadAll()))
})
