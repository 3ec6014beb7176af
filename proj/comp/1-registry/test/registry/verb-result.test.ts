import { describe, expect, it } from 'vitest'
import { toVerbResult } from '../../src/registry/index.js'
import { sample } from './sample-verbs.js'

describe('toVerbResult', () => {
  it('names declared fields in camelCase at any depth, and leaves names that are data', () => {
    const data = {
      leftovers: [{ name: 'hay_and_oats', grams: 5 }],
      keeper: { first_name: 'Ann_B', on_duty: true },
      byName: { small_lion: { bite_count: 1 }, __proto__x: { bite_count: 0 } },
      moods: ['calm'],
      vet: null,
    }
    expect(toVerbResult(sample('zoo.feedAnimal'), data)).toEqual({
      succeeded: true,
      leftovers: [{ name: 'hay_and_oats', grams: 5 }],
      keeper: { firstName: 'Ann_B', onDuty: true },
      byName: { small_lion: { biteCount: 1 }, __proto__x: { biteCount: 0 } },
      moods: ['calm'],
      vet: null,
    })
  })

  it('puts a list into items', () => {
    const data = [{ cage_number: 1, animals: [{ pet_name: 'Bo' }] }]
    expect(toVerbResult(sample('list_cages'), data)).toEqual({
      succeeded: true, items: [{ cageNumber: 1, animals: [{ petName: 'Bo' }] }],
    })
  })

  it('puts another value into value', () => {
    expect(toVerbResult(sample('cage_count'), 3)).toEqual({ succeeded: true, value: 3 })
    expect(toVerbResult(sample('cage_count'), undefined)).toEqual({ succeeded: true })
  })

  it('takes of alternatives the one that holds; which fields there are depends on it, so they stand in value', () => {
    const data = { last_seen: { at_gate: 'n_1' } }
    expect(toVerbResult(sample('zoo.locate'), data)).toEqual({ succeeded: true, value: { lastSeen: { atGate: 'n_1' } } })
  })

  it('follows recursive schemas', () => {
    const data = { tree: { leaf_count: 1, branches: [{ leaf_count: 2, branches: [] }] } }
    expect(toVerbResult(sample('zoo.showTree'), data)).toEqual({
      succeeded: true, tree: { leafCount: 1, branches: [{ leafCount: 2, branches: [] }] },
    })
  })
})
