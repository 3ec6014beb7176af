import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { transformToAction, TransformError, validateShamBlock } from '../../src/registry/index.js'
import type { ActionDefinition, CladaAction, ShamBlock, ShamValidation } from '../../src/registry/index.js'

interface Cases<T> {
  definitions: Record<string, ActionDefinition>
  cases: T[]
}
interface Validation {
  name: string
  properties: ShamBlock['properties']
  expected: ShamValidation
}
interface Transformation {
  name: string
  block: ShamBlock
  expected?: CladaAction
  /** Named fields of the error. */
  throws?: Record<string, string>
}

describe('validateShamBlock', () => {
  const { definitions, cases } = read<Validation>('validate-sham-block')
  it.each(cases)('$name', ({ properties, expected }) => {
    expect(validateShamBlock({ properties }, definitions[properties['action'] ?? ''] ?? null)).toEqual(expected)
  })
})

describe('transformToAction', () => {
  const { definitions, cases } = read<Transformation>('transform-to-action')
  it.each(cases)('$name', ({ block, expected, throws }) => {
    const definition = definitions[block.properties['action'] ?? '']!
    if (expected) {
      expect(transformToAction(block, definition)).toEqual(expected)
      return
    }
    const error = caught(() => transformToAction(block, definition))
    expect(error).toBeInstanceOf(TransformError)
    expect(error).toMatchObject(throws ?? {})
  })
})

function read<T>(name: string): Cases<T> {
  return JSON.parse(readFileSync(new URL(`../../test-data/registry/${name}.cases.json`, import.meta.url), 'utf8')) as Cases<T>
}

function caught(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}
